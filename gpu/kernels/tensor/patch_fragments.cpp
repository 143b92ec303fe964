#include "gpu/kernels/tensor/patch_fragments.hpp"

#include <algorithm>
#include <array>

namespace kg::gpu {

void make_patch_fragments(const DigitWeights& weights, const Taps& taps, int k, int before,
                          std::span<std::int8_t> fragments) {
    // The largest k, and pixels of a patch before its outputs and of them.
    constexpr int kMost = 9, kMostBefore = 7, kOutputs = 8;
    // One row of the square with zeros on both sides: tap j of an output at column x of a patch is pixel x +
    // j - k / 2 of it.
    constexpr int kPadding = kMostBefore + kOutputs;
    std::array<std::array<std::int8_t, kMost + 2 * kPadding>, kMost> rows;
    std::ranges::fill(fragments, std::int8_t{0});
    const int reach = k / 2, steps = patch_steps(k);
    for (int d = 0; d < weights.digits; ++d) {
        for (auto& row : rows) row.fill(0);
        for (int i = 0; i < taps.height; ++i)
            for (int j = 0; j < taps.width; ++j)
                rows[static_cast<std::size_t>(i - taps.up() + reach)]
                    [static_cast<std::size_t>(j - taps.left() + reach + kPadding)] =
                        digit(weights.numbers[static_cast<std::size_t>(i * taps.width + j)], d);
        for (int s = 0; s < steps; ++s) {
            auto* to = fragments.data() + (s * weights.digits + d) * kFragmentBytes;
            for (int lane = 0; lane < 32; ++lane)
                for (int r = 0; r < 4; ++r, to += 4) { // registers
                    const int m = lane / 4 + r % 2 * 8, n = lane % 4 * 4 + r / 2 * 16;
                    const int row = 2 * s + n / 16 - m % 8 / 4, column = m % 4 * 2 + m / 8;
                    if (row >= 0 && row < k)
                        std::copy_n(rows[static_cast<std::size_t>(row)].data() + kPadding + n % 16 - before -
                                        column + reach,
                                    4, to);
                }
        }
    }
}

} // namespace kg::gpu
