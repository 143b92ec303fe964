// The errors of image files: the code, and the message that people see.

#include "app/io/files/byte_access.hpp"
#include "app/io/files/percent.hpp"
#include "app/io/image_file.hpp"
#include "app/io/metadata/colour.hpp"
#include "app/io/row_files.hpp"
#include "tests/io/support/image_files.hpp"
#include "tests/support/error_code.hpp"

#include <functional>

namespace kg::testing {
namespace {

using namespace std::string_literals;

std::string message_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

struct Refused {
    std::function<void()> action;
    const char* code;
    std::string message; ///< FOLDER stands for the folder of the test
};

class ImageErrors : public ImageFile {
protected:
    void expect(const std::vector<Refused>& cases) const {
        for (const auto& [action, code, message] : cases) {
            EXPECT_EQ(code_of(action), code);
            auto wanted = message;
            if (const auto at = wanted.find("FOLDER"); at != wanted.npos)
                wanted.replace(at, 6, folder_.string());
            EXPECT_EQ(message_of(action), wanted);
        }
    }
};

/// Decodes the bytes of a file called x.
std::function<void()> decoding(std::string bytes, ReadOptions options = {}) {
    return [bytes = std::move(bytes), options] { decode_image(bytes, "x", options); };
}

std::string big_endian_words(std::initializer_list<std::uint32_t> numbers) {
    std::string bytes;
    for (const auto n : numbers)
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(n >> shift & 255);
    return bytes;
}

TEST_F(ImageErrors, WhatAFormatCannotHoldIsReported) {
    const auto deep = random_image({4, 4}, {Depth::u16, 3}, 1);
    const auto wide = random_image({16384, 1}, {Depth::u8, 3}, 1);
    const auto wider = random_image({65501, 1}, {Depth::u8, 1}, 1);
    const auto writing = [this](const char* name, const Image& image) {
        return [this, name, view = image.view()] { write_image(path(name), view); };
    };
    std::string written;
    for (const auto& format : formats())
        if (format.is_written())
            written += (written.empty() ? "" : ", ") + std::string(format.extensions.front());
    expect({
        {writing("p.jpg", deep), "format-cannot-hold",
         R"(cannot write "FOLDER/p.jpg": JPEG does not hold u16)"},
        {writing("p.pgm", deep), "format-cannot-hold",
         R"(cannot write "FOLDER/p.pgm": a PGM file holds grey only; use .ppm)"},
        {writing("p.pbm", deep), "read-only-format",
         "cannot write \"FOLDER/p.pbm\": a PBM file holds black and white only and is not written; use .pgm"},
        {writing("p.gif", deep), "read-only-format",
         R"(cannot write "FOLDER/p.gif": ".gif" is not an image format that can be written; use )" + written},
        {writing("p.xyz", deep), "unknown-format",
         R"(cannot write "FOLDER/p.xyz": ".xyz" is not an image format that can be written; use )" + written},
        {writing("p.webp", wide), "too-large-for-format",
         R"(cannot write "FOLDER/p.webp": WebP holds at most 16383 pixels in width and height; use PNG or TIFF)"},
        {writing("p.jpg", wider), "too-large-for-format",
         R"(cannot write "FOLDER/p.jpg": JPEG holds at most 65500 pixels in width and height; use PNG or TIFF)"},
        {[&] { encode_image(wide.view(), "jpg", "x", {.jpeg_quality = 101}); }, "bad-quality",
         "cannot write x: JPEG quality goes from 1 to 100"},
    });
    EXPECT_EQ(arguments_of(writing("p.jpg", deep)), (std::vector<std::string>{"JPEG", "u16"}));
    EXPECT_EQ(files(), 0u);
}

TEST_F(ImageErrors, WhatAFileDeclaresIsRefusedWithAReason) {
    const auto png = encode_image(random_image({100, 10}, {Depth::u8, 3}, 1).view(), "png", "x").bytes;
    expect({
        {decoding(""), "empty-file", "cannot open x: the file is empty"},
        {decoding("no image at all"), "not-an-image",
         "cannot open x: it is not an image, or of a format that is not read (see `kernelglass list "
         "formats`)"},
        {decoding(png, {.page = 0}), "bad-page", "cannot open x: pages are counted from 1"},
        {decoding(png, {.page = 3}), "no-such-page", "cannot open x: it has no page 3, only 1"},
        {decoding(png, {.max_pixels = 999}), "too-many-pixels",
         "cannot open x: it is 100 x 10 pixels, and the limit is 999; `--max-pixels N` opens more"},
        {decoding("P5 200 200 255\n"), "truncated-file", "cannot open x: it ends before its first row"},
        {decoding("PF\n20000 20000\n-1.0\n"), "implausible-size",
         "cannot open x: its header declares 20000 x 20000 pixels, 4577 MiB, but has only 20 bytes, as no "
         "real "
         "image does; `--max-pixels 400000000` opens it all the same"},
        {decoding("P5 x 2 255\n"), "damaged-file", "cannot open x: it is damaged: its width is \"x\""},
        {decoding("P5 2 100 255\n" + std::string(18, 'x')), "truncated-file",
         "cannot open x: it has only 9 of its 100 rows"},
        {decoding("P7\nNO\x1bISE"), "damaged-file", "cannot open x: it is damaged: \"NO?ISE\" in its header"},
        {decoding("BM" + std::string(60, '\7')), "damaged-file",
         "cannot open x: it is damaged: a BMP of 1799 bits a pixel"},
        {decoding(std::string("BM")), "truncated-file", "cannot open x: it ends early"},
        {decoding("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n+Y 2 +X 2\n"), "unsupported-row-order",
         "cannot open x: its rows do not go from top to bottom and left to right, which is not supported"},
        {decoding("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\nxxxx"), "unsupported-colours",
         "cannot open x: its colours are XYZ, which is not supported"},
        {decoding("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 20 +X 20\n\x80\x80\x80\x80"),
         "unsupported-coding",
         "cannot open x: it ends early, or is in the old run-length coding, which is not supported"},
        {decoding("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 20 +X 20\n\2\2"), "damaged-file",
         "cannot open x: it is damaged, or in the old run-length coding, which is not read"},
        {decoding("\x59\xa6\x6a\x95"s + big_endian_words({2, 2, 1, 0, 1, 0, 0})), "unsupported-depth",
         "cannot open x: it has 1 bits a pixel, which is not supported"},
        {decoding("\x59\xa6\x6a\x95"s + big_endian_words({2, 2, 8, 0, 2, 0, 0})), "unsupported-coding",
         "cannot open x: its coding is not supported (type 2)"},
        {decoding("\x59\xa6\x6a\x95"s + big_endian_words({2, 2, 8, 0, 1, 2, 5})), "unsupported-colours",
         "cannot open x: its colour table is not supported (type 2, 5 bytes)"},
    });
}

TEST_F(ImageErrors, FilesThatCannotBeReadOrWrittenAreNamedWithTheReason) {
    expect({
        {[this] { read_image(path("absent.png")); }, "cannot-read",
         R"(cannot read "FOLDER/absent.png": No such file or directory)"},
        {[this] { read_image(folder_); }, "is-a-folder", R"(cannot read "FOLDER": it is a folder)"},
        {[] { read_file(""); }, "no-name", R"(cannot read "": a file without a name)"},
        {[] { FileBytes("/dev/null"); }, "not-a-file", R"(cannot read "/dev/null": it is not a file)"},
        {[this] { ImageRows(path("absent.png")); }, "cannot-read",
         R"(cannot read "FOLDER/absent.png": No such file or directory)"},
        {[this] { write_file(folder_, "x"); }, "is-a-folder", R"(cannot write "FOLDER": it is a folder)"},
        {[] { write_file("/dev/full", "x"); }, "cannot-write",
         R"(cannot write "/dev/full": No space left on device)"},
        {[] { write_file("/proc/no/such/x", "x"); }, "no-folder",
         R"(cannot write "/proc/no/such/x": there is no folder "/proc/no/such")"},
        {[this] {
             write_file(path("long"), std::string(3 << 20, 'x'));
             read_file(path("long"), {.most_bytes = 2 << 20, .of_file = "a list"});
         },
         "file-too-large", R"(cannot read "FOLDER/long": it has 3 MiB, and the limit for a list is 2 MiB)"},
        {[] { percent_decoded("%4"); }, "bad-percent-sign",
         "a percent sign is not followed by two hexadecimal digits"},
    });
}

TEST_F(ImageErrors, AProfileThatDoesNotFitIsNamed) {
    LoadedImage image;
    image.pixels = Image({3, 1}, {Depth::u8, 3});
    image.metadata.icc = "no profile";
    expect({{[&] { convert_to_srgb(image); }, "unsupported-profile",
             "its colour profile (a damaged profile) cannot be converted to sRGB; use stored light, or "
             "convert the "
             "image first"}});
}

TEST_F(ImageErrors, AFailureOfTheDiskKeepsItsCodeBehindTheNameOfTheFile) {
    const FileError error("read", "\"a.png\"", "Input/output error");
    EXPECT_STREQ(error.what(), "cannot read \"a.png\": Input/output error");
    EXPECT_EQ(error.code(), "cannot-read");
    EXPECT_EQ(error.name(), "\"a.png\"");
    EXPECT_EQ(error.reason(), "Input/output error");
}

} // namespace
} // namespace kg::testing
