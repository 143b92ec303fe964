// Failures of an engine: short memory, no algorithm for a request, a lost device. If the user named no
// engine, the CPU computes and a notice has the reason; otherwise the message has a reason and a remedy.

#include "app/process/job.hpp"
#include "core/plan/parts.hpp"
#include "core/plan/planner.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/app/error_words.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/lost_engine.hpp"
#include "tests/support/planning_engine.hpp"

namespace kg::testing {
namespace {

/// An engine called "cuda" without any filtering algorithm.
class Bare final : public Engine {
public:
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        return cpu_->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority priority) override { return cpu_->queue(priority); }
    std::span<const Algorithm* const> algorithms() const override { return algorithms_; }

private:
    std::shared_ptr<Engine> cpu_ = cpu::make_engine(1);
    DeviceInfo info_{"cuda", "a GPU of this test", "bare", 0, 20'000};
    std::vector<const Algorithm*> algorithms_{&cpu_algorithm("convert")};
};

class Fallback : public ::testing::Test {
protected:
    static ImageRequest request() {
        ImageRequest request{
            {300, 200}, {Depth::u8, 3}, {Depth::u8, 3}, {generated_stage(GaussianGenerator{2, 13, 13})}};
        return request;
    }
    JobOutcome outcome(const EngineChoice& choice, std::string_view algorithm = {}) const {
        return run_job(choice, request(), image_.view(), algorithm);
    }
    auto computing(const EngineChoice& choice, std::string_view algorithm = {}) const {
        return [=, this] { outcome(choice, algorithm); };
    }
    void expect_by_cpu(const EngineChoice& choice, std::string_view why) const {
        auto result = outcome(choice);
        EXPECT_EQ(result.engine, cpu_);
        EXPECT_NE(result.notice.find(why), std::string::npos) << result.notice;
        result.add_notice();
        EXPECT_EQ(result.notes, std::vector{result.notice});
        EXPECT_TRUE(same_pixels(result.image.view(), outcome({cpu_, {}}).image.view()));
    }
    std::shared_ptr<Engine> cpu_ = cpu::make_engine(2);
    Image image_ = random_image(request().size, request().in, 1);
};

constexpr std::string_view kRemedy = ". --engine auto or cpu computes on the CPU";

TEST_F(Fallback, HasNoNoticeWithoutAFallback) {
    auto result = outcome({cpu_, {}, make_detached_engine()});
    EXPECT_EQ(result.engine, cpu_);
    EXPECT_EQ(result.notice, "");
    result.add_notice();
    EXPECT_TRUE(result.notes.empty());
    EXPECT_EQ(result.parts, 1);
    EXPECT_TRUE(is_right(request(), image_.view(), result.image.view()));
}

TEST_F(Fallback, ShortMemoryMeansPartsOnTheSameEngine) {
    const auto small = make_detached_engine(1, 150'000);
    const auto result = outcome({small, {}, cpu_});
    EXPECT_EQ(result.engine, small);
    EXPECT_GT(result.parts, 1);
    EXPECT_EQ(result.notice, parts_text(small->device(), result.parts));
    EXPECT_TRUE(same_pixels(result.image.view(), outcome({make_detached_engine(), {}}).image.view()));
}

TEST_F(Fallback, TooLittleMemoryForAnyPart) {
    const auto tiny = make_detached_engine(1, 5000);
    expect_by_cpu({tiny, {}, cpu_}, "a thread of its own has not enough memory, not even for a small part");
    EXPECT_EQ(code_of(computing({tiny, {}})), "out-of-memory");
    EXPECT_EQ(error_words(computing({tiny, {}})),
              "a thread of its own has not enough memory, not even for a small part of the image" +
                  std::string(kRemedy));
    EXPECT_THROW(outcome({cpu::make_engine(1, 5000), {}}), std::bad_alloc) << "there is no other engine";
}

TEST_F(Fallback, NoAlgorithmForTheRequest) {
    const auto bare = std::make_shared<Bare>();
    expect_by_cpu({bare, {}, cpu_}, "the engine cuda has no algorithm for this");
    EXPECT_TRUE(outcome({bare, {}, cpu_}).notice.starts_with("Using the CPU: "));
    EXPECT_TRUE(
        outcome({bare, {}, make_detached_engine()}).notice.starts_with("Using a thread of its own: "));
    const auto text = error_words(computing({bare, {}}));
    EXPECT_THROW(outcome({bare, {}}), NoAlgorithm) << text;
    EXPECT_TRUE(text.ends_with(kRemedy)) << text;
    EXPECT_EQ(code_of(computing({bare, {}})), "no-algorithm");
    ASSERT_FALSE(arguments_of(computing({bare, {}})).empty());
    EXPECT_EQ(arguments_of(computing({bare, {}})).front(), "cuda")
        << "those of the message without the remedy";
}

TEST_F(Fallback, ALostDevice) {
    const auto device = make_losable_engine();
    const EngineChoice choice{device, {}, cpu_};
    device->lose(1);
    EXPECT_EQ(outcome(choice).engine, device);
    for (int i = 0; i < 3; ++i) expect_by_cpu(choice, kLostWords); // during the next request, and after it
    EXPECT_THROW(outcome({device, {}}), Unavailable) << "which ends a command with exit code 3";
    EXPECT_EQ(error_words(computing({device, {}})), kLostWords + std::string(kRemedy));
}

TEST_F(Fallback, AWrongRequestIsWrongEverywhere) {
    EXPECT_THROW(outcome({make_detached_engine(), {}, cpu_}, "twist"), Refused);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(run_job({make_detached_engine(), {}, cpu_}, request(), image_.view(), {}, stop.get_token()),
                 Cancelled);
}

TEST_F(Fallback, AStopReachesAnAlgorithmThatTriesSettings) {
    std::stop_source stop;
    bool went_on = false;
    const auto engine = std::make_shared<PlanningEngine>([&](const PlanContext& context) {
        stop.request_stop();
        went_on = context.time_is_left();
    });
    EXPECT_THROW(run_job({engine, {}, cpu_}, request(), image_.view(), "planned", stop.get_token()),
                 Cancelled);
    EXPECT_FALSE(went_on);
}

} // namespace
} // namespace kg::testing
