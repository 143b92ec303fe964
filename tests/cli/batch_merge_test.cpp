// `batch merge`: shards in separate folders, merged, equal a single run. The log of failures outlives the
// terminal.

#include "app/batch/plan/journal.hpp"
#include "app/process/file/hash.hpp"
#include "tests/support/app/batch_counts.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/documented_json.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <regex>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t kImages = 12;

class CommandBatchMerge : public Program {
protected:
    void SetUp() override {
        fs::create_directories(path("in/deep"));
        for (int i = 0; i < static_cast<int>(kImages); ++i)
            write_image(path((i % 2 ? "in/deep/" : "in/") + std::to_string(i) + ".png"),
                        random_image({30 + i, 20}, {Depth::u8, 3}, i).view());
        ASSERT_EQ(shell("$K batch -r in single -f box -q"), 0) << err_;
        for (const auto* shard : {"1", "2", "3"})
            ASSERT_EQ(
                shell(std::string("$K batch -r in part") + shard + " -f box -q --shard " + shard + "/3"), 0)
                << err_;
    }
    /// Moves or copies all outputs into one folder. The journals are not moved.
    void gather_outputs(const std::string& how) {
        ASSERT_EQ(shell("mkdir -p out; for p in part1 part2 part3; do (cd $p; find . -name '*.png' | while "
                        "read f; do mkdir -p ../out/$(dirname $f); " +
                        how + " $f ../out/$f; done); done"),
                  0)
            << err_;
    }
    Json merge(const std::string& words, int exit_code) {
        EXPECT_EQ(shell("$K batch merge " + words + " --json"), exit_code) << out_ << err_;
        EXPECT_EQ(undocumented(out_, "kernelglass-batch-merge/1"), std::vector<std::string>{});
        return Json::parse(out_);
    }
};

TEST_F(CommandBatchMerge, MergedShardsEqualASingleRun) {
    for (const auto* how : {"mv", "cp"}) {
        gather_outputs(how);
        EXPECT_EQ(shell("$K batch -r in out -f box"), 1) << "the journal does not know the outputs";
        EXPECT_EQ(shell("$K batch merge part1 part2 part3 -o out"), 0) << err_;
        EXPECT_EQ(out_, "From 3 journals: 12 outputs added to the journal of \"out\".\n");
        EXPECT_EQ(shell("$K batch --json -r in out -f box"), 0) << err_;
        EXPECT_EQ(batch_counts(out_), BatchCounts{.up_to_date = kImages});
        EXPECT_EQ(files_in("out"), files_in("single"));
        EXPECT_EQ(shell("$K batch merge part1 part2/.kernelglass/journal-2-of-3.jsonl part3 out"), 0) << err_;
        EXPECT_EQ(out_, "From 3 journals: 0 outputs added to the journal of \"out\"; 12 in it already.\n");
        ASSERT_EQ(
            shell("for p in 1 2 3; do rm -rf out part$p; $K batch -r in part$p -f box -q --shard $p/3; done"),
            0);
    }
}

TEST_F(CommandBatchMerge, JournalsOfOneFolderBecomeOne) {
    for (const auto* shard : {"1", "2", "3"})
        ASSERT_EQ(shell(std::string("$K batch -r in all -f box -q --shard ") + shard + "/3"), 0) << err_;
    EXPECT_EQ(merge("all -o all", 0).at("taken"), kImages);
    ASSERT_EQ(shell("rm all/.kernelglass/journal-*; ls all/.kernelglass/journal*"), 0);
    EXPECT_EQ(out_, "all/.kernelglass/journal.jsonl\n");
    EXPECT_EQ(shell("$K batch --json -r in all -f box"), 0) << err_;
    EXPECT_EQ(batch_counts(out_), BatchCounts{.up_to_date = kImages});
}

TEST_F(CommandBatchMerge, OutputsThatDoNotMatchAreLeftOutAndReported) {
    gather_outputs("mv");
    ASSERT_EQ(
        shell("rm out/0.png; cp out/2.png out/4.png; echo torn >> part3/.kernelglass/journal-3-of-3.jsonl"),
        0);
    const auto json = merge("part1 part2 part3 -o out", 1);
    EXPECT_EQ(json.at("taken"), kImages - 2);
    EXPECT_EQ(json.at("damaged_lines"), 1);
    EXPECT_EQ(json.at("left_out"),
              (Json{{{"output", "0.png"}, {"why", "absent"}}, {{"output", "4.png"}, {"why", "different"}}}));
    EXPECT_NE(err_.find("\"out/0.png\" is missing"), std::string::npos) << err_;
    EXPECT_NE(err_.find("\"out/4.png\" differs from what a journal records"), std::string::npos) << err_;
    EXPECT_NE(err_.find("ignored 1 line of the journals"), std::string::npos) << err_;
    EXPECT_EQ(shell("$K batch --json -r in out -f box"), 1);
    EXPECT_EQ(batch_counts(out_), (BatchCounts{.done = 1, .up_to_date = kImages - 2, .failed = 1}));
}

TEST_F(CommandBatchMerge, ALineThatLeadsOutOfTheFolderIsIgnored) {
    write_file(path("secret.png"), "mine");
    const batch::FileVerification verification{hash_of("mine"), *file_stamp(path("secret.png"))};
    {
        batch::Journal journal(path("evil"), "");
        const batch::JournalEntry entries[] = {
            {"../secret.png", "../secret.png", "job", verification, verification},
            {"a.png", path("secret.png"), "job", verification, verification},
            {"b.png", "b.png", "job", verification, verification}};
        journal.add(entries);
    }
    const auto record = batch::JournalRecord::read(path("evil"));
    EXPECT_EQ(record.damaged_lines(), 2U);
    EXPECT_EQ(record.entries().size(), 1U);
    EXPECT_EQ(record.of("b.png").size(), 1U);
}

TEST_F(CommandBatchMerge, MistakesAreErrors) {
    fs::create_directories(path("out"));
    for (const auto& [line, code] : std::initializer_list<std::pair<const char*, const char*>>{
             {"merge in -o out", "no-journal"},
             {"merge part1 -o missing", "not-a-folder"},
             {"merge missing.jsonl -o out", "cannot-read"},
             {"merge part1 -o out -f box", "unexpected-flag"},
             {"merge part1 -o out --redo", "unexpected-flag"},
             {"-q merge part1 -o out -f box", "unexpected-flag"},
             {"merge part1 -o out --nothing", "unknown-flag"},
             {"merge out", "no-output-folder"}}) {
        EXPECT_EQ(shell(std::string("$K batch ") + line), 2) << line << out_;
        EXPECT_EQ(codes_, std::vector<std::string>{code}) << line << "\n" << err_;
    }
}

TEST_F(CommandBatchMerge, AFolderOfThatNameTakesPrecedence) {
    ASSERT_EQ(shell("cp -r in merge"), 0);
    EXPECT_EQ(shell("$K batch --json merge made -f box"), 0) << err_;
    EXPECT_EQ(batch_counts(out_), BatchCounts{.done = kImages / 2});
}

class CommandBatchFailures : public Program {
protected:
    void SetUp() override {
        fs::create_directories(path("in"));
        write_image(path("in/good.png"), random_image({30, 20}, {Depth::u8, 3}, 1).view());
        write_file(path("in/text.png"), "not an image");
        write_file(path("in/two\nlines\t.png"), "");
    }
    std::string log() const { return read_file(path("out/.kernelglass/failures.log")); }
};

TEST_F(CommandBatchFailures, AreFoundAfterTheTerminalIsClosed) {
    EXPECT_EQ(shell("$K batch in missing.png out -f box --format png"), 1);
    EXPECT_NE(out_.find("3 failed. Failures are kept in \"out/.kernelglass/failures.log\".\n"),
              std::string::npos)
        << out_;
    const std::regex first("# [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z batch with box\n"
                           "([0-9TZ:-]{20}\t[^\t\n]+\t[^\t\n]+\n){3}");
    EXPECT_TRUE(std::regex_match(log(), first)) << log();
    EXPECT_NE(log().find("\tin/text.png\tcannot open \"in/text.png\": "), std::string::npos) << log();
    EXPECT_NE(log().find("\tmissing.png\t"), std::string::npos) << log();
    EXPECT_NE(log().find("\tin/two%0Alines%09.png\t"), std::string::npos) << log();

    const auto before = log();
    EXPECT_EQ(shell("rm in/t*; $K batch in out -f box --format png"), 0) << out_ << err_;
    EXPECT_EQ(out_, "Nothing to do; 1 is up to date.\n");
    EXPECT_EQ(log(), before) << "a run without failures adds nothing";
    EXPECT_EQ(shell("$K batch in out -f sobel --json"), 1);
    EXPECT_EQ(Json::parse(out_).at("failures_log"), "out/.kernelglass/failures.log");
    EXPECT_TRUE(log().starts_with(before)) << "earlier lines are kept";
    EXPECT_NE(log().find("Z batch with sobel\n", before.size()), std::string::npos) << log();
    EXPECT_NE(log().find("\"out/good.png\" exists already\n"), std::string::npos) << log();
}

TEST_F(CommandBatchFailures, ALogThatCannotBeWrittenFailsNothingElse) {
    fs::create_directories(path("out/.kernelglass/failures.log")); // a folder in place of the file
    EXPECT_EQ(shell("$K batch in out -f box"), 1);
    EXPECT_NE(out_.find("2 failed. Not every failure could be written to \"out/.kernelglass/failures.log\": "
                        "Is a directory."),
              std::string::npos)
        << out_;
    EXPECT_TRUE(fs::exists(path("out/good.png")));
}

TEST_F(CommandBatchFailures, OnAFullDiskTheLogHasWholeLinesOnly) {
    fs::create_directories(path("full"));
    if (shell("mount -t tmpfs -o size=64k none full") != 0)
        GTEST_SKIP() << "a small file system cannot be mounted here: " << err_;
    shell("mkdir -p full/.kernelglass; $K batch in full -f box -q; $K batch in full -f box -q; "
          "head -c 70000 /dev/zero > full/fill; for i in 1 2 3; do $K batch in full -f box -q --redo; done");
    EXPECT_EQ(shell("cp full/.kernelglass/failures.log kept.log; umount full"), 0) << err_;
    const auto text = read_file(path("kept.log"));
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(text.back(), '\n');
    const std::regex lines("(# [^\t\n]+\n|[0-9TZ:-]{20}\t[^\t\n]+\t[^\t\n]+\n)*");
    EXPECT_TRUE(std::regex_match(text, lines)) << text;
}

} // namespace
} // namespace kg::testing
