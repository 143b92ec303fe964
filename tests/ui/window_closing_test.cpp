// The program in a real window, asked to close while it filters a folder (ctest's test "window").

#include "app/batch/plan/journal.hpp"
#include "app/io/image_file.hpp"
#include "app/process/image/sample_image.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/ui/support/x_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int kImages = kSanitized ? 30 : 80; // so many that the job outlasts what the test does

class WindowClosing : public ::testing::Test {
protected:
    void SetUp() override {
        if (!std::getenv("DISPLAY")) GTEST_SKIP() << "NO DISPLAY HERE, NO WINDOW WAS TESTED";
        fs::create_directories(photos_);
        const auto bytes = encode_image(sample_image({600, 400}).view(), "png", "sample").bytes;
        for (int i = 0; i < kImages; ++i) write_file(photos_ / (std::to_string(100 + i) + ".png"), bytes);
        start_program();
        if (!until([&] { return static_cast<bool>(window_ = XWindow::find("Kernelglass")); }))
            GTEST_SKIP() << "NO WINDOW CAME, NOTHING WAS TESTED: " << output();
        ASSERT_TRUE(until([&] {
            window_->press({"Control_L", "Return"}); // starts the job, once the folder is scanned
            std::this_thread::sleep_for(1s);
            return made() > 0;
        })) << output();
    }
    void TearDown() override {
        if (child_ <= 0) return;
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
    }

    static bool until(const std::function<bool()>& done) {
        const auto deadline = std::chrono::steady_clock::now() + 180s; // enough for a busy machine
        while (std::chrono::steady_clock::now() < deadline) {
            if (done()) return true;
            std::this_thread::sleep_for(300ms);
        }
        return false;
    }
    int made() const {
        int count = 0;
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(out_, none))
            count += entry.path().extension() == ".png";
        return count;
    }
    std::string output() const { return fs::exists(output_path_) ? read_file(output_path_) : std::string(); }
    std::ptrdiff_t lines_printed() const { return std::ranges::count(output(), '\n'); }
    /// -1 if it does not end, and makes no more images.
    int exit_code() {
        int status = 0, before = made();
        while (!until([&] { return ::waitpid(child_, &status, WNOHANG) == child_; })) {
            const int now = made();
            if (now == before) return -1;
            before = now;
        }
        child_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    pid_t child() const { return child_; }
    bool is_running() const { return ::waitpid(child_, nullptr, WNOHANG) == 0; }
    /// Asks the window to close; it stays open and shows its question, which dims the rest of it.
    void ask() {
        const auto corner = [&] { return window_->colour_at(2, 2); };
        const auto before = corner();
        window_->ask_to_close();
        EXPECT_TRUE(until([&] { return corner() != before; }));
        EXPECT_TRUE(window_->is_there());
        EXPECT_TRUE(is_running());
    }
    void finish_without_window() {
        ask();
        EXPECT_TRUE(until([&] {
            window_->press({"Return"}); // the first answer
            std::this_thread::sleep_for(300ms);
            return !window_->is_there();
        }));
        EXPECT_TRUE(is_running());
    }

    const TemporaryFolder temporary_{"closing"};
    const fs::path photos_ = temporary_.path() / "photos", out_ = temporary_.path() / "photos-kernelglass",
                   output_path_ = temporary_.path() / "said";
    std::unique_ptr<XWindow> window_;

private:
    void start_program() {
        child_ = ::fork();
        if (child_ != 0) return;
        const int file = ::open(output_path_.c_str(), O_CREAT | O_WRONLY, 0600);
        ::dup2(file, STDERR_FILENO);
        for (const auto* folder : {"XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"})
            ::setenv(folder, temporary_.path().c_str(), 1);
        // One thread and enough work, so that there is time for the rest of the test.
        std::vector<std::string> words{KG_PROGRAM, "--workspace", "batch",     photos_,
                                       "--engine", "cpu",         "--threads", "1"};
        for (int i = 0; i < 12; ++i) words.insert(words.end(), {"-f", "gaussian:sigma=9"});
        std::vector<char*> arguments;
        for (auto& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        ::execv(KG_PROGRAM, arguments.data());
        ::_exit(127);
    }

    pid_t child_ = 0;
};

TEST_F(WindowClosing, FinishWithoutWindowFinishesAndReportsIt) {
    finish_without_window();
    EXPECT_EQ(exit_code(), 0);
    EXPECT_EQ(made(), kImages);
    EXPECT_NE(output().find("the window is closed, and the batch continues"), std::string::npos) << output();
    EXPECT_NE(output().find(std::to_string(kImages) + " images done"), std::string::npos) << output();
}

TEST_F(WindowClosing, AJobWithoutWindowIsStoppedByASignal) {
    finish_without_window();
    ASSERT_TRUE(until([&] { return lines_printed() == 1; })) << output(); // signals are handled from here on
    ::kill(child(), SIGTERM);
    EXPECT_EQ(exit_code(), 143);
    EXPECT_LT(made(), kImages);
    EXPECT_EQ(lines_printed(), 2) << "the note and the summary: " << output();
    EXPECT_EQ(batch::JournalRecord::read(out_).entries().size(), static_cast<std::size_t>(made()));
}

TEST_F(WindowClosing, StopAfterCurrentImagesFinishesThemAndCloses) {
    ask();
    window_->press({"Tab"}); // to the second answer, in a frame of its own: a frame takes one key press
    window_->press({"Return"});
    EXPECT_EQ(exit_code(), 0);
    const int whole = made();
    EXPECT_GT(whole, 0);
    EXPECT_LT(whole, kImages);
    for (const auto& entry : fs::directory_iterator(out_)) {
        if (entry.path().filename() == ".kernelglass") continue; // the journal's
        EXPECT_EQ(entry.path().extension(), ".png") << "nothing unfinished is left";
        EXPECT_EQ(read_image(entry.path()).pixels.size(), (Extent{600, 400})) << entry.path();
    }
    EXPECT_EQ(output(), "") << "the window reported it";
}

TEST_F(WindowClosing, BackStaysAndTheBatchContinues) {
    ask();
    window_->press({"Escape"});
    const int before = made();
    EXPECT_TRUE(until([&] { return made() > before; })) << "it continues";
    EXPECT_TRUE(window_->is_there());
    EXPECT_TRUE(is_running());
    EXPECT_EQ(output(), "");
}

} // namespace
} // namespace kg::testing
