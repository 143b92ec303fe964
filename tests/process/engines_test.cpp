// The engine for an algorithm that is requested by name.

#include "app/process/engines.hpp"
#include "core/support/error.hpp"

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
    std::shared_ptr<Buffer> allocate(std::size_t, BufferKind) override { throw Unavailable("no memory"); }
    std::unique_ptr<Queue> queue(Priority) override { throw Unavailable("no queue"); }
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
    std::string refusal(std::string_view algorithm) const {
        try {
            return "chose " + chosen(algorithm);
        } catch (const Error& error) {
            return error.what();
        }
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
    const auto prints = [&](std::string_view algorithm, std::string_view text) {
        EXPECT_NE(refusal(algorithm).find(text), std::string::npos) << refusal(algorithm);
    };
    prints("twits", "did you mean \"twist\"?");
    prints("twits", "There are direct, "); // followed by algorithms of GPU libraries on this machine
    prints("twits", "twist, opencv:filter2D");
    prints("opencv:gaussianblur", "did you mean \"opencv:GaussianBlur\"?");
    prints("twits", "`kernelglass list peers`");
    prints("convert", "chosen by itself");
    engines_.pop_back();
    prints("twist", "the engine cuda has no algorithm \"twist\"");
    prints("opencv:GaussianBlur", "the engine cuda has no algorithm \"opencv:GaussianBlur\"");
    prints("opencv:GaussianBlur", "the engine cpu has it");
}

TEST_F(EngineWith, TheProcessorServesWhatOnlyItHas) {
    EXPECT_EQ(choose_engine({"auto", 0, {}, "recursive"}).engine->device().id, "cpu");
    EXPECT_EQ(choose_engine({"cpu", 0, {}, "opencv:GaussianBlur"}).engine->device().id, "cpu");
    EXPECT_THROW(choose_engine({"cpu", 0, {}, "convert"}), Error);
}

} // namespace
} // namespace kg::testing
