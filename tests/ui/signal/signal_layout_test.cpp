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
        check_layout(*harness_, GetParam(), "signal", state, {"top bar", "signal", "signal plots", "status"});
    }
};

TEST_P(SignalLayoutTest, NothingOverlapsOrIsCutAndAllHasHelpInEveryState) {
    if (!start_here({}, GetParam().options())) GTEST_SKIP() << kNoOpenGl;
    check("lowpass");
    signal().choose_preset("equaliser");
    settle();
    check("equaliser");
    drop({wav("a file of two channels with quite a long name.wav")});
    signal().set_taps({0.25, 0.5, -0.25});
    settle();
    check("taps");
}

INSTANTIATE_TEST_SUITE_P(Sizes, SignalLayoutTest, ::testing::ValuesIn(own_looks()));

TEST_F(KeyboardTest, TabReachesEveryItemOfSignal) {
    WindowOptions options;
    options.workspace = Workspace::signal;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    watch();
    EXPECT_GT(walk_all({"signal", "signal plots", "top bar"}), 20u);
}

} // namespace
} // namespace kg
