// The slider benchmark detects wrong texels, and ends whatever does not.

#include "app/bench/slider/verification.hpp"
#include "app/bench/slider_bench.hpp"
#include "app/bench/sweep.hpp"
#include "core/plan/planner.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/sampled_plan.hpp"
#include "tests/display/display_support.hpp"
#include "tests/display/gl_test.hpp"
#include "tests/support/check.hpp"
#include "tests/ui/support/bench_ends.hpp"
#include "tests/ui/support/deaf_engine.hpp"

#include <chrono>

namespace kg::testing {
namespace {

class SliderBench : public GlTest {
protected:
    /// The worker's result for this kernel: whole, or every n-th pixel of every n-th row.
    Result result_of(const Stage& stage, int every = 1) {
        Result result;
        auto& job = result.job;
        job.choice.engine = result.home = engine_;
        job.image = pixels_;
        const auto size = pixels_->pixels.size();
        job.request = {size, pixels_->pixels.format(), pixels_->pixels.format(), {stage}};
        const auto source = allocate_view(*engine_, job.request.in, whole(size));
        const auto there = every == 1 ? size : cpu::sampled_size(size, every);
        result.pixels = allocate_view(*engine_, job.request.out, whole(there));
        if (every > 1) result.preview = Preview{every, whole(size), {whole(there)}};
        const auto queue = engine_->queue();
        queue->upload(pixels_->pixels.view(), source);
        const Item item{source, result.pixels};
        queue->run(every == 1 ? plan(*engine_, job.request)
                              : cpu::sampled_plan(ImageStep(job.request), every, *engine_),
                   {&item, 1});
        queue->fence().wait();
        return result;
    }
    void show(const Result& result) {
        display::Frame frame{engine_, result.pixels, {}, ++serial_};
        if (result.preview) {
            frame.changed = result.preview->changed;
            frame.every = result.preview->every;
            frame.size = result.job.request.size;
        }
        image_.present(std::move(frame));
        Timeout().until("the texture", [&] { return image_.poll(); });
    }
    std::string verdict_of(const Result& result) {
        SliderVerification verification;
        verification.read(image_, result);
        return verification.wrong({});
    }

    std::shared_ptr<Engine> engine_ = cpu::make_engine(1);
    std::shared_ptr<const LoadedImage> pixels_ = std::make_shared<const LoadedImage>(
        LoadedImage{random_image({61, 43}, {Depth::u8, 4}, 1), {}, {}});

private:
    display::DisplayImage image_{
        std::make_shared<display::DisplayRoute>(display::DisplayMode::host, nullptr)};
    std::uint64_t serial_ = 0;
};

TEST_F(SliderBench, OneTexelThatIsOffIsFound) {
    for (const auto& stage :
         {dense_stage({5, 5}, 1), Stage{{make_kernel(3, 3, std::vector<float>(9, 1), 9)}}})
        for (const int every : {1, 3}) {
            SCOPED_TRACE(every);
            const auto result = result_of(stage, every);
            show(result);
            EXPECT_EQ(verdict_of(result), "");
            result.pixels.memory->host()[result.pixels.offset + 3 * result.pixels.pitch + 4 * 7 + 2] ^=
                std::byte{1};
            show(result);
            EXPECT_NE(verdict_of(result).find("does not match its edit"), std::string::npos);
        }
}

TEST_F(SliderBench, TheImageOfAnotherEditIsFound) {
    for (const int every : {1, 3}) {
        const auto earlier = result_of(dense_stage({5, 5}, 1), every),
                   later = result_of(dense_stage({5, 5}, 2), every);
        show(earlier);
        EXPECT_NE(verdict_of(later), "");
        show(later);
        EXPECT_EQ(verdict_of(later), "");
    }
}

SliderBenchRules small_slider_rules() {
    SliderBenchRules rules;
    rules.size = {16, 12};
    rules.edits = 5;
    rules.timeout = {.seconds = 60, .after_stop = 0.1};
    return rules;
}

void ignore_progress(double, double, const std::string&) {}

TEST_F(SliderBench, WhereAGpuDrawsEveryEditIsTimedToItsDrawnPixels) {
    auto rules = small_slider_rules();
    rules.draws = true; // without drawing, see BenchSlider in tests/cli
    const auto report = bench_slider(engine_, rules, ignore_progress);
    EXPECT_TRUE(report.complete);
    for (const auto& row : report.rows) {
        EXPECT_EQ(row.reason, "") << row.name;
        const auto drawn = std::ranges::find(row.figures, "drawn", &SliderFigure::name);
        ASSERT_NE(drawn, row.figures.end()) << row.name;
        EXPECT_EQ(drawn->us.samples, rules.edits) << row.name;
        EXPECT_GE(drawn->us.median, row.figures.front().us.median) << "the texture comes first";
    }
}

TEST_F(SliderBench, WorkThatIsNeverDoneEndsItAndIsNamed) {
    auto rules = small_slider_rules();
    rules.timeout.seconds = 0.1;
    const auto report = bench_slider(std::make_shared<DeafEngine>(), rules, ignore_progress);
    expect_stuck_in_the_first_row(report, "the first result did not finish within 100 ms");
}

TEST_F(SliderBench, AStopEndsAWaitThatHasNoEndOfItsOwn) {
    auto rules = small_slider_rules();
    rules.timeout.seconds = 1e9;
    const StopSoon stop(std::chrono::milliseconds(300)); // the first row has begun, or will see the stop
    const auto report = bench_slider(std::make_shared<DeafEngine>(), rules, ignore_progress, stop.token());
    expect_stopped_in_the_first_row(report);
}

TEST_F(SliderBench, AStoppedDragLeavesNothingBehind) {
    const StopSoon stop(std::chrono::milliseconds(200));
    auto rules = small_slider_rules();
    rules.edits = 100000;
    rules.timeout.after_stop = 60;
    const auto report = bench_slider(engine_, rules, ignore_progress, stop.token());
    EXPECT_FALSE(report.complete);
    EXPECT_EQ(report.stuck, "");
    for (const auto& row : report.rows) EXPECT_EQ(row.reason, "stopped") << row.name;
}

} // namespace
} // namespace kg::testing
