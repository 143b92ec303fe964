// Which GPUs multiply on tensor cores, without one.

#include "gpu/kernels/tensor/tensor_cores.hpp"
#include "gpu/runtime/architectures.hpp"
#include "gpu/runtime/device.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <span>
#include <string>

namespace kg::gpu {
namespace {

/// A GPU of which nothing is known but its compute capability.
class OtherGpu final : public Engine {
public:
    explicit OtherGpu(const char* capability) { info_.compute_capability = capability; }
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t, BufferKind) override { throw std::bad_alloc(); }
    std::unique_ptr<Queue> queue(Priority) override { return nullptr; }
    std::span<const Algorithm* const> algorithms() const override { return {}; }

private:
    DeviceInfo info_{"cuda", "another", "", 0, 0};
};

TEST(TensorCores, AreThoseOfAmpereAndLater) {
    for (const auto* old : {"5.2", "6.1", "7.0", "7.5"})
        EXPECT_EQ(why_not_tensor_cores(OtherGpu(old), "bytes"),
                  "it multiplies bytes on tensor cores, which GPUs have since compute capability 8.0")
            << old;
    EXPECT_EQ(why_not_tensor_cores(OtherGpu(""), "TF32").find("it multiplies TF32"), 0u) << "none is known";
    EXPECT_EQ(why_not_tensor_cores(OtherGpu("12.0"), "bytes"), "");
}

TEST(TensorCores, NeedCodeThatWasCompiledForThem) {
    const OtherGpu ampere("8.0");
    const bool has_code = newest_architecture_for(80) >= 80;
    EXPECT_EQ(why_not_tensor_cores(ampere, "bytes"),
              has_code ? ""
                       : "it multiplies bytes on tensor cores, and this program was built for older GPUs");
    EXPECT_GE(newest_architecture_for(1000), oldest_architecture());
    EXPECT_EQ(newest_architecture_for(10), 0);
}

} // namespace
} // namespace kg::gpu
