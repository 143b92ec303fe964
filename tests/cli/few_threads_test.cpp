// A system that refuses threads, at any thread that the program starts: it continues with fewer or reports
// the error.

#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/sanitizers.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

class FewThreads : public Program {
protected:
    void SetUp() override {
        if (kSanitized) GTEST_SKIP() << "a sanitizer must be loaded before the library that refuses threads";
        for (int i = 0; i < 5; ++i)
            write_image(path("in" + std::to_string(i) + ".png"),
                        random_image({120 + 8 * i, 90}, {Depth::u8, 3}, i).view());
    }

    /// Runs the command `line` while threads are refused. Returns its exit code, or 124 if it does not
    /// finish.
    int refused(const std::string& variable, int count, const std::string& line) {
        return shell("timeout 300 env LD_PRELOAD='" KG_FEW_THREADS "' KERNELGLASS_TEST_THREADS=asked " +
                     variable + "=" + std::to_string(count) + " \"$K\" " + line);
    }

    /// Threads requested, and the most at the same time, if none is refused.
    struct Asked {
        int all = 0, most = 0;
    };
    Asked asked(const std::string& line) {
        EXPECT_EQ(refused("KERNELGLASS_TEST_NOTHING", 0, line), 0) << err_;
        Asked asked;
        std::istringstream(read_file(path("asked"))) >> asked.all >> asked.most;
        EXPECT_GT(asked.all, 0);
        return asked;
    }

    /// All counts up to a dozen, at which most of the program's own threads start, then every fifth, and the
    /// last.
    static std::vector<int> counts_to(int last) {
        constexpr int kAll = 12, kStep = 5;
        std::vector<int> counts;
        for (int count = 0; count < last; count += count < kAll ? 1 : kStep) counts.push_back(count);
        counts.push_back(last);
        return counts;
    }

    /// Expects the error about the thread that could not be started.
    void expect_error() const { EXPECT_TRUE(!codes_.empty() && codes_.front() == "no-thread") << err_; }

    static constexpr const char* kThere = "KERNELGLASS_TEST_THREADS_THERE";
    static constexpr const char* kStarted = "KERNELGLASS_TEST_THREADS_STARTED";
    static constexpr const char* kRefused = "KERNELGLASS_TEST_THREAD_REFUSED";
};

TEST_F(FewThreads, FilterContinuesWithFewerThreads) {
    const std::string line = "filter in0.png out.png -f gaussian:sigma=2 --engine cpu --threads 4";
    const auto [all, most] = asked(line);
    const auto whole = read_file(path("out.png"));
    for (const int count : counts_to(most)) {
        fs::remove(path("out.png"));
        ASSERT_EQ(refused(kThere, count, line), 0) << count << err_;
        EXPECT_EQ(read_file(path("out.png")), whole) << count;
        EXPECT_EQ(err_, "") << count;
    }
    const auto before = files_in(".").size();
    for (const auto* variable : {kStarted, kRefused})
        for (const int count : counts_to(all)) {
            SCOPED_TRACE(std::string(variable) + "=" + std::to_string(count));
            fs::remove(path("out.png"));
            const int code = refused(variable, count, line);
            ASSERT_TRUE(code == 0 || code == 2) << code << err_;
            EXPECT_EQ(fs::exists(path("out.png")), code == 0);
            if (code == 0) EXPECT_EQ(read_file(path("out.png")), whole);
            else expect_error();
            EXPECT_EQ(files_in(".").size(), before - (code != 0)) << "no partial file";
        }
}

TEST_F(FewThreads, BatchContinuesWithFewerThreads) {
    const std::string line = "batch in?.png out -f gaussian:sigma=2 --engine cpu -j 2";
    const auto [all, most] = asked(line);
    const auto whole = files_in("out");
    EXPECT_EQ(whole.size(), 5U);
    for (const int count : counts_to(most)) {
        fs::remove_all(path("out"));
        ASSERT_EQ(refused(kThere, count, line), 0) << count << err_;
        EXPECT_EQ(files_in("out"), whole) << count;
    }
    for (const auto* variable : {kStarted, kRefused})
        for (const int count : counts_to(all)) {
            SCOPED_TRACE(std::string(variable) + "=" + std::to_string(count));
            fs::remove_all(path("out"));
            const int code = refused(variable, count, line);
            ASSERT_TRUE(code == 0 || code == 2) << code << err_;
            const auto made = fs::exists(path("out")) ? files_in("out") : decltype(whole){};
            if (code == 0) {
                EXPECT_EQ(made, whole);
                continue;
            }
            expect_error();
            EXPECT_TRUE(std::ranges::includes(whole, made)) << "only complete outputs";
            EXPECT_EQ(shell("$K " + line), 0) << err_;
            EXPECT_EQ(files_in("out"), whole);
        }
}

TEST_F(FewThreads, BatchInBandsContinuesWithFewerThreads) {
    write_image(path("in0.png"), random_image({700, 3000}, {Depth::u8, 3}, 1).view());
    const std::string line = "batch in0.png out -f gaussian:sigma=2 --engine cpu -j 2 --in-flight 12M";
    const auto most = asked(line).most;
    EXPECT_TRUE(prints("bands of")) << out_ << err_;
    const auto whole = files_in("out");
    for (const int count : counts_to(most)) {
        fs::remove_all(path("out"));
        ASSERT_EQ(refused(kThere, count, line), 0) << count << err_;
        EXPECT_EQ(files_in("out"), whole) << count;
    }
}

TEST_F(FewThreads, SignalsEndABatchWithoutThreads) {
    // A full pipe blocks the program once an output is complete.
    EXPECT_EQ(shell("mkfifo rows; exec 3<>rows; dd if=/dev/zero of=rows bs=4096 oflag=nonblock 2>/dev/null\n"
                    "env LD_PRELOAD='" KG_FEW_THREADS "' KERNELGLASS_TEST_THREADS_THERE=0 timeout 300 \"$K\" "
                    "batch in?.png out -f box --engine cpu -j 4 --jsonl >rows &\n"
                    "until ls out/*.png >/dev/null 2>&1; do pause; done\n"
                    "kill -TERM $!; wait $!"),
              143)
        << err_;
    EXPECT_EQ(shell("$K batch in?.png out -f box --engine cpu"), 0) << err_;
}

TEST_F(FewThreads, BenchContinuesWithFewerThreads) {
    const std::string line = "bench --engine cpu --threads 2 --size 64x48 --kernel-size 3 --filters dense "
                             "--algorithm direct --peers none --seconds 0.2 -o r.json";
    const auto [all, most] = asked(line);
    for (const auto* variable : {kThere, kStarted, kRefused})
        for (const int count : counts_to(variable == kThere ? most : all)) {
            SCOPED_TRACE(std::string(variable) + "=" + std::to_string(count));
            fs::remove(path("r.json"));
            const int code = refused(variable, count, line);
            ASSERT_TRUE(code == 0 || (code == 2 && variable != kThere)) << code << err_;
            EXPECT_EQ(fs::exists(path("r.json")), code == 0);
            if (code != 0) {
                expect_error();
                continue;
            }
            for (const auto& row : nlohmann::json::parse(read_file(path("r.json"))).at("rows")) {
                const std::string verdict = row.at("verdict");
                EXPECT_TRUE(verdict == "right" || verdict == "stopped") << verdict; // out of time
            }
        }
}

TEST_F(FewThreads, LimitedMemoryForStacksIsNoDeadlock) {
    const std::string line = "$K batch in?.png out -f box --engine cpu -j 4";
    constexpr int kEnough = 4000;
    int started = 0;
    for (const int mebibytes : {160, 200, 240, 260, 280, 300, 320, 350, 400, 500, 600, kEnough}) {
        const auto limited = "ulimit -v " + std::to_string(mebibytes * 1024) + "; ";
        if (shell("(" + limited + "$K --version)") != 0) continue; // its libraries cannot even be loaded
        ++started;
        fs::remove_all(path("out"));
        const int code = shell("(" + limited + "timeout 300 " + line + ")");
        EXPECT_TRUE(code == 0 || code == 1 || code == 2) << mebibytes << " MiB: " << code << err_;
        if (mebibytes == kEnough) {
            EXPECT_EQ(code, 0) << err_;
        }
        EXPECT_EQ(shell(line), 0) << err_;
    }
    EXPECT_GT(started, 1) << "with less than enough, too";
}

} // namespace
} // namespace kg::testing
