// A screenshot of every workspace at work, in which nothing overlaps or is cut. KERNELGLASS_LAYOUTS=1 takes
// every size, theme and scale; scripts/contact-sheets puts the screenshots side by side.

#include "tests/ui/bench/bench_fixture.hpp"
#include "tests/ui/support/layout_checks.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class ScreenTest : public BenchTest, public ::testing::WithParamInterface<LayoutLook> {
protected:
    void take(const char* workspace, std::initializer_list<const char*> windows) {
        SCOPED_TRACE(workspace);
        settle();
        harness_->run("away", [](ImGuiTestContext* ctx) { ctx->MouseMoveToPos({2, 2}); });
        const auto all = gathered(*harness_, windows);
        EXPECT_GT(all.size(), 10u);
        check_places(all, GetParam().scale);
        harness_->frames(4);
        harness_->save_screenshot("screen_" + GetParam().name() + workspace);
    }
};

TEST_P(ScreenTest, OfEveryWorkspaceAtWork) {
    const auto folder = folder_ / "photos";
    fs::create_directory(folder);
    WindowOptions options;
    for (int i = 0; i < 12; ++i) {
        const auto file = folder / ("photo " + std::to_string(i + 1) + ".png");
        write_image(file, sample_image({480 + 40 * i, 400}).view());
        if (i < 3) options.files.push_back(file);
    }
    options.recipe.steps = {parse_step("gaussian:sigma=1.5"), parse_step("sharpen:amount=2")};
    options.has_recipe = true;
    options.pin = {120, 90};
    if (!start(options, GetParam().options())) GTEST_SKIP() << kNoOpenGl;
    document().view.mode = ViewState::Mode::split;
    take("play", {"top bar", "view bar", "left", "right", "film", "status"});
    playground_->actions().run("explain");
    take("explain", {"top bar", "view bar", "lesson", "lesson panel", "status"});
    playground_->actions().run("bench");
    auto report = measure::sweep();
    report.devices[0].limits = {20, 100, true};
    for (auto& row : report.rows)
        if (row.times) row.copy_us = row.times->run.median / 3, row.arithmetic_us = row.times->run.median / 2;
    bench().reports().take_own(std::make_shared<const RankedReport>(std::move(report), "own"));
    take("bench", {"top bar", "bench", "bench head", "bench sheet", "bench details", "status"});
    harness_->context().on_drop({folder});
    settle();
    playground_->actions().run("preview");
    take("batch", {"top bar", "batch", "batch head", "sheet", "findings", "status"});
    playground_->actions().run("signal");
    take("signal", {"top bar", "signal", "signal plots", "status"});
    playground_->actions().run("bank");
    take("bank", {"top bar", "bank", "bank maps", "bank details", "status"});
}

INSTANTIATE_TEST_SUITE_P(Sizes, ScreenTest,
                         ::testing::ValuesIn(looks({{1280, 800, true, 1}, {1280, 800, false, 1}})));

} // namespace
} // namespace kg
