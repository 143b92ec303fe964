#pragma once
// Expands the axes of a benchmark into cases.

#include "filters/recipe.hpp"
#include "measure/bench.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// The id of a sweep's random weights (dense_stage()), beside those of filters.
inline constexpr std::string_view kDense = "dense";

/// Channels of noise images; `alpha`: the last of them is alpha, and colour is weighted by it.
struct ChannelLayout {
    int count = 4;
    bool alpha = false;
    bool operator==(const ChannelLayout&) const = default;
};

/// The axes. Every combination is a case.
struct Sweep {
    std::vector<Extent> sizes{{1920, 1080}};
    std::vector<Extent> kernel_sizes{{3, 3}, {5, 5}, {7, 7}, {9, 9}, {11, 11}, {15, 15}, {21, 21}, {31, 31}};
    std::vector<Depth> depths{Depth::u8};
    std::vector<ChannelLayout> channels{{4}};
    std::vector<Border> borders{Border::reflect101};
    std::vector<double> tolerances{}; ///< empty = the recipe's
    /// `dense`: random weights that no shortcut fits, of every kernel size; else ids of filters: of every
    /// kernel size if they have a size, else once.
    std::vector<std::string> filters{std::string(kDense)};
    Recipe recipe{}; ///< replaces filters and kernel sizes if it has steps; its settings always apply
};

/// Duplicates are removed. Kernel sizes vary fastest, so that a chart's points stand together. Throws Error
/// for an invalid combination, such as a kernel of 2 for a filter that needs odd sizes.
std::vector<measure::BenchCase> cases_of(const Sweep& sweep);

/// The recipe on one image, with each border and each tolerance (empty = the recipe's).
std::vector<measure::BenchCase> cases_of(const Recipe& recipe, std::span<const Border> borders,
                                         std::span<const double> tolerances,
                                         const std::shared_ptr<const Image>& image);

std::string extent_text(Extent size); ///< "1920x1080"

/// The step's filter has a parameter for its kernel size, which a sweep varies.
bool has_kernel_size(const Step& step);

/// Weights without structure: not symmetric, of full rank, none 0. They sum to 1, so that nothing is clipped.
/// Different for each seed.
Stage dense_stage(Extent size, unsigned seed = 0);

/// Comma-separated lists: "3,5,7", "3x5", "3-31" (the usual sizes between), "1920x1080,4096x4096",
/// "hd,fhd,4k".
std::vector<Extent> parse_sizes(std::string_view list);
std::vector<Extent> parse_kernel_sizes(std::string_view list);
/// "3,4,4a": 4a are three colours and alpha.
std::vector<ChannelLayout> parse_channel_layouts(std::string_view list);
std::vector<std::string> parse_filters(std::string_view list);

} // namespace kg
