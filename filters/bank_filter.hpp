#pragma once
// A preset for filter banks: its parameters, declared once as those of image filters, and a function that
// designs the weights.

#include "core/image/geometry.hpp"
#include "filters/filter.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg {

/// Filters of one channel, which are meant for every channel by itself.
struct BankDesign {
    std::int64_t filters = 0;
    Extent kernel;
    std::vector<float> weights;       ///< filters x height x width
    std::vector<std::string> names{}; ///< of the filters, by what they respond to: "45 deg, 8 px"
};

struct BankFilter {
    std::string_view id, title, summary;
    std::vector<Parameter> parameters;
    /// Requires complete values within range. Throws Error that names the parameter.
    BankDesign (*build)(const Values&);
};

/// All presets for filter banks, in the order of lists.
std::span<const BankFilter* const> bank_filters();

/// Parses "gabor:orientations=4:wavelength=6" and completes the values. Throws Error as parse_preset() does.
std::pair<const BankFilter*, Values> parse_bank_filter(std::string_view text);

} // namespace kg
