#pragma once
// The arithmetic behind a pixel as lines of a panel: from the sum to the stored number.

#include "app/editor/pixel/pixel_terms.hpp"

#include <string>
#include <vector>

namespace kg {

struct PixelLine {
    std::string name, value, help;
};

/// What the lines show beside the terms.
struct PixelLineOptions {
    std::size_t kernel = 0;            ///< the kernel whose sum is shown
    std::optional<std::size_t> taps{}; ///< its taps added so far; empty = all
    std::string engine{};              ///< name of what computed `computed`
    std::optional<double> computed{};  ///< stored number of the engine's result; empty = not known
};

/// Sum, divisor, offset and so on, as far as the request has them; after the sum of some taps that of all.
/// Their number depends on the request and on options.taps alone, never on the pixel, so that a panel does
/// not jump under a moving cursor.
std::vector<PixelLine> pixel_lines(const PixelTerms& terms, const PixelLineOptions& options);

/// "137, exact", "138, 1 level above", "0.25, 1 ulp below".
std::string computed_text(double computed, double reference, Depth depth);

} // namespace kg
