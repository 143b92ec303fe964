#pragma once
// The known filter that a kernel is most like, found from its weights alone.

#include "filters/analysis.hpp"

#include <string>
#include <string_view>

namespace kg {

struct Likeness {
    /// Id of a named filter; "scaling", "shift"; or what holds for the weights: "smoothing", "sharpening",
    /// "differences", "none".
    std::string_view kind = "none";
    std::string name; ///< with the article: "a Gaussian of sigma 1.4"
    /// Between the weights over the divisor and those of the known filter, times a factor that fits best. 0
    /// for kinds without weights of their own.
    double largest_difference = 0;
    double relative = 0; ///< the same relative to the largest weight

    static constexpr double kNear = 0.05;  ///< the largest relative difference of a known filter
    static constexpr double kExact = 1e-6; ///< up to here it is the filter itself, with rounded weights
};

/// Compares with named filters of the same extent, at any scale. `analysis` is that of the same kernel.
Likeness likeness(const Stage& stage, std::size_t index, const Analysis& analysis);

/// "This is a box of 3 x 3." or "Nearly a Gaussian of sigma 1.4 (largest difference 0.003)."
std::string likeness_text(const Likeness& likeness);

} // namespace kg
