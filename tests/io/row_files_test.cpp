// Files whose rows are not stored one after the other: tiles, planes, strips as high as the image, several
// scans.

#include "app/io/row_files.hpp"
#include "tests/support/check.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstdio>
#include <cstring>
#include <functional>
#include <utility>

#include <jpeglib.h>
#include <png.h>
#include <tiffio.h>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

class RowFiles : public ::testing::Test {
protected:
    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    /// Reads different numbers of rows at a time and compares them with the whole image. Returns the memory
    /// of the reader.
    static std::size_t expect_rows_of_whole(const std::string& file) {
        const auto all = read_image(file);
        std::size_t memory = 0;
        for (const std::int64_t at_once : {1, 7, 100, 100000}) {
            ImageRows rows(file);
            memory = rows.memory();
            Image image(rows.size(), rows.pixels());
            for (std::int64_t y = 0; y < rows.size().height; y += at_once)
                rows.read(
                    image.view().crop(intersect(whole(rows.size()), {0, y, rows.size().width, at_once})));
            EXPECT_TRUE(same_pixels(image.view(), all.pixels.view()))
                << file << ", " << at_once << " at a time";
            EXPECT_EQ(rows.damage_note(), "") << file;
        }
        return memory;
    }

    const TemporaryFolder temporary_{"rows"};
    const fs::path& folder_ = temporary_.path();
};

constexpr int kWidth = 1300, kHeight = 900;

struct Layout {
    const char* name;
    int compression, rows_per_strip, tile; // tile 0: strips
    bool planar, big = false;
};

void write_tiff(const std::string& file, const ConstImageView& image, const Layout& layout) {
    auto* tiff = TIFFOpen(file.c_str(), layout.big ? "w8" : "w");
    ASSERT_NE(tiff, nullptr);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, kWidth);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, kHeight);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, layout.compression);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, layout.planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    const int planes = layout.planar ? 3 : 1, samples = layout.planar ? 1 : 3;
    const auto copy = [&](int plane, int x0, int y, int count, unsigned char* to) {
        const auto* row = image.row<unsigned char>(y);
        for (int x = x0; x < std::min(x0 + count, kWidth); ++x)
            for (int c = 0; c < samples; ++c) *to++ = row[3 * x + (layout.planar ? plane : c)];
    };
    if (layout.tile == 0) {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, layout.rows_per_strip);
        std::vector<unsigned char> row(kWidth * 3);
        for (int plane = 0; plane < planes; ++plane)
            for (int y = 0; y < kHeight; ++y) {
                copy(plane, 0, y, kWidth, row.data());
                TIFFWriteScanline(tiff, row.data(), static_cast<unsigned>(y),
                                  static_cast<std::uint16_t>(plane));
            }
    } else {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, layout.tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, layout.tile);
        std::vector<unsigned char> tile(static_cast<std::size_t>(layout.tile * layout.tile * samples));
        for (int plane = 0; plane < planes; ++plane)
            for (int y0 = 0; y0 < kHeight; y0 += layout.tile)
                for (int x0 = 0; x0 < kWidth; x0 += layout.tile) {
                    for (int y = y0; y < std::min(y0 + layout.tile, kHeight); ++y)
                        copy(plane, x0, y, layout.tile, tile.data() + (y - y0) * layout.tile * samples);
                    TIFFWriteTile(tiff, tile.data(), static_cast<unsigned>(x0), static_cast<unsigned>(y0), 0,
                                  static_cast<std::uint16_t>(plane));
                }
    }
    TIFFClose(tiff);
}

TEST_F(RowFiles, TiffInStripsTilesAndPlanes) {
    const auto image = random_image({kWidth, kHeight}, {Depth::u8, 3}, 1);
    for (const Layout& layout : {Layout{"short", COMPRESSION_ADOBE_DEFLATE, 5, 0, false},
                                 Layout{"long", COMPRESSION_ADOBE_DEFLATE, kHeight, 0, false},
                                 Layout{"long-lzw", COMPRESSION_LZW, kHeight, 0, false},
                                 Layout{"long-plain", COMPRESSION_NONE, kHeight, 0, false},
                                 Layout{"long-packbits", COMPRESSION_PACKBITS, kHeight, 0, false, true},
                                 Layout{"tiles", COMPRESSION_LZW, 0, 128, false},
                                 Layout{"tile-planes", COMPRESSION_NONE, 0, 64, true},
                                 Layout{"planes", COMPRESSION_ADOBE_DEFLATE, 11, 0, true},
                                 Layout{"long-planes", COMPRESSION_ADOBE_DEFLATE, kHeight, 0, true}}) {
        const auto file = path(std::string(layout.name) + ".tif");
        write_tiff(file, image.view(), layout);
        ASSERT_TRUE(same_pixels(read_image(file).pixels.view(), image.view())) << layout.name;
        const auto memory = expect_rows_of_whole(file);
        EXPECT_TRUE(layout.planar || memory < std::size_t{2} << 20) << layout.name << " " << memory;
    }
}

TEST_F(RowFiles, JpegInSeveralScansReportsItsMemory) {
    const auto image = random_image({kWidth, kHeight}, {Depth::u8, 3}, 2);
    const auto write = [&](const std::string& file, bool progressive) {
        jpeg_compress_struct info{};
        jpeg_error_mgr errors{};
        info.err = jpeg_std_error(&errors);
        jpeg_create_compress(&info);
        auto* to = std::fopen(file.c_str(), "wb");
        jpeg_stdio_dest(&info, to);
        info.image_width = kWidth, info.image_height = kHeight;
        info.input_components = 3, info.in_color_space = JCS_RGB;
        jpeg_set_defaults(&info);
        if (progressive) jpeg_simple_progression(&info);
        jpeg_start_compress(&info, TRUE);
        for (int y = 0; y < kHeight; ++y) {
            auto* row = const_cast<JSAMPLE*>(image.view().row<JSAMPLE>(y));
            jpeg_write_scanlines(&info, &row, 1);
        }
        jpeg_finish_compress(&info);
        jpeg_destroy_compress(&info);
        std::fclose(to);
    };
    write(path("baseline.jpg"), false);
    write(path("progressive.jpg"), true);
    const auto coefficients = static_cast<std::size_t>(kWidth * kHeight) * 3 / 2 * 2;
    EXPECT_LT(expect_rows_of_whole(path("baseline.jpg")), coefficients / 4);
    EXPECT_GT(expect_rows_of_whole(path("progressive.jpg")), coefficients);
}

/// Code and message of the reason.
std::pair<std::string, std::string> why_not(const std::string& file) {
    try {
        ImageRows rows{fs::path(file)};
    } catch (const NotByRows& reason) {
        return {reason.code(), reason.what()};
    }
    return {"by rows", ""};
}

TEST_F(RowFiles, FilesThatCannotBeReadByRowsReportWhy) {
    auto* to = std::fopen(path("interlaced.png").c_str(), "wb");
    auto* png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    auto* info = png_create_info_struct(png);
    png_init_io(png, to);
    png_set_IHDR(png, info, 9, 9, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    std::vector<png_byte> row(9, 7);
    std::vector<png_bytep> rows(9, row.data());
    png_write_image(png, rows.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    std::fclose(to);
    using Reason = std::pair<std::string, std::string>;
    EXPECT_EQ(why_not(path("interlaced.png")),
              Reason("interlaced", "it is interlaced, so that its first rows need the whole file"));
    write_file(path("words.pgm"), "P2 2 2 255 1 2 3 4 ");
    EXPECT_EQ(why_not(path("words.pgm")),
              Reason("text-samples", "its samples are written as text, of any length"));
}

} // namespace
} // namespace kg::testing
