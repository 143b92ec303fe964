// Images of other programs, decoded like those programs decode them; and our files, read by other programs.
// Needs Pillow, OpenCV for Python and ImageMagick (tests/io/images.py); skips with a message without them.

#include "app/io/image_file.hpp"
#include "tests/support/check.hpp"
#include "tests/support/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <sys/wait.h>

namespace kg::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class OtherPrograms : public ::testing::Test {
protected:
    /// Runs images.py with Debian's python, where the packages are. Null if something is missing.
    json images(const std::string& arguments) const {
        const auto script = std::string(KG_SOURCE_DIR) + "/tests/io/images.py";
        const auto out = folder_ / "list.json", err = folder_ / "err.txt";
        const int status = std::system(("/usr/bin/python3 '" + script + "' " + arguments + " >'" +
                                        out.string() + "' 2>'" + err.string() + "'")
                                           .c_str());
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return json::parse(read_file(out));
        if (!fs::exists("/usr/bin/python3") || read_file(out).starts_with("missing") ||
            read_file(err).find("'convert'") != std::string::npos)
            return nullptr;
        ADD_FAILURE() << read_file(err);
        return nullptr;
    }
    std::string quoted_folder() const { return "'" + folder_.string() + "'"; }

    /// The samples that the other program decoded, as an image.
    Image truth(const json& entry) const {
        const auto dtype = entry.at("dtype").get<std::string>();
        const auto depth = dtype == "uint8" ? Depth::u8 : dtype == "uint16" ? Depth::u16 : Depth::f32;
        const int channels = entry.at("channels");
        Image image({entry.at("width"), entry.at("height")},
                    {depth, channels, entry.at("alpha").get<bool>() ? channels - 1 : -1});
        const auto raw = read_file(folder_ / entry.at("raw").get<std::string>());
        const auto row = static_cast<std::size_t>(image.size().width) * bytes_per_pixel(image.format());
        EXPECT_EQ(raw.size(), row * static_cast<std::size_t>(image.size().height)) << entry;
        for (std::int64_t y = 0; y < image.size().height; ++y)
            std::memcpy(image.view().row<char>(y), raw.data() + static_cast<std::size_t>(y) * row, row);
        return image;
    }

    const TemporaryFolder temporary_{"oracle"};
    const fs::path& folder_ = temporary_.path();
};

TEST_F(OtherPrograms, TheirImagesDecodeToTheSameSamples) {
    const auto entries = images("make " + quoted_folder());
    if (entries.is_null()) GTEST_SKIP() << "NO ORACLE: install python3-pil, python3-opencv and imagemagick";
    EXPECT_GT(entries.size(), 80u);
    for (const auto& entry : entries) {
        const auto file = entry.at("file").get<std::string>();
        SCOPED_TRACE(file);
        const auto expected = truth(entry);
        const auto image = read_image(folder_ / file);
        EXPECT_EQ(image.pixels.size(), expected.size());
        EXPECT_EQ(image.pixels.format().channels, expected.format().channels);
        EXPECT_EQ(image.pixels.format().depth, expected.format().depth);
        EXPECT_EQ(image.pixels.format().alpha, expected.format().alpha);
        EXPECT_LE(largest_difference(image.pixels.view(), expected.view()),
                  entry.at("tolerance").get<double>());
        EXPECT_EQ(image.damage, "");
    }
}

TEST_F(OtherPrograms, OrientationIsAppliedAndReported) {
    const auto entries = images("make " + quoted_folder());
    if (entries.is_null()) GTEST_SKIP() << "NO ORACLE: install python3-pil, python3-opencv and imagemagick";
    for (int orientation = 1; orientation <= 8; ++orientation)
        for (const auto* extension : {".jpg", ".png", ".webp", ".tif"}) {
            const auto path = folder_ / ("oriented" + std::to_string(orientation) + extension);
            EXPECT_EQ(read_image(path).orientation, orientation) << path;
            EXPECT_EQ(probe(path).size, (orientation >= 5 ? Extent{32, 50} : Extent{50, 32})) << path;
        }
}

TEST_F(OtherPrograms, ReadOurImagesAsWeMeantThem) {
    std::string files;
    std::vector<Image> written;
    std::vector<std::string> names;
    for (const auto* extension : {"png", "tif", "bmp", "webp", "ppm", "pgm", "pam", "pfm", "exr"})
        for (const auto depth : {Depth::u8, Depth::u16, Depth::f32})
            for (const int channels : {1, 2, 3, 4}) {
                const bool alpha = channels % 2 == 0;
                const std::string kind(extension);
                if (storable(extension, depth).depth != depth || (alpha && !storable(extension, depth).alpha))
                    continue;
                if ((kind == "pgm") != (channels == 1) && (kind == "pgm" || kind == "ppm")) continue;
                // Grey with alpha and premultiplied EXR are interpreted differently by these programs.
                if ((channels == 2 && (kind != "png" || depth != Depth::u8)) || (kind == "exr" && alpha))
                    continue;
                if (kind == "webp" && channels == 4) continue; // colour where alpha is 0
                const PixelFormat format{depth, channels, alpha ? channels - 1 : -1};
                auto image = random_image({31, 17}, format, 3);
                const auto file = kind + std::string(name(depth)) + std::to_string(channels) + "." +
                                  extension;
                write_image(folder_ / file, image.view());
                names.push_back(file);
                files += " " + file;
                written.push_back(std::move(image));
            }
    const auto entries = images("read " + quoted_folder() + files);
    if (entries.is_null()) GTEST_SKIP() << "NO ORACLE: install python3-pil, python3-opencv and imagemagick";
    ASSERT_EQ(entries.size(), written.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
        const auto theirs = truth(entries.at(i));
        if (theirs.format().channels == 3 && written[i].format().channels == 1)
            continue; // WebP has no grey format
        EXPECT_EQ(largest_difference(theirs.view(), written[i].view()), 0) << names[i];
    }
}

} // namespace
} // namespace kg::testing
