// Errors of a GPU or its driver, as messages with a remedy. Needs neither.

#include "gpu/runtime/error.hpp"
#include "gpu/engine.hpp"

#include <gtest/gtest.h>

#include <new>

namespace kg::testing {
namespace {

void prints(cudaError_t status, int driver, std::string_view text) {
    const auto message = gpu::why_no_device(status, driver);
    EXPECT_NE(message.find(text), std::string::npos) << message;
}

TEST(CudaErrors, NoDeviceHasAReasonAndARemedy) {
    prints(cudaErrorInsufficientDriver, 0, "no NVIDIA driver is installed");
    prints(cudaErrorInsufficientDriver, 0, "install its driver");
    prints(cudaErrorInsufficientDriver, 12020, "too old: it is for CUDA 12.2");
    prints(cudaErrorInsufficientDriver, 12020, "needs CUDA " + gpu::version_text(CUDART_VERSION));
    prints(cudaErrorInsufficientDriver, 12020, "install a newer driver");
    prints(cudaErrorNoDevice, 13000, "CUDA_VISIBLE_DEVICES");
    prints(cudaErrorSystemNotReady, 13000, "does not start");
}

TEST(CudaErrors, ADeviceThatFailedForGoodIsAnExceptionOfItsOwn) {
    EXPECT_NO_THROW(gpu::check(cudaSuccess));
    for (const auto status : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorMisalignedAddress,
                              cudaErrorECCUncorrectable, cudaErrorLaunchTimeout})
        EXPECT_THROW(gpu::check(status), DeviceLost);
    try {
        gpu::check(cudaErrorIllegalAddress);
    } catch (const Unavailable& error) { // a command turns it into exit code 3
        const std::string text = error.what();
        EXPECT_NE(text.find("failed for good"), std::string::npos) << text;
        EXPECT_NE(text.find("cudaErrorIllegalAddress at errors_test.cpp"), std::string::npos) << text;
        EXPECT_NE(text.find("CPU engine"), std::string::npos) << text;
    }
    EXPECT_THROW(gpu::check(cudaErrorMemoryAllocation), std::bad_alloc);
    EXPECT_THROW(gpu::check(cudaErrorInvalidValue), gpu::CudaError);
    EXPECT_THROW(gpu::check(cudaErrorNotSupported), gpu::CudaError) << "the device can be used on";
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
