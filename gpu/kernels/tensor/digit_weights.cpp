#include "gpu/kernels/tensor/digit_weights.hpp"

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
    thread_local struct {
        std::optional<Kernel> question;
        Depth in;
        std::optional<DigitWeights> answer;
    } last;
    if (last.question != kernel || last.in != in) {
        last.question.reset(); // the allocation of the answer may fail
        last.answer = fewest_digits(kernel, in);
        last.question = kernel, last.in = in;
    }
    return last.answer;
}

} // namespace kg::gpu
