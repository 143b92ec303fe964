// The recipe in the files of results: written, read again, replaced and left out; --strip.

#include "app/process/file/file_request.hpp"
#include "app/process/file/recipe_record.hpp"
#include "app/process/image/sample_image.hpp"
#include "core/support/error.hpp"
#include "filters/kernel_file.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/app/error_words.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

#include <zlib.h>

namespace kg::testing {
namespace {

constexpr const char* kFormats[] = {"png", "jpg", "tif", "webp"};

Recipe sample_recipe() {
    Recipe recipe;
    recipe.steps = {parse_step("gaussian:sigma=2.5"),
                    parse_step("box"),
                    {"custom", {}, make_kernel(3, 1, {-1, 0.1f, 1})}};
    recipe.steps[1].enabled = false;
    recipe.border = Border::wrap;
    recipe.sign = SignedMode::half;
    return recipe;
}

/// The recipe without disabled steps.
Recipe done(Recipe recipe) {
    std::erase_if(recipe.steps, [](const Step& step) { return !step.enabled; });
    return recipe;
}

const std::string kXmp =
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
    "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
    "xmlns:dc='http://purl.org/dc/elements/1.1/' dc:format='image/x'/></rdf:RDF></x:xmpmeta>";

LoadedImage sample() {
    LoadedImage image;
    image.pixels = random_image({20, 10}, {Depth::u8, 3}, 1);
    return image;
}

Encoded encoded(const LoadedImage& image, const Recipe& recipe, const char* format,
                const WriteOptions& options = {}) {
    return encode_result(image.pixels.view(), image, recipe, format, "\"x\"", options);
}

auto reading(const std::string& bytes) {
    return [bytes] { recipe_in_image(bytes, "\"x\""); };
}

TEST(RecipeRecord, IsFoundAgainInEveryFormatThatKeepsMetadata) {
    auto image = sample();
    image.metadata.xmp = kXmp;
    for (const auto* format : kFormats) {
        SCOPED_TRACE(format);
        const auto file = encoded(image, sample_recipe(), format);
        EXPECT_TRUE(file.notes.empty());
        EXPECT_EQ(recipe_in_image(file.bytes, "x"), done(sample_recipe()));
        EXPECT_EQ(encoded(image, sample_recipe(), format).bytes, file.bytes) << "the same bytes every time";
        const auto back = decode_image(file.bytes, "x");
        EXPECT_NE(back.metadata.xmp.find("dc:format='image/x'"), std::string::npos);
        const auto made = made_by(back.metadata);
        ASSERT_TRUE(made);
        EXPECT_EQ(made->text, to_text(done(sample_recipe())));
        EXPECT_TRUE(program_of(*made).starts_with("Kernelglass ")) << made->program;
        const auto plain = encoded(image, sample_recipe(), format, {.no_recipe = true});
        EXPECT_TRUE(same_pixels(decode_image(plain.bytes, "x").pixels.view(), back.pixels.view()))
            << "the pixels do not depend on it";
        EXPECT_EQ(
            error_words(reading(plain.bytes)),
            "\"x\" is an image that carries no recipe; Kernelglass writes one into PNG, JPEG, TIFF, WebP and "
            "OpenEXR, but not with --strip or --no-recipe, and other programs may remove it");
        EXPECT_EQ(decode_image(plain.bytes, "x").metadata.xmp, kXmp);
    }
    for (const auto* format : {"bmp", "ppm", "pam"}) {
        const auto plain = sample();
        const auto file = encoded(plain, sample_recipe(), format);
        EXPECT_TRUE(file.notes.empty()) << "it is not expected there";
        EXPECT_FALSE(probe(file.bytes, "x").made_by);
    }
}

TEST(RecipeRecord, TheNextRecipeTakesItsPlaceInAnyFormat) {
    auto image = sample();
    image.metadata.xmp = kXmp;
    Recipe next;
    next.steps = {parse_step("sobel")};
    for (const auto* first : kFormats)
        for (const auto* second : kFormats) {
            SCOPED_TRACE(std::string(first) + " to " + second);
            auto made = sample();
            made.metadata = decode_image(encoded(image, sample_recipe(), first).bytes, "x").metadata;
            const auto file = encoded(made, next, second);
            EXPECT_TRUE(file.notes.empty());
            EXPECT_EQ(recipe_in_image(file.bytes, "x"), next);
            EXPECT_EQ(file.bytes.find("gaussian"), std::string::npos) << "no trace of the first";
            EXPECT_EQ(file.bytes, encoded(image, next, second).bytes) << "nor of the detour";
            const auto without = encoded(made, next, second, {.no_recipe = true});
            EXPECT_EQ(without.bytes, encoded(image, next, second, {.no_recipe = true}).bytes)
                << "the earlier record is outdated";
            // An image that is only converted keeps its record.
            EXPECT_EQ(recipe_in_image(encoded(made, {}, second).bytes, "x"), done(sample_recipe()));
        }
}

TEST(RecipeRecord, APacketThatIsNotUnderstoodStaysAndTheRecipeIsLeftOut) {
    auto image = sample();
    image.metadata.xmp = "no XMP";
    for (const auto* format : {"jpg", "tif", "webp"}) {
        const auto file = encoded(image, sample_recipe(), format);
        ASSERT_EQ(file.notes.size(), 1u);
        EXPECT_EQ(file.notes.front(),
                  "the image's XMP cannot be understood, so that the recipe is not written into it");
        EXPECT_EQ(decode_image(file.bytes, "x").metadata.xmp, "no XMP") << format;
    }
    EXPECT_TRUE(encoded(image, sample_recipe(), "png").notes.empty()) << "it is stored elsewhere";
}

TEST(RecipeRecord, ARecipeThatAMarkerOfJpegCannotHoldIsLeftOutAndTheXmpKept) {
    auto image = sample();
    image.metadata.xmp = kXmp;
    Recipe large;
    std::vector<float> weights(101 * 101);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1 / (1 + static_cast<float>(i));
    large.steps = {{"custom", {}, make_kernel(101, 101, weights)}};
    const auto file = encoded(image, large, "jpg");
    ASSERT_EQ(file.notes.size(), 1u);
    EXPECT_EQ(file.notes.front(), "the recipe is larger than JPEG can hold: left out");
    EXPECT_EQ(decode_image(file.bytes, "x").metadata.xmp, kXmp);
    for (const auto* format : {"png", "tif", "webp"})
        EXPECT_EQ(recipe_in_image(encoded(image, large, format).bytes, "x"), large) << format;
}

/// A PNG with a chunk of ours, like that of another program or of an attacker.
std::string png_with(const std::string& type, const std::string& data) {
    auto file = encode_image(sample().pixels.view(), "png", "x").bytes;
    const auto number = [](std::size_t n) {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(n >> shift & 255);
        return bytes;
    };
    const auto body = type + data;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return file.insert(file.size() - 12, number(data.size()) + body + number(sum));
}

std::string compressed(const std::string& text) {
    std::string bytes(compressBound(text.size()), '\0');
    uLongf size = bytes.size();
    compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
             text.size());
    return bytes.substr(0, size);
}

TEST(RecipeRecord, TextsOfPngAreReadInEveryCompression) {
    const std::string key = "Kernelglass recipe", zero(1, '\0'),
                      text = "Kernelglass 0\nbox\n{\"steps\": [\"box\"]}";
    const auto box = recipe_in_image(png_with("tEXt", key + zero + text), "x");
    ASSERT_EQ(box.steps.size(), 1u);
    EXPECT_EQ(box.steps.front().filter, "box");
    EXPECT_EQ(recipe_in_image(png_with("zTXt", key + zero + zero + compressed(text)), "x"), box);
    EXPECT_EQ(recipe_in_image(png_with("iTXt", key + zero + "\1" + zero + "en" + zero + "Rezept" + zero +
                                                   compressed(text)),
                              "x"),
              box);
}

TEST(RecipeRecord, HostileTextsAreRefusedWithAMessage) {
    const std::string key = "Kernelglass recipe", zero(1, '\0');
    const auto bomb = compressed(std::string(std::size_t{17} << 20, ' '));
    for (const auto& [type, data] : std::initializer_list<std::pair<std::string, std::string>>{
             {"tEXt", key},
             {"tEXt", key + zero},
             {"tEXt", key + zero + "one\ntwo"},
             {"zTXt", key + zero},
             {"zTXt", key + zero + zero + bomb},
             {"zTXt", key + zero + "\7" + compressed("a\nb\nc")},
             {"iTXt", key + zero},
             {"iTXt", key + zero + "\1"},
             {"iTXt", key + zero + "\1" + zero + "en"},
             {"iTXt", key + zero + "\1" + zero + zero + zero + bomb},
             {"tEXt", "Kernelglass recipes" + zero + "a\nb\nbox"}})
        EXPECT_EQ(code_of(reading(png_with(type, data))), "image-without-recipe")
            << type << data.substr(0, 40);
    const auto with = [&](const std::string& json) { return png_with("tEXt", key + zero + "a\nb\n" + json); };
    EXPECT_EQ(code_of(reading(with(""))), "recipe-without-steps");
    EXPECT_EQ(error_words(reading(with("{\"steps\": []}"))), "recipe in \"x\": it has no steps");
    EXPECT_TRUE(error_words(reading(with("{\"schema\": \"kernelglass-recipe/9\"}")))
                    .starts_with("recipe in \"x\": line 1"));
    EXPECT_NE(code_of(reading(with(std::string(1 << 20, '[')))), "no error");
    EXPECT_NE(code_of(reading(with("{\"steps\": [\"custom:size=99999x99999:weights=1\"]}"))), "no error");
    const auto longest = [] { recipe_of({{}, {}, std::string((std::size_t{16} << 20) + 1, ' ')}, "x"); };
    EXPECT_EQ(code_of(longest), "recipe-too-long");
    EXPECT_EQ(error_words(longest), "recipe in x: it is longer than any that is written there");
    EXPECT_EQ(program_of({"\x1b[2J" + std::string(100, 'p'), {}, {}}), "?[2J" + std::string(56, 'p'));
    EXPECT_EQ(program_of({}), "an unnamed program");
}

TEST(RecipeRecord, StrippedImagesKeepOnlyWhatTheirSamplesMean) {
    using namespace std::string_literals;
    auto image = sample();
    auto& all = image.metadata;
    all.xmp = kXmp;
    all.exif = "II*\0\x08\0\0\0\x01\0\x0f\x01\x02\0\x08\0\0\0\x1a\0\0\0\0\0\0\0Glasses\0"s;
    all.comments = {"a comment"};
    all.photoshop = "8BIM\x04\x04\0\0\0\0\0\x04"
                    "City"s;
    all.density = {11811, 11811, true};
    all.chunks = {{"gAMA", "\0\x01\x86\xa0"s},
                  {"tEXt", "Author\0Somebody"s},
                  {"iTXt", "Comment\0\0\0\0\0Hi"s},
                  {"zTXt", "Title\0\0"s + compressed("A glass")}};
    const WriteOptions strip{.strip = true};
    for (const auto* format : kFormats) {
        SCOPED_TRACE(format);
        const auto file = encoded(image, sample_recipe(), format, strip);
        const auto back = decode_image(file.bytes, "x").metadata;
        const auto whole = decode_image(encoded(image, sample_recipe(), format).bytes, "x").metadata;
        EXPECT_FALSE(whole.xmp.empty() && whole.chunks.size() < 2) << "there was something to leave out";
        EXPECT_TRUE(back.exif.empty() && back.xmp.empty() && back.photoshop.empty() && back.comments.empty());
        EXPECT_FALSE(made_by(back));
        EXPECT_EQ(back.icc, whole.icc);
        EXPECT_EQ(back.density, whole.density);
        if (std::string(format) == "png") {
            EXPECT_EQ(back.chunks, std::vector(1, all.chunks.front()));
        } else {
            EXPECT_FALSE(back.icc.empty()) << "in place of PNG's gamma";
        }
        for (const auto* word : {"Glasses", "Somebody", "City", "comment", "image/x", "gaussian"})
            EXPECT_EQ(file.bytes.find(word), std::string::npos) << word;
        for (const auto& note : file.notes)
            EXPECT_EQ(note.find("EXIF"), std::string::npos) << "what is unwanted is not missed: " << note;
    }
}

TEST(RecipeRecord, StandsInAnAttributeOfOpenExr) {
    LoadedImage image;
    image.pixels = random_image({20, 10}, {Depth::f32, 3}, 1);
    image.metadata.attributes = {{"owner", "string", "Somebody"}};
    const auto file = encoded(image, sample_recipe(), "exr");
    EXPECT_EQ(recipe_in_image(file.bytes, "x"), done(sample_recipe()));
    auto made = sample();
    made.metadata = decode_image(file.bytes, "x").metadata;
    EXPECT_EQ(recipe_in_image(encoded(made, {}, "tif").bytes, "x"), done(sample_recipe())) << "converted";
    made.pixels = image.pixels.clone();
    Recipe box;
    box.steps = {parse_step("box")};
    for (const auto& options : {WriteOptions{.no_recipe = true}, WriteOptions{}}) {
        const auto next = decode_image(encoded(made, box, "exr", options).bytes, "x").metadata;
        EXPECT_EQ(next.attributes.size(), options.no_recipe ? 1u : 2u);
        EXPECT_EQ(made_by(next).has_value(), !options.no_recipe);
    }
    EXPECT_TRUE(
        decode_image(encoded(image, sample_recipe(), "exr", {.strip = true}).bytes, "x").metadata.empty());
}

class RecipeByCommand : public Program {
protected:
    void SetUp() override { write_image(path("in.png"), sample_image({40, 30}).view()); }
};

TEST_F(RecipeByCommand, AResultIsARecipeForOtherImages) {
    write_image(path("other.png"), random_image({33, 21}, {Depth::u8, 3}, 4).view());
    write_file(path("kernel.txt"), "1 2 1\n");
    const std::string steps = " -f gaussian:sigma=2 --kernel kernel.txt --border wrap --light linear";
    ASSERT_EQ(shell("$K filter other.png due.png" + steps), 0) << err_;
    for (const auto* format : kFormats) {
        const std::string result = std::string("result.") + format;
        ASSERT_EQ(shell("$K filter in.png " + result + steps +
                        " && rm -f again.png && $K filter other.png again.png --recipe " + result +
                        " && cmp due.png again.png && cat " + result +
                        " | $K filter other.png - --format png --recipe - | cmp due.png"),
                  0)
            << format << err_;
        ASSERT_EQ(shell("$K info -q " + result), 0) << err_;
        EXPECT_NE(out_.find(", made by Kernelglass "), std::string::npos) << out_;
        EXPECT_NE(out_.find(": gaussian:sigma=2 | custom:size=3x1:weights=1,2,1"), std::string::npos) << out_;
        ASSERT_EQ(shell("$K info --json " + result), 0) << err_;
        const auto made = nlohmann::json::parse(out_).at("files").at(0).at("made_by");
        EXPECT_EQ(parse_recipe(made.at("recipe").get<std::string>(), "x"),
                  recipe_in_image(read_file(path(result)), "x"));
    }
    EXPECT_EQ(shell("$K filter other.png out.png --recipe in.png"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"image-without-recipe"}) << err_;
    ASSERT_EQ(shell("$K filter in.png plain.png --no-recipe" + steps +
                    " && $K filter in.png bare.png --strip" + steps),
              0);
    EXPECT_FALSE(probe(path("plain.png")).made_by || probe(path("bare.png")).made_by);
    EXPECT_EQ(shell("$K filter other.png result.png --recipe result.png"), 2) << "an input is not replaced";
}

TEST_F(RecipeByCommand, ARecipeOfAnotherVersionIsNamedByInfo) {
    const std::string key = "Kernelglass recipe";
    write_file(path("new.png"),
               png_with("tEXt", key + '\0' + "Kernelglass 99\nnew\n{\"steps\": [\"crystal\"]}"));
    ASSERT_EQ(shell("$K info -v new.png"), 0);
    EXPECT_NE(out_.find("made by Kernelglass 99: a recipe that cannot be read"), std::string::npos) << out_;
    EXPECT_NE(err_.find("recipe in \"new.png\": "), std::string::npos) << err_;
    EXPECT_EQ(shell("$K filter in.png out.png --recipe new.png"), 2);
    EXPECT_EQ(joined_codes(), "unknown-filter") << err_;
    EXPECT_NE(err_.find("crystal"), std::string::npos) << err_;
}

TEST_F(RecipeByCommand, OtherProgramsReadOursAndWhatTheyWriteIsReadAgain) {
    if (!has("exiv2")) GTEST_SKIP() << "exiv2 is not installed";
    for (const auto* format : kFormats) {
        const std::string result = std::string("result.") + format;
        ASSERT_EQ(shell("$K filter in.png first.jpg -f box -q && exiv2 -M'add Xmp.dc.subject XmpBag glass' "
                        "first.jpg && "
                        "$K filter first.jpg " +
                        result + " -f sobel -q && exiv2 -K Xmp.dc.subject -Pv " + result),
                  0)
            << format << err_;
        EXPECT_EQ(out_, "glass\n") << format << err_;
        if (std::string(format) == "png") continue; // PNG does not use XMP for it
        ASSERT_EQ(shell("exiv2 -pX " + result), 0) << err_;
        EXPECT_NE(out_.find("RecipeJson"), std::string::npos) << out_;
        // exiv2 rewrites the packet in its own layout.
        ASSERT_EQ(shell("exiv2 -M'set Xmp.dc.format image/x' " + result + " && $K info --json " + result), 0)
            << err_;
        EXPECT_EQ(nlohmann::json::parse(out_).at("files").at(0).at("made_by").at("recipe"), "sobel");
        ASSERT_EQ(shell("$K filter " + result + " next.tif -f gaussian && exiv2 -pX next.tif"), 0) << err_;
        EXPECT_EQ(out_.find("sobel"), std::string::npos) << out_;
        EXPECT_NE(out_.find("gaussian"), std::string::npos) << out_;
        EXPECT_NE(out_.find("glass"), std::string::npos) << out_;
    }
}

} // namespace
} // namespace kg::testing
