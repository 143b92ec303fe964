// Opening and saving by the list of the built-in file dialog, with mouse and keyboard.

#include "app/editor/document/last_state.hpp"
#include "tests/support/check.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

class FileListTest : public PlaygroundTest {
protected:
    bool start_in_folder() {
        fs::create_directory(folder_ / "inner");
        for (const auto& file : {folder_ / "one.png", folder_ / "two.png", folder_ / "inner/deep.png"})
            write_image(file, random_image({30, 20}, {Depth::u8, 3}, 1).view());
        write_file(folder_ / "notes.txt", "no image");
        WindowOptions options;
        options.files = {folder_ / "one.png"};
        options.state_file = folder_ / "state.json";
        options.recipe.steps = {parse_step("sharpen")};
        options.has_recipe = true;
        return start(options);
    }
    static void ask_open(ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
        ctx->Yield(3);
    }
    std::string entry(const std::string& path) const { return folder_.string() + "/" + path; }
    /// The row of a path, or an item without id where it is not listed.
    static ImGuiTestItemInfo row_of(ImGuiTestContext* ctx, const std::string& path) {
        const auto* list = ctx->WindowInfo("//##file prompt/list").Window;
        if (!list) return {}; // after a failed check
        const auto id = ImHashStr("##entry", 0, ImHashStr(path.c_str(), 0, list->ID));
        return ctx->ItemInfo(id, ImGuiTestOpFlags_NoError);
    }
    static void click(ImGuiTestContext* ctx, const std::string& path) {
        const auto row = row_of(ctx, path);
        IM_CHECK(row.ID != 0);
        ctx->ItemClick(row.ID);
        ctx->Yield(3);
    }
    static bool is_asking() { return ImGui::GetTopMostPopupModal() != nullptr; }
};

TEST_F(FileListTest, AFileIsOpenedByTwoClicksInItsFolder) {
    if (!start_in_folder()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("walk", [&](ImGuiTestContext* ctx) {
        ask_open(ctx);
        IM_CHECK(is_asking());
        IM_CHECK(row_of(ctx, entry("two.png")).ID != 0);
        IM_CHECK(row_of(ctx, entry("notes.txt")).ID == 0); // cannot be read
        click(ctx, entry("inner/"));
        IM_CHECK(row_of(ctx, entry("two.png")).ID == 0);
        click(ctx, entry("inner/deep.png"));
        IM_CHECK(is_asking()); // its name is above
        click(ctx, entry("inner/deep.png"));
        IM_CHECK(!is_asking());
    });
    settle();
    EXPECT_EQ(document().title(), "deep.png");
    playground_->remember();
    const auto recent = read_last_state(folder_ / "state.json").recent_files;
    EXPECT_EQ(recent, (std::vector<fs::path>{folder_ / "inner/deep.png", folder_ / "one.png"}));
}

TEST_F(FileListTest, RecentFilesAreKeptWithoutAnEndOfTheProgram) {
    if (!start_in_folder()) GTEST_SKIP() << kNoOpenGl;
    const auto recent = [&] { return read_last_state(folder_ / "state.json").recent_files; };
    harness_->frames_until([&] { return recent() == std::vector<fs::path>{folder_ / "one.png"}; });
    harness_->run("open", [&](ImGuiTestContext* ctx) {
        ask_open(ctx);
        type_path(ctx, folder_ / "two.png");
    });
    settle();
    harness_->frames_until([&] { return !recent().empty() && recent().front() == folder_ / "two.png"; });
}

TEST_F(FileListTest, APathIsCompletedByTabAndAFolderIsEntered) {
    if (!start_in_folder()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("type", [&](ImGuiTestContext* ctx) {
        ask_open(ctx); // the field has the focus, with the folder of the image
        ctx->KeyChars("in");
        ctx->KeyPress(ImGuiKey_Enter); // no file has this name
        ctx->Yield(3);
    });
    settle();
    harness_->run("complete", [&](ImGuiTestContext* ctx) {
        if (!is_asking()) ask_open(ctx);
        ctx->KeyChars("i");
        ctx->KeyPress(ImGuiKey_Tab);
        ctx->KeyChars("d");
        ctx->KeyPress(ImGuiKey_Tab);
        ctx->KeyPress(ImGuiKey_Enter);
        ctx->Yield(3);
        IM_CHECK(!is_asking());
    });
    settle();
    EXPECT_EQ(document().title(), "deep.png");
}

TEST_F(FileListTest, TheDownArrowLeadsFromTheFieldToTheList) {
    if (!start_in_folder()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("by keys", [&](ImGuiTestContext* ctx) {
        ask_open(ctx);
        ctx->KeyPress(ImGuiKey_DownArrow); // the folder above
        ctx->Yield(2);
        const auto two = row_of(ctx, entry("two.png")).ID;
        for (int i = 0; i < 6 && ImGui::GetCurrentContext()->NavId != two; ++i)
            ctx->KeyPress(ImGuiKey_DownArrow);
        IM_CHECK_EQ(ImGui::GetCurrentContext()->NavId, two);
        ctx->KeyPress(ImGuiKey_Space, 2);
        ctx->Yield(3);
        IM_CHECK(!is_asking());
    });
    settle();
    EXPECT_EQ(document().title(), "two.png");
}

TEST_F(FileListTest, AKernelIsOpenedFromTheList) {
    if (!start_in_folder()) GTEST_SKIP() << kNoOpenGl;
    write_file(folder_ / "kernel.csv", "0, 1, 0\n");
    document().set_kernel(make_kernel(1, 1, {9}));
    settle();
    harness_->run("open", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//left/kernel_grid/" + named(nullptr, "Change", "change")).c_str());
        ctx->Yield(4);
        ctx->SetRef("//$FOCUSED");
        ctx->ItemClick((icon::kOpen + std::string("  Open kernel...")).c_str());
        ctx->Yield(4);
        click(ctx, entry("kernel.csv"));
        click(ctx, entry("kernel.csv"));
        IM_CHECK(!is_asking());
    });
    settle();
    EXPECT_EQ(document().selected_stage()->kernels.front().weights, (std::vector<float>{0, 1, 0}));
}

TEST_F(FileListTest, ARecentFileIsOffered) {
    if (!start_in_folder()) GTEST_SKIP() << kNoOpenGl;
    harness_->run("recent", [&](ImGuiTestContext* ctx) {
        ask_open(ctx);
        ctx->ItemClick("//##file prompt/source/Recent files");
        ctx->Yield(2);
        IM_CHECK(row_of(ctx, entry("two.png")).ID == 0);
        click(ctx, entry("one.png"));
    });
    harness_->save_screenshot("file_list_recent");
    EXPECT_TRUE(is_asking());
}

TEST_F(FileListTest, ShiftMarksTheRecentFilesBetween) {
    if (!start_in_folder()) GTEST_SKIP() << kNoOpenGl;
    for (const auto* file : {"two.png", "inner/deep.png"}) {
        harness_->context().on_drop({entry(file)});
        settle();
    }
    harness_->run("mark", [&](ImGuiTestContext* ctx) {
        ask_open(ctx);
        ctx->ItemClick("//##file prompt/source/Recent files"); // deep, two, one
        ctx->Yield(2);
        click(ctx, entry("two.png"));
        ctx->KeyDown(ImGuiMod_Shift);
        click(ctx, entry("inner/deep.png"));
        ctx->KeyUp(ImGuiMod_Shift);
        ctx->SetRef("//##file prompt");
        ctx->ItemClick(named(icon::kOpen, "Open 2", "confirm").c_str());
    });
    settle();
    std::vector<fs::path> open;
    for (const auto& image : document().film()) open.push_back(image.path);
    EXPECT_EQ(open, (std::vector<fs::path>{entry("inner/deep.png"), entry("two.png")}));
}

TEST_F(FileListTest, SavingOverAListedFileAsks) {
    if (!start_in_folder()) GTEST_SKIP() << kNoOpenGl;
    const auto other = folder_ / "two.png";
    const auto bytes = read_file(other);
    harness_->run("save", [&](ImGuiTestContext* ctx) {
        ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
        ctx->Yield(3);
        click(ctx, other.string());
        click(ctx, other.string());
        IM_CHECK(is_asking());
    });
    harness_->save_screenshot("file_list_question");
    settle();
    EXPECT_TRUE(read_file(other) == bytes);
    harness_->run("replace", [&](ImGuiTestContext* ctx) {
        ctx->ItemClick(("//##file prompt/" + named(icon::kSave, "Replace", "replace")).c_str());
        ctx->Yield(3);
    });
    settle();
    EXPECT_FALSE(read_file(other) == bytes);
    EXPECT_EQ(document().saved_path(), other);
}

TEST_F(FileListTest, NothingOverlapsInALowWindow) {
    for (const float scale : {1.0f, 2.0f}) {
        fs::remove_all(folder_ / "inner");
        if (!start_in_folder()) GTEST_SKIP() << kNoOpenGl;
        WindowOptions options;
        options.files = {folder_ / "one.png"};
        const auto size = static_cast<std::int64_t>(scale);
        if (!start(options, {.size = {800 * size, 560 * size}, .scale = scale, .theme = kLight})) return;
        harness_->run("open", [&](ImGuiTestContext* ctx) {
            ask_open(ctx);
            const auto* dialog = ImGui::FindWindowByName("##file prompt");
            IM_CHECK(ImGui::GetMainViewport()->Size.y >= dialog->Size.y);
            const auto list = ctx->WindowInfo("//##file prompt/list").Window->Rect();
            const auto cancel = ctx->ItemInfo("//##file prompt/Cancel##cancel").RectFull;
            IM_CHECK(!list.Overlaps(cancel));
            IM_CHECK(dialog->Rect().Contains(cancel));
        });
        harness_->save_screenshot("file_list_" + std::to_string(static_cast<int>(scale)));
    }
}

} // namespace
} // namespace kg
