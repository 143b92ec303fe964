// Own presets in the window: saved, used, renamed and deleted.

#include "app/process/file/own_presets.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class OwnPresetsPanelTest : public PlaygroundTest {
protected:
    bool start_with_folder() {
        WindowOptions options;
        options.recipe.steps = {parse_step("gaussian:sigma=2")};
        options.has_recipe = true;
        options.preset_folder = folder_ / "kernelglass" / "presets";
        return start(options);
    }
    void save(const char* name) {
        const auto button = "//right/tabs/Presets/" +
                            named(icon::kSave, "Save recipe as preset...", "save preset");
        harness_->run("save", [&](ImGuiTestContext* ctx) {
            ctx->ItemClick(button.c_str());
            ctx->SetRef("##preset");
            ctx->KeyCharsReplace(name);
            ctx->ItemClick("group/Sharpen");
        });
        harness_->frames(2);
        harness_->save_screenshot("preset_dialog");
        harness_->run("confirm", [&](ImGuiTestContext* ctx) {
            ctx->SetRef("##preset");
            ctx->ItemClick(named(icon::kSave, "Save", "confirm").c_str());
        });
        settle();
    }
    const std::vector<Preset>& own() { return document().presets().own(); }
};

TEST_F(OwnPresetsPanelTest, ASavedRecipeIsAPresetInTheWindowThePaletteAndTheShell) {
    if (!start_with_folder()) GTEST_SKIP() << kNoOpenGl;
    const auto recipe = document().recipe();
    save("My blur");
    ASSERT_EQ(own().size(), 1u);
    EXPECT_EQ(own()[0].recipe, recipe);
    EXPECT_EQ(own()[0].group, "sharpen");
    harness_->save_screenshot("own_preset");
    EXPECT_TRUE(document().previews().back()) << "it has a thumbnail";
    harness_->run("use it by the mouse", [&](ImGuiTestContext* ctx) {
        document().set_recipe({});
        ctx->ItemClick("//right/tabs/Presets/my_blur/##preset");
        IM_CHECK(document().recipe() == recipe);
    });
    harness_->run("use it by the palette", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P);
        ctx->Yield(2);
        ctx->KeyChars("own preset my");
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->Yield(4);
        IM_CHECK_EQ(document().recipe().steps.size(), size_t{2});
    });
    const auto in = folder_ / "in.png", by_id = folder_ / "a.png", by_step = folder_ / "b.png";
    write_image(in, sample_image({90, 60}).view());
    const auto filter = "XDG_CONFIG_HOME='" + folder_.string() + "' kernelglass filter -q --no-recipe '" +
                        in.string();
    EXPECT_EQ(shell(filter + "' '" + by_id.string() + "' -f my_blur"), 0);
    EXPECT_EQ(shell(filter + "' '" + by_step.string() + "' -f gaussian:sigma=2"), 0);
    EXPECT_EQ(read_file(by_id), read_file(by_step));
    // A later window has it too.
    ASSERT_TRUE(start_with_folder());
    EXPECT_EQ(own().size(), 1u);
}

TEST_F(OwnPresetsPanelTest, IsRenamedAndDeletedAfterAQuestion) {
    if (!start_with_folder()) GTEST_SKIP() << kNoOpenGl;
    save("Mine");
    const auto menu = [&](ImGuiTestContext* ctx, const char* item) {
        ctx->ItemClick((std::string("//right/tabs/Presets/mine/") + icon::kDots + "##more").c_str());
        ctx->ItemClick((std::string("//$FOCUSED/") + item).c_str());
        ctx->Yield(2);
    };
    harness_->run("rename by keys", [&](ImGuiTestContext* ctx) {
        menu(ctx, "Rename...");
        ctx->KeyCharsReplaceEnter("Yours");
        ctx->Yield(2);
        IM_CHECK_STR_EQ(own()[0].title.c_str(), "Yours");
        IM_CHECK_STR_EQ(own()[0].id.c_str(), "mine");
    });
    harness_->run("do not delete", [&](ImGuiTestContext* ctx) {
        menu(ctx, "Delete...");
        ctx->KeyPress(ImGuiKey_Enter); // Back has the focus
        ctx->Yield(2);
        IM_CHECK_EQ(own().size(), size_t{1});
        menu(ctx, "Delete...");
        ctx->KeyPress(ImGuiKey_Escape);
        ctx->Yield(2);
        IM_CHECK_EQ(own().size(), size_t{1});
    });
    harness_->run("delete", [&](ImGuiTestContext* ctx) {
        menu(ctx, "Delete...");
        ctx->SetRef("##preset");
        ctx->ItemClick(named(icon::kClose, "Delete", "delete").c_str());
        ctx->Yield(2);
        IM_CHECK(own().empty());
    });
    EXPECT_FALSE(fs::exists(folder_ / "kernelglass" / "presets" / "mine.json"));
}

} // namespace
} // namespace kg
