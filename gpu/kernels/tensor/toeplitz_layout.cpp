#include "gpu/kernels/tensor/toeplitz_layout.hpp"

#include <algorithm>

namespace kg::gpu {

void lay_out(const DigitWeights& weights, int width, int height, int lead, int sets, ToeplitzTaps& taps) {
    const int row_bytes = kTapsOfSet * sets;
    auto* to = taps.bytes;
    std::fill_n(to, height * weights.digits * row_bytes, std::int8_t{0});
    const auto* number = weights.numbers.data();
    for (int i = 0; i < height; ++i, to += weights.digits * row_bytes)
        for (int j = 0; j < width; ++j, ++number)
            for (int d = 0; d < weights.digits; ++d) to[d * row_bytes + lead + j] = digit(*number, d);
}

} // namespace kg::gpu
