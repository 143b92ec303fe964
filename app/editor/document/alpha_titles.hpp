#pragma once
// What the window calls the modes of alpha, in the order of AlphaMode: to many, "premultiplied" describes
// a file, not what a filter does.

#include <array>

namespace kg {

inline constexpr std::array<const char*, 3> kAlphaTitles{"Weighted", "Like colour", "Copied"};

} // namespace kg
