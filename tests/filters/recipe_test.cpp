// Recipes and steps as text and JSON: written text reads back as the same recipe, and mistakes are located.

#include "filters/recipe_file.hpp"
#include "tests/filters/support/random_recipe.hpp"
#include "tests/filters/support/message.hpp"

#include <gtest/gtest.h>

namespace kg {
namespace {

Recipe parsed(std::string_view text) { return parse_recipe(text, "\"r.json\""); }
std::string failure(std::string_view text) {
    return message([&] { parsed(text); });
}

TEST(Steps, RoundTripAsText) {
    for (const auto* text :
         {"gaussian:sigma=2", "gaussian:sigma=1.5:size=9", "box", "box:size=5", "sharpen:amount=0.5",
          "sobel:direction=x", "sobel:norm=l1", "custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0",
          "custom:size=2x3:weights=1/9,2,0.1,4,5,6e-3:divisor=3:offset=0.5:anchor=0,2:flip=true"}) {
        const auto step = parse_step(text);
        EXPECT_EQ(parse_step(to_text(step)), step) << text;
    }
}

TEST(Steps, MistakesGetAMessage) {
    const auto fails = [](const char* text) { return message([&] { stage_of(parse_step(text)); }); };
    EXPECT_TRUE(prints(fails("gausian"), "did you mean \"gaussian\"?"));
    EXPECT_TRUE(prints(fails("qqqqqqqqq"), "there is no filter \"qqqqqqqqq\". Filters: "));
    EXPECT_TRUE(prints(fails("gaussian:sgima=2"), "did you mean \"sigma\"?"));
    EXPECT_TRUE(prints(fails("gaussian:sigma=zwei"),
                       "gaussian: sigma is a number such as 2, 0.5 or 1/9, not \"zwei\""));
    EXPECT_TRUE(prints(fails("gaussian:sigma=-1"), "between 0.1 and 8191"));
    EXPECT_TRUE(prints(fails("gaussian:sigma=nan"), "nan"));
    EXPECT_TRUE(prints(fails("gaussian:sigma=1e999"), "too large"));
    EXPECT_TRUE(prints(fails("gaussian:2"), "key=value"));
    EXPECT_TRUE(prints(fails("gaussian:sigma=2:size=65536"), "between 1 and 65535"));
    EXPECT_TRUE(prints(fails("box:size=2.5"), "whole number"));
    EXPECT_TRUE(prints(fails("box:size=3:size=5"), "size is given twice"));
    EXPECT_TRUE(prints(fails("sobel:direction=z"), "magnitude, x, y"));
    EXPECT_TRUE(prints(fails("custom"), "weights"));
    EXPECT_TRUE(prints(fails("custom:size=3x3:weights=1,2"), "needs 9 weights, but 2"));
    EXPECT_TRUE(prints(fails("custom:size=3:weights=1,2,3"), "3x3 (width x height)"));
    EXPECT_TRUE(prints(fails("custom:size=1x1:weights=1e39"), "too large for a 32-bit float"));
    EXPECT_TRUE(prints(fails("custom:size=1x1:weights=1:divsor=2"), "did you mean \"divisor\"?"));
    EXPECT_TRUE(prints(fails("custom:size=1x1:weights=1:flip=yes"), "true or false"));
}

TEST(Steps, TheDivisorCanBeTheSum) {
    const auto divisor = [](const std::string& weights) {
        return parse_step("custom:size=3x1:divisor=auto:weights=" + weights).kernel->divisor;
    };
    EXPECT_EQ(divisor("1,2,1"), 4);
    EXPECT_EQ(divisor("-1,-2,-1"), 4); // |sum|: negative weights give a negative image
    EXPECT_EQ(divisor("-1,0,1"), 1);
    EXPECT_EQ(divisor("0.1,-0.3,0.2"), 1); // 0 up to rounding
}

TEST(Recipes, RoundTripInBothForms) {
    std::mt19937 random(7);
    for (int i = 0; i < 2000; ++i) {
        const auto recipe = random_recipe(random);
        ASSERT_EQ(parsed(to_text(recipe)), recipe) << to_text(recipe);
        ASSERT_EQ(parsed(to_json(recipe)), recipe) << to_json(recipe);
        ASSERT_EQ(to_json(parsed(to_json(recipe))), to_json(recipe));
    }
}

TEST(Recipes, TextIsStepsJoinedByBars) {
    const auto recipe = parsed(
        "# my best\ngaussian:sigma=2 |\n  off sharpen # later\n | border=wrap light=linear\n");
    ASSERT_EQ(recipe.steps.size(), 2u);
    EXPECT_EQ(recipe.steps[0], parse_step("gaussian:sigma=2"));
    EXPECT_EQ(recipe.steps[1].filter, "sharpen");
    EXPECT_FALSE(recipe.steps[1].enabled);
    EXPECT_EQ(recipe.border, Border::wrap);
    EXPECT_EQ(recipe.light, Light::linear);
    EXPECT_EQ(to_text(recipe), "gaussian:sigma=2 | off sharpen | border=wrap light=linear");
    EXPECT_EQ(parsed(""), Recipe{});
    EXPECT_EQ(parsed("\xEF\xBB\xBF"
                     "box\r\n"),
              parsed("box"));
}

TEST(Recipes, JsonNamesItsSchema) {
    Recipe recipe;
    recipe.steps = {parse_step("gaussian:sigma=2"), parse_step("custom:size=2x1:weights=1,-0.1")};
    recipe.steps[1].enabled = false;
    EXPECT_EQ(to_json(recipe), R"({
  "schema": "kernelglass-recipe/1",
  "steps": [
    {"filter": "gaussian", "values": {"sigma": 2}},
    {"filter": "custom", "enabled": false, "kernel": {"rows": [[1, -0.1]],
 "anchor": [1, 0], "divisor": 1, "offset": 0, "flip": false}}
  ],
  "border": "reflect101",
  "light": "stored",
  "alpha": "premultiplied",
  "signed": "clamp",
  "tolerance": 0
}
)");
}

TEST(Recipes, JsonMayBeShort) {
    EXPECT_EQ(parsed(R"({"steps": ["gaussian:sigma=2", {"filter": "sharpen"}], "depth": "f32"})"),
              parsed("gaussian:sigma=2 | sharpen | depth=f32"));
}

TEST(Recipes, TheToleranceReachesTheRequest) {
    const auto request = request_for(parsed("box | tolerance=1/255"), {8, 8}, {});
    EXPECT_EQ(request.tolerance, 1.0 / 255);
    EXPECT_EQ(request_for(parsed("box"), {8, 8}, {}).tolerance, 0);
}

TEST(Recipes, MistakesInTextGetLineAndColumn) {
    EXPECT_TRUE(prints(failure("box |\n  gausian"),
                       "recipe \"r.json\": line 2, column 3: there is no filter \"gausian\"; did"));
    EXPECT_TRUE(prints(failure("box | | sharpen"), "line 1, column 6: a step is missing"));
    EXPECT_TRUE(prints(failure("box | boarder=wrap"),
                       "line 1, column 7: there is no setting \"boarder\"; did you mean \"border\"?"));
    EXPECT_TRUE(prints(failure("border=mirror"), "\"mirror\" is not a border"));
    EXPECT_TRUE(prints(failure("tolerance=-1"), "0 or more"));
    EXPECT_TRUE(prints(failure("channels=rgz"), "rgba"));
    EXPECT_TRUE(prints(failure("off"), "there is no filter"));
}

TEST(Recipes, AMissingBarIsReported) {
    for (const auto* text :
         {"sobel\nsharpen", "sobel sharpen:amount=2", "sobel\r\nsharpen", "sobel\rsharpen", "sobel, sharpen",
          "sobel;sharpen", "off sobel\nsharpen", "border=wrap\nsobel\nbox", "box | sobel\nborder=wrap",
          "sobel\noff sharpen", "gaussian:sigma=2\nsharpen"}) {
        EXPECT_TRUE(
            prints(failure(text), " without a `|` between them. Steps are joined by `|`; a line break"))
            << text << ": " << failure(text);
    }
    EXPECT_TRUE(prints(failure("sobel:direction=x\nsobel:direction=y"),
                       "\"sobel:direction=y\" follows the step \"sobel:direction=x\" without a `|`"));
    EXPECT_TRUE(
        prints(failure("gausian\nsharpen"), "Steps are joined by `|`; a line break does not end one"));
    EXPECT_FALSE(prints(failure("gaussian:sigma=2x"), "joined"));
    EXPECT_EQ(parsed("custom:size=3x1:weights=1,\n 2,\n 3").steps.size(), 1u) << "weights may span lines";
}

TEST(Recipes, AKernelIsReferredToItsFlag) {
    for (const auto* text : {"1 2 1\n2 4 2\n1 2 1\n", "# mine\n -1, 0, 1\n", ".5 .5", "[[1, 2], [3, 4]]"})
        EXPECT_TRUE(prints(
            failure(text),
            "recipe \"r.json\": it begins like a kernel, not like a recipe; pass kernels with --kernel"))
            << text;
    EXPECT_TRUE(prints(failure("{\"rows\": [[1]]}"),
                       "column 10: this is a kernel, not a recipe; pass it with --kernel"));
}

TEST(Recipes, MistakesInJsonGetLineAndColumn) {
    const auto at = [](const char* steps) { return failure("{\"steps\":\n  " + std::string(steps) + "}"); };
    EXPECT_TRUE(prints(at(R"(["gausian"])"), "recipe \"r.json\": line 2, column 4: there is no filter"));
    EXPECT_TRUE(prints(at(R"([{"filter": "gausian"}])"), "line 2, column 15: there is no filter"));
    EXPECT_TRUE(prints(at(R"([{"filter": "box", "values": {"size": 0}}])"),
                       "line 2, column 41: box: size is between"));
    EXPECT_TRUE(prints(at(R"([{"filter": "box", "values": {"seize": 3}}])"), "did you mean \"size\"?"));
    EXPECT_TRUE(prints(at(R"([{"filter": "box", "valus": {}}])"), "did you mean \"values\"?"));
    EXPECT_TRUE(
        prints(at(R"([{"filter": "box", "enabled": 1}])"), "true or false is expected here, not a number"));
    EXPECT_TRUE(prints(at(R"([{"values": {}}])"), "\"filter\" is missing"));
    EXPECT_TRUE(prints(at(R"([{"filter": "custom"}])"), "needs a \"kernel\""));
    EXPECT_TRUE(prints(at(R"([{"filter": "box", "kernel": [[1]]}])"), "only a custom step"));
    EXPECT_TRUE(
        prints(at(R"([{"filter": "custom", "kernel": [[1, 2], [3]]}])"), "line 2, column 44: row 2 has 1"));
    EXPECT_TRUE(prints(at("[5]"), "an object {...} is expected here, not a number"));
    EXPECT_TRUE(prints(at("5"), "line 2, column 3: a list [...] is expected here"));
    EXPECT_TRUE(prints(at("[\"box\",]"), "line 2, column 10: this is not valid JSON"));
    EXPECT_TRUE(prints(failure(R"({"schema": "kernelglass-recipe/2"})"), "reads \"kernelglass-recipe/1\""));
    EXPECT_TRUE(prints(failure(R"({"border": "wrap", "border": "zero"})"),
                       "column 20: the entry \"border\" is given twice"));
    EXPECT_TRUE(prints(failure(R"({"boarder": "wrap"})"), "did you mean \"border\"?"));
    EXPECT_TRUE(prints(failure(R"({"border": "mirror"})"), "line 1, column 12: \"mirror\" is not a border"));
    EXPECT_TRUE(
        prints(failure(R"({"tolerance": 1e400})"), "line 1, column 15: the number \"1e400\" is too large"));
}

TEST(Recipes, HostileTextIsRefused) {
    EXPECT_TRUE(prints(failure("\x89PNG\r\n\x1a\n"), "a PNG image"));
    EXPECT_TRUE(prints(failure(std::string("\xFF\xFE{\0}\0", 6)), "UTF-16"));
    EXPECT_TRUE(
        prints(failure(std::string(1'000'000, '[').insert(0, "{\"steps\":")), "nested more than 16 deep"));
    EXPECT_TRUE(prints(failure(std::string(1'000'000, '|')), "a step is missing"));
    std::string entries = "{";
    for (int i = 0; i < 1'000'000; ++i) entries += "\"k" + std::to_string(i) + "\":0,";
    EXPECT_TRUE(prints(failure(entries + "\"k\":0}"), "at most 100 entries"));
}

TEST(Recipes, ChannelLettersBecomeAMask) {
    const PixelFormat rgba{Depth::u8, 4, 3}, grey{Depth::u8, 1};
    EXPECT_EQ(channel_mask("rgb", rgba), 0b0111u);
    EXPECT_EQ(channel_mask("a", rgba), 0b1000u);
    EXPECT_EQ(channel_mask("", rgba), 0b1111u);
    EXPECT_EQ(channel_mask("rgb", grey), 1u);
    EXPECT_THROW(channel_mask("rx", rgba), Error);
}

} // namespace
} // namespace kg
