// The benchmark of a slider's drag finds texels that are not what an edit asked for, and comes to its end whatever does not.

#include "app/bench/slider/proof.hpp"
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
    /// What a worker would report of this kernel: the whole, or every n-th pixel of every n-th row.
    Result result_of(const Stage& stage, int every = 1) {
        Result result;
        auto& job = result.job;
        job.engine = result.home = engine_;
        job.picture = picture_;
        const auto size = picture_->image.size();
        job.request = {size, picture_->image.format(), picture_->image.format(), {stage}};
        const auto source = allocate_view(*engine_, job.request.in, whole(size));
        const auto there = every == 1 ? size : cpu::sampled_size(size, every);
        result.pixels = allocate_view(*engine_, job.request.out, whole(there));
        if (every > 1) result.preview = Preview{every, whole(size), {whole(there)}};
        const auto queue = engine_->queue();
        queue->upload(picture_->image.view(), source);
        const Item item{source, result.pixels};
        queue->run(every == 1 ? plan(*engine_, job.request) : cpu::sampled_plan(job.request, every, *engine_),
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
        Patience().until("the texture", [&] { return image_.poll(); });
    }
    std::string verdict_of(const Result& result) {
        SliderProof proof;
        proof.read(image_, result);
        return proof.wrong({});
    }

    std::shared_ptr<Engine> engine_ = cpu::make_engine(1);
    std::shared_ptr<const Picture> picture_ = std::make_shared<const Picture>(
        Picture{random_picture({61, 43}, {Depth::u8, 4}, 1), {}, {}});

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
            EXPECT_NE(verdict_of(result).find("is not what its edit asked for"), std::string::npos);
        }
}

TEST_F(SliderBench, ThePictureOfAnotherEditIsFound) {
    for (const int every : {1, 3}) {
        const auto earlier = result_of(dense_stage({5, 5}, 1), every),
                   later = result_of(dense_stage({5, 5}, 2), every);
        show(earlier);
        EXPECT_NE(verdict_of(later), "");
        show(later);
        EXPECT_EQ(verdict_of(later), "");
    }
}

SliderBenchRules small_rules() {
    SliderBenchRules rules;
    rules.size = {16, 12};
    rules.edits = 5;
    rules.patience = {.seconds = 60, .after_stop = 0.1};
    return rules;
}

void nothing_said(double, double, const std::string&) {}

TEST_F(SliderBench, WhereAGpuDrawsEveryEditIsTimedToItsDrawnPixels) {
    auto rules = small_rules();
    rules.draws = true; // without, see BenchSlider in tests/cli
    const auto report = bench_slider(engine_, rules, nothing_said);
    EXPECT_TRUE(report.complete);
    for (const auto& row : report.rows) {
        EXPECT_EQ(row.reason, "") << row.name;
        const auto drawn = std::ranges::find(row.figures, "drawn", &SliderFigure::name);
        ASSERT_NE(drawn, row.figures.end()) << row.name;
        EXPECT_EQ(drawn->us.samples, rules.edits) << row.name;
        EXPECT_GE(drawn->us.median, row.figures.front().us.median) << "the texture comes before";
    }
}

TEST_F(SliderBench, WorkThatIsNeverDoneEndsItAndIsNamed) {
    auto rules = small_rules();
    rules.patience.seconds = 0.1;
    const auto report = bench_slider(std::make_shared<DeafEngine>(), rules, nothing_said);
    expect_stuck_in_the_first_row(report, "the first result did not come to an end within 100 ms");
}

TEST_F(SliderBench, AStopEndsAWaitThatHasNoEndOfItsOwn) {
    auto rules = small_rules();
    rules.patience.seconds = 1e9;
    const StopSoon stop(std::chrono::milliseconds(300)); // the first row has begun, or will see it
    const auto report = bench_slider(std::make_shared<DeafEngine>(), rules, nothing_said, stop.token());
    expect_stopped_in_the_first_row(report);
}

TEST_F(SliderBench, AStopOfADragThatComesAlongLeavesNothingBehind) {
    const StopSoon stop(std::chrono::milliseconds(200));
    auto rules = small_rules();
    rules.edits = 100000;
    rules.patience.after_stop = 60;
    const auto report = bench_slider(engine_, rules, nothing_said, stop.token());
    EXPECT_FALSE(report.complete);
    EXPECT_EQ(report.stuck, "");
    for (const auto& row : report.rows) EXPECT_EQ(row.reason, "stopped") << row.name;
}

} // namespace
} // namespace kg::testing
