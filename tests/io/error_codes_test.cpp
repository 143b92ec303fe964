// Why rows of a file are not read or written one after the other, and other errors about files, by their
// codes.

#include "app/io/row_files.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>

namespace kg::testing {
namespace {

using namespace std::literals;

TEST(ErrorCodes, OfRows) {
    const TemporaryFolder temporary{"codes"};
    const auto& folder = temporary.path();
    const auto image = random_image({12, 9}, {Depth::u8, 3}, 1);
    write_image(folder / "a.webp", image.view());
    EXPECT_EQ(code_of([&] { ImageRows rows(folder / "a.webp"); }), "read-as-a-whole");
    StringSink file;
    EXPECT_EQ(code_of([&] {
                  ImageRowsWriter writer(file, {12, 9}, {Depth::u8, 3}, "webp", "it", {}, SIZE_MAX);
              }),
              "written-as-a-whole");
}

TEST(ErrorCodes, SignalsAndArraysThatAreNoImagesNameTheirWorkspace) {
    for (const auto& [bytes, workspace] : {std::pair("RIFF\x24\0\0\0WAVEfmt "s, "--workspace signal"),
                                           std::pair("\x93NUMPY\x01\0"s, "--workspace bank"),
                                           std::pair("\x10\0\0\0\0\0\0\0{\"x\":{}"s, "--workspace bank")})
        try {
            probe(bytes, "it");
            ADD_FAILURE() << workspace;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), "not-an-image");
            EXPECT_NE(std::string(error.what()).find(workspace), std::string::npos) << error.what();
        }
}

TEST(ErrorCodes, OfAnimatedWebp) {
    const auto bytes = "RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x0b\0\0\x08\0\0"s + "ANIM\0\0\0\0"s;
    EXPECT_EQ(code_of([&] { probe(bytes, "it"); }), "animated-image");
}

} // namespace
} // namespace kg::testing
