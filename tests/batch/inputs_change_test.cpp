// Inputs that change after the work was planned: each fails with a message or is processed as it is now, and
// the other inputs are processed.

#include "app/batch/run/job.hpp"
#include "app/process/file/hash.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/app/batch_options.hpp"
#include "tests/support/check.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <map>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

TEST(BatchInputs, MayVanishShrinkAndChangeBetweenPlanningAndReading) {
    const TemporaryFolder temporary("inputs");
    const auto in = temporary.path() / "in", out = temporary.path() / "out";
    fs::create_directories(in);
    for (const auto* name : {"a", "changed", "empty", "folder", "gone", "other", "short", "z"})
        write_image(in / (name + std::string(".png")), random_image({60, 50}, {Depth::u8, 3}, 1).view());

    batch::BatchJobOptions options;
    options.inputs.words = {in.string()};
    options.inputs.out = out;
    options.recipe = parse_recipe("box", "recipe");
    options.images = 3;
    auto job = batch::find_job(options);
    batch::decide_job(job, true);
    batch::open_job(job);
    job.run.choice = {cpu::make_engine(2), {}};
    ASSERT_EQ(job.tasks.size(), 8U);

    fs::remove(in / "gone.png");
    fs::resize_file(in / "empty.png", 0);
    fs::resize_file(in / "short.png", 3000);
    fs::remove(in / "folder.png");
    fs::create_directory(in / "folder.png");
    write_image(in / "changed.png", random_image({40, 30}, {Depth::u8, 3}, 2).view());
    write_file(in / "other.png", "words");

    struct Seen {
        std::string code, message, input_hash; // code and message of the error; empty if there is none
        Extent size;
    };
    std::map<std::string, Seen> results;
    const auto result = batch::run_tasks(job.tasks, job.run, {}, [&](const batch::FileResult& each) {
        results[each.task->input.path.stem().string()] = {each.error ? each.error->code() : "",
                                                          error_of(each), each.input_hash, each.size};
    });
    EXPECT_EQ(result.done, 3U);
    EXPECT_EQ(result.failed, 5U);
    EXPECT_FALSE(result.stopped);
    ASSERT_EQ(results.size(), 8U);
    for (const auto* name : {"a", "changed", "z"}) {
        EXPECT_EQ(results[name].code, "") << name << ": " << results[name].message;
        EXPECT_EQ(results[name].input_hash, hash_of_file(in / (name + std::string(".png"))));
    }
    EXPECT_EQ(results["changed"].size, (Extent{40, 30}));
    const std::map<std::string, std::string> codes{{"gone", "cannot-read"},
                                                   {"empty", "empty-file"},
                                                   {"short", "damaged-file"},
                                                   {"folder", "is-a-folder"},
                                                   {"other", "not-an-image"}};
    for (const auto& [name, code] : codes) {
        const auto& seen = results[name];
        EXPECT_EQ(seen.code, code) << name << ": " << seen.message;
        EXPECT_NE(seen.message.find(name + ".png\""), std::string::npos) << seen.message;
        EXPECT_FALSE(fs::exists(out / (name + ".png"))) << name;
    }
    std::size_t there = 0;
    for (const auto& entry : fs::directory_iterator(out)) there += entry.path().extension() == ".png";
    EXPECT_EQ(there, 3U);
}

} // namespace
} // namespace kg::testing
