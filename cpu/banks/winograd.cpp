// Winograd's F(2 x 2, 3 x 3): 16 products for four outputs of a channel, where the definition has 36
// (cpu/runtime/winograd_plan.hpp).

#include "cpu/runtime/winograd_plan.hpp"

namespace kg::cpu::banks {

namespace {

// Two roundings transform a tile, four its sums, and one the weights; one is of a chain more than
// channels / 64, and one of the bias.
constexpr WinogradMethod kMethod{.side = 2,
                                 .weights = {{{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}}},
                                 .input_sums = {2, 2, 2, 2},
                                 .output = {{{1, 1, 1, 0}, {0, 1, 1, 1}}},
                                 .roundings = 9,
                                 .tiles_per_us = 100};

} // namespace

extern const Algorithm kWinograd;
const Algorithm kWinograd = winograd_algorithm<kMethod>(
    "winograd", "Winograd F(2 x 2, 3 x 3)", "16 products for four outputs instead of 36; under a tolerance");

} // namespace kg::cpu::banks
