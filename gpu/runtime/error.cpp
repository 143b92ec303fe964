#include "gpu/runtime/error.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <string_view>

namespace kg::gpu {

namespace {

std::string place(const std::source_location& where) {
    std::string_view file = where.file_name();
    file.remove_prefix(file.rfind('/') + 1);
    return std::string(file) + ":" + std::to_string(where.line());
}

const char* remedy(cudaError_t status) {
    return status == cudaErrorNoKernelImageForDevice
               ? "build the program for this GPU (CMAKE_CUDA_ARCHITECTURES=native), or use the CPU engine"
               : "start the program again, or use the CPU engine";
}

} // namespace

CudaError::CudaError(cudaError_t status, const std::source_location& where)
    : Error("cuda-error", "the GPU refused or failed: {} ({} at {}); {}", cudaGetErrorString(status),
            cudaGetErrorName(status), place(where), remedy(status)),
      status_(status) {}

bool is_lost(cudaError_t status) {
    constexpr cudaError_t kLost[] = {
        cudaErrorIllegalAddress,     cudaErrorLaunchFailure,       cudaErrorLaunchTimeout,
        cudaErrorIllegalInstruction, cudaErrorMisalignedAddress,   cudaErrorInvalidAddressSpace,
        cudaErrorInvalidPc,          cudaErrorHardwareStackError,  cudaErrorAssert,
        cudaErrorECCUncorrectable,   cudaErrorNvlinkUncorrectable, cudaErrorContextIsDestroyed,
        cudaErrorTensorMemoryLeak,   cudaErrorContained,           cudaErrorUnknown};
    return std::ranges::find(kLost, status) != std::end(kLost);
}

void check(cudaError_t status, std::source_location where) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
    if (is_lost(status))
        throw DeviceLost("device-lost", "the GPU has failed for good: {} ({} at {}); {}",
                         cudaGetErrorString(status), cudaGetErrorName(status), place(where), remedy(status));
    throw CudaError(status, where);
}

std::string version_text(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string why_no_device(cudaError_t status, int driver) {
    if (status == cudaErrorInsufficientDriver && driver == 0)
        return "no NVIDIA driver is installed; if this machine has an NVIDIA GPU, install its driver";
    if (status == cudaErrorInsufficientDriver)
        return "the NVIDIA driver is too old: it is for CUDA " + version_text(driver) +
               " and this program needs CUDA " + version_text(CUDART_VERSION) + "; install a newer driver";
    if (status == cudaErrorNoDevice)
        return "no NVIDIA GPU is in this machine, or it is hidden by CUDA_VISIBLE_DEVICES";
    return std::string("the NVIDIA driver does not start: ") + cudaGetErrorString(status);
}

} // namespace kg::gpu
