// The convolution cases of other projects' tests, through every algorithm of every engine. Reported as
// skipped if the data is absent.

#include "core/support/error.hpp"
#include "tests/conformance/conformance_data.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/error_code.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace kg::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

fs::path golden_folder() { return conformance_folder() / "golden"; }

Depth depth_of(const std::string& word) {
    return word == "u8" ? Depth::u8 : word == "u16" ? Depth::u16 : Depth::f32;
}

Border border_of(const std::string& word) {
    if (word == "symmetric") return Border::reflect; // as NumPy calls it
    for (const auto border : kBorders)
        if (name(border) == word) return border;
    throw std::runtime_error("unknown border " + word);
}

/// The samples of a nested array, row by row; one number per pixel for a single channel.
Image image_of(const json& rows, const PixelFormat& format) {
    Image image({static_cast<std::int64_t>(rows.at(0).size()), static_cast<std::int64_t>(rows.size())},
                format);
    for (std::int64_t y = 0; y < image.size().height; ++y)
        for (std::int64_t x = 0; x < image.size().width; ++x) {
            const auto& pixel = rows.at(static_cast<std::size_t>(y)).at(static_cast<std::size_t>(x));
            for (int c = 0; c < format.channels; ++c)
                store(image.view(), x, y, c,
                      (pixel.is_array() ? pixel.at(static_cast<std::size_t>(c)) : pixel).get<double>());
        }
    return image;
}

struct Run {
    ImageRequest request;
    Image image;
};

/// A box larger than kMaxKernelSize is represented by its generator (semantics 9).
Stage stage_of(const json& item) {
    if (!item.at("kernel").is_null()) return Stage{{golden_kernel(item)}};
    const auto& box = item.at("separable");
    return generated_stage(BoxGenerator{box.at("x_len").get<int>(), box.at("y_len").get<int>()});
}

Run run_of(const json& item, Border border, const std::string& dtypes) {
    const auto arrow = dtypes.find("->");
    const auto in = depth_of(dtypes.substr(0, arrow)), out = depth_of(dtypes.substr(arrow + 2));
    // A fourth channel that is filtered like the others (with offset) is not alpha.
    const bool keeps_alpha = item.at("alpha") == "preserve";
    const int channels = item.at("channels").get<int>(), alpha = channels == 4 && keeps_alpha ? 3 : -1;
    ImageRequest request;
    request.in = {in, channels, alpha};
    request.out = {out, channels, alpha};
    auto image = image_of(item.at("input"), request.in);
    request.size = image.size();
    request.border = border;
    request.alpha = keeps_alpha ? AlphaMode::keep : AlphaMode::straight;
    if (item.at("post") == "abs") request.sign = SignedMode::absolute;
    request.stages = {stage_of(item)};
    request.stages.front().kernels.front().offset = static_cast<float>(item.at("delta").get<double>() /
                                                                       full_scale(in));
    return {std::move(request), std::move(image)};
}

::testing::AssertionResult matches(const json& item, const ImageRequest& request,
                                   const ConstImageView& result) {
    // From integers to floats, full scale becomes 1.0; expected values and tolerance, which are in units
    // of the input, are scaled likewise.
    const double scale = is_integer(request.in.depth) && !is_integer(request.out.depth)
                             ? full_scale(request.in.depth)
                             : 1.0;
    const double tolerance = item.at("tolerance").at("abs").get<double>() / scale;
    const auto& rows = item.at("expected");
    const auto& crop = item.at("crop");
    const std::int64_t y0 = crop.is_null() ? 0 : crop.at(0).get<std::int64_t>(),
                       x0 = crop.is_null() ? 0 : crop.at(1).get<std::int64_t>();
    for (std::size_t y = 0; y < rows.size(); ++y)
        for (std::size_t x = 0; x < rows.at(y).size(); ++x)
            for (int c = 0; c < request.out.channels; ++c) {
                const auto& pixel = rows.at(y).at(x);
                const double want =
                    (pixel.is_array() ? pixel.at(static_cast<std::size_t>(c)) : pixel).get<double>() / scale;
                const double got = sample(result, x0 + static_cast<std::int64_t>(x),
                                          y0 + static_cast<std::int64_t>(y), c);
                // Expected values are printed decimals; f32 cannot represent them more accurately than this.
                const double slack = is_integer(request.out.depth) ? 0.0 : std::fabs(want) * 4e-7 + 1e-9;
                if (!(std::fabs(got - want) <= tolerance + slack))
                    return ::testing::AssertionFailure() << "at x " << x << " y " << y << ": " << got
                                                         << ", should be " << want << " within " << tolerance;
            }
    return ::testing::AssertionSuccess();
}

TEST(Golden, CasesOfOtherProjects) {
    if (!fs::is_directory(golden_folder())) GTEST_SKIP() << kNoConformanceData;
    const auto all = engines();
    Queues queues;
    int runs = 0, core = 0, boxes = 0;
    for (const auto& entry : fs::directory_iterator(golden_folder())) {
        if (entry.path().extension() != ".json") continue;
        std::ifstream file(entry.path());
        const auto document = json::parse(file);
        if (!document.contains("cases")) continue;
        for (const auto& item : document.at("cases")) {
            // An unsupported border.
            if (item.at("border") == "constant" && item.at("run_borders").empty()) continue;
            core += item.at("core").get<bool>();
            std::vector<std::string> borders = item.at("run_borders").get<std::vector<std::string>>();
            if (borders.empty()) borders.push_back(item.at("border").get<std::string>());
            for (const auto& border : borders)
                for (const auto& dtypes : item.at("run_dtypes")) {
                    const auto [request, image] = run_of(item, border_of(border), dtypes.get<std::string>());
                    EXPECT_TRUE(matches(item, request, reference_image(request, image.view()).view()))
                        << item.at("id") << " " << border << " " << dtypes << " by the reference";
                    for_each_algorithm(all, request, [&](Engine& engine, const Algorithm& algorithm) {
                        const auto result = run(engine, queues.of(engine), request, image.view(),
                                                algorithm.id);
                        EXPECT_TRUE(matches(item, request, result.view()))
                            << item.at("id") << " " << border << " " << dtypes;
                        ++runs;
                        boxes += !has_weights(request.stages.front()) && algorithm.id == "box";
                    });
                }
        }
    }
    std::printf("%d core cases, %d runs\n", core, runs);
    RecordProperty("core_cases", core);
    RecordProperty("runs", runs);
    EXPECT_GE(core, 151);
    EXPECT_GE(boxes, 1) << "the box of 1201 x 1201 is a core case too";
}

TEST(Golden, ABoxOf1201IsRefusedAsAListOfWeights) { // the documented limit
    EXPECT_EQ(code_of([&] { make_kernel(1201, 1201, std::vector<float>(std::size_t{1201} * 1201, 1)); }),
              "bad-kernel-size");
    EXPECT_NO_THROW(make_kernel(kMaxKernelSize, 1, std::vector<float>(kMaxKernelSize, 1)));
}

} // namespace
} // namespace kg::testing
