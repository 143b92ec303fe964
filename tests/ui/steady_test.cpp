// Numbers that change in every frame move nothing: 200 frames each of Play with every tab, of Bench with
// other times in every frame, and of Bench while it measures.

#include "tests/support/check.hpp"
#include "tests/ui/bench/bench_fixture.hpp"

#include <cmath>
#include <map>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

constexpr int kFrames = 200;

class SteadyTest : public BenchTest {
protected:
    using Places = std::map<std::string, ImRect>;

    /// `change` is called in every frame with the number of the frame.
    void change_every_frame(const std::function<void(int)>& change) {
        frame_ = 0;
        harness_->set_frame([this, change] {
            change(frame_++);
            return playground_->draw();
        });
    }
    static Places places(ImGuiTestContext* ctx, const std::vector<const char*>& windows) {
        Places all;
        for (const auto* window : windows) {
            ImGuiTestItemList items;
            ctx->GatherItems(&items, window, 3);
            for (int i = 0; i < items.GetSize(); ++i) {
                const auto* item = items.GetByIndex(i);
                all.emplace(std::string(window) + "/" + item->DebugLabel + " " + std::to_string(item->ID),
                            item->RectFull);
            }
        }
        return all;
    }
    static std::string text(const ImRect& box) {
        return std::to_string(box.Min.x) + " to " + std::to_string(box.Max.x) + ", " +
               std::to_string(box.Min.y) + " to " + std::to_string(box.Max.y);
    }
    static void expect_same(const Places& first, const Places& later, int frame) {
        ASSERT_EQ(first.size(), later.size()) << "items of frame " << frame;
        for (const auto& [name, box] : later) {
            ASSERT_TRUE(first.contains(name)) << name << " is new in frame " << frame;
            ASSERT_EQ(text(box), text(first.at(name))) << name << " moved before frame " << frame;
        }
    }
    /// Compares the places of all items, gathered again and again, until kFrames have passed or `goes_on` is
    /// false.
    void expect_steady(
        const std::vector<const char*>& windows, std::size_t least,
        const std::function<bool()>& goes_on = [] { return true; }) {
        harness_->run("watch", [&](ImGuiTestContext* ctx) {
            ctx->Yield(3);
            const auto first = places(ctx, windows);
            EXPECT_GE(first.size(), least);
            while (frame_ < kFrames) {
                const auto later = places(ctx, windows);
                if (!goes_on()) break; // the items may be those of another state
                ASSERT_NO_FATAL_FAILURE(expect_same(first, later, frame_));
            }
        });
    }

    int frame_ = 0;
};

TEST_F(SteadyTest, NothingOfPlayMovesWhileTimesAndReadingsChange) {
    WindowOptions options;
    options.files = {folder_ / "photo.png"};
    write_image(options.files.front(), random_image({1200, 800}, {Depth::u8, 3}, 1).view());
    options.recipe.steps = {parse_step("sharpen")};
    options.has_recipe = true;
    options.pin = {0, 0};
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    for (const auto* tab : {"Pixel", "Kernel", "Histogram", "Timing", "Presets"}) {
        SCOPED_TRACE(tab);
        harness_->run(tab, [&](ImGuiTestContext* ctx) {
            ctx->ItemClick((std::string("//right/tabs/") + tab).c_str());
        });
        settle();
        change_every_frame([&](int frame) {
            auto& d = document();
            for (const auto row : kTimingRows) // from less than a microsecond to a minute
                d.timings().add(row, d.result()->stamp, 0.5 * std::pow(1.1, frame));
            playground_->view().pin({(frame * 97) % 1200, (frame * 31) % 800});
        });
        expect_steady({"top bar", "view bar", "left", "right", "status"}, 40);
        EXPECT_GT(document().timings()[TimingRow::filter].typical(), 1e5) << "after a microsecond";
        EXPECT_GE(frame_, kFrames);
        harness_->set_frame([this] { return playground_->draw(); });
        settle();
        harness_->save_screenshot(std::string("steady_") + tab);
    }
}

TEST_F(SteadyTest, NothingOfBenchMovesWhileTimesChange) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    change_every_frame([&](int frame) {
        auto report = measure::sweep();
        report.devices[0].limits = {20, 100, true};
        for (auto& row : report.rows) {
            if (!row.times) continue;
            row.copy_us = row.arithmetic_us = 1;
            auto& run = row.times->run;
            for (auto* us : {&run.median, &run.p5, &run.p95, &run.ci_low, &run.ci_high})
                *us *= 0.01 * std::pow(1.1, frame);
        }
        bench().reports().take_own(std::make_shared<const RankedReport>(std::move(report), "own"));
    });
    expect_steady({"top bar", "bench", "bench head", "bench sheet", "bench details", "status"}, 20);
    EXPECT_GE(frame_, kFrames);
    harness_->save_screenshot("steady_bench");
}

TEST_F(SteadyTest, NothingOfBenchMovesWhileItMeasures) {
    if (!start_bench()) GTEST_SKIP() << kNoOpenGl;
    bench().measure();
    ASSERT_TRUE(harness_->frames_until([&] { return phase() == Phase::running; }));
    change_every_frame([](int) {});
    expect_steady({"top bar", "bench", "bench head", "bench sheet", "bench details"}, 10,
                  [&] { return phase() == Phase::running; });
    bench().actions().stop();
    settle();
}

} // namespace
} // namespace kg
