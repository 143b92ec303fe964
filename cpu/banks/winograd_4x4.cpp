// Winograd's F(4 x 4, 3 x 3): 36 products for 16 outputs of a channel, where the definition has 144 and
// F(2 x 2, 3 x 3) 64 (cpu/runtime/winograd_plan.hpp). Its transforms multiply by up to 8 along each axis: of
// random weights its error is some fifteen times that of `winograd`, and its bound some fifty times. The
// paper's G has sixths, which are no floats. Three times G has none, and the transform of the sums divides by
// 9, so small whole numbers stay exact.

#include "cpu/runtime/winograd_plan.hpp"

namespace kg::cpu::banks {

namespace {

// Six roundings transform a tile, where no fused multiply-add is, six its sums, two divide them, and one is
// that of the weights; one is of a chain more than channels / 64, and one of the bias.
constexpr WinogradMethod kMethod{
    .side = 4,
    .weights = {{{0.75, 0, 0},
                 {-0.5, -0.5, -0.5},
                 {-0.5, 0.5, -0.5},
                 {0.125, 0.25, 0.5},
                 {0.125, -0.25, 0.5},
                 {0, 0, 3}}},
    .scale = 3,
    .input_sums = {10, 10, 10, 6, 6, 10},
    .output = {{{1, 1, 1, 1, 1, 0}, {0, 1, 1, 2, 2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, 1, 8, 8, 1}}},
    .roundings = 17,
    .tiles_per_us = 40};

} // namespace

extern const Algorithm kWinograd4x4;
const Algorithm kWinograd4x4 = winograd_algorithm<kMethod>(
    "winograd_4x4", "Winograd F(4 x 4, 3 x 3)",
    "36 products for 16 outputs instead of 144; under a larger tolerance");

} // namespace kg::cpu::banks
