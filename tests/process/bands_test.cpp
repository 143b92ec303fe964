// Images that do not fit in memory: filtered in bands of rows, with the bytes of the whole image.

#include "app/io/metadata/colour.hpp"
#include "app/io/metadata/metadata.hpp"
#include "app/process/file/memory_need.hpp"
#include "core/support/error.hpp"
#include "tests/process/support/bands_fixture.hpp"
#include "tests/support/detached_engine.hpp"

namespace kg::testing {
namespace {

const std::vector<std::string> kRecipes{"box:width=5:height=3",
                                        "gaussian:sigma=2 | sobel | unsharp:sigma=1:amount=0.5", "sobel"};

TEST_F(Bands, AreTheWholeForEveryKindOfPixels) {
    for (const auto& [name, format] : {std::pair{"grey.png", PixelFormat{Depth::u8, 1}},
                                       std::pair{"alpha.png", PixelFormat{Depth::u8, 4, 3}},
                                       std::pair{"deep.png", PixelFormat{Depth::u16, 3}},
                                       std::pair{"grey-alpha.png", PixelFormat{Depth::u16, 2, 1}},
                                       std::pair{"colour.tif", PixelFormat{Depth::u8, 3}},
                                       std::pair{"float.tif", PixelFormat{Depth::f32, 1}},
                                       std::pair{"float-alpha.tif", PixelFormat{Depth::f32, 4, 3}},
                                       std::pair{"photo.jpg", PixelFormat{Depth::u8, 3}},
                                       std::pair{"grey.pgm", PixelFormat{Depth::u16, 1}},
                                       std::pair{"float.pfm", PixelFormat{Depth::f32, 3}},
                                       std::pair{"alpha.pam", PixelFormat{Depth::u8, 4, 3}}}) {
        write_image(path(name), random_image({61, 43}, format, 1).view());
        for (const auto& recipe : kRecipes) {
            EXPECT_GT(expect_same(path(name), options(recipe, path(name).extension())), 2) << name;
        }
    }
}

TEST_F(Bands, AreTheWholeForEveryBorderAndSize) {
    for (const Extent size :
         {Extent{1, 1}, Extent{37, 1}, Extent{1, 37}, Extent{5, 3}, Extent{16, 61}, Extent{23, 64}}) {
        write_image(path("in.png"), random_image(size, {Depth::u8, 3}, 2).view());
        for (const auto* border : {"zero", "replicate", "reflect", "reflect101", "wrap"})
            for (const auto* recipe :
                 {"gaussian:sigma=3", "box:width=3:height=25 | sobel", "box:width=1:height=101",
                  "motion:length=9:angle=30", "custom:size=1x5:weights=0,0,0,0,1"}) {
                auto how = options(recipe, "png");
                how.recipe.border = parse_border(border);
                expect_same(path("in.png"), how);
            }
    }
}

TEST_F(Bands, AreTheWholeInEveryLightAlphaAndDepth) {
    write_image(path("in.tif"), random_image({45, 38}, {Depth::u16, 4, 3}, 3).view());
    for (const auto* light : {"stored", "linear"})
        for (const auto* alpha : {"premultiplied", "straight", "keep"})
            for (const auto* format : {"png", "tif", "jpg", "pam"})
                expect_same(path("in.tif"), options("gaussian:sigma=1.5 | sharpen | light=" +
                                                        std::string(light) + " alpha=" + alpha,
                                                    format));
    for (const auto* depth : {"u8", "u16", "f32"})
        expect_same(path("in.tif"), options("laplacian | signed=half depth=" + std::string(depth), "tif"));
}

/// A profile other than sRGB, EXIF, XMP and an earlier recipe.
Metadata all_metadata() {
    Metadata metadata;
    metadata.icc = adobe_rgb_profile();
    metadata.exif = std::string("II*\0\x08\0\0\0\1\0\x0f\1\2\0\6\0\0\0\x1a\0\0\0\0\0\0\0Canon\0", 32);
    metadata.density = {3000, 3000, true};
    return metadata;
}

TEST_F(Bands, KeepWhatFilesCarry) {
    const auto metadata = all_metadata();
    for (const auto* from : {"in.png", "in.tif", "in.jpg"}) {
        write_image(path(from), random_image({40, 30}, {Depth::u8, 3}, 4).view(), {.metadata = &metadata});
        ASSERT_FALSE(read_image(path(from)).metadata.icc.empty());
        ASSERT_EQ(read_image(path(from)).metadata.exif.empty(), !io::keeps_exif());
        auto stripped = options("box", "tif");
        stripped.write.strip = true;
        expect_same(path(from), stripped);
        for (const auto* to : {"png", "tif", "jpg", "ppm"})
            for (const auto* light : {"stored", "linear"})
                expect_same(path(from), options("box | light=" + std::string(light), to));
    }
}

TEST_F(Bands, AreTheSameOnEnginesThatCopyAndAreShortOfMemory) {
    write_image(path("in.png"), random_image({300, 200}, {Depth::u8, 3}, 5).view());
    for (const auto& engine :
         {make_detached_engine(1, 0), make_detached_engine(1, 700'000), cpu::make_engine(2, 700'000)})
        EXPECT_GT(expect_same(path("in.png"), options("gaussian:sigma=2 | sobel", "png", engine)), 2);
}

TEST_F(Bands, KeepTheRowsOfDamagedFiles) {
    write_image(path("whole.jpg"), random_image({64, 64}, {Depth::u8, 3}, 6).view());
    const auto bytes = read_file(path("whole.jpg"));
    write_file(path("half.jpg"), bytes.substr(0, bytes.size() / 2));
    write_image(path("whole.pgm"), random_image({64, 64}, {Depth::u8, 1}, 6).view());
    write_file(path("half.pgm"), read_file(path("whole.pgm")).substr(0, 3000));
    for (const auto* name : {"half.jpg", "half.pgm"}) {
        auto how = options("box", "png");
        expect_same(path(name), how);
        how.memory = std::size_t{1} << 30;
        StringSink out;
        EXPECT_FALSE(filter_in_bands(path(name), how, out).damage.empty());
    }
    write_image(path("whole.png"), random_image({64, 64}, {Depth::u8, 1}, 6).view());
    write_file(path("half.png"), read_file(path("whole.png")).substr(0, 2000));
    StringSink out;
    auto how = options("box", "png");
    how.memory = std::size_t{1} << 30;
    EXPECT_THROW(filter_in_bands(path("half.png"), how, out), Error);
}

TEST_F(Bands, KeepExifInATiffOfManyStripsWithLittleMemory) {
    if (!io::keeps_exif()) GTEST_SKIP() << "BUILT WITHOUT EXIV2";
    const auto metadata = all_metadata();
    const auto image = random_image({701, 3001}, {Depth::u8, 3}, 10);
    write_image(path("in.tif"), image.view(), {.metadata = &metadata});
    const auto back = read_image(path("in.tif"));
    EXPECT_TRUE(same_pixels(back.pixels.view(), image.view()));
    EXPECT_NE(back.metadata.exif.find("Canon"), std::string::npos);
    EXPECT_EQ(back.metadata.icc, metadata.icc);
    EXPECT_EQ(back.pages, 1);
    auto how = options("box", "tif");
    how.memory = std::size_t{4} << 20; // less than the file
    StringSink out;
    const auto done = filter_in_bands(path("in.tif"), how, out);
    EXPECT_EQ(done.notes, std::vector<std::string>{});
    EXPECT_GT(done.bands, 2);
    EXPECT_TRUE(out.take() == whole_path(path("in.tif"), how));
}

TEST_F(Bands, TheHeaderStatesTheMemoryOfAnImageWithAProfile) {
    const auto metadata = all_metadata();
    for (const auto* name : {"in.png", "in.jpg", "in.tif"}) {
        write_image(path(name), random_image({61, 43}, {Depth::u8, 3}, 1).view(), {.metadata = &metadata});
        const auto bytes = static_cast<std::size_t>(fs::file_size(path(name)));
        const auto linear = parse_recipe("box | light=linear", "here"); // which converts it as floats
        const auto needed = bytes_needed(probe(path(name)), bytes, linear);
        EXPECT_EQ(bytes_needed_by_header(path(name), bytes, linear, {}), needed) << name;
        const auto stored = parse_recipe("box", "here");
        EXPECT_LT(bytes_needed_by_header(path(name), bytes, stored, {}), needed) << name;
    }
}

} // namespace
} // namespace kg::testing
