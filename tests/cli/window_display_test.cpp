// The whole program shows the same pixels whichever way they take to the screen. Needs an NVIDIA GPU that computes and
// draws; skipped, and loudly, elsewhere.

#include "app/process/sample_picture.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

namespace kg::testing {
namespace {

using WindowDisplay = Program;

/// Of a window of 1280x800, what is between its bars and columns.
constexpr Rect kPicture{288, 76, 704, 700};

TEST_F(WindowDisplay, ByInteropItShowsTheSamePixelsAsByHostUpload) {
    write_picture(path("rgba.png"), sample_picture().view());
    write_picture(path("rgb.png"), random_picture({641, 433}, {Depth::u8, 3}, 1).view());
    write_picture(path("grey.png"), random_picture({300, 200}, {Depth::u16, 1}, 2).view());
    for (const std::string picture : {"rgba.png", "rgb.png", "grey.png"}) {
        const auto line = "$K " + picture +
                          " -f gaussian:sigma=2 -f sobel --headless --engine cuda --json --display ";
        const auto exit_code = shell(line + "interop --screenshot interop.png");
        if (exit_code == 3) GTEST_SKIP() << "NO INTEROP HERE, IT WAS NOT TESTED: " << err_;
        ASSERT_EQ(exit_code, 0) << err_;
        EXPECT_EQ(nlohmann::json::parse(out_).at("engine"), "cuda");
        ASSERT_EQ(shell(line + "host --screenshot host.png"), 0) << err_;
        const auto interop = read_picture(path("interop.png")), host = read_picture(path("host.png"));
        EXPECT_TRUE(same_pixels(interop.image.view().crop(kPicture), host.image.view().crop(kPicture)))
            << picture;
    }
}

} // namespace
} // namespace kg::testing
