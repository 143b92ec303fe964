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
        check_layout(*harness_, GetParam(), "bank", state,
                     {"top bar", "bank", "bank maps", "bank details", "status"});
    }
};

TEST_P(BankLayoutTest, NothingOverlapsOrIsCutAndAllHasHelpInEveryState) {
    if (!start_here({}, GetParam().options())) GTEST_SKIP() << kNoOpenGl;
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

INSTANTIATE_TEST_SUITE_P(Sizes, BankLayoutTest, ::testing::ValuesIn(own_looks()));

TEST_F(KeyboardTest, TabReachesEveryItemOfBank) {
    WindowOptions options;
    options.workspace = Workspace::bank;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    watch();
    EXPECT_GT(walk_all({"bank", "bank maps", "bank details", "top bar"}), 40u);
}

} // namespace
} // namespace kg
