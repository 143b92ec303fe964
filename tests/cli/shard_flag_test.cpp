// --shard: the share of a batch, named or that of a task of a Slurm job array.

#include "app/cli/flags/shard_flag.hpp"
#include "tests/support/app/batch_counts.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"

#include <map>
#include <optional>
#include <string>

namespace kg::testing {
namespace {

using Variables = std::map<std::string, std::string>;

Environment environment_of(const Variables& variables) {
    return [variables](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
}

/// What Slurm sets for a task of `--array=first-last:step`.
Variables task_of_array(int id, int first, int last, int step, int count) {
    return {{"SLURM_ARRAY_TASK_ID", std::to_string(id)},
            {"SLURM_ARRAY_TASK_MIN", std::to_string(first)},
            {"SLURM_ARRAY_TASK_MAX", std::to_string(last)},
            {"SLURM_ARRAY_TASK_STEP", std::to_string(step)},
            {"SLURM_ARRAY_TASK_COUNT", std::to_string(count)}};
}

std::string auto_shard(const Variables& variables) {
    const auto shard = parse_shard("auto", environment_of(variables));
    return std::to_string(shard.number) + "/" + std::to_string(shard.of);
}

TEST(ShardFlag, AutoIsThePlaceInTheArray) {
    EXPECT_EQ(auto_shard(task_of_array(1, 1, 4, 1, 4)), "1/4");
    EXPECT_EQ(auto_shard(task_of_array(4, 1, 4, 1, 4)), "4/4");
    EXPECT_EQ(auto_shard(task_of_array(0, 0, 3, 1, 4)), "1/4");
    EXPECT_EQ(auto_shard(task_of_array(17, 5, 29, 12, 3)), "2/3");
    EXPECT_EQ(auto_shard(task_of_array(7, 7, 7, 1, 1)), "1/1");
}

TEST(ShardFlag, AutoRefusesWhatIsNoPlaceInAnArray) {
    const auto code = [](const Variables& variables) { return code_of([&] { auto_shard(variables); }); };
    EXPECT_EQ(code({}), "no-job-array");
    EXPECT_EQ(arguments_of([] { auto_shard({}); }), std::vector<std::string>{"SLURM_ARRAY_TASK_ID"});
    auto incomplete = task_of_array(1, 1, 4, 1, 4);
    incomplete.erase("SLURM_ARRAY_TASK_COUNT");
    EXPECT_EQ(code(incomplete), "no-job-array");
    EXPECT_EQ(code(task_of_array(5, 1, 7, 1, 3)), "uneven-job-array") << "--array=1,5,7";
    EXPECT_EQ(code(task_of_array(6, 0, 8, 4, 3)), "uneven-job-array");
    EXPECT_EQ(code(task_of_array(9, 1, 4, 1, 4)), "uneven-job-array");
    EXPECT_EQ(code(task_of_array(1, 1, 4, 0, 4)), "uneven-job-array");
    auto words = task_of_array(1, 1, 4, 1, 4);
    words["SLURM_ARRAY_TASK_MAX"] = "4x";
    EXPECT_EQ(code(words), "bad-job-array");
    words["SLURM_ARRAY_TASK_MAX"] = "-4";
    EXPECT_EQ(code(words), "bad-job-array");
}

TEST(ShardFlag, NamedSharesDoNotReadTheEnvironment) {
    const auto array = environment_of(task_of_array(1, 1, 4, 1, 4));
    EXPECT_EQ(parse_shard("2/3", array).number, 2u);
    EXPECT_EQ(parse_shard("2/3", array).of, 3u);
    for (const auto* wrong : {"0/2", "3/2", "2", "/2", "2/", "1/2/3", "a/2", "", "Auto", "-1/2"})
        EXPECT_EQ(code_of([&] { parse_shard(wrong, array); }), "bad-value") << wrong;
}

class CommandShardAuto : public Program {};

TEST_F(CommandShardAuto, TasksOfAnArrayAreTheWholeAndMergeIntoOneReport) {
    constexpr int kImages = 12;
    std::filesystem::create_directories(path("in"));
    for (int i = 0; i < kImages; ++i)
        write_image(path("in/" + std::to_string(i) + ".png"),
                    random_image({30 + i, 20}, {Depth::u8, 3}, i).view());
    ASSERT_EQ(shell("$K batch in whole -f box -q"), 0) << err_;
    ASSERT_EQ(
        shell("export SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=30 SLURM_ARRAY_TASK_STEP=10 "
              "SLURM_ARRAY_TASK_COUNT=4; for id in 0 10 20 30; do SLURM_ARRAY_TASK_ID=$id $K batch in out "
              "-f box -q --shard auto & done; wait"),
        0)
        << err_;
    EXPECT_EQ(files_in("out"), files_in("whole"));
    EXPECT_EQ(shell("ls out/.kernelglass | grep journal"), 0);
    EXPECT_EQ(out_,
              "journal-1-of-4.jsonl\njournal-2-of-4.jsonl\njournal-3-of-4.jsonl\njournal-4-of-4.jsonl\n");
    EXPECT_EQ(shell("$K batch merge out -o out"), 0) << err_;
    EXPECT_EQ(out_, "From 4 journals: 12 outputs added to the journal of \"out\".\n");
    EXPECT_EQ(shell("$K batch in out -f box --json"), 0) << err_;
    EXPECT_EQ(batch_counts(out_), BatchCounts{.up_to_date = kImages});
}

TEST_F(CommandShardAuto, OutsideAnArrayTheMessageNamesTheRemedy) {
    EXPECT_EQ(shell("unset SLURM_ARRAY_TASK_ID; $K batch in out -f box --shard auto"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"no-job-array"});
    EXPECT_TRUE(prints("submit with `sbatch --array=1-4`, or name the share, such as --shard 2/4")) << err_;
}

} // namespace
} // namespace kg::testing
