// Pictures that other programs wrote, decoded as those programs decode them; and our files, as other programs read them.
// Needs Pillow, OpenCV for Python and ImageMagick (tests/io/pictures.py); skips loudly without them.

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
    /// Runs pictures.py with Debian's python, where the packages are. Null if something is missing.
    json pictures(const std::string& arguments) const {
        const auto script = std::string(KG_SOURCE_DIR) + "/tests/io/pictures.py";
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

    /// The samples that the other program saw, as a picture.
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

TEST_F(OtherPrograms, TheirPicturesShowWhatTheySay) {
    const auto entries = pictures("make " + quoted_folder());
    if (entries.is_null()) GTEST_SKIP() << "NO ORACLE: install python3-pil, python3-opencv and imagemagick";
    EXPECT_GT(entries.size(), 80u);
    for (const auto& entry : entries) {
        const auto file = entry.at("file").get<std::string>();
        SCOPED_TRACE(file);
        const auto expected = truth(entry);
        const auto picture = read_picture(folder_ / file);
        EXPECT_EQ(picture.image.size(), expected.size());
        EXPECT_EQ(picture.image.format().channels, expected.format().channels);
        EXPECT_EQ(picture.image.format().depth, expected.format().depth);
        EXPECT_EQ(picture.image.format().alpha, expected.format().alpha);
        EXPECT_LE(largest_difference(picture.image.view(), expected.view()),
                  entry.at("tolerance").get<double>());
        for (const auto& note : picture.notes) EXPECT_FALSE(is_damage_note(note)) << note;
    }
}

TEST_F(OtherPrograms, OrientationIsAppliedAndReported) {
    const auto entries = pictures("make " + quoted_folder());
    if (entries.is_null()) GTEST_SKIP() << "NO ORACLE: install python3-pil, python3-opencv and imagemagick";
    for (int orientation = 1; orientation <= 8; ++orientation)
        for (const auto* ending : {".jpg", ".png", ".webp", ".tif"}) {
            const auto path = folder_ / ("oriented" + std::to_string(orientation) + ending);
            EXPECT_EQ(read_picture(path).orientation, orientation) << path;
            EXPECT_EQ(probe(path).size, (orientation >= 5 ? Extent{32, 50} : Extent{50, 32})) << path;
        }
}

TEST_F(OtherPrograms, ReadOurPicturesAsWeMeantThem) {
    std::string files;
    std::vector<Image> written;
    std::vector<std::string> names;
    for (const auto* ending : {"png", "tif", "bmp", "webp", "ppm", "pgm", "pam", "pfm", "exr"})
        for (const auto depth : {Depth::u8, Depth::u16, Depth::f32})
            for (const int channels : {1, 2, 3, 4}) {
                const bool alpha = channels % 2 == 0;
                const std::string kind(ending);
                if (storable(ending, depth).depth != depth || (alpha && !storable(ending, depth).alpha))
                    continue;
                if ((kind == "pgm") != (channels == 1) && (kind == "pgm" || kind == "ppm")) continue;
                // What these programs make of grey with alpha is their own affair, and so is premultiplied EXR.
                if ((channels == 2 && (kind != "png" || depth != Depth::u8)) || (kind == "exr" && alpha))
                    continue;
                if (kind == "webp" && channels == 4) continue; // colour where alpha is 0
                const PixelFormat format{depth, channels, alpha ? channels - 1 : -1};
                auto picture = random_picture({31, 17}, format, 3);
                const auto file = kind + std::string(name(depth)) + std::to_string(channels) + "." + ending;
                write_picture(folder_ / file, picture.view());
                names.push_back(file);
                files += " " + file;
                written.push_back(std::move(picture));
            }
    const auto entries = pictures("read " + quoted_folder() + files);
    if (entries.is_null()) GTEST_SKIP() << "NO ORACLE: install python3-pil, python3-opencv and imagemagick";
    ASSERT_EQ(entries.size(), written.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
        const auto theirs = truth(entries.at(i));
        if (theirs.format().channels == 3 && written[i].format().channels == 1)
            continue; // WebP knows no grey
        EXPECT_EQ(largest_difference(theirs.view(), written[i].view()), 0) << names[i];
    }
}

} // namespace
} // namespace kg::testing
