// Winograd's F(4 x 4, 3 x 3): 36 products for 16 outputs of a channel, where the definition has 144 and
// F(2 x 2, 3 x 3) 64, at a larger error (gpu/kernels/banks/winograd_plan.hpp).

#include "gpu/kernels/banks/winograd_plan.hpp"

namespace kg::gpu::banks {

extern const Algorithm kWinograd4x4;
const Algorithm kWinograd4x4 = winograd_algorithm<kWinogradF4x4>(
    "winograd_4x4", "Winograd F(4 x 4, 3 x 3)",
    "36 products for 16 outputs instead of 144; under a larger tolerance");

} // namespace kg::gpu::banks
