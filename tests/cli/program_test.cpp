// The program on the command line: input and output files, standard output and error, exit codes.

#include "app/io/image_file.hpp"
#include "app/process/image/sample_image.hpp"
#include "core/reference/reference.hpp"
#include "core/support/error.hpp"
#include "filters/recipe.hpp"
#include "tests/support/app/program.hpp"
#include "tests/support/check.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

Image filtered(const Image& image, const std::vector<std::string>& steps,
               Border border = Border::reflect101) {
    Recipe recipe;
    recipe.border = border;
    for (const auto& step : steps) recipe.steps.push_back(parse_step(step));
    return reference_image(request_for(recipe, image.size(), image.format()), image.view());
}

TEST_F(Program, FiltersAnImageAsTheReferenceDoes) {
    const auto small = sample_image({120, 80});
    write_image(path("in.png"), small.view());
    ASSERT_EQ(shell("$K filter in.png out.png -f sharpen -f sobel:direction=x --border replicate --engine "
                    "cpu --json"),
              0)
        << err_;
    EXPECT_TRUE(same_pixels(read_image(path("out.png")).pixels.view(),
                            filtered(small, {"sharpen", "sobel:direction=x"}, Border::replicate).view()));
    EXPECT_NE(nlohmann::json::parse(out_).at("algorithm").get<std::string>().find("direct"),
              std::string::npos)
        << out_;
}

TEST_F(Program, EveryWritableFormatIsReadBack) {
    for (const auto* extension : {"png", "tif", "bmp", "ppm", "webp", "jpg"}) {
        const auto image = random_image({33, 21}, {Depth::u8, 3}, 1);
        const auto file = path(std::string("p.") + extension);
        write_image(file, image.view());
        const auto back = read_image(file);
        EXPECT_EQ(back.pixels.size(), image.size()) << extension;
        if (std::string_view(extension) != "jpg" && std::string_view(extension) != "webp") {
            EXPECT_TRUE(same_pixels(back.pixels.view(), image.view())) << extension;
        }
    }
    for (const auto format :
         {PixelFormat{Depth::u16, 3}, PixelFormat{Depth::u16, 1}, PixelFormat{Depth::u8, 4, 3}}) {
        const auto image = random_image({33, 21}, format, 1);
        write_image(path("p.png"), image.view());
        EXPECT_TRUE(same_pixels(read_image(path("p.png")).pixels.view(), image.view()));
        EXPECT_EQ(read_image(path("p.png")).pixels.format(), format);
    }
    const auto floats = random_image({33, 21}, {Depth::f32, 3}, 1);
    for (const auto* file : {"p.pfm", "p.tif"}) {
        write_image(path(file), floats.view());
        EXPECT_TRUE(same_pixels(read_image(path(file)).pixels.view(), floats.view())) << file;
    }
    const auto grey = random_image({33, 21}, {Depth::u8, 1}, 1);
    write_image(path("grey.ppm"), grey.view()); // a PPM is colour: grey is written three times
    EXPECT_EQ(sample(read_image(path("grey.ppm")).pixels.view(), 5, 7, 2), sample(grey.view(), 5, 7, 0));
}

/// Checks the log of the dynamic loader.
TEST_F(Program, LoadsOpencvsCodecsForTheirFormatsAlone) {
    const auto loads_them = [this](const std::string& command) {
        EXPECT_EQ(shell("rm -f libs.*; LD_DEBUG=libs LD_DEBUG_OUTPUT=libs $K " + command), 0) << err_;
        return shell("grep -q 'find library=libopencv_imgcodecs' libs.*") == 0;
    };
    fs::create_directories(path("in"));
    for (const auto* extension : {"png", "tif", "jpg", "ppm"}) {
        const auto name = std::string("in/a.") + extension;
        write_image(path(name), random_image({33, 21}, {Depth::u8, 3}, 1).view());
        EXPECT_FALSE(loads_them("filter " + name + " out." + extension + " -f box --engine cpu"))
            << extension;
    }
    EXPECT_FALSE(loads_them("batch in out -f box --engine cpu"));
    EXPECT_FALSE(loads_them("--version"));
    EXPECT_TRUE(loads_them("filter in/a.png out.webp -f box --engine cpu"));
    EXPECT_TRUE(loads_them("filter out.webp b.png -f box --engine cpu"));
}

TEST_F(Program, ReportsWhatAFormatCannotStore) {
    write_image(path("in.png"), random_image({20, 20}, {Depth::u16, 3}, 1).view());
    ASSERT_EQ(shell("$K info in.png --json"), 0) << err_;
    const auto of_the_image = nlohmann::json::parse(out_).at("files").at(0).at("notes").size();
    ASSERT_EQ(shell("$K filter in.png out.jpg -f box --json"), 0) << err_;
    EXPECT_EQ(nlohmann::json::parse(out_).at("depth"), "u8");
    EXPECT_EQ(nlohmann::json::parse(out_).at("notes").size(), of_the_image + 1) << out_;
    EXPECT_NE(err_, "");
    EXPECT_EQ(read_image(path("out.jpg")).pixels.format().depth, Depth::u8);
}

TEST_F(Program, NamesTheFileAndTheReason) {
    const auto refused = [this](const std::string& line, const std::string& code, const std::string& name) {
        EXPECT_EQ(shell(line), 2) << line;
        EXPECT_EQ(codes_, std::vector<std::string>{code}) << line << "\n" << err_;
        EXPECT_TRUE(prints("\"" + name + "\"")) << err_;
    };
    refused("$K filter missing.jpg out.png -f box", "cannot-read", "missing.jpg");
    refused("echo no image > text.png; $K filter text.png out.png -f box", "not-an-image", "text.png");
    EXPECT_FALSE(fs::exists(path("out.png")));
    write_image(path("in.png"), sample_image({30, 20}).view());
    refused("$K filter in.png out.xyz -f box", "unknown-format", ".xyz");
    refused("$K filter in.png no/such/folder/out.png -f box", "no-folder", "no/such/folder");
    refused("$K filter in.png in.png -f box", "replaces-input", "in.png");
    refused("ln in.png same.png; $K filter in.png same.png -f box", "replaces-input", "in.png"); // one inode
}

TEST_F(Program, MistakesExitWithTwoAndAHint) {
    EXPECT_EQ(shell("$K filtr"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-command"}) << err_;
    EXPECT_EQ(shell("$K filter --no-such-flag"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-flag"}) << err_;
    EXPECT_EQ(shell("$K filter a.png b.png -f gausian"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-filter"}) << err_;
    EXPECT_EQ(shell("$K list nothing"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-list"}) << err_;
    write_image(path("in.png"), sample_image({30, 20}).view());
    EXPECT_EQ(shell("$K filter in.png out.png -f box --engine gpu"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-engine"}) << err_;
    EXPECT_EQ(shell("$K filter in.png out.png -f box --engine cpu --algorithm fft"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"unknown-algorithm"}) << err_;
}

TEST_F(Program, AMissingGpuIsAReasonAndExitThree) {
    write_image(path("in.png"), sample_image({30, 20}).view());
    const bool has_gpu = shell("$K list engines | grep '^cuda' | grep -vq 'not usable'") == 0;
    if (has_gpu) GTEST_SKIP() << "there is a GPU here; this test needs a machine without one";
    EXPECT_EQ(shell("$K filter in.png out.png -f box --engine cuda"), 3);
    EXPECT_EQ(codes_, std::vector<std::string>{"unusable-engine"}) << err_;
    EXPECT_EQ(shell("$K filter in.png out.png -f box"), 0) << err_;
}

TEST_F(Program, AStepIsOneValueSoAFileMayFollow) {
    write_image(path("photo.png"), sample_image({30, 20}).view());
    EXPECT_EQ(shell("$K filter -f sobel photo.png out.png --engine cpu"), 0) << err_;
}

TEST_F(Program, StepsAndKernelsApplyInTheOrderGiven) {
    const auto small = sample_image({50, 40});
    write_image(path("in.png"), small.view());
    write_file(path("k.txt"), "0 0 1\n0 0 0\n0 0 0\n");
    ASSERT_EQ(shell("$K filter in.png a.png -f sobel --kernel k.txt -f box --engine cpu"), 0) << err_;
    EXPECT_TRUE(
        same_pixels(read_image(path("a.png")).pixels.view(),
                    filtered(small, {"sobel", "custom:size=3x3:weights=0,0,1,0,0,0,0,0,0", "box"}).view()));
}

TEST_F(Program, RunsAlgorithmsOfOtherLibraries) {
    write_image(path("in.png"), random_image({40, 30}, {Depth::u8, 3}, 1).view());
    ASSERT_EQ(shell("$K filter in.png theirs.png -f gaussian:sigma=2 --engine cpu --algorithm "
                    "opencv:GaussianBlur --json"),
              0)
        << err_;
    EXPECT_EQ(nlohmann::json::parse(out_).at("algorithm"), "opencv:GaussianBlur");
    ASSERT_EQ(shell("$K filter in.png ours.png -f gaussian:sigma=2 --engine cpu -q"), 0) << err_;
    EXPECT_EQ(shell("$K compare ours.png theirs.png --tolerance 1/255 -q"), 0) << out_ << err_;
    EXPECT_EQ(shell("$K filter in.png b.png -f box --border wrap --engine cpu --algorithm opencv:blur"), 2);
    EXPECT_EQ(codes_, std::vector<std::string>{"algorithm-refused"}) << err_;
}

TEST_F(Program, ReportsAsJson) {
    write_image(path("in.png"), sample_image({30, 20}).view());
    ASSERT_EQ(shell("$K filter in.png out.png -f box --engine cpu --algorithm direct --json"), 0) << err_;
    const auto document = nlohmann::json::parse(out_);
    EXPECT_EQ(document.at("algorithm"), "convert > direct > convert");
    EXPECT_GT(document.at("microseconds").at("filter").get<double>(), 0);
    ASSERT_EQ(shell("$K explain -f gaussian:sigma=2 --engine cpu --json"), 0) << err_;
    EXPECT_EQ(nlohmann::json::parse(out_).at("kernels").at(0).at("rank"), 1);
    ASSERT_EQ(shell("$K list algorithms --json"), 0);
    EXPECT_GE(nlohmann::json::parse(out_).at("rows").size(), 3u);
}

TEST_F(Program, ExplainBeginsWithTheVerdict) {
    ASSERT_EQ(shell("$K explain -f box:size=7 --engine cpu"), 0) << err_;
    EXPECT_TRUE(out_.starts_with("Separable: rank 1; 14 products instead of 49.")) << out_;
}

TEST_F(Program, AClosedPipeIsSilent) {
    EXPECT_EQ(shell("$K list filters | head -1"), 0);
    EXPECT_TRUE(err_.empty()) << err_;
}

TEST_F(Program, OddNamesAreOrdinaryNames) {
    write_image(path("it's \"a\" $x [1].png"), sample_image({30, 20}).view());
    EXPECT_EQ(shell(R"($K filter "it's \"a\" \$x [1].png" "out \$x.png" -f box --engine cpu)"), 0) << err_;
    EXPECT_TRUE(fs::exists(path("out $x.png")));
}

} // namespace
} // namespace kg::testing
