// The presets of the program.

#include "filters/preset.hpp"
#include "filters/recipe_file.hpp"
#include "tests/filters/support/message.hpp"
#include "tests/support/presets.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace kg {
namespace {

TEST(Presets, EveryFileOfTheFolderIsThereAndCanBeUsed) {
    std::set<std::string> stems, ids;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(KG_SOURCE_DIR) / "assets/presets"))
        stems.insert(entry.path().stem().string());
    for (const auto& preset : presets()) {
        ids.insert(preset.id);
        EXPECT_FALSE(preset.title.empty() || preset.summary.empty()) << preset.id;
        EXPECT_EQ(preset.summary.find('\n'), std::string::npos) << preset.id;
        EXPECT_FALSE(preset.recipe.steps.empty()) << preset.id;
        for (const auto& image :
             {PixelFormat{Depth::u8, 3}, PixelFormat{Depth::u16, 4, 3}, PixelFormat{Depth::f32, 1}})
            EXPECT_NO_THROW(request_for(preset.recipe, {64, 48}, image)) << preset.id;
        EXPECT_EQ(parse_recipe(to_json(preset.recipe), "r"), preset.recipe) << preset.id;
    }
    EXPECT_EQ(ids, stems); // the id equals the file name
    EXPECT_EQ(ids.size(), presets().size());
    EXPECT_GE(ids.size(), 20u);
}

TEST(Presets, HaveAGroupOrCountAsOther) {
    for (const auto& preset : presets()) EXPECT_NE(preset.group, "other") << preset.id;
    const auto own = parse_preset(
        R"({"schema": "kernelglass-preset/1", "id": "a", "title": "A", "summary": "B", "recipe": "box"})",
        "a");
    EXPECT_EQ(own.group, "other") << "files of the time before groups";
    EXPECT_EQ(preset_groups().back().id, "other");
}

TEST(Presets, AreFoundByWordsOfTitleSummaryAndGroup) {
    const auto& lens = testing::find_preset("lens_blur");
    for (const auto* words : {"", "out of", "FOCUS", "lens disk", "blur", " highlights  out "})
        EXPECT_TRUE(is_found(lens, words)) << words;
    for (const auto* words : {"sharpen", "lens edge", "lens_blur"})
        EXPECT_FALSE(is_found(lens, words)) << words;
}

TEST(Presets, MistakesArePointedAt) {
    const auto with = [](const std::string& rest) {
        return [rest] {
            parse_preset("{\"schema\": \"kernelglass-preset/1\", \"id\": \"a\", \"title\": \"A\"" + rest +
                             "}",
                         "\"a.json\"");
        };
    };
    const auto missing = with(""), unknown = with(", \"sumary\": \"\""),
               no_filter = with(", \"summary\": \"\", \"recipe\": \"gausian\""),
               no_group = with(", \"group\": \"blurr\", \"summary\": \"\", \"recipe\": \"box\""),
               no_size = with(", \"summary\": \"\", \"recipe\": {\"steps\": [\"box:size=0\"]}");
    const auto other = [] { parse_preset("{\"schema\": \"x\"}", "\"a.json\""); };
    EXPECT_EQ(code_and_place(missing), "missing-entry at line 1, column 1");
    EXPECT_EQ(code_and_place(unknown), "unknown-entry at line 1, column 71");
    EXPECT_EQ(code_and_place(no_filter), "unknown-filter at line 1, column 86");
    EXPECT_EQ(code_and_place(no_group), "unknown-group at line 1, column 70");
    EXPECT_EQ(code_and_place(no_size), "out-of-range at line 1, column 97");
    EXPECT_EQ(code_and_place(other), "unknown-schema at line 1, column 12");
    EXPECT_EQ(message(missing), "preset \"a.json\": line 1, column 1: the entry \"summary\" is missing");
    EXPECT_EQ(message(unknown), "preset \"a.json\": line 1, column 71: a preset has no entry \"sumary\"; did "
                                "you mean \"summary\"? It has schema, id, title, group, summary, recipe");
    EXPECT_TRUE(prints(message(no_filter),
                       "column 86: the recipe: line 1, column 1: there is no filter \"gausian\""));
    EXPECT_EQ(message(other), "preset \"a.json\": line 1, column 12: this program reads presets of schema "
                              "\"kernelglass-preset/1\"");
}

} // namespace
} // namespace kg
