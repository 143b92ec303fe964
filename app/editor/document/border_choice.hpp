#pragma once
// The borders that people choose among, and the colour that a newly chosen `constant` has.

#include "filters/recipe.hpp"

#include <array>

namespace kg {

inline constexpr std::array kBorderChoices{Border::zero,       Border::replicate, Border::reflect,
                                           Border::reflect101, Border::wrap,      Border::constant};

/// Medium grey: unlike the black of `zero`.
inline constexpr BorderColour kFirstBorderColour{0.5f, 0.5f, 0.5f, 1};

/// A colour that is set stays while `constant` stays chosen.
inline void choose_border(Recipe& recipe, Border border) {
    if (border == recipe.border) return;
    recipe.border = border;
    recipe.border_colour = border == Border::constant ? kFirstBorderColour : BorderColour{};
}

} // namespace kg
