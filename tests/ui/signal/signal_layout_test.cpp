// The layout of the workspace Signal at any size, scale and theme, and the walk by keys.

#include "tests/ui/signal/signal_fixture.hpp"
#include "tests/ui/support/keyboard_fixture.hpp"
#include "tests/ui/support/layout_checks.hpp"

namespace kg {
namespace {

using namespace kg::testing;

class SignalLayoutTest : public SignalTest, public ::testing::WithParamInterface<LayoutLook> {
protected:
    void check(const char* state) {
        SCOPED_TRACE(state);
        const auto look = GetParam();
        harness_->frames(2);
        const auto all = gathered(*harness_, {"top bar", "signal", "signal plots", "status"});
        EXPECT_GT(all.size(), 20u);
        check_places(all, look.scale);
        if (look.width == 1280 && look.dark) check_help(*harness_, all);
        harness_->frames(4);
        harness_->save_screenshot("signal_" + look.name() + state);
    }
};

TEST_P(SignalLayoutTest, NothingOverlapsOrIsCutAndAllHasHelpInEveryState) {
    if (!start_signal({}, GetParam().options())) GTEST_SKIP() << kNoOpenGl;
    check("lowpass");
    signal().choose_preset("equaliser");
    settle();
    check("equaliser");
    drop({wav("a file of two channels with quite a long name.wav")});
    signal().set_taps({0.25, 0.5, -0.25});
    settle();
    check("taps");
}

INSTANTIATE_TEST_SUITE_P(Sizes, SignalLayoutTest,
                         ::testing::ValuesIn(looks({{1280, 800, true, 1},
                                                    {1280, 800, false, 1},
                                                    {900, 600, false, 1},
                                                    {1920, 1080, false, 1},
                                                    {1920, 1080, true, 2},
                                                    {1920, 1200, false, 1.5f},
                                                    {1280, 800, false, 1, 0.4f}})));

TEST_F(KeyboardTest, TabReachesEveryItemOfSignal) {
    WindowOptions options;
    options.workspace = Workspace::signal;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    watch();
    std::size_t reached = 0;
    harness_->run("walk", [&](ImGuiTestContext* ctx) {
        for (const auto* window : {"signal", "signal plots", "top bar"}) reached += walk(ctx, window);
    });
    EXPECT_GT(reached, 20u);
}

} // namespace
} // namespace kg
