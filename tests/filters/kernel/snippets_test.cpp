// Snippets for other libraries: their structure, and their results where Python has the library.

#include "core/reference/reference.hpp"
#include "core/support/text.hpp"
#include "filters/kernel/snippets.hpp"
#include "tests/filters/support/message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>

namespace kg {
namespace {

namespace fs = std::filesystem;

constexpr PixelFormat kColour{Depth::u8, 3};

std::string snippet_of(Library library, const std::string& step, Border border = Border::reflect101,
                       const PixelFormat& image = kColour) {
    SnippetContext context;
    context.border = border;
    context.image = image;
    return snippet(library, parse_step(step), context);
}

std::set<std::string_view> codes_of(Library library, const std::string& step, const SnippetContext& context) {
    std::set<std::string_view> codes;
    for (const auto& note : library_notes(library, stage_of(parse_step(step)), context))
        codes.insert(note.code);
    return codes;
}

TEST(Snippets, NameTheBorderAsEachLibraryDoes) {
    struct Row {
        Border border;
        const char *numpy, *scipy, *opencv, *torch;
    };
    const Row rows[]{{Border::zero, "\"constant\"", "\"constant\"", "BORDER_CONSTANT", "\"constant\""},
                     {Border::replicate, "\"edge\"", "\"nearest\"", "BORDER_REPLICATE", "\"replicate\""},
                     {Border::reflect, "\"symmetric\"", "\"reflect\"", "BORDER_REFLECT)", "\"symmetric\""},
                     {Border::reflect101, "\"reflect\"", "\"mirror\"", "BORDER_REFLECT_101", "\"reflect\""},
                     {Border::wrap, "\"wrap\"", "\"wrap\"", "copyMakeBorder", "\"circular\""}};
    for (const auto& row : rows) {
        const auto has = [&](Library library, const char* word) {
            return prints(snippet_of(library, "gaussian:sigma=1", row.border), word);
        };
        EXPECT_TRUE(has(Library::numpy, row.numpy));
        EXPECT_TRUE(has(Library::scipy, row.scipy));
        EXPECT_TRUE(has(Library::opencv, row.opencv));
        EXPECT_TRUE(has(Library::pytorch, row.torch));
        if (row.border == Border::reflect101) continue; // the default
        EXPECT_TRUE(has(Library::kernelglass, ("--border " + std::string(name(row.border))).c_str()));
    }
}

TEST(Snippets, StateAnchorDivisorOffsetAndOrder) {
    const std::string step = "custom:size=3x1:weights=1,2,4:divisor=8:offset=0.5:anchor=0,0";
    for (const auto library : {Library::opencv, Library::scipy, Library::numpy, Library::pytorch}) {
        const auto text = snippet_of(library, step);
        EXPECT_TRUE(prints(text, "[1, 2, 4]"));
        EXPECT_TRUE(prints(text, "(0, 0)"));
        EXPECT_TRUE(prints(text, "/ 8"));
        EXPECT_TRUE(prints(text, "127.5"));
        const auto flipped = snippet_of(library, step + ":flip=true");
        EXPECT_TRUE(prints(flipped, "[4, 2, 1]"));
        EXPECT_TRUE(prints(flipped, "(2, 0)"));
        EXPECT_TRUE(prints(snippet_of(library, "sobel"), "np.sqrt("));
        EXPECT_TRUE(prints(snippet_of(library, "sobel:norm=l1"), "np.abs("));
    }
    EXPECT_EQ(snippet_of(Library::kernelglass, step), "kernelglass filter in.png out.png -f " + step + "\n");
    EXPECT_TRUE(prints(snippet_of(Library::python, step), ("\"-f\", \"" + step + "\"").c_str()));
}

TEST(Snippets, CallTheProgramWithTheImagesSamplesAndTheRecipesSettings) {
    const auto bytes = snippet_of(Library::python, "sobel", Border::wrap, {Depth::u8, 4, 3});
    for (const auto* words : {"TUPLTYPE RGB_ALPHA\\n", "MAXVAL 255\\n", ">u1", "\"--border\", \"wrap\""})
        EXPECT_TRUE(prints(bytes, words)) << words;
    const auto words16 = snippet_of(Library::python, "sobel", Border::reflect101, {Depth::u16, 1});
    for (const auto* words : {"TUPLTYPE GRAYSCALE\\n", "MAXVAL 65535\\n", ">u2"})
        EXPECT_TRUE(prints(words16, words)) << words;
    EXPECT_TRUE(prints(snippet_of(Library::python, "sobel", Border::zero, {Depth::f32, 3}), "\"pfm\""));
}

TEST(Snippets, StayShort) {
    EXPECT_TRUE(prints(snippet_of(Library::numpy, "gaussian:sigma=20"), "np.outer("));
    EXPECT_TRUE(prints(snippet_of(Library::numpy, "gaussian:sigma=300"), "def gaussian("));
    EXPECT_TRUE(prints(snippet_of(Library::numpy, "box:size=2001"), "np.ones((2001, 2001))"));
    EXPECT_TRUE(prints(snippet_of(Library::numpy, "disk:radius=100"), "np.load("));
    const auto weights = [] {
        std::string text = "1";
        for (int i = 1; i < 64; ++i) text += "," + std::to_string(i * i % 7);
        return text;
    }();
    EXPECT_TRUE(prints(snippet_of(Library::kernelglass, "custom:size=8x8:weights=" + weights),
                       "--kernel kernel.json"));
    EXPECT_TRUE(prints(snippet_of(Library::kernelglass,
                                  "custom_gradient:size=8x8:weights_x=" + weights + ":weights_y=" + weights),
                       "--recipe gradient.json"));
}

TEST(Snippets, WarnWhereALibraryDiffers) {
    SnippetContext context;
    context.image = kColour;
    EXPECT_TRUE(codes_of(Library::scipy, "sharpen", context).contains("integers"));
    EXPECT_TRUE(codes_of(Library::pytorch, "sharpen", context).contains("integers"));
    EXPECT_TRUE(codes_of(Library::opencv, "gaussian:sigma=1", context).contains("rounding"));
    EXPECT_FALSE(codes_of(Library::opencv, "gaussian:sigma=1", context).contains("dft"));
    EXPECT_TRUE(codes_of(Library::numpy, "sobel", context).contains("magnitude"));
    EXPECT_FALSE(codes_of(Library::numpy, "sobel:norm=l1", context).contains("magnitude"));
    EXPECT_TRUE(codes_of(Library::opencv, "gaussian:sigma=2", context).contains("dft"));
    EXPECT_TRUE(codes_of(Library::kernelglass, "sharpen", context).empty());
    context.border = Border::wrap;
    EXPECT_TRUE(codes_of(Library::opencv, "sharpen", context).contains("no-wrap"));
    EXPECT_TRUE(codes_of(Library::pytorch, "sharpen", context).contains("pad-limit"));
    context = {};
    context.image = {Depth::f32, 4, 3};
    context.light = Light::linear;
    context.sign = SignedMode::half;
    context.channels = "r";
    for (const auto* code : {"light", "alpha", "channels", "signed"})
        EXPECT_TRUE(codes_of(Library::numpy, "sharpen", context).contains(code)) << code;
    EXPECT_FALSE(codes_of(Library::scipy, "sharpen", context).contains("integers"));
}

TEST(Snippets, ComputeStoredNumbersOfTheStepAlone) {
    const auto recipe = snippet_recipe(parse_step("sobel"), Border::constant);
    EXPECT_EQ(recipe.steps, std::vector{parse_step("sobel")});
    EXPECT_EQ(recipe.border, Border::zero);
    EXPECT_EQ(recipe.alpha, AlphaMode::straight);
    EXPECT_EQ(recipe.light, Light::stored);
    EXPECT_EQ(recipe.sign, SignedMode::clamp);
    EXPECT_FALSE(recipe.depth);
    auto skipped = parse_step("sobel");
    skipped.enabled = false;
    EXPECT_TRUE(snippet_recipe(skipped, Border::wrap).steps.front().enabled);
}

/// Runs every snippet of a library on a small image and compares with the reference.
class SnippetsInPython : public ::testing::TestWithParam<Library> {
protected:
    struct Case {
        std::string step;
        Border border;
        PixelFormat format;
        Image image;
    };

    static std::vector<Case> cases() {
        std::vector<Case> all;
        const char* steps[]{"custom:size=3x3:weights=1,2,3,4,5,6,7,8,9:divisor=45",
                            "custom:size=3x3:weights=1,2,3,4,5,6,7,8,9:divisor=45:anchor=0,2:flip=true",
                            "custom:size=4x2:weights=1,2,3,-4,5,6,7,8:divisor=27:anchor=3,0:offset=0.2",
                            "gaussian:sigma=0.8",
                            "sharpen",
                            "motion:length=5:angle=30",
                            "sobel:divisor=4",
                            "prewitt:norm=l1:divisor=2:offset=0.05",
                            "custom_gradient:size=2x2:weights_x=1,0,0,-1:weights_y=0,1,-1,3:divisor_y=2"};
        std::mt19937 random(3);
        for (const auto* step : steps)
            for (const auto border : kBorders)
                for (const PixelFormat format : {kColour, PixelFormat{Depth::u8, 4, 3},
                                                 PixelFormat{Depth::u16, 1}, PixelFormat{Depth::f32, 2}}) {
                    Image image({13, 11}, format);
                    for (int y = 0; y < 11; ++y)
                        for (int x = 0; x < 13; ++x)
                            for (int c = 0; c < format.channels; ++c)
                                store(image.view(), x, y, c,
                                      static_cast<double>(random() % 256) * full_scale(format) / 255);
                    all.push_back({step, border, format, std::move(image)});
                }
        return all;
    }
    static bool has_module() {
        const auto module = GetParam() == Library::opencv    ? "cv2"
                            : GetParam() == Library::scipy   ? "numpy, scipy"
                            : GetParam() == Library::pytorch ? "numpy, torch"
                                                             : "numpy";
        if (GetParam() == Library::python && !fs::exists(KG_PROGRAM)) return false;
        return std::system(("python3 -c 'import " + std::string(module) + "' > /dev/null 2>&1").c_str()) == 0;
    }
    void write_case(const Case& one, std::size_t number) const {
        const auto stem = folder_.path() / std::to_string(number);
        std::ofstream(stem.string() + ".py") << snippet_of(GetParam(), one.step, one.border, one.format);
        std::ofstream in(stem.string() + ".in");
        in << (one.format.depth == Depth::u8    ? "uint8"
               : one.format.depth == Depth::u16 ? "uint16"
                                                : "float32")
           << " 11 13" << (one.format.channels > 1 ? " " + std::to_string(one.format.channels) : "") << "\n";
        for (int y = 0; y < 11; ++y)
            for (int x = 0; x < 13; ++x)
                for (int c = 0; c < one.format.channels; ++c)
                    in << to_text(sample(one.image.view(), x, y, c)) << " ";
    }
    /// OpenCV and PyTorch sum in float32, and magnitudes are float32 in the program: an integer result may be
    /// rounded to the other neighbour.
    void compare(const Case& one, std::size_t number) const {
        auto recipe = snippet_recipe(parse_step(one.step), one.border);
        if (GetParam() == Library::python) recipe.alpha = AlphaMode::premultiplied; // the program's preset
        const auto request = request_for(recipe, {13, 11}, one.format);
        const auto expected = reference_image(request, one.image.view());
        const bool is_float64 = GetParam() == Library::scipy || GetParam() == Library::numpy,
                   is_magnitude = request.stages.front().combine == Combine::l2,
                   is_exact = GetParam() == Library::python || (is_float64 && !is_magnitude);
        const double tolerance = is_integer(one.format.depth) ? (is_exact ? 0 : 1) : 1e-5;
        std::ifstream out(folder_.path() / (std::to_string(number) + ".out"));
        std::string type;
        out >> type;
        EXPECT_EQ(type, one.format.depth == Depth::u8    ? "uint8"
                        : one.format.depth == Depth::u16 ? "uint16"
                                                         : "float32");
        double most = 0;
        for (int y = 0; y < 11; ++y)
            for (int x = 0; x < 13; ++x)
                for (int c = 0; c < one.format.channels; ++c) {
                    double value = NAN;
                    out >> value;
                    most = std::max(most, std::fabs(value - sample(expected.view(), x, y, c)));
                    ASSERT_FALSE(std::isnan(value)) << one.step;
                }
        EXPECT_LE(most, tolerance) << one.step << ", " << name(one.border) << ", " << name(one.format.depth);
    }

    const testing::TemporaryFolder folder_{"snippets"};
};

constexpr const char* kDriver = R"(import glob, numpy as np
for path in glob.glob("*.py"):
    if path == "driver.py": continue
    space = {}
    exec(open(path).read(), space)
    head, numbers = open(path[:-3] + ".in").read().split("\n", 1)
    depth, *shape = head.split()
    image = np.array(numbers.split(), np.float64).astype(depth).reshape([int(n) for n in shape])
    result = space["filtered"](image)
    assert result.shape == image.shape, path
    with open(path[:-3] + ".out", "w") as out:
        out.write(str(result.dtype) + "\n" + " ".join(repr(float(v)) for v in result.ravel()))
)";

TEST_P(SnippetsInPython, GiveTheProgramsOwnResult) {
    if (!has_module())
        GTEST_SKIP() << "NO PYTHON WITH " << title(GetParam()) << " HERE, ITS SNIPPETS DID NOT RUN";
    auto all = cases();
    if (GetParam() == Library::python) { // each of them starts the program
        constexpr std::size_t kEvery = 5;
        for (std::size_t i = 1; i * kEvery < all.size(); ++i) all[i] = std::move(all[i * kEvery]);
        all.resize((all.size() + kEvery - 1) / kEvery);
    }
    for (std::size_t i = 0; i < all.size(); ++i) write_case(all[i], i);
    std::ofstream(folder_.path() / "driver.py") << kDriver;
    const auto command = "cd '" + folder_.path().string() + "' && PATH='" +
                         fs::path(KG_PROGRAM).parent_path().string() + "':\"$PATH\" python3 driver.py";
    ASSERT_EQ(std::system(command.c_str()), 0);
    for (std::size_t i = 0; i < all.size(); ++i) compare(all[i], i);
}

INSTANTIATE_TEST_SUITE_P(EveryLibrary, SnippetsInPython,
                         ::testing::Values(Library::opencv, Library::scipy, Library::numpy, Library::pytorch,
                                           Library::python),
                         [](const auto& one) {
                             auto name = std::string(title(one.param));
                             std::erase(name, ' ');
                             return name;
                         });

} // namespace
} // namespace kg
