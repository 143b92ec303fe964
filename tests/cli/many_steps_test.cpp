// Recipes of thousands of steps: the work is linear in their number, not quadratic. It is measured in bytes
// allocated, because a copy of all steps per step would make it quadratic.

#include "app/cli/flags/recipe_flags.hpp"
#include "core/plan/planner.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"
#include "tests/cli/support/counted_memory.hpp"

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kg::testing {
namespace {

/// Bytes that each stage from the command line to a plan allocates for `steps` steps.
std::map<std::string, double> bytes_allocated(std::size_t steps) {
    std::map<std::string, double> bytes;
    const auto counted = [&](const char* stage, const std::function<void()>& work) {
        const auto before = allocated_bytes();
        work();
        bytes[stage] = static_cast<double>(allocated_bytes() - before);
    };
    CLI::App app;
    RecipeFlags flags;
    flags.add_to(app);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < steps; ++i)
        words.insert(words.end(), {"identity", "-f"}); // in reverse, as CLI11 wants them
    Recipe recipe;
    std::string text, json;
    ImageRequest request;
    const auto engine = cpu::make_engine(1);
    counted("parse the line", [&] { app.parse(words); });
    counted("make the recipe", [&] { recipe = flags.recipe(); });
    EXPECT_EQ(recipe.steps.size(), steps);
    counted("notes", [&] { EXPECT_TRUE(flags.notes(recipe).empty()); });
    counted("write as text", [&] { text = to_text(recipe); });
    counted("read the text", [&] { EXPECT_EQ(parse_recipe(text, "a"), recipe); });
    counted("write as JSON", [&] { json = to_json(recipe); });
    counted("read the JSON", [&] { EXPECT_EQ(parse_recipe(json, "a"), recipe); });
    counted("make the request", [&] { request = request_for(recipe, {40, 30}, {Depth::u8, 4, 3}); });
    counted("plan", [&] { plan(*engine, request); });
    counted("list the candidates", [&] { algorithm_answers(*engine, request); });
    return bytes;
}

TEST(ManySteps, WorkGrowsWithTheirNumber) {
    constexpr std::size_t kSteps = 500;
    bytes_allocated(kSteps); // allocations that happen once
    const auto few = bytes_allocated(kSteps), many = bytes_allocated(4 * kSteps);
    for (const auto& [stage, bytes] : few) {
        EXPECT_GT(bytes, 0) << stage;
        EXPECT_LT(many.at(stage), 8 * bytes) << stage << ": 4 times is linear, 16 times a square";
    }
}

TEST(ManySteps, AReasonIsGivenForEveryStepOrOnceIfItIsTheSame) {
    Recipe recipe;
    recipe.steps.assign(3, parse_step("box:size=3"));
    const auto request = request_for(recipe, {40, 30}, {Depth::u16, 3}); // steps of bytes would be composed
    const auto engine = cpu::make_engine(1);
    const auto chosen = plan(*engine, request)->reason;
    for (const auto* each : {"step 1: ", "; step 2: ", "; step 3: "})
        EXPECT_NE(chosen.find(each), std::string::npos) << chosen;
    EXPECT_EQ(plan(*engine, request, "reference")->reason.find("; "), std::string::npos);
    const auto forced = plan(*engine, request, "box")->reason;
    EXPECT_EQ(forced, "box as asked for");
}

} // namespace
} // namespace kg::testing
