// The Batch workspace under a simulated mouse and keyboard: a folder dropped, tried, filtered, and what is asked on closing.

#include "app/batch/session_text.hpp"
#include "tests/ui/support/playground_fixture.hpp"

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;
using batch::Work;

class BatchTest : public PlaygroundTest {
protected:
    /// So many pictures, and two files that are none.
    fs::path folder_of(int pictures, Extent size = {96, 64}) const {
        const auto photos = folder_ / "photos";
        fs::create_directories(photos / "below");
        const auto picture = sample_picture(size);
        const auto bytes = encode_picture(picture.view(), "png", "sample").bytes;
        for (int i = 0; i < pictures; ++i)
            write_file(photos / ("p" + std::to_string(100 + i) + ".png"), bytes);
        write_file(photos / "notes.txt", "no picture");
        return photos;
    }
    fs::path out() const { return folder_ / "photos-kernelglass"; }
    const batch::Session& session() { return playground_->desk().session(); }
    WindowOptions options(const char* step = "gaussian:sigma=2") const {
        WindowOptions options;
        options.recipe.steps = {parse_step(step)};
        options.has_recipe = true;
        return options;
    }
    /// In the workspace from the start.
    bool start_with(const fs::path& folder, const HarnessOptions& look = {},
                    const char* step = "gaussian:sigma=2") {
        auto wish = options(step);
        wish.workspace = Workspace::batch;
        wish.files = {folder};
        return start(wish, look);
    }
    void click(const std::string& item) {
        harness_->run(item.c_str(), [&](ImGuiTestContext* ctx) { ctx->ItemClick(item.c_str()); });
    }
    static std::string head(const char* icon, const std::string& label, const std::string& id) {
        return "//batch head/" + named(icon, label, id);
    }
    /// So slow that it can be looked at while it runs.
    bool start_slow_job(int pictures = 200) {
        if (!start_with(folder_of(pictures, {600, 400}), {}, "gaussian:sigma=9")) return false;
        click(head(icon::kPlay, "Filter " + std::to_string(pictures) + " pictures", "start"));
        EXPECT_TRUE(session().running());
        return true;
    }
    void finish() {
        harness_->frames_until([&] { return !session().running(); }, kPatience);
        settle();
    }
};

TEST_F(BatchTest, AFolderDroppedInPlayIsFilteredInFourActions) {
    if (!start(options())) GTEST_SKIP() << kNoOpenGl;
    const auto photos = folder_of(14);
    EXPECT_EQ(playground_->workspace(), Workspace::play);
    harness_->context().on_drop({photos}); // 1
    settle();
    EXPECT_EQ(playground_->workspace(), Workspace::batch);
    EXPECT_EQ(session().scan()->wanted, 14u);
    EXPECT_EQ(session().order().out, out());
    EXPECT_EQ(batch::words_of(session()).verdict.substr(0, 13), "14 pictures, ");
    EXPECT_EQ(document().title(), "p100.png") << "Play has one of them to look at";
    harness_->save_screenshot("batch_scanned");

    click(head(icon::kEye, "Try 12", "try")); // 2
    settle();
    EXPECT_EQ(session().trial()->pictures.size(), 12u);
    EXPECT_TRUE(batch::words_of(session()).verdict.starts_with("About "))
        << batch::words_of(session()).verdict;
    EXPECT_FALSE(fs::exists(out())) << "nothing is written";
    harness_->save_screenshot("batch_tried");

    click(head(icon::kPlay, "Filter 14 pictures", "start")); // 3
    finish();
    EXPECT_EQ(session().work()->counts.done, 14u);
    EXPECT_TRUE(batch::words_of(session()).verdict.starts_with("14 pictures done in "));
    EXPECT_EQ(document().messages().back().text, session().work()->summary);
    harness_->save_screenshot("batch_finished");
    const auto line = "kernelglass filter '" + (photos / "p103.png").string() + "' '" +
                      (folder_ / "one.png").string() + "' -f gaussian:sigma=2 --engine cpu -q";
    ASSERT_EQ(shell(line), 0);
    EXPECT_TRUE(read_file(folder_ / "one.png") == read_file(out() / "p103.png"));

    click("//sheet/$$3/after"); // 4: a result, as it is
    settle();
    EXPECT_EQ(playground_->workspace(), Workspace::play);
    EXPECT_EQ(document().picture()->path.parent_path(), out());
    EXPECT_TRUE(document().view.show_original);
}

} // namespace
} // namespace kg
