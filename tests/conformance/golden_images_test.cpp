// Whole images filtered by other projects, through the codecs and every algorithm of every engine.

#include "app/io/image_file.hpp"
#include "filters/recipe.hpp"
#include "tests/conformance/conformance_data.hpp"
#include "tests/support/algorithms.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

namespace kg::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Compares colour only: some images were saved with an alpha that the original filter did not change.
void expect_like(const json& item, const ConstImageView& got, const ConstImageView& want) {
    const auto& crop = item.at("crop"); // [y, x, height, width]
    const Rect area = crop.is_null() ? whole(want.size)
                                     : Rect{crop.at(1).get<std::int64_t>(), crop.at(0).get<std::int64_t>(),
                                            crop.at(3).get<std::int64_t>(), crop.at(2).get<std::int64_t>()};
    const int channels = item.at("channels").get<int>();
    double largest = 0;
    std::int64_t differing = 0;
    for (auto y = area.y; y < area.bottom(); ++y)
        for (auto x = area.x; x < area.right(); ++x)
            for (int c = 0; c < channels; ++c) {
                const double difference = std::fabs(sample(got, x, y, c) - sample(want, x, y, c));
                largest = std::max(largest, difference);
                differing += difference != 0;
            }
    EXPECT_LE(largest, item.at("max_abs").get<double>());
    const double share = static_cast<double>(differing) /
                         static_cast<double>(area.width * area.height * channels);
    if (item.contains("max_fraction_differing")) {
        EXPECT_LE(share, item.at("max_fraction_differing").get<double>());
    }
}

/// The named filter of a case, if the case names one.
Step step_of(const json& named) {
    Step step{named.at("filter").get<std::string>(), {}, {}, true};
    for (const auto& [id, value] : named.items())
        if (id != "filter") step.values[id] = value.dump();
    return step;
}

TEST(GoldenImages, ImagesFilteredByOtherProjects) {
    const auto folder = conformance_folder() / "golden";
    if (!fs::is_directory(folder)) GTEST_SKIP() << kNoConformanceData;
    std::ifstream file(folder / "images.json");
    int named = 0;
    const auto items = json::parse(file).at("items");
    for (const auto& item : items) {
        const auto image = read_image(folder / "images" / item.at("input").get<std::string>()).pixels;
        const auto want = read_image(folder / "images" / item.at("expected").get<std::string>()).pixels;
        ImageRequest request{image.size(), image.format(), image.format(), {Stage{{golden_kernel(item)}}}};
        request.border = parse_border(item.at("border").get<std::string>());
        request.alpha = AlphaMode::keep;
        SCOPED_TRACE(item.at("id").get<std::string>());
        for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
            expect_like(item, run(engine, request, image.view(), algorithm.id).view(), want.view());
        });
        if (item.contains("named")) { // the generator of the named filter gives the same stage
            SCOPED_TRACE("by name");
            request.stages = {stage_of(step_of(item.at("named")))};
            expect_like(item, run(*engines().front(), request, image.view()).view(), want.view());
            ++named;
        }
    }
    EXPECT_GE(items.size(), 6u);
    EXPECT_GE(named, 3);
}

} // namespace
} // namespace kg::testing
