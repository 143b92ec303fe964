#pragma once
// Images that are filtered in bands, and as a whole for comparison.

#include "app/process/bands/bands.hpp"
#include "app/process/file/file_request.hpp"
#include "app/process/job.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe_file.hpp"
#include "tests/support/check.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace kg::testing {

namespace fs = std::filesystem;

class Bands : public ::testing::Test {
protected:
    fs::path path(const std::string& name) const { return folder_ / name; }

    static BandsOptions options(const std::string& recipe, const std::string& format,
                                std::shared_ptr<Engine> engine = cpu::make_engine(2)) {
        BandsOptions options;
        options.recipe = parse_recipe(recipe, "here");
        options.choice.engine = std::move(engine);
        options.format = format;
        options.name = "\"out\"";
        return options;
    }

    static std::string whole_path(const fs::path& file, const BandsOptions& options) {
        auto image = read_image(file, options.read);
        const auto request = file_request(image, options.recipe, options.format).request;
        const auto outcome = run_job(options.choice, request, image.pixels.view(), options.algorithm);
        return encode_result(outcome.image.view(), image, options.recipe, options.format, options.name,
                             options.write)
            .bytes;
    }

    /// Filters in bands of one row, of some and of all rows. Returns the largest number of bands.
    static std::int64_t expect_same(const fs::path& file, BandsOptions options) {
        const auto expected = whole_path(file, options);
        options.memory = std::size_t{1} << 30;
        std::int64_t most = 0;
        for (const std::int64_t rows : {1, 3, 16, 1000}) {
            options.most_rows = rows;
            StringSink out;
            const auto done = filter_in_bands(file, options, out);
            EXPECT_TRUE(out.take() == expected) << file.filename() << " as " << options.format << ", "
                                                << to_text(options.recipe) << ", " << done.bands << " bands";
            most = std::max(most, done.bands);
        }
        return most;
    }

    static void make_opaque(Image& image) {
        const auto [width, height] = image.size();
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x) image.view().row<std::uint8_t>(y)[4 * x + 3] = 255;
    }
    void write_opaque(const std::string& name) const {
        auto image = random_image({61, 43}, {Depth::u8, 4, 3}, 1);
        make_opaque(image);
        write_image(path(name), std::as_const(image).view());
    }

    const TemporaryFolder temporary_{"bands"};
    const fs::path& folder_ = temporary_.path();
};

/// False if the filtering throws NotByRows.
template <typename Filtering>
bool fits_in_memory(const Filtering& filtering) {
    try {
        filtering();
        return true;
    } catch (const NotByRows&) {
        return false;
    }
}

} // namespace kg::testing
