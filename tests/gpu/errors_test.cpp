// What can be wrong with a GPU or its driver, in words that say what helps. Needs neither.

#include "gpu/runtime/error.hpp"
#include "gpu/engine.hpp"

#include <gtest/gtest.h>

#include <new>

namespace kg::testing {
namespace {

void says(cudaError_t status, int driver, std::string_view words) {
    const auto sentence = gpu::why_no_device(status, driver);
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
}

TEST(CudaErrors, NoDeviceHasAReasonAndARemedy) {
    says(cudaErrorInsufficientDriver, 0, "no NVIDIA driver is installed");
    says(cudaErrorInsufficientDriver, 0, "install its driver");
    says(cudaErrorInsufficientDriver, 12020, "too old: it is for CUDA 12.2");
    says(cudaErrorInsufficientDriver, 12020, "needs CUDA " + gpu::version_text(CUDART_VERSION));
    says(cudaErrorInsufficientDriver, 12020, "install a newer driver");
    says(cudaErrorNoDevice, 13000, "CUDA_VISIBLE_DEVICES");
    says(cudaErrorSystemNotReady, 13000, "does not start");
}

TEST(CudaErrors, ADeviceThatFailedForGoodIsAnExceptionOfItsOwn) {
    EXPECT_NO_THROW(gpu::check(cudaSuccess));
    for (const auto status : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorMisalignedAddress,
                              cudaErrorECCUncorrectable, cudaErrorLaunchTimeout})
        EXPECT_THROW(gpu::check(status), DeviceLost);
    try {
        gpu::check(cudaErrorIllegalAddress);
    } catch (const Unavailable& error) { // which a command turns into exit code 3
        const std::string words = error.what();
        EXPECT_NE(words.find("failed for good"), std::string::npos) << words;
        EXPECT_NE(words.find("cudaErrorIllegalAddress at errors_test.cpp"), std::string::npos) << words;
        EXPECT_NE(words.find("CPU engine"), std::string::npos) << words;
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
