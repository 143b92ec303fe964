// Valid and hostile images of other projects, read a few rows at a time: the same pixels, metadata and errors
// as for the whole. Data: ../shared/conformance beside the checkout, or $KERNELGLASS_CONFORMANCE; reported as
// skipped if absent.

#include "app/io/row_files.hpp"
#include "tests/conformance/conformance_data.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace kg::testing {
namespace {

namespace fs = std::filesystem;

struct Read {
    std::optional<LoadedImage> image; ///< none: an Error was thrown
    std::string damage;
};

Read whole_of(const fs::path& file) {
    try {
        Read read{read_image(file), {}};
        read.damage = std::exchange(read.image->damage, "");
        return read;
    } catch (const Error&) {
        return {};
    }
}

/// Throws NotByRows.
Read rows_of(const fs::path& file, std::int64_t at_once) {
    try {
        ImageRows rows(file);
        Image image(rows.size(), rows.pixels());
        for (std::int64_t y = 0; y < rows.size().height; y += at_once)
            rows.read(image.view().crop(intersect(whole(rows.size()), {0, y, rows.size().width, at_once})));
        return {rows.image(std::move(image)), rows.damage_note()};
    } catch (const NotByRows&) {
        throw;
    } catch (const Error&) {
        return {};
    }
}

TEST(ConformanceRows, AreTheRowsOfTheWhole) {
    const auto folder = conformance_folder() / "images";
    if (!fs::exists(folder)) GTEST_SKIP() << kNoConformanceData;
    std::map<std::string, int> read, refused;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        SCOPED_TRACE(entry.path().string());
        try {
            const auto rows = rows_of(entry.path(), 3);
            const auto all = whole_of(entry.path());
            ASSERT_EQ(rows.image.has_value(), all.image.has_value());
            if (!all.image) continue;
            ++read[all.image->format];
            EXPECT_TRUE(same_pixels(rows.image->pixels.view(), all.image->pixels.view()));
            EXPECT_EQ(rows.image->pixels.format(), all.image->pixels.format());
            EXPECT_TRUE(rows.image->metadata == all.image->metadata);
            EXPECT_EQ(rows.image->notes, all.image->notes);
            EXPECT_EQ(rows.damage.empty(), all.damage.empty()) << rows.damage << " / " << all.damage;
        } catch (const NotByRows& reason) {
            ++refused[reason.what()];
        }
    }
    for (const auto& [format, count] : read) RecordProperty("read_" + format, count);
    for (const auto* format : {"png", "jpeg", "tiff", "pnm"}) EXPECT_GT(read[format], 0) << format;
    for (const auto& [reason, count] : refused) std::printf("%d refused: %s\n", count, reason.c_str());
}

} // namespace
} // namespace kg::testing
