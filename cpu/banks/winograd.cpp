// Winograd's F(2 x 2, 3 x 3): 16 products for four outputs of a channel, where the definition has 36
// (cpu/runtime/winograd_plan.hpp).

#include "cpu/runtime/winograd_plan.hpp"

namespace kg::cpu::banks {

extern const Algorithm kWinograd;
const Algorithm kWinograd = winograd_algorithm<kWinogradF2x2, 100>(
    "winograd", "Winograd F(2 x 2, 3 x 3)", "16 products for four outputs instead of 36; under a tolerance");

} // namespace kg::cpu::banks
