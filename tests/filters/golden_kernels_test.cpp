// Weight tables and normalisation rules of other projects (conformance/golden/kernels.json). Each entry is
// either reproduced here, with the translation between the conventions, or listed as different.

#include "filters/analysis.hpp"
#include "filters/json_text.hpp"
#include "filters/recipe.hpp"
#include "tests/conformance/conformance_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

namespace kg {
namespace {

using Numbers = std::vector<double>;

/// All numbers of a list, including nested lists.
Numbers numbers(const JsonValue& value) {
    if (!value.is(JsonValue::Kind::array)) return {parse_number(value.number(), "a weight")};
    Numbers all;
    for (const auto& item : value.items())
        for (const double number : numbers(item)) all.push_back(number);
    return all;
}

/// Weights over the divisor.
Numbers weights(const std::string& step) {
    const auto kernel = stage_of(parse_step(step)).kernels.front();
    Numbers all;
    for (const float weight : kernel.weights)
        all.push_back(static_cast<double>(weight) / static_cast<double>(kernel.divisor));
    return all;
}

/// The effect of a square filter along one axis: the sums of its columns.
Numbers along_x(const std::string& step) {
    const auto all = weights(step);
    const auto width = static_cast<std::size_t>(stage_of(parse_step(step)).kernels.front().width);
    Numbers sums(width);
    for (std::size_t i = 0; i < all.size(); ++i) sums[i % width] += all[i];
    return sums;
}

Numbers product(const Numbers& column, const Numbers& row) {
    Numbers all;
    for (const double c : column)
        for (const double r : row) all.push_back(c * r);
    return all;
}

/// Divided by auto_divisor().
Numbers normalised(const Numbers& input) {
    auto kernel = make_kernel(3, 3, {input.begin(), input.end()});
    const auto divisor = static_cast<double>(auto_divisor(kernel));
    Numbers all;
    for (const double value : input) all.push_back(value / divisor);
    return all;
}

Numbers scaled(Numbers all, double factor) {
    for (double& value : all) value *= factor;
    return all;
}

/// The equivalent of each entry in our filters. "auto: 0.25*n" is a sigma of a quarter of the size.
const std::map<std::string, std::function<Numbers(const JsonValue&)>> kClaims{
    {"arrayfire-gauss1_7", [](auto&) { return along_x("gaussian:sigma=1.75:size=7"); }},
    {"arrayfire-gauss1_15", [](auto&) { return along_x("gaussian:sigma=3.75:size=15"); }},
    {"arrayfire-gauss1_7_sigma1", [](auto&) { return along_x("gaussian:sigma=1:size=7"); }},
    {"arrayfire-gauss2_7x7", [](auto&) { return weights("gaussian:sigma=1.75:size=7"); }},
    {"arrayfire-gauss2_15x7",
     [](auto&) {
         return product(along_x("gaussian:sigma=1.75:size=7"), along_x("gaussian:sigma=3.75:size=15"));
     }},
    {"arrayfire-gauss2_7x7_sigma1", [](auto&) { return weights("gaussian:sigma=1:size=7"); }},
    {"opencv-gauss-sigma0-1", [](auto&) { return along_x("gaussian:size=1:sigma=1"); }},
    {"opencv-gauss-sigma0-3", [](auto&) { return along_x("binomial:size=3"); }},
    {"opencv-gauss-sigma0-5", [](auto&) { return along_x("binomial:size=5"); }},
    // By the formula, within its tolerance.
    {"opencv-gauss-sigma0-9", [](auto&) { return along_x("gaussian:size=9"); }},
    {"scipy-gauss-s2-r10-order0", [](auto&) { return along_x("gaussian:sigma=2:size=21"); }},
    {"imageproc-sobel-x", [](auto&) { return weights("sobel:direction=x"); }},
    {"imageproc-scharr-x", [](auto&) { return weights("scharr:direction=x"); }},
    {"imageproc-prewitt-x", [](auto&) { return weights("prewitt:direction=x"); }},
    {"imageproc-laplacian", [](auto&) { return weights("laplacian"); }},
    {"opencv-sobel5", [](auto&) { return weights("sobel:size=5:direction=y"); }},
    {"imaging-normalize-positive", [](auto& entry) { return normalised(numbers(entry.member("input"))); }},
    // The other project divides a negative sum with its sign, which inverts the image; ours divides by its
    // magnitude.
    {"imaging-normalize-negative",
     [](auto& entry) { return scaled(normalised(numbers(entry.member("input"))), -1); }},
    // The other project divides weights that cancel by the sum of the positive ones, 4; ours leaves them
    // unchanged.
    {"imaging-normalize-zero-sum",
     [](auto& entry) { return scaled(normalised(numbers(entry.member("input"))), 1.0 / 4); }},
};

/// A table that matches neither our formula nor Pascal's triangle, and derivatives of Gaussians.
const std::vector<std::string> kNotClaimed{"opencv-gauss-sigma0-7", "scipy-gauss-s2-r10-order1",
                                           "scipy-gauss-s2-r10-order2"};

TEST(GoldenKernels, AreWhatOurFiltersGive) {
    const auto path = testing::conformance_folder() / "golden" / "kernels.json";
    std::ifstream file(path, std::ios::binary);
    if (!file) GTEST_SKIP() << testing::kNoConformanceData;
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const JsonText json(text, "kernels.json");
    std::size_t met = 0;
    for (const auto& entry : json.root().member("kernels").items()) {
        const auto id = entry.member("id").string();
        const auto claim = kClaims.find(id);
        if (claim == kClaims.end()) {
            EXPECT_NE(std::ranges::find(kNotClaimed, id), kNotClaimed.end())
                << id << " is neither claimed nor refused";
            continue;
        }
        ++met;
        const auto expected = id == "opencv-sobel5"
                                  ? product(numbers(entry.member("weights").member("deriv")),
                                            numbers(entry.member("weights").member("smooth")))
                                  : numbers(entry.member("weights"));
        const auto ours = claim->second(entry);
        ASSERT_EQ(ours.size(), expected.size()) << id;
        // Weights are floats.
        const double tolerance = parse_number(entry.member("tolerance").number(), "tolerance") + 1e-7;
        for (std::size_t i = 0; i < ours.size(); ++i)
            EXPECT_NEAR(ours[i], expected[i], tolerance) << id << " " << i;
    }
    EXPECT_EQ(met, kClaims.size());
}

} // namespace
} // namespace kg
