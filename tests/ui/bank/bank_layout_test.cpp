// The layout of the workspace Bank at any size, scale and theme, and the walk by keys.

#include "tests/ui/bank/bank_fixture.hpp"
#include "tests/ui/support/keyboard_fixture.hpp"
#include "tests/ui/support/layout_checks.hpp"

namespace kg {
namespace {

using namespace kg::testing;

class BankLayoutTest : public BankTest, public ::testing::WithParamInterface<LayoutLook> {
protected:
    void check(const char* state) {
        SCOPED_TRACE(state);
        const auto look = GetParam();
        harness_->frames(2);
        const auto all = gathered(*harness_, {"top bar", "bank", "bank maps", "bank details", "status"});
        EXPECT_GT(all.size(), 20u);
        check_places(all, look.scale);
        if (look.width == 1280 && look.dark) check_help(*harness_, all);
        harness_->frames(4);
        harness_->save_screenshot("bank_" + look.name() + state);
    }
};

TEST_P(BankLayoutTest, NothingOverlapsOrIsCutAndAllHasHelpInEveryState) {
    if (!start_bank({}, GetParam().options())) GTEST_SKIP() << kNoOpenGl;
    check("gabor");
    drop({array("an array with quite a long name.npy", {2, 3, {40, 30}})});
    bank().open_weights(array("weights with quite a long name, too.npy", {6, 3, {7, 7}}));
    settle();
    check("weights");
    drop({layer("a layer with quite a long name.safetensors", 6, 1, {5, 5})});
    bank().set_groups(3);
    bank().set_dilation({12, 12});
    bank().set_stride({2, 2});
    settle();
    bank().select_map(5);
    check("layer");
    bank().set_groups(2);
    settle();
    check("refused_groups");
}

INSTANTIATE_TEST_SUITE_P(Sizes, BankLayoutTest,
                         ::testing::ValuesIn(looks({{1280, 800, true, 1},
                                                    {1280, 800, false, 1},
                                                    {900, 600, false, 1},
                                                    {1920, 1080, false, 1},
                                                    {1920, 1080, true, 2},
                                                    {1920, 1200, false, 1.5f},
                                                    {1280, 800, false, 1, 0.4f}})));

TEST_F(KeyboardTest, TabReachesEveryItemOfBank) {
    WindowOptions options;
    options.workspace = Workspace::bank;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    watch();
    std::size_t reached = 0;
    harness_->run("walk", [&](ImGuiTestContext* ctx) {
        for (const auto* window : {"bank", "bank maps", "bank details", "top bar"})
            reached += walk(ctx, window);
    });
    EXPECT_GT(reached, 40u);
}

} // namespace
} // namespace kg
