// The presets of the program.

#include "filters/preset.hpp"
#include "filters/recipe_file.hpp"
#include "tests/filters/support/message.hpp"

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

TEST(Presets, AreFoundByName) {
    EXPECT_EQ(find_preset("sharpen").recipe.steps.front().filter, "sharpen");
    EXPECT_TRUE(prints(message([] { find_preset("sharpn"); }), "did you mean \"sharpen\"?"));
}

TEST(Presets, MistakesArePointedAt) {
    const auto with = [](const std::string& rest) {
        return message([&] {
            parse_preset("{\"schema\": \"kernelglass-preset/1\", \"id\": \"a\", \"title\": \"A\"" + rest +
                             "}",
                         "\"a.json\"");
        });
    };
    EXPECT_TRUE(prints(with(""), "preset \"a.json\": line 1, column 1: the entry \"summary\" is missing"));
    EXPECT_TRUE(prints(with(", \"sumary\": \"\""), "did you mean \"summary\"?"));
    EXPECT_TRUE(
        prints(with(", \"summary\": \"\", \"recipe\": \"gausian\""), "there is no filter \"gausian\""));
    EXPECT_TRUE(prints(with(", \"summary\": \"\", \"recipe\": {\"steps\": [\"box:size=0\"]}"),
                       "column 97: box: size is between"));
    EXPECT_TRUE(
        prints(message([] { parse_preset("{\"schema\": \"x\"}", "\"a\""); }), "kernelglass-preset/1"));
}

} // namespace
} // namespace kg
