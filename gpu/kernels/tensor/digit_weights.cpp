#include "gpu/kernels/tensor/digit_weights.hpp"

#include "core/support/last_answer.hpp"

#include <utility>

namespace kg::gpu {

namespace {

std::optional<DigitWeights> fewest_digits(const Kernel& kernel, Depth in) {
    std::int32_t largest = 0;
    for (int digits = 1; digits <= kMostDigits; ++digits) {
        largest = largest * 256 + 127; // every digit is 127
        if (auto found = integer_weights_within(kernel, largest, in))
            return DigitWeights{std::move(*found), digits};
    }
    return std::nullopt;
}

} // namespace

const std::optional<DigitWeights>& digit_weights(const Kernel& kernel, Depth in) {
    thread_local LastAnswer<Kernel, std::optional<DigitWeights>> last[2];
    return last[in == Depth::u16].to(kernel, [&] { return fewest_digits(kernel, in); });
}

const std::optional<DigitWeights>& finest_digit_weights(const Kernel& kernel) {
    thread_local LastAnswer<Kernel, std::optional<DigitWeights>> last;
    return last.to(kernel, [&]() -> std::optional<DigitWeights> {
        constexpr std::int32_t kLargest = 0x7f7f7f; // every digit is 127
        auto found = finest_integer_weights(kernel, kLargest);
        if (!found) return std::nullopt;
        return DigitWeights{std::move(*found), kMostDigits};
    });
}

} // namespace kg::gpu
