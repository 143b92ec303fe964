// Winograd's F(2 x 2, 3 x 3): 16 products for four outputs of a channel, where the definition has 36
// (gpu/kernels/banks/winograd_plan.hpp).

#include "gpu/kernels/banks/winograd_plan.hpp"

namespace kg::gpu::banks {

extern const Algorithm kWinograd;
const Algorithm kWinograd = winograd_algorithm<kWinogradF2x2>(
    "winograd", "Winograd F(2 x 2, 3 x 3)", "16 products for four outputs instead of 36; under a tolerance");

} // namespace kg::gpu::banks
