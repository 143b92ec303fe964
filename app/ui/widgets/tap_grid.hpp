#pragma once
// The taps behind a pixel, as a grid in the kernel's order or, for large kernels, as a list of the strongest.

#include "app/editor/pixel/pixel_terms.hpp"

#include <imgui.h>

#include <optional>
#include <string>

namespace kg::ui {

enum class TapValue { weight, sample, product };

/// The largest width and height of a kernel that is drawn as a grid.
inline constexpr int kLargestTapGrid = 7;
/// Rows of the list.
inline constexpr std::size_t kListedTaps = 7;

/// One cell a tap, with this value of it. Taps that lie outside the image are hatched and name the pixel that
/// the border reads; the first `added` ones are framed. `weighted` as in PixelTerms. Tests find a cell by
/// "tap ROW,COLUMN". Returns the index of a tap that was clicked.
std::optional<std::size_t> tap_grid(const KernelTerms& kernel, TapValue value,
                                    std::optional<std::size_t> added, bool weighted);

/// The taps with the largest products, one line each: coordinate, weight, sample, product. Its height is
/// fixed. Tests find a line by "strongest RANK". Returns as tap_grid().
std::optional<std::size_t> tap_list(const KernelTerms& kernel, std::optional<std::size_t> added,
                                    bool weighted);

/// What a tap reads: a sample, or where it is `weighted` a sample times alpha.
const char* sample_title(bool weighted);

/// Parallel lines over a rectangle: outside the image.
void draw_hatching(ImVec2 low, ImVec2 high, ImU32 ink);

} // namespace kg::ui
