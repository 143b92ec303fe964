// Long, killed and hindered batches: memory use stays constant, every named output is complete, and the same
// command resumes to the result of an undisturbed run. scripts/endurance runs them for longer and keeps their
// records.

#include "app/process/image/sample_image.hpp"
#include "core/support/elapsed.hpp"
#include "tests/batch/support/child.hpp"
#include "tests/support/app/batch_counts.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/sanitizers.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <thread>

#include <unistd.h>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

int number_from(const char* variable, int otherwise) {
    const char* set = std::getenv(variable);
    return set ? std::atoi(set) : otherwise;
}

class BatchEndurance : public Program {};

TEST_F(BatchEndurance, ManyImagesTakeWhatTheFirstTenthTook) {
    const int count = number_from("KERNELGLASS_MANY", 2000);
    constexpr int kKinds = 20;
    const auto name_of = [](int i) { return std::to_string(i) + (i % 2 ? ".png" : ".jpg"); };
    for (const auto* folder : {"kinds", "many"}) fs::create_directories(path(folder));
    for (int i = 0; i < kKinds; ++i)
        write_image(path("kinds/" + name_of(i)),
                    random_image({64 + i, 48}, {Depth::u8, 3}, static_cast<unsigned>(i)).view());
    for (int i = 0; i < count; ++i)
        fs::copy_file(path("kinds/" + name_of(i % kKinds)), path("many/" + name_of(i)));

    const fs::path journal = path("out/.kernelglass/journal.jsonl");
    struct Sample {
        std::uintmax_t done; ///< bytes of the journal
        Held held;
    };
    std::vector<Sample> samples;
    const auto began = std::chrono::steady_clock::now();
    Child child(folder_, {"batch", "many", "out", "-f", "box", "-q", "-j", "4"}, path("errors"));
    while (child.is_running()) {
        std::error_code not_yet;
        const auto done = fs::file_size(journal, not_yet);
        if (const auto held = held_by(child.id()); !not_yet && held.kibibytes > 0)
            samples.push_back({done, held});
        std::this_thread::sleep_for(2ms);
    }
    ASSERT_EQ(child.wait(), 0) << read_file(path("errors"));
    const auto seconds = seconds_since(began);
    ASSERT_EQ(files_in("out").size(), static_cast<std::size_t>(count));

    const auto tenth = fs::file_size(journal) / 10;
    Held first, all;
    // Images in flight hold files for moments: what is never given back is the least of the ninth tenth.
    auto least_late = std::numeric_limits<std::size_t>::max();
    for (const auto& [done, held] : samples) {
        for (auto* most : {&first, &all}) {
            if (most == &first && done > tenth) continue;
            most->kibibytes = std::max(most->kibibytes, held.kibibytes);
            most->descriptors = std::max(most->descriptors, held.descriptors);
        }
        if (done > 8 * tenth && done <= 9 * tenth)
            least_late = std::min<std::size_t>(least_late, held.descriptors);
    }
    ASSERT_GT(first.kibibytes, 0U) << "no sample within the first tenth";
    ASSERT_LT(least_late, std::numeric_limits<std::size_t>::max()) << "no sample within the ninth tenth";
    RecordProperty("images", count);
    RecordProperty("seconds", std::to_string(seconds));
    RecordProperty("looks", std::to_string(samples.size()));
    RecordProperty("first_tenth_kibibytes", std::to_string(first.kibibytes));
    RecordProperty("first_tenth_descriptors", std::to_string(first.descriptors));
    RecordProperty("kibibytes", std::to_string(all.kibibytes));
    RecordProperty("descriptors", std::to_string(all.descriptors));
    // Each image is 9 KB, its file and its result as much again.
    constexpr std::size_t kMoreKibibytes = 8 << 10, kMoreDescriptors = 12;
    EXPECT_LE(least_late, first.descriptors + kMoreDescriptors);
    if (kSanitized) std::printf("skipped: a sanitizer keeps memory that is given back\n");
    else EXPECT_LE(all.kibibytes, first.kibibytes + kMoreKibibytes);
}

TEST_F(BatchEndurance, KilledAmongDamagedImagesNothingTornIsEverSeen) {
    fs::create_directories(path("in"));
    const auto whole = sample_image({300, 200});
    for (int i = 0; i < 18; ++i) {
        const auto name = std::to_string(i);
        const auto image = random_image({150 + 11 * (i % 5), 110}, {Depth::u8, 3}, static_cast<unsigned>(i));
        if (i % 3 == 0) write_image(path("in/" + name + ".jpg"), image.view());
        if (i % 3 == 1) write_image(path("in/" + name + ".png"), image.view());
        if (i % 3 == 2) write_image(path("in/" + name + ".tif"), image.view());
        if (i % 6 == 0) { // half a JPEG is an incomplete image, half a PNG is none
            write_image(path("whole.jpg"), whole.view());
            write_file(path("in/" + name + "-half.jpg"), read_file(path("whole.jpg")).substr(0, 9000));
            write_image(path("whole.png"), whole.view());
            write_file(path("in/" + name + "-half.png"), read_file(path("whole.png")).substr(0, 9000));
            write_file(path("in/" + name + "-words.bmp"), "BM, but nothing else");
        }
    }
    const std::vector<std::string> line{"batch", "in", "out", "-f", "gaussian:sigma=3", "-q", "-j", "8"};
    const auto run_to_the_end = [&] { return Child(folder_, line, path("errors")).wait(); };
    const auto began = std::chrono::steady_clock::now();
    ASSERT_EQ(run_to_the_end(), 1);
    const auto whole_run = seconds_since(began);
    const auto expected = files_in("out");
    ASSERT_EQ(expected.size(), 18U + 3U) << "the halves of JPEGs, too";

    std::mt19937 random(11);
    const int kills = number_from("KERNELGLASS_KILLS", 5);
    int seen = 0, went_on = 0, in_flight = 0;
    for (int i = 0; i < kills; ++i) {
        if (i % 3 != 2) fs::remove_all(path("out")); // else the next run resumes and is killed again
        fs::create_directories(path("out"));
        const auto moment = std::uniform_real_distribution(0.0, whole_run)(random);
        {
            const Watcher watcher(path("out"), expected);
            Child child(folder_, line, path("errors"));
            std::this_thread::sleep_for(std::chrono::duration<double>(moment));
            in_flight += child.is_running();
            child.kill();
            if (i % 3 == 1) {
                seen += watcher.seen();
                continue;
            }
            EXPECT_EQ(run_to_the_end(), 1) << read_file(path("errors"));
            ++went_on;
            std::this_thread::sleep_for(5ms);
            seen += watcher.seen();
        }
        EXPECT_EQ(files_in("out"), expected) << "after " << moment << " s";
        ASSERT_EQ(shell("$K batch in out -f gaussian:sigma=3 --json"), 1) << err_;
        EXPECT_EQ(nlohmann::json::parse(out_).at("up_to_date"), expected.size());
    }
    EXPECT_GT(seen, 0) << "the watcher saw no file come";
    RecordProperty("images", std::to_string(expected.size()));
    RecordProperty("kills", kills);
    RecordProperty("killed_in_flight", in_flight);
    RecordProperty("went_on_to_the_undisturbed_result", went_on);
    RecordProperty("outputs_seen_at_once_and_whole", seen);
    RecordProperty("undisturbed_seconds", std::to_string(whole_run));
}

TEST_F(BatchEndurance, ReportsThatNothingCanBeWritten) {
    fs::create_directories(path("in/sub"));
    write_image(path("in/a.png"), sample_image({40, 30}).view());
    write_image(path("in/sub/b.png"), sample_image({40, 30}).view());
    fs::create_directories(path("closed"));
    fs::create_directories(path("out/sub"));
    const bool root = ::geteuid() == 0; // modes do not apply to root
    const std::string close = root ? "mount -t tmpfs -o ro none " : "chmod 555 ",
                      open = root ? "umount " : "chmod 755 ";
    if (shell(close + "closed") != 0)
        GTEST_SKIP() << "a read-only file system cannot be mounted here: " << err_;
    EXPECT_EQ(shell("$K batch in closed -f box"), 2) << out_;
    EXPECT_EQ(codes_, std::vector<std::string>{"cannot-make-folder"}) << err_;
    EXPECT_EQ(shell(open + "closed"), 0) << err_;

    ASSERT_EQ(shell(close + "out/sub"), 0) << err_;
    EXPECT_EQ(shell("$K batch --json -r in out -f box"), 1) << out_;
    EXPECT_EQ(batch_counts(out_), (BatchCounts{.done = 1, .failed = 1}));
    EXPECT_EQ(joined_codes(), "cannot-write") << "one error of each failed file: " << err_;
    EXPECT_EQ(failed_inputs(out_), "in/sub/b.png: cannot-write\n");
    EXPECT_EQ(shell(open + "out/sub"), 0) << err_;
    EXPECT_EQ(files_in("out").size(), 1U);
    EXPECT_EQ(shell("$K batch -r in out -f box -q"), 0) << err_;
    EXPECT_EQ(files_in("out").size(), 2U);
}

} // namespace
} // namespace kg::testing
