// The engine for an algorithm that is requested by name.

#include "app/process/engine/engines.hpp"
#include "core/support/error.hpp"
#include "tests/support/app/error_words.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

namespace kg::testing {
namespace {

constexpr Algorithm kDirect{"direct", "", "", "", nullptr, nullptr, nullptr},
    kTwist{"twist", "", "", "", nullptr, nullptr, nullptr},
    kConvert{"convert", "", "", "", nullptr, nullptr, nullptr};

/// An engine with a name and algorithms that computes nothing.
class Named final : public Engine {
public:
    Named(std::string id, std::vector<const Algorithm*> algorithms) : algorithms_(std::move(algorithms)) {
        info_.id = std::move(id);
        info_.host_memory = info_.id == "cpu";
    }
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t, BufferKind) override {
        throw Unavailable("no-memory", "no memory");
    }
    std::unique_ptr<Queue> queue(Priority) override { throw Unavailable("no-queue", "no queue"); }
    std::span<const Algorithm* const> algorithms() const override { return algorithms_; }

private:
    DeviceInfo info_;
    std::vector<const Algorithm*> algorithms_;
};

class EngineWith : public ::testing::Test {
protected:
    std::string chosen(std::string_view algorithm) const {
        return engine_with(engines_, algorithm)->device().id;
    }
    auto choosing(std::string_view algorithm) const {
        return [this, algorithm] { chosen(algorithm); };
    }
    std::vector<std::shared_ptr<Engine>> engines_{
        std::make_shared<Named>("cuda", std::vector{&kDirect, &kConvert}),
        std::make_shared<Named>("cpu", std::vector{&kDirect, &kTwist, &kConvert})};
};

TEST_F(EngineWith, TakesTheFirstWithTheAlgorithm) {
    EXPECT_EQ(chosen("direct"), "cuda");
    EXPECT_EQ(chosen("twist"), "cpu");
    EXPECT_EQ(chosen("opencv:GaussianBlur"), "cpu")
        << "another library's algorithms belong to an engine, too";
    EXPECT_EQ(chosen(""), "cuda");
}

TEST_F(EngineWith, AnUnknownAlgorithmIsNamedWithARemedy) {
    EXPECT_EQ(code_of(choosing("twits")), "unknown-algorithm");
    EXPECT_EQ(code_of(choosing("convert")), "not-a-filtering-algorithm");
    // Algorithms of GPU libraries are among them where the machine has some.
    const auto all = arguments_of(choosing("convert")).at(0);
    EXPECT_TRUE(all.starts_with("direct, ")) << all;
    EXPECT_NE(all.find("twist, opencv:filter2D"), std::string::npos) << all;
    constexpr auto kLists = ". `kernelglass list algorithms` and `kernelglass list peers` describe them";
    EXPECT_EQ(error_words(choosing("convert")),
              "convert is for conversions between pixel formats and is chosen by itself; --algorithm names a "
              "filtering algorithm: " +
                  all);
    EXPECT_EQ(error_words(choosing("twits")),
              "there is no algorithm \"twits\"; did you mean \"twist\"? The algorithms are " + all + kLists);
    EXPECT_EQ(arguments_of(choosing("opencv:gaussianblur")).at(2), "; did you mean \"opencv:GaussianBlur\"?");
    engines_.pop_back();
    EXPECT_EQ(code_of(choosing("twist")), "unknown-algorithm");
    EXPECT_EQ(arguments_of(choosing("twist")).at(0), "the engine cuda has");
    EXPECT_EQ(code_of(choosing("opencv:GaussianBlur")), "algorithm-of-other-engine");
    EXPECT_EQ(error_words(choosing("opencv:GaussianBlur")),
              "the engine cuda has no algorithm \"opencv:GaussianBlur\"; the engine cpu has it. The "
              "algorithms are " +
                  arguments_of(choosing("convert")).at(0) + kLists);
}

TEST_F(EngineWith, TheProcessorServesWhatOnlyItHas) {
    EXPECT_EQ(choose_engine({"auto", 0, {}, "recursive"}).engine->device().id, "cpu");
    EXPECT_EQ(choose_engine({"cpu", 0, {}, "opencv:GaussianBlur"}).engine->device().id, "cpu");
    EXPECT_EQ(code_of([] { choose_engine({"cpu", 0, {}, "convert"}); }), "not-a-filtering-algorithm");
}

TEST(Refusals, AreDistinguishedFromFailuresByTheirCodes) {
    for (const auto* code :
         {"algorithm-refused", "no-algorithm", "cudnn-refused", "onednn-refused", "library-unusable",
          "cublas-failed", "cufft-failed", "npp-failed", "missing-function"})
        EXPECT_TRUE(is_refusal(Error(code, "no plan"))) << code;
    for (const auto* code :
         {"cuda-error", "out-of-memory", "device-lost", "no-usable-gpu", "cancelled", "no-time-measured"})
        EXPECT_FALSE(is_refusal(Error(code, "no plan"))) << code;
}

TEST(Engines, ThatDoNotExistAreNamed) {
    const auto unknown = [] { choose_engine({"gpu"}); };
    EXPECT_EQ(code_of(unknown), "unknown-engine");
    EXPECT_EQ(error_words(unknown), "\"gpu\" is not an engine; it is one of auto, cpu, cuda");
    const auto second = [] { choose_engine({"cpu", 0, 1}); };
    EXPECT_EQ(code_of(second), "unknown-device");
    EXPECT_EQ(error_words(second),
              "There is no CPU 1: the processor is one device; `kernelglass list devices` "
              "shows the GPUs");
    EXPECT_THROW(second(), Unavailable) << "which ends a command with exit code 3";
}

} // namespace
} // namespace kg::testing
