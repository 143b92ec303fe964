// The save prompt asks before it replaces another file, and never replaces an input.

#include "tests/support/check.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class SavingTest : public PlaygroundTest {
protected:
    bool start_with_two() {
        WindowOptions options;
        options.recipe.steps = {parse_step("sharpen")};
        options.has_recipe = true;
        options.files = {folder_ / "one.png", folder_ / "two.png"};
        for (const auto& file : options.files)
            write_image(file, random_image({30, 20}, {Depth::u8, 3}, 1).view());
        write_file(other_, "a file of somebody's");
        return start(options);
    }
    void save_as(const fs::path& path) {
        harness_->run("a name", [&](ImGuiTestContext* ctx) {
            ctx->ItemClick(("//top bar/" + named(icon::kSave, "Save image...", "save")).c_str());
            type_path(ctx, path);
        });
        settle();
    }
    void click(const char* icon, const char* label, const char* id) {
        harness_->run(label, [&](ImGuiTestContext* ctx) {
            ctx->SetRef("##file prompt");
            ctx->ItemClick(named(icon, label, id).c_str());
        });
        settle();
    }
    void press(ImGuiKeyChord chord) {
        harness_->run("press", [&](ImGuiTestContext* ctx) { ctx->KeyPress(chord); });
        settle();
    }
    static bool prompt_is_open() { return ImGui::GetTopMostPopupModal() != nullptr; }
    std::string last_message() {
        return document().messages().empty() ? "" : document().messages().back().text;
    }

    const fs::path other_ = folder_ / "other.png";
};

TEST_F(SavingTest, AnotherFileIsReplacedOnlyAfterTheQuestion) {
    if (!start_with_two()) GTEST_SKIP() << kNoOpenGl;
    save_as(other_);
    harness_->save_screenshot("replace_question");
    ASSERT_TRUE(prompt_is_open()) << "it asks";
    EXPECT_EQ(read_file(other_), "a file of somebody's");
    press(ImGuiKey_Enter); // pressing Enter twice is no confirmation
    EXPECT_EQ(read_file(other_), "a file of somebody's");
    ASSERT_TRUE(prompt_is_open()) << "back at the name";
    click(nullptr, "Cancel", "cancel");
    EXPECT_FALSE(prompt_is_open());
    EXPECT_EQ(read_file(other_), "a file of somebody's");

    save_as(other_);
    press(ImGuiKey_Escape);
    EXPECT_EQ(read_file(other_), "a file of somebody's");
    EXPECT_FALSE(prompt_is_open());

    save_as(other_);
    click(nullptr, "Back", "back");
    harness_->run("another name", [&](ImGuiTestContext* ctx) { type_path(ctx, folder_ / "new.png"); });
    settle();
    EXPECT_FALSE(prompt_is_open()) << "nothing is replaced by this one";
    EXPECT_TRUE(fs::exists(folder_ / "new.png")) << last_message();
    EXPECT_EQ(read_file(other_), "a file of somebody's");

    save_as(other_);
    click(icon::kSave, "Replace", "replace");
    EXPECT_FALSE(prompt_is_open());
    EXPECT_NE(read_file(other_), "a file of somebody's") << last_message();
    EXPECT_EQ(document().saved_path(), other_);
}

TEST_F(SavingTest, ItsOwnExportIsRewrittenWithoutAQuestionAnotherImagesIsNot) {
    if (!start_with_two()) GTEST_SKIP() << kNoOpenGl;
    const auto exported = folder_ / "export.png";
    save_as(exported);
    ASSERT_TRUE(fs::exists(exported)) << last_message();
    const auto bytes = read_file(exported);
    write_file(exported, "");
    press(ImGuiMod_Ctrl | ImGuiKey_S);
    EXPECT_FALSE(prompt_is_open());
    EXPECT_TRUE(read_file(exported) == bytes);
    write_file(exported, "");
    save_as(exported);
    EXPECT_FALSE(prompt_is_open());
    EXPECT_TRUE(read_file(exported) == bytes);
    press(ImGuiKey_2);
    ASSERT_EQ(document().title(), "two.png");
    press(ImGuiMod_Ctrl | ImGuiKey_S);
    EXPECT_TRUE(prompt_is_open()) << "this image has no export yet";
    harness_->run("the other's name", [&](ImGuiTestContext* ctx) { type_path(ctx, exported); });
    settle();
    EXPECT_TRUE(prompt_is_open()) << "it asks";
    EXPECT_TRUE(read_file(exported) == bytes);
}

TEST_F(SavingTest, NoInputIsReplaced) {
    if (!start_with_two()) GTEST_SKIP() << kNoOpenGl;
    for (const auto* name : {"one.png", "two.png"}) {
        const auto bytes = read_file(folder_ / name);
        save_as(folder_ / name);
        EXPECT_FALSE(prompt_is_open()) << "no confirmation, because replacing an input is refused";
        EXPECT_EQ(document().messages().back().code(), "replaces-original") << last_message();
        EXPECT_TRUE(read_file(folder_ / name) == bytes);
    }
}

TEST_F(SavingTest, ATableIsWrittenOverAnotherFileOnlyAfterTheQuestion) {
    if (!start_with_two()) GTEST_SKIP() << kNoOpenGl;
    document().offer_file("other.png", "1,2\n");
    harness_->frames(3);
    ASSERT_TRUE(prompt_is_open());
    press(ImGuiKey_Enter);
    ASSERT_TRUE(prompt_is_open()) << "it asks";
    EXPECT_EQ(read_file(other_), "a file of somebody's");
    click(icon::kSave, "Replace", "replace");
    EXPECT_EQ(read_file(other_), "1,2\n") << last_message();
}

} // namespace
} // namespace kg
