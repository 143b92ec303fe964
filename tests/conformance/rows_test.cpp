// Pictures of other projects, good and hostile, a few rows at a time: the same pixels, metadata and verdicts as of the whole.
// Data: ../shared/conformance beside the checkout, or $KERNELGLASS_CONFORMANCE; skipped loudly where it is absent.

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
    std::optional<Picture> picture; ///< none: an Error
    std::string damage;
};

Read whole_of(const fs::path& file) {
    try {
        Read read{read_picture(file), {}};
        const auto damage = std::ranges::find_if(read.picture->notes, is_damage_note);
        if (damage != read.picture->notes.end()) {
            read.damage = *damage;
            read.picture->notes.erase(damage);
        }
        return read;
    } catch (const Error&) {
        return {};
    }
}

/// Throws NotByRows.
Read rows_of(const fs::path& file, std::int64_t at_once) {
    try {
        PictureRows rows(file);
        Image image(rows.size(), rows.pixels());
        for (std::int64_t y = 0; y < rows.size().height; y += at_once)
            rows.read(image.view().crop(intersect(whole(rows.size()), {0, y, rows.size().width, at_once})));
        return {rows.picture(std::move(image)), rows.damage_note()};
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
            ASSERT_EQ(rows.picture.has_value(), all.picture.has_value());
            if (!all.picture) continue;
            ++read[all.picture->format];
            EXPECT_TRUE(same_pixels(rows.picture->image.view(), all.picture->image.view()));
            EXPECT_EQ(rows.picture->image.format(), all.picture->image.format());
            EXPECT_TRUE(rows.picture->metadata == all.picture->metadata);
            EXPECT_EQ(rows.picture->notes, all.picture->notes);
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
