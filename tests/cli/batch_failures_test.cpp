// `batch` on the command line: nothing is lost or overwritten after errors and signals.

#include "core/support/elapsed.hpp"
#include "tests/cli/support/batch_fixture.hpp"
#include "tests/conformance/conformance_data.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

TEST_F(CommandBatch, AFileThatFailsDoesNotStopTheOthers) {
    write_file(path("in/empty.png"), "");
    write_file(path("in/torn.png"), read_file(path("in/sample.png")).substr(0, 200));
    write_file(path("in/text.jpg"), "not an image at all");
    ASSERT_EQ(shell("mkdir -p out; echo x > out/sub"), 0); // a file in place of a folder
    EXPECT_EQ(shell("$K batch --json -r in out -f box"), 1);
    EXPECT_EQ(batch_counts(out_), (BatchCounts{.done = 3, .failed = 6}));
    std::ranges::sort(codes_); // errors of concurrent images, in the order of their failure
    EXPECT_EQ(joined_codes(), "cannot-make-folder, cannot-make-folder, cannot-make-folder, damaged-file, "
                              "empty-file, not-an-image");
    EXPECT_NE(failed_inputs(out_).find("in/empty.png: empty-file\n"), std::string::npos) << out_;
    EXPECT_EQ(files_in("out").size(), 4U) << "three outputs and the file in place of the folder";
    const auto stops = [this](const std::string& line, std::size_t failed, const std::string& note) {
        EXPECT_EQ(shell(line), 1) << line << err_;
        EXPECT_TRUE(nlohmann::json::parse(out_).at("stopped")) << line;
        EXPECT_EQ(batch_counts(out_).failed, failed) << line;
        EXPECT_GT(batch_counts(out_).not_begun, 0U) << line;
        EXPECT_NE(err_.find(note), std::string::npos) << line << err_;
    };
    stops("$K batch --json -r in fast -f box -j 1 --fail-fast", 1,
          "stopped after 1 failure; run the same command again to resume");
    stops("$K batch --json -r in many_errors -f box -j 1 --max-errors 2", 2, "stopped after 2 failures; ");
}

TEST_F(CommandBatch, ConformanceImagesRunConcurrentlyAndDamagedOnesFailOneByOne) {
    const auto images = conformance_folder() / "images";
    if (!fs::exists(images)) GTEST_SKIP() << kNoConformanceData;
    fs::copy(images, path("in/images"), fs::copy_options::recursive);
    EXPECT_EQ(shell("$K batch -r in one -f box -q -j 1"), 1) << out_ << err_;
    const auto after = files_in("one");
    EXPECT_GT(after.size(), 50U);
    for (int i = 0; i < 3; ++i) { // all formats concurrently
        EXPECT_EQ(shell("rm -rf many; $K batch -r in many -f box -q -j 8"), 1) << out_ << err_;
        EXPECT_EQ(files_in("many"), after);
    }
    EXPECT_EQ(shell("rm -rf in/images/bad; $K batch -r in good -f box -q"), 1) << out_ << err_;
    for (const auto& [name, bytes] : files_in("good")) EXPECT_EQ(after.at(name), bytes) << name;
    for (const auto& [name, bytes] : after) EXPECT_EQ(name.find(".kg"), std::string::npos) << name;
}

TEST_F(CommandBatch, AFullDiskLeavesWholeFilesAndNothingElse) {
    write_image(path("in/large.bmp"), random_image({400, 300}, {Depth::u8, 3}, 1).view());
    expect("ulimit -f 60; $K batch --json in out -f box", 1, BatchCounts{.done = 3, .failed = 1},
           "cannot-write");
    EXPECT_EQ(failed_inputs(out_), "in/large.bmp: cannot-write\n");
    EXPECT_EQ(files_in("out").size(), 3U);
    expect("$K batch --json in out -f box", 0, BatchCounts{.done = 1, .up_to_date = 3});
    EXPECT_EQ(files_in("out").size(), 4U);

    if (shell("mkdir full && mount -t tmpfs -o size=96k none full") != 0) {
        std::printf("skipped: a small file system cannot be mounted here: %s", err_.c_str());
        return;
    }
    EXPECT_EQ(shell("$K batch in full/out -f box"), 1);
    EXPECT_EQ(std::set(codes_.begin(), codes_.end()), std::set<std::string>{"cannot-write"}) << err_;
    const auto there = files_in("full/out"), whole = files_in("out");
    EXPECT_EQ(shell("umount full"), 0) << err_;
    EXPECT_FALSE(there.empty());
    for (const auto& [name, bytes] : there) EXPECT_EQ(bytes, whole.at(name)) << name;
}

TEST_F(CommandBatch, KilledAtAnyMomentItResumesToTheSameResult) {
    const auto expected = many_images(24);
    const auto began = std::chrono::steady_clock::now();
    ASSERT_EQ(shell("$K batch -r many timed -f gaussian:sigma=3 -q"), 0) << err_;
    const double whole_run = seconds_since(began);

    const char* wanted = std::getenv("KERNELGLASS_KILLS");
    const int kills = wanted ? std::atoi(wanted) : 5;
    std::mt19937 random(7);
    for (int i = 0; i < kills; ++i) {
        const double moment = std::uniform_real_distribution(0.0, whole_run)(random);
        const auto line = "$K batch -r many out -f gaussian:sigma=3 -q -j 2";
        shell(std::string(i % 3 == 0 ? "rm -rf out; " : "") + line + " & p=$!; sleep " +
              std::to_string(moment) + "; kill -9 $p; wait $p");
        fs::create_directories(path("out"));
        for (const auto& [name, bytes] : files_in("out")) {
            if (!expected.contains(name)) continue; // a pending file under its temporary name
            EXPECT_EQ(bytes, expected.at(name)) << name << " is incomplete after " << moment << " s";
        }
        if (i % 3 == 1) continue; // killed again before it is done
        EXPECT_EQ(shell(line), 0) << moment << err_;
        EXPECT_EQ(files_in("out"), expected) << "after " << moment << " s";
        EXPECT_EQ(shell(std::string(line) + " --json"), 0) << err_;
        EXPECT_EQ(nlohmann::json::parse(out_).at("up_to_date"), expected.size());
    }
}

TEST_F(CommandBatch, CtrlCFinishesImagesInFlightAndTheSameCommandResumes) {
    const auto expected = many_images(300); // far more than can be in flight
    const auto line = "$K batch --json -r many out -f gaussian:sigma=3 -j 1";
    // A background job of a shell ignores Ctrl+C, so SIGTERM is sent instead, as soon as there is an output.
    const int exit_code = shell(
        std::string(line) + " & until ls out/*.png >/dev/null 2>&1; do pause; done; kill -TERM $!; wait $!");
    if (exit_code == 0) GTEST_SKIP() << "this machine was done before it could be stopped";
    EXPECT_EQ(exit_code, 143) << out_ << err_;
    EXPECT_TRUE(nlohmann::json::parse(out_).at("stopped"));
    const auto some = files_in("out");
    EXPECT_EQ(batch_counts(out_),
              (BatchCounts{.done = some.size(), .not_begun = expected.size() - some.size()}));
    EXPECT_LT(some.size(), expected.size());
    for (const auto& [name, bytes] : some) EXPECT_EQ(bytes, expected.at(name)) << name;
    expect(line, 0, BatchCounts{.done = expected.size() - some.size(), .up_to_date = some.size()});
    EXPECT_EQ(files_in("out"), expected);
}

TEST_F(CommandBatch, ASignalAfterTheLastImageLeavesNothingUndone) {
    // A full pipe blocks the program where it reports the image, whose output is complete by then.
    EXPECT_EQ(shell("mkfifo rows; exec 3<>rows; dd if=/dev/zero of=rows bs=4096 oflag=nonblock 2>/dev/null\n"
                    "\"$K\" batch in/sample.png out -f box --jsonl >rows &\n"
                    "until [ -e out/sample.png ]; do pause; done; kill -TERM $!\n"
                    "until grep -q 'ShdPnd:.*00$' /proc/$!/status; do pause; done\n"
                    "head -c 4096 <&3 >/dev/null; wait $!"),
              0)
        << err_;
    EXPECT_EQ(std::ranges::count(err_, '\n'), 1) << "the summary, and no note that it was stopped: " << err_;
    expect("$K batch --json in/sample.png out -f box", 0, BatchCounts{.up_to_date = 1});
}

TEST_F(CommandBatch, AnImageBeyondTheMemoryIsRefusedAndTheOthersAreDone) {
    write_image(path("in/large.bmp"), random_image({900, 700}, {Depth::u8, 3}, 1).view());
    expect("$K batch --json in out -f box --in-flight 2M", 1, BatchCounts{.done = 3, .failed = 1},
           "image-too-large");
    EXPECT_EQ(reason_codes_, std::vector<std::string>{"read-as-a-whole"}) << err_;
    EXPECT_EQ(failed_inputs(out_), "in/large.bmp: image-too-large\n");
    expect("$K batch --json in out -f box", 0, BatchCounts{.done = 1, .up_to_date = 3});
}

TEST_F(CommandBatch, ManyFilesNeedFewDescriptors) {
    fs::create_directories(path("many"));
    const auto bytes = read_file(path("in/photo.jpg"));
    for (int i = 0; i < 200; ++i) write_file(path("many/" + std::to_string(i) + ".jpg"), bytes);
    expect("ulimit -n 40; $K batch --json many out -f box -j 2 --engine cpu", 0, BatchCounts{.done = 200});
}

} // namespace
} // namespace kg::testing
