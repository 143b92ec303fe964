// Recipes and steps as text and JSON: written text reads back as the same recipe, and mistakes are located.

#include "filters/recipe_file.hpp"
#include "tests/filters/support/message.hpp"
#include "tests/filters/support/random_recipe.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

namespace kg {
namespace {

using namespace std::string_literals;
using testing::arguments_of;
using testing::code_of;

Recipe parsed(std::string_view text) { return parse_recipe(text, "\"r.json\""); }
std::string recipe_failure(std::string_view text) {
    return code_and_place([&] { parsed(text); });
}
std::string recipe_message(std::string_view text) {
    return message([&] { parsed(text); });
}

/// The end of a message about a filter that does not exist.
std::string list_of_filters() {
    std::string list;
    for (const auto* filter : filters())
        list += (list.empty() ? " Filters: " : ", ") + std::string(filter->id);
    return list;
}

TEST(Recipe, RenamedChoicesAreReadByBothNamesAndWrittenByTheNewOne) {
    const auto step = parse_step("emboss:over=picture:light=n");
    EXPECT_EQ(step, parse_step("emboss:over=image:light=n"));
    EXPECT_EQ(to_text(step), "emboss:light=n:over=image");
    EXPECT_EQ(stage_of(step), stage_of(parse_step("emboss:light=n")));
    const Recipe expected = parsed("emboss:over=image");
    EXPECT_EQ(parsed("emboss:over=picture"), expected);
    EXPECT_EQ(parsed(R"({"steps": [{"filter": "emboss", "values": {"over": "picture"}}]})"), expected);
    EXPECT_EQ(to_text(parsed(R"({"steps": ["emboss:over=picture"]})")), "emboss:over=image");
}

TEST(Recipe, ABorderHasAColour) {
    const auto border = [](std::string_view text) {
        const auto [mode, colour] = parse_border_and_colour(text);
        return border_text(mode, colour);
    };
    for (const auto* text :
         {"wrap", "constant=0.5", "constant=0.25,1", "constant=1,0,0.5", "constant=1,0,0,0.5"})
        EXPECT_EQ(border(text), text);
    EXPECT_EQ(border("constant=1,1,1"), "constant=1");
    EXPECT_EQ(parsed("sobel | border=constant=0,0,1").border_colour, (BorderColour{0, 0, 1, 1}));
    for (const auto* text : {"constant", "constant=", "constant=1,2,3,4,5", "constant=red", "constantly"})
        EXPECT_THROW(parse_border_and_colour(text), Error) << text;

    auto recipe = parsed("sharpen | border=constant=0.5,0.25,1,0.5");
    using Values = std::array<float, kMaxChannels>;
    const auto outside = [&](const PixelFormat& format) {
        return request_for(recipe, {8, 8}, format).outside;
    };
    EXPECT_EQ(outside({Depth::u8, 4, 3}), (Values{0.5f, 0.25f, 1, 0.5f}));
    EXPECT_FLOAT_EQ(outside({Depth::u8, 1})[0], 0.299f * 0.5f + 0.587f * 0.25f + 0.114f);
    EXPECT_EQ(outside({Depth::u8, 2, 1})[1], 0.5f);
}

TEST(Steps, RoundTripAsText) {
    for (const auto* text :
         {"gaussian:sigma=2", "gaussian:sigma=1.5:size=9", "box", "box:size=5", "sharpen:amount=0.5",
          "sobel:direction=x", "sobel:norm=l1", "custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0",
          "custom:size=2x3:weights=1/9,2,0.1,4,5,6e-3:divisor=3:offset=0.5:anchor=0,2:flip=true",
          "custom_gradient:size=2x1:weights_x=1,2:weights_y=1,2:norm=l1:offset=0.5:divisor=3",
          "custom_gradient:size_x=2x1:size_y=1x2:weights_x=1,2:weights_y=3,4:anchor_y=0,0:flip_x=true"}) {
        const auto step = parse_step(text);
        EXPECT_EQ(parse_step(to_text(step)), step) << text;
    }
}

TEST(Steps, ACustomGradientWritesValuesOfBothKernelsOnce) {
    for (const auto* text :
         {"custom_gradient:size=2x1:weights_x=1,2:weights_y=1,2:divisor=3:norm=l1:offset=0.5",
          "custom_gradient:size_x=3x1:size_y=1x2:weights_x=1,2,3:weights_y=3,4:divisor_y=2:anchor=0,0"})
        EXPECT_EQ(to_text(parse_step(text)), text);
    const auto step = parse_step("custom_gradient:size=3x1:weights_x=1,2,1:weights_y=-1,0,1:divisor=auto:"
                                 "divisor_y=2:anchor=0,0");
    EXPECT_EQ(step.kernel->divisor, 4);
    EXPECT_EQ(step.kernel_y->divisor, 2) << "a value of one kernel precedes that of both";
    EXPECT_EQ(step.kernel_y->anchor_x, 0);
    EXPECT_TRUE(step.values.empty()) << "norm and offset have their defaults";
}

TEST(Steps, MistakesAreRefused) {
    const auto fails = [](const char* text) { return code_of([&] { stage_of(parse_step(text)); }); };
    EXPECT_EQ(fails("gausian"), "unknown-filter");
    EXPECT_EQ(fails("qqqqqqqqq"), "unknown-filter");
    EXPECT_EQ(fails("gaussian:sgima=2"), "unknown-parameter");
    EXPECT_EQ(fails("gaussian:sigma=zwei"), "not-a-number");
    EXPECT_EQ(fails("gaussian:sigma=-1"), "out-of-range");
    EXPECT_EQ(fails("gaussian:sigma=nan"), "not-a-number");
    EXPECT_EQ(fails("gaussian:sigma=1e999"), "number-too-large");
    EXPECT_EQ(fails("gaussian:2"), "not-key-value");
    EXPECT_EQ(fails("gaussian:sigma=2:size=65536"), "out-of-range");
    EXPECT_EQ(fails("box:size=2.5"), "not-whole");
    EXPECT_EQ(fails("box:size=3:size=5"), "duplicate-parameter");
    EXPECT_EQ(fails("sobel:direction=z"), "unknown-choice");
    EXPECT_EQ(fails("custom"), "missing-weights");
    EXPECT_EQ(fails("custom:weights=1"), "missing-size");
    EXPECT_EQ(fails("custom:size=3x3:weights=1,2"), "wrong-weight-count");
    EXPECT_EQ(fails("custom:size=3:weights=1,2,3"), "not-a-pair");
    EXPECT_EQ(fails("custom:size=2x1:weights=1 2"), "mixed-separators");
    EXPECT_EQ(fails("custom:size=1x1:weights=1e39"), "number-too-large");
    EXPECT_EQ(fails("custom:size=1x1:weights=1:divsor=2"), "unknown-parameter");
    EXPECT_EQ(fails("custom:size=1x1:weights=1:flip=yes"), "unknown-choice");
    EXPECT_EQ(fails("custom_gradient"), "missing-weights");
    EXPECT_EQ(fails("custom_gradient:size=1x1:weights_x=1"), "missing-weights");
    EXPECT_EQ(fails("custom_gradient:size_x=1x1:weights_x=1:weights_y=1"), "missing-size");
    EXPECT_EQ(fails("custom_gradient:size=1x1:weights=1"), "unknown-parameter");
    EXPECT_EQ(fails("custom_gradient:size=1x1:weights_x=1:weights_y=1:norm=l3"), "unknown-choice");
    EXPECT_EQ(fails("custom_gradient:size=1x1:weights_x=1:weights_y=1:offset_x=1"), "unknown-parameter");
}

TEST(Steps, MessagesNameTheCauseAndWhatWouldDo) {
    for (const auto& [text, expected] : std::initializer_list<std::pair<const char*, std::string>>{
             {"gausian", "there is no filter \"gausian\"; did you mean \"gaussian\"?"s + list_of_filters()},
             {"qqqqqqqqq", "there is no filter \"qqqqqqqqq\"."s + list_of_filters()},
             {"gaussian:sgima=2",
              "gaussian has no parameter \"sgima\"; did you mean \"sigma\"? It has sigma, size"},
             {"identity:x=1", "identity has no parameter \"x\". It has none"},
             {"gaussian:sigma=zwei", "gaussian: sigma is a number such as 2, 0.5 or 1/9, not \"zwei\""},
             {"gaussian:sigma=-1", "gaussian: sigma is between 0.1 and 8191, not -1"},
             {"gaussian:sigma=1e999", "gaussian: sigma of \"1e999\" is too large"},
             {"gaussian:2", "in \"gaussian:2\": parameters are written key=value, not \"2\""},
             {"gaussian:sigma=2:size=65536", "gaussian: size is between 1 and 65535, not 65536"},
             {"box:size=2.5", "box: size is a whole number, not \"2.5\""},
             {"box:size=3:size=5", "in \"box:size=3:size=5\": size is given twice"},
             {"sobel:direction=z", "sobel: direction is one of magnitude, x, y, not \"z\""},
             {"custom", "custom needs weights, such as custom:size=3x3:weights=0,-1,0,-1,5,-1,0,-1,0"},
             {"custom:weights=1", "custom needs the size of its kernel, such as size=3x3 (width x height)"},
             {"custom:size=3x3:weights=1,2", "a kernel of 3 x 3 needs 9 weights, but 2 were given"},
             {"custom:size=3:weights=1,2,3", "custom: size is written 3x3 (width x height), not \"3\""},
             {"custom:size=2x1:weights=1 2",
              "custom: there are commas between weights, as in weights=1,2,1, and no spaces"},
             {"custom:size=1x1:weights=1e39", "custom: a weight of \"1e39\" is too large for a 32-bit float"},
             {"custom:size=1x1:weights=1:divsor=2",
              "custom has no parameter \"divsor\"; did you mean \"divisor\"? It has size, weights, divisor, "
              "offset, anchor, flip"},
             {"custom:size=1x1:weights=1:flip=yes", "custom: flip is true or false, not \"yes\""},
             {"custom_gradient:size=1x1:weights_x=1",
              "custom_gradient needs weights_x and weights_y, such as "
              "custom_gradient:size=2x2:weights_x=1,0,0,-1:weights_y=0,1,-1,0"},
             {"custom_gradient:size=1x1:weights_x=1:weights_y=two",
              "custom_gradient: a weight is a number such as 2, 0.5 or 1/9, not \"two\""},
             {"custom_gradient:size=1x1:size_x=3:weights_x=1,2,3:weights_y=1",
              "custom_gradient: size_x is written 3x3 (width x height), not \"3\""},
             {"custom_gradient:size=3:size_x=1x1:weights_x=1:weights_y=1,2,3",
              "custom_gradient: size is written 3x3 (width x height), not \"3\""},
         })
        EXPECT_EQ(message([text = text] { stage_of(parse_step(text)); }), expected);
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
    EXPECT_EQ(recipe_failure("box |\n  gausian"), "unknown-filter at line 2, column 3");
    EXPECT_EQ(recipe_failure("box | | sharpen"), "missing-step at line 1, column 6");
    EXPECT_EQ(recipe_failure("box | boarder=wrap"), "unknown-setting at line 1, column 7");
    EXPECT_EQ(recipe_failure("border=mirror"), "unknown-choice at line 1, column 1");
    EXPECT_EQ(recipe_failure("tolerance=-1"), "bad-tolerance at line 1, column 1");
    EXPECT_EQ(recipe_failure("channels=rgz"), "unknown-channels at line 1, column 1");
    EXPECT_EQ(recipe_failure("off"), "unknown-filter at line 1, column 1");
}

TEST(Recipes, AMissingBarIsReported) {
    for (const auto* text :
         {"sobel\nsharpen", "sobel sharpen:amount=2", "sobel\r\nsharpen", "sobel\rsharpen", "sobel, sharpen",
          "sobel;sharpen", "off sobel\nsharpen", "border=wrap\nsobel\nbox", "box | sobel\nborder=wrap",
          "sobel\noff sharpen", "gaussian:sigma=2\nsharpen"})
        EXPECT_EQ(code_of([&] { parsed(text); }), "missing-bar") << text;
    EXPECT_EQ(recipe_failure("gausian\nsharpen"), "unknown-filter at line 1, column 1");
    EXPECT_TRUE(recipe_message("gausian\nsharpen")
                    .ends_with(". Steps are joined by `|`; a line break does not end one"));
    EXPECT_EQ(recipe_failure("gaussian:sigma=2x"), "not-a-number at line 1, column 1");
    EXPECT_FALSE(prints(recipe_message("gaussian:sigma=2x"), "joined"));
    EXPECT_EQ(parsed("custom:size=3x1:weights=1,\n 2,\n 3").steps.size(), 1u) << "weights may span lines";
}

TEST(Recipes, AKernelIsReferredToItsFlag) {
    for (const auto* text : {"1 2 1\n2 4 2\n1 2 1\n", "# mine\n -1, 0, 1\n", ".5 .5", "[[1, 2], [3, 4]]"})
        EXPECT_EQ(recipe_failure(text), "kernel-not-recipe") << text;
    EXPECT_EQ(recipe_failure("{\"rows\": [[1]]}"), "kernel-not-recipe at line 1, column 10");
}

/// A recipe whose steps are in its second line.
std::string with_steps(const std::string& steps) { return "{\"steps\":\n  " + steps + "}"; }

TEST(Recipes, MistakesInJsonGetLineAndColumn) {
    const auto at = [](const char* steps) { return recipe_failure(with_steps(steps)); };
    EXPECT_EQ(at(R"(["gausian"])"), "unknown-filter at line 2, column 4");
    EXPECT_EQ(at(R"([{"filter": "gausian"}])"), "unknown-filter at line 2, column 15");
    EXPECT_EQ(at(R"([{"filter": "box", "values": {"size": 0}}])"), "out-of-range at line 2, column 41");
    EXPECT_EQ(at(R"([{"filter": "box", "values": {"seize": 3}}])"), "unknown-parameter at line 2, column 42");
    EXPECT_EQ(at(R"([{"filter": "box", "valus": {}}])"), "unknown-entry at line 2, column 31");
    EXPECT_EQ(at(R"([{"filter": "box", "enabled": 1}])"), "wrong-type at line 2, column 33");
    EXPECT_EQ(at(R"([{"values": {}}])"), "missing-entry at line 2, column 4");
    EXPECT_EQ(at(R"([{"filter": "custom"}])"), "missing-kernel at line 2, column 4");
    EXPECT_EQ(at(R"([{"filter": "box", "kernel": [[1]]}])"), "unexpected-kernel at line 2, column 4");
    EXPECT_EQ(at(R"([{"filter": "custom", "kernel": [[1, 2], [3]]}])"), "uneven-rows at line 2, column 44");
    EXPECT_EQ(at(R"([{"filter": "custom_gradient"}])"), "missing-kernel at line 2, column 4");
    EXPECT_EQ(at(R"([{"filter": "custom_gradient", "kernel": [[1]]}])"),
              "missing-kernel at line 2, column 4");
    EXPECT_EQ(at(R"([{"filter": "custom", "kernels": [[[1]], [[2]]]}])"),
              "unexpected-kernel at line 2, column 4");
    EXPECT_EQ(at(R"([{"filter": "custom_gradient", "kernels": [[[1]]]}])"),
              "not-a-pair at line 2, column 45");
    EXPECT_EQ(at(R"([{"filter": "custom_gradient", "kernels": [[[1]], {"rows": [[1]], "offset": 1}]}])"),
              "misplaced-offset at line 2, column 45");
    EXPECT_EQ(at(R"([{"filter": "custom", "kernel": [[1]], "kernels": [[[1]], [[2]]]}])"),
              "unexpected-kernel at line 2, column 53");
    EXPECT_EQ(at("[5]"), "wrong-type at line 2, column 4");
    EXPECT_EQ(at("5"), "wrong-type at line 2, column 3");
    EXPECT_EQ(at("[\"box\",]"), "invalid-json at line 2, column 10");
    EXPECT_EQ(recipe_failure(R"({"schema": "kernelglass-recipe/2"})"), "unknown-schema at line 1, column 12");
    EXPECT_EQ(recipe_failure(R"({"border": "wrap", "border": "zero"})"),
              "duplicate-entry at line 1, column 20");
    EXPECT_EQ(recipe_failure(R"({"boarder": "wrap"})"), "unknown-entry at line 1, column 13");
    EXPECT_EQ(recipe_failure(R"({"border": "mirror"})"), "unknown-choice at line 1, column 12");
    EXPECT_EQ(recipe_failure(R"({"tolerance": 1e400})"), "number-too-large at line 1, column 15");
}

TEST(Recipes, MessagesNameFilePlaceAndReason) {
    const auto unknown = "there is no filter \"gausian\"; did you mean \"gaussian\"?"s + list_of_filters();
    for (const auto& [text, expected] : std::initializer_list<std::pair<std::string, std::string>>{
             {"box |\n  gausian", "line 2, column 3: " + unknown},
             {"box | | sharpen", "line 1, column 6: a step is missing here"},
             {"box | boarder=wrap",
              "line 1, column 7: there is no setting \"boarder\"; did you mean \"border\"? Settings: border, "
              "light, alpha, signed, channels, depth, tolerance; a step is written id:key=value"},
             {"border=mirror", "line 1, column 1: \"mirror\" is not a border. It is one of zero, replicate, "
                               "reflect, reflect101, wrap, constant=COLOUR"},
             {"tolerance=-1", "line 1, column 1: a tolerance is 0 or more, not \"-1\""},
             {"channels=rgz", "line 1, column 1: \"rgz\" is not a choice of channels; write letters of rgba, "
                              "such as rgb or r"},
             {"sobel:direction=x\nsobel:direction=y",
              "line 1, column 1: \"sobel:direction=y\" follows the step \"sobel:direction=x\" without a `|` "
              "between them. Steps are joined by `|`; a line break does not end one"},
             {"1 2 1\n", "it begins like a kernel, not like a recipe; pass kernels with --kernel"},
             {R"({"rows": [[1]]})",
              "line 1, column 10: this is a kernel, not a recipe; pass it with --kernel"},
             {with_steps(R"(["gausian"])"), "line 2, column 4: " + unknown},
             {with_steps(R"([{"filter": "box", "valus": {}}])"),
              "line 2, column 31: a step has no entry \"valus\"; did you mean \"values\"? It has filter, "
              "values, kernel, kernels, enabled"},
             {with_steps(R"([{"filter": "box", "enabled": 1}])"),
              "line 2, column 33: true or false is expected here, not a number"},
             {with_steps(R"([{"filter": "custom"}])"), "line 2, column 4: a custom step needs a \"kernel\""},
             {with_steps(R"([{"filter": "box", "kernel": [[1]]}])"),
              "line 2, column 4: only a custom step has a kernel"},
             {with_steps("[5]"), "line 2, column 4: an object {...} is expected here, not a number"},
             {R"({"schema": "kernelglass-recipe/2"})",
              "line 1, column 12: this recipe is of schema \"kernelglass-recipe/2\"; this program reads "
              "\"kernelglass-recipe/1\""},
             {R"({"border": "wrap", "border": "zero"})",
              "line 1, column 20: the entry \"border\" is given twice"},
             {R"({"boarder": "wrap"})",
              "line 1, column 13: a recipe has no entry \"boarder\"; did you mean \"border\"? It has schema, "
              "steps, border, light, alpha, signed, channels, depth, tolerance"},
         })
        EXPECT_EQ(recipe_message(text), "recipe \"r.json\": " + expected);
}

TEST(Recipes, HostileTextIsRefused) {
    EXPECT_EQ(recipe_failure("\x89PNG\r\n\x1a\n"), "not-text at line 1, column 1");
    EXPECT_EQ(recipe_failure(std::string("\xFF\xFE{\0}\0", 6)), "utf16-text at line 1, column 1");
    EXPECT_EQ(recipe_failure(std::string(1'000'000, '[').insert(0, "{\"steps\":")),
              "nested-too-deep at line 1, column 25");
    EXPECT_EQ(recipe_failure(std::string(1'000'000, '|')), "missing-step at line 1, column 1");
    std::string entries = "{";
    for (int i = 0; i < 1'000'000; ++i) entries += "\"k" + std::to_string(i) + "\":0,";
    EXPECT_EQ(recipe_message(entries + "\"k\":0}"),
              "recipe \"r.json\": line 1, column 1: an object has at most 100 entries here");
    EXPECT_EQ(recipe_failure(entries + "\"k\":0}"), "too-many-entries at line 1, column 1");
}

TEST(Recipes, ChannelLettersBecomeAMask) {
    const PixelFormat rgba{Depth::u8, 4, 3}, grey{Depth::u8, 1};
    EXPECT_EQ(channel_mask("rgb", rgba), 0b0111u);
    EXPECT_EQ(channel_mask("a", rgba), 0b1000u);
    EXPECT_EQ(channel_mask("", rgba), 0b1111u);
    EXPECT_EQ(channel_mask("rgb", grey), 1u);
    EXPECT_EQ(code_of([&] { channel_mask("rx", rgba); }), "unknown-channels");
    EXPECT_EQ(arguments_of([&] { channel_mask("rx", rgba); }), std::vector<std::string>{"\"rx\""});
}

} // namespace
} // namespace kg
