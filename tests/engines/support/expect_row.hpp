#pragma once
// Rows of a few pixels, computed by hand, through every algorithm of every engine.

#include "core/request/request.hpp"

#include <limits>
#include <vector>

namespace kg::testing {

inline constexpr PixelFormat kGrey8{Depth::u8, 1}, kGrey16{Depth::u16, 1}, kFloat{Depth::f32, 1},
    kHalf{Depth::f16, 1}, kRgba8{Depth::u8, 4, 3}, kRgbaFloat{Depth::f32, 4, 3};
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(),
                        kInf = std::numeric_limits<double>::infinity();

/// A kernel of one row.
Stage stage_of(int width, std::vector<float> weights, float divisor = 1, float offset = 0);

/// A request whose result has the format of the input.
ImageRequest row_request(const PixelFormat& format, std::vector<Stage> stages, Border border = Border::zero);

/// Integers must be exact, floats accurate to 1e-6. Samples are interleaved, in units of their format.
void expect_row(ImageRequest request, const std::vector<double>& samples, const std::vector<double>& want);

} // namespace kg::testing
