// Presets that a user saved.

#include "app/io/files/files.hpp"
#include "app/process/file/own_presets.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace kg::testing {
namespace {

class OwnPresetsTest : public ::testing::Test {
protected:
    const TemporaryFolder temporary_{"presets"};
    const std::filesystem::path folder_ = temporary_.path() / "config" / "presets";
    const Recipe recipe_ = [] {
        Recipe recipe;
        recipe.steps = {parse_step("gaussian:sigma=2.5"), parse_step("custom:size=3x1:weights=1/3,0,-1")};
        recipe.border = Border::wrap;
        return recipe;
    }();
};

TEST_F(OwnPresetsTest, ComeBackAsTheyWereSaved) {
    EXPECT_TRUE(read_own_presets(folder_).presets.empty());
    const auto saved = save_own_preset(folder_, "My \"blur\", 2", "edges", recipe_);
    EXPECT_EQ(saved.id, "my_blur_2");
    const auto all = read_own_presets(folder_);
    ASSERT_EQ(all.presets.size(), 1u);
    EXPECT_TRUE(all.problems.empty());
    EXPECT_EQ(all.presets[0].title, "My \"blur\", 2");
    EXPECT_EQ(all.presets[0].group, "edges");
    EXPECT_EQ(all.presets[0].recipe, recipe_);
    EXPECT_TRUE(is_own_preset(folder_, "my_blur_2"));
    remove_own_preset(folder_, "my_blur_2");
    EXPECT_FALSE(is_own_preset(folder_, "my_blur_2"));
    EXPECT_TRUE(read_own_presets(folder_).presets.empty());
}

TEST_F(OwnPresetsTest, NeverTakeTheNameOfAnother) {
    EXPECT_EQ(save_own_preset(folder_, "Emboss", "other", recipe_).id, "emboss_2") << "a preset";
    EXPECT_EQ(save_own_preset(folder_, "sobel", "other", recipe_).id, "sobel_2") << "a filter";
    EXPECT_EQ(save_own_preset(folder_, "Mine", "other", recipe_).id, "mine");
    EXPECT_EQ(save_own_preset(folder_, "mine!", "other", recipe_).id, "mine_2") << "an own one";
    EXPECT_EQ(code_of([&] { save_own_preset(folder_, " ", "other", recipe_); }), "preset-without-name");
    EXPECT_EQ(code_of([&] { save_own_preset({}, "x", "other", recipe_); }), "no-preset-folder");
    write_file(folder_ / "sobel.json", read_file(folder_ / "mine.json")); // by hand
    EXPECT_FALSE(is_own_preset(folder_, "sobel"));
    EXPECT_FALSE(is_own_preset(folder_, "../presets/mine"));
    const auto all = read_own_presets(folder_);
    EXPECT_EQ(all.presets.size(), 4u);
    ASSERT_EQ(all.problems.size(), 1u);
    EXPECT_EQ(all.problems.front().code(), "preset-name-taken");
}

TEST_F(OwnPresetsTest, HaveTitlesInAnyScript) {
    EXPECT_EQ(save_own_preset(folder_, "Мой фильтр", "other", recipe_).id, "preset");
    EXPECT_EQ(save_own_preset(folder_, "?!", "other", recipe_).id, "preset_2");
    const auto all = read_own_presets(folder_).presets;
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].title, "Мой фильтр");
}

TEST_F(OwnPresetsTest, ADamagedFileIsAProblemOfItsOwn) {
    save_own_preset(folder_, "good", "other", recipe_);
    write_file(folder_ / "bad.json", "{");
    const auto all = read_own_presets(folder_);
    EXPECT_EQ(all.presets.size(), 1u);
    ASSERT_EQ(all.problems.size(), 1u);
    EXPECT_EQ(all.problems.front().code(), "invalid-json");
    EXPECT_EQ(all.problems.front().arguments().front(), "preset " + quoted(folder_ / "bad.json"));
}

} // namespace
} // namespace kg::testing
