#pragma once
// Kernels that a person draws: each is applied to every channel by itself, as those of a preset.

#include "core/request/kernel.hpp"
#include "filters/bank_recipe.hpp"

#include <cstdint>

namespace kg {

/// As many as a person draws by hand, and as many rows and columns as the grid of cells shows.
inline constexpr std::int64_t kMostDrawnKernels = 16, kMostDrawnSize = 11;

/// Those with which drawing begins: the kernels of `request` where they are few, small, and the same for
/// every channel by itself; else Sobel's pair. `request` may be null.
BankWeights kernels_to_draw(const BankRequest* request);

/// The k-th kernel, with its anchor in the middle.
Kernel kernel_of(const BankWeights& bank, std::int64_t k);
/// The weights of `kernel` over its divisor in place of the k-th kernel; they lose and gain rows and columns
/// around the middle where its size is another one.
BankWeights with_kernel(BankWeights bank, std::int64_t k, const Kernel& kernel);
/// So many kernels of this size, within the limits above: new kernels and new weights are 0.
BankWeights resized(const BankWeights& bank, std::int64_t filters, Extent kernel);

} // namespace kg
