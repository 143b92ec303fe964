#include "gpu/cuda/error.hpp"

#include <new>
#include <string_view>

namespace kg::gpu {

namespace {

std::string sentence(cudaError_t status, const std::source_location& where) {
    std::string_view file = where.file_name();
    file.remove_prefix(file.rfind('/') + 1);
    const std::string place = std::string(file) + ":" + std::to_string(where.line());
    const char* remedy =
        status == cudaErrorNoKernelImageForDevice
            ? "build the program for this GPU (CMAKE_CUDA_ARCHITECTURES=native), or use the CPU engine"
            : "start the program again, or use the CPU engine";
    return std::string("the GPU refused or failed: ") + cudaGetErrorString(status) + " (" +
           cudaGetErrorName(status) + " at " + place + "); " + remedy;
}

} // namespace

CudaError::CudaError(cudaError_t status, const std::source_location& where)
    : Error(sentence(status, where)), status_(status) {}

void check(cudaError_t status, std::source_location where) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
    throw CudaError(status, where);
}

std::string reason_of(cudaError_t status) {
    cudaGetLastError();
    if (status == cudaErrorInsufficientDriver)
        return "no NVIDIA driver, or one too old for CUDA " + std::to_string(CUDART_VERSION / 1000) +
               "; install the driver of your GPU";
    if (status == cudaErrorNoDevice)
        return "no NVIDIA GPU is in this machine, or it is hidden by CUDA_VISIBLE_DEVICES";
    return std::string("the NVIDIA driver does not start: ") + cudaGetErrorString(status);
}

} // namespace kg::gpu
