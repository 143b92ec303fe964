// The errors about kernel files and recipes, by their codes.

#include "core/support/error.hpp"
#include "filters/kernel_file.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace kg::testing {
namespace {

std::string repeated(std::size_t count, const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
}

TEST(ErrorCodes, OfKernelFiles) {
    const std::pair<std::string, const char*> files[] = {
        {"", "no-numbers"},
        {"1 2\n3", "uneven-rows"},
        {"1,,2", "missing-number"},
        {"1, 2 3", "mixed-separators"},
        {repeated(1026, "1\n"), "too-many-rows"},
        {repeated(1026, "1 "), "too-many-columns"},
        {R"({"rows": [[1]], "size": 3})", "unknown-entry"},
        {R"({"rows": [[1]], "rows": [[1]]})", "duplicate-entry"},
        {R"({"rows": [[1]], "anchor": [1]})", "not-a-pair"},
        {R"({"rows": [[1]], "anchor": [0.5, 0]})", "not-whole"},
        {R"({"rows": []})", "no-numbers"},
        {"[[1]", "invalid-json"},
        {repeated(100, "[") + repeated(100, "]"), "nested-too-deep"},
    };
    for (const auto& [file, code] : files)
        EXPECT_EQ(code_of([&] { parse_kernel(file, "\"k\""); }), code) << file.substr(0, 60);
}

TEST(ErrorCodes, NumbersOfAKernelFileAreNamedForWhatTheyAre) {
    const std::pair<const char*, const char*> files[] = {{R"({"rows": [["x"]]})", "a weight"},
                                                         {R"({"rows": [[1]], "offset": "x"})", "an offset"},
                                                         {R"({"rows": [[1]], "divisor": "x"})", "a divisor"}};
    for (const auto& [file, what] : files)
        EXPECT_TRUE(
            arguments_of([&] { parse_kernel(std::string_view(file), "\"k\""); }).back().starts_with(what))
            << file;
}

TEST(ErrorCodes, OfRecipes) {
    const std::pair<std::string, const char*> recipes[] = {
        {"colour=red", "unknown-setting"},
        {"box x", "missing-bar"},
        {R"({"steps": [{"filter": "box", "kernel": [[1]]}]})", "unexpected-kernel"},
        {R"({"steps": [{"filter": "custom"}]})", "missing-kernel"},
    };
    for (const auto& [recipe, code] : recipes)
        EXPECT_EQ(code_of([&] { parse_recipe(recipe, "\"r\""); }), code) << recipe;
}

} // namespace
} // namespace kg::testing
