// Errors of a GPU or its driver, as messages with a remedy. Needs neither.

#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "gpu/runtime/access.hpp"
#include "gpu/runtime/error.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <source_location>

namespace kg::testing {
namespace {

TEST(CudaErrors, NoDeviceHasAReasonAndARemedy) {
    EXPECT_EQ(gpu::why_no_device(cudaErrorInsufficientDriver, 0),
              "no NVIDIA driver is installed; if this machine has an NVIDIA GPU, install its driver");
    EXPECT_EQ(gpu::why_no_device(cudaErrorInsufficientDriver, 12020),
              "the NVIDIA driver is too old: it is for CUDA 12.2 and this program needs CUDA " +
                  gpu::version_text(CUDART_VERSION) + "; install a newer driver");
    EXPECT_EQ(gpu::why_no_device(cudaErrorNoDevice, 13000),
              "no NVIDIA GPU is in this machine, or it is hidden by CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(gpu::why_no_device(cudaErrorSystemNotReady, 13000),
              std::string("the NVIDIA driver does not start: ") +
                  cudaGetErrorString(cudaErrorSystemNotReady));
}

TEST(CudaErrors, ADeviceThatFailedForGoodIsAnExceptionOfItsOwn) {
    EXPECT_NO_THROW(gpu::check(cudaSuccess));
    for (const auto status : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorMisalignedAddress,
                              cudaErrorECCUncorrectable, cudaErrorLaunchTimeout})
        EXPECT_THROW(gpu::check(status), DeviceLost); // Unavailable, which a command turns into exit code 3
    EXPECT_EQ(code_of([] { gpu::check(cudaErrorIllegalAddress); }), "device-lost");
    EXPECT_THROW(gpu::check(cudaErrorMemoryAllocation), std::bad_alloc);
    for (const auto status : {cudaErrorInvalidValue, cudaErrorNotSupported}) { // the device can be used on
        EXPECT_THROW(gpu::check(status), gpu::CudaError);
        EXPECT_EQ(code_of([&] { gpu::check(status); }), "cuda-error");
    }
}

TEST(CudaErrors, NameTheCallAndTheRemedy) {
    const auto where = std::source_location::current();
    const std::string place = "errors_test.cpp:" + std::to_string(where.line());
    const struct {
        cudaError_t status;
        std::string begin, name, remedy;
    } table[] = {{cudaErrorIllegalAddress, "the GPU has failed for good: ", "cudaErrorIllegalAddress",
                  "start the program again, or use the CPU engine"},
                 {cudaErrorInvalidValue, "the GPU refused or failed: ", "cudaErrorInvalidValue",
                  "start the program again, or use the CPU engine"},
                 {cudaErrorNoKernelImageForDevice,
                  "the GPU refused or failed: ", "cudaErrorNoKernelImageForDevice",
                  "build the program for this GPU (CMAKE_CUDA_ARCHITECTURES=native), or use the CPU engine"}};
    for (const auto& [status, begin, name, remedy] : table) {
        try {
            gpu::check(status, where);
            ADD_FAILURE() << "check() let " << name << " pass";
        } catch (const Error& error) {
            const std::string text = cudaGetErrorString(status);
            EXPECT_EQ(error.what(), begin + text + " (" + name + " at " + place + "); " + remedy);
        }
    }
}

TEST(CudaErrors, ObjectsOfOtherEnginesAreRefused) {
    const auto cpu = cpu::make_engine(1);
    const auto buffer = allocate_view(*cpu, {Depth::u8, 1}, {0, 0, 8, 8});
    const auto queue = cpu->queue();
    const struct {
        std::function<void()> action;
        std::string code, message;
    } table[] = {
        {[&] { gpu::stream_of(*queue); }, "foreign-queue", "this queue does not belong to the CUDA engine"},
        {[&] { gpu::device_pointer(buffer); }, "foreign-buffer",
         "this buffer does not belong to the CUDA engine"},
        {[&] { gpu::device_of(*cpu); }, "foreign-engine", "the engine cpu is not a CUDA engine"}};
    for (const auto& [action, code, message] : table) {
        EXPECT_EQ(code_of(action), code);
        try {
            action();
        } catch (const Error& error) {
            EXPECT_EQ(error.what(), message);
        }
    }
}

TEST(CudaErrors, DevicesAreThoseThatCanBeMade) {
    const int count = gpu::device_count();
    ASSERT_GE(count, 0);
    if (count == 0) {
        EXPECT_FALSE(gpu::make_engine(0)->usable().empty());
    }
    const auto beyond = gpu::make_engine(count)->usable();
    EXPECT_FALSE(beyond.empty());
}

} // namespace
} // namespace kg::testing
