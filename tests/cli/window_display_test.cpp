// The program shows the same pixels with every presentation path. Needs an NVIDIA GPU that computes and
// draws; skipped elsewhere, with a message.

#include "app/process/image/sample_image.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

namespace kg::testing {
namespace {

using WindowDisplay = Program;

/// The rectangle of a window of 1280x800 between its bars and columns.
constexpr Rect kImage{288, 76, 704, 700};

TEST_F(WindowDisplay, ByInteropItShowsTheSamePixelsAsByHostUpload) {
    write_image(path("rgba.png"), sample_image().view());
    write_image(path("rgb.png"), random_image({641, 433}, {Depth::u8, 3}, 1).view());
    write_image(path("grey.png"), random_image({300, 200}, {Depth::u16, 1}, 2).view());
    for (const std::string image : {"rgba.png", "rgb.png", "grey.png"}) {
        const auto line = "$K " + image +
                          " -f gaussian:sigma=2 -f sobel --headless --engine cuda --json --display ";
        const auto exit_code = shell(line + "interop --screenshot interop.png");
        if (exit_code == 3) GTEST_SKIP() << "NO INTEROP HERE, IT WAS NOT TESTED: " << err_;
        ASSERT_EQ(exit_code, 0) << err_;
        EXPECT_EQ(nlohmann::json::parse(out_).at("engine"), "cuda");
        ASSERT_EQ(shell(line + "host --screenshot host.png"), 0) << err_;
        const auto interop = read_image(path("interop.png")), host = read_image(path("host.png"));
        EXPECT_TRUE(same_pixels(interop.pixels.view().crop(kImage), host.pixels.view().crop(kImage)))
            << image;
    }
}

} // namespace
} // namespace kg::testing
