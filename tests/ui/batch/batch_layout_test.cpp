// The layout of the Batch workspace in every state, size and theme.

#include "tests/ui/support/batch_fixture.hpp"
#include "tests/ui/support/layout_checks.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;
using batch::BatchProgress;

class BatchLayoutTest : public BatchTest, public ::testing::WithParamInterface<LayoutLook> {
protected:
    /// Checks the current state; tooltips only once per look.
    void check(const char* state, bool with_help = true) {
        check_layout(*harness_, GetParam(), "batch", state,
                     {"top bar", "batch", "batch head", "sheet", "findings", "status"}, with_help);
    }
};

TEST_P(BatchLayoutTest, NothingOverlapsOrIsCutAndAllHasHelpInEveryState) {
    const auto look = GetParam();
    auto options = window_options("custom:size=3x3:weights=0,-6,0,-6,25,-6,0,-6,0");
    options.workspace = Workspace::batch;
    options.recipe.steps.push_back(parse_step("gaussian:sigma=9"));
    options.recipe.steps.push_back(parse_step("custom:size=3x3:weights=0,-6,0,-6,25,-6,0,-6,0"));
    options.engine_options.threads = 1; // a fast machine still runs it when it is paused
    if (!start(options, look.options())) GTEST_SKIP() << kNoOpenGl;
    check("empty");
    const auto photos = folder_of(150, {300, 200});
    write_file(photos / "a broken image with quite a long name.png", "no image");
    harness_->context().on_drop({photos});
    settle();
    check("scanned");
    click(head(icon::kEye, "Preview 12", "try"));
    settle();
    EXPECT_EQ(session().preview()->images.size(), 12u);
    check("previewed");
    click(head(icon::kPlay, "Filter 151 images", "start"));
    harness_->frames_until([&] { return session().work()->settled > 10; });
    harness_->save_screenshot("batch_running_" + std::to_string(look.width));
    click(head(icon::kPause, "Pause", "pause"));
    ASSERT_EQ(session().work()->state, BatchProgress::State::paused);
    check("paused");
    EXPECT_FALSE(harness_->context().may_close());
    harness_->frames(4);
    check("question", false);
    harness_->run("stop", [](ImGuiTestContext* ctx) {
        ctx->SetRef("##closing");
        ctx->ItemClick(named(icon::kStop, "Stop after current images", "stop").c_str());
    });
    finish();
    harness_->context().set_should_close(false);
    ASSERT_EQ(session().work()->counts.failed, 1u);
    check("stopped");
}

INSTANTIATE_TEST_SUITE_P(Sizes, BatchLayoutTest,
                         ::testing::ValuesIn(looks({{1280, 800, true, 1},
                                                    {1280, 800, false, 1},
                                                    {900, 600, false, 1},
                                                    {1920, 1080, true, 1},
                                                    {1920, 1200, false, 1.5f},
                                                    {2560, 1600, true, 2},
                                                    {1280, 800, false, 1, 0.4f},
                                                    {1920, 1080, true, 1.5f, 0.4f}})));

} // namespace
} // namespace kg
