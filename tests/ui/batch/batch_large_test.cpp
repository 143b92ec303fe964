// The Batch workspace with very many files: the window keeps drawing during scans, sorting and scrolling.
// Frame times are in the report, because they depend on the machine.

#include "app/batch/session/session_text.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/app/held_journal.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/ui/support/playground_fixture.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <time.h>

namespace kg {
namespace {

using namespace kg::testing;
using namespace kg::ui;

constexpr int kMany = 20000;

class BatchLarge : public PlaygroundTest {
protected:
    const batch::Session& session() { return playground_->desk().session(); }
    /// Links to one small image, a folder that links back to itself, and files that are not images.
    fs::path many() const {
        const auto folder = folder_ / "many", below = folder / "below";
        fs::create_directories(below);
        write_image(folder / "p.png", sample_image({16, 16}).view());
        for (int i = 1; i < kMany; ++i)
            fs::create_hard_link(folder / "p.png", folder / ("p" + std::to_string(100000 + i) + ".png"));
        write_file(folder / "notes.txt", "no image");
        fs::create_directory_symlink(folder, below / "round");
        return folder;
    }
    static double memory_in_use() { // MiB
        std::ifstream file("/proc/self/statm");
        double pages = 0;
        file >> pages >> pages;
        return pages * 4096 / (1 << 20);
    }
    /// CPU time of this thread in ms, without other threads, such as those of a driver.
    static double worked() {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }
    /// Draws frames until `done`; returns the longest CPU time of the window's thread, in ms.
    double longest_frame(const std::function<bool()>& done) {
        double longest = 0;
        EXPECT_TRUE(eventually([&] {
            const double began = worked();
            harness_->frames();
            longest = std::max(longest, worked() - began);
            return done();
        }));
        return longest;
    }
    void record(const char* what, double value) { RecordProperty(what, std::to_string(value)); }
};

TEST_F(BatchLarge, SearchesSortsAndShowsTwentyThousandWhileItDraws) {
    WindowOptions options;
    options.recipe.steps = {parse_step("box")};
    options.has_recipe = true;
    options.workspace = Workspace::batch;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    const auto folder = many(), out = folder_ / "many-kernelglass";
    fs::create_directories(out); // where unrelated files exist already
    write_file(out / "p.png", "somebody's");
    for (int i = 1; i < kMany; ++i)
        fs::create_hard_link(out / "p.png", out / ("p" + std::to_string(100000 + i) + ".png"));
    record("idle_frame_ms", longest_frame([frames = 0]() mutable { return ++frames > 20; }));
    const auto before = memory_in_use();

    HeldJournal journal(out); // the scan does not end before it has been drawn for a while
    harness_->context().on_drop({folder});
    record("search_longest_frame_ms", longest_frame([&, frames = 0]() mutable {
               EXPECT_TRUE(session().scan()->busy);
               return ++frames > 20;
           }));
    ASSERT_TRUE(journal.is_read());
    journal.let_go();
    longest_frame([&] { return !session().scan()->busy; });
    EXPECT_EQ(session().scan()->images, static_cast<std::size_t>(kMany));
    EXPECT_EQ(session().scan()->refused, static_cast<std::size_t>(kMany));
    EXPECT_EQ(session().scan()->skipped, "1 file that is not an image, 1 folder");
    harness_->run("folders within it, too",
                  [](ImGuiTestContext* ctx) { ctx->ItemClick("//batch/Subfolders##recursive"); });
    longest_frame([&] { return playground_->settled(); });
    EXPECT_EQ(session().scan()->images, static_cast<std::size_t>(kMany)) << "each once";
    EXPECT_EQ(session().scan()->skipped, "1 file that is not an image, 1 link");
    EXPECT_NE(batch::session_text(session()).detail.find("Skipped: "), std::string::npos);

    // 20,000 failures. (A job without wanted images cannot be started by its button.)
    const_cast<batch::Session&>(session()).start(document().engine());
    record("failing_longest_frame_ms", longest_frame([&] { return !session().running(); }));
    longest_frame([&] { return playground_->settled(); });
    ASSERT_EQ(session().work()->findings.size(), static_cast<std::size_t>(kMany));
    harness_->save_screenshot("batch_20000_failures");
    record("shown_longest_frame_ms", longest_frame([shown = 0]() mutable { return ++shown > 20; }));
    const auto vertices = ImGui::GetDrawData()->TotalVtxCount;
    EXPECT_LT(vertices, 60000) << "invisible rows are not drawn";
    for (const auto* column : {"Image", "Amount", "Kind"}) {
        harness_->run(column, [&](ImGuiTestContext* ctx) {
            ctx->SetRef(ctx->WindowInfo("//findings/findings").ID);
            ctx->MouseMove((std::string("**/") + column).c_str());
        });
        ImGui::GetIO().AddMouseButtonEvent(0, true);
        harness_->frames();
        ImGui::GetIO().AddMouseButtonEvent(0, false);
        record(("sorted_longest_frame_ms_" + std::string(column)).c_str(),
               longest_frame([shown = 0]() mutable { return ++shown > 4; }));
    }
    record("memory_more_MiB", memory_in_use() - before);
    if (!kAddressSanitizer) { // which keeps freed memory for a while
        EXPECT_LT(memory_in_use() - before, 250);
    }
}

/// A list of files as a file manager drops it.
TEST_F(BatchLarge, TakesTwentyThousandFilesByTheirNames) {
    WindowOptions options;
    options.recipe.steps = {parse_step("box")};
    options.has_recipe = true;
    options.workspace = Workspace::batch;
    if (!start(options)) GTEST_SKIP() << kNoOpenGl;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(many()))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::ranges::sort(files);
    harness_->context().on_drop(files);
    record("drop_longest_frame_ms", longest_frame([&] { return !session().scan()->busy; }));
    record("shown_longest_frame_ms", longest_frame([shown = 0]() mutable { return ++shown > 20; }));
    EXPECT_EQ(session().scan()->wanted, static_cast<std::size_t>(kMany));
    EXPECT_EQ(session().scan()->missing.size(), 1u) << "the text";
    EXPECT_TRUE(batch::session_text(session()).verdict.starts_with("20000 images, "))
        << batch::session_text(session()).verdict;
    harness_->save_screenshot("batch_20000_files");
}

} // namespace
} // namespace kg
