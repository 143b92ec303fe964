#include "gpu/kernels/tensor/integer_sums.hpp"

#include "gpu/kernels/tensor/tensor_cores.hpp"

#include <algorithm>
#include <cmath>

namespace kg::gpu {

namespace {

constexpr double kFullByte = 255;
/// Odd divisors up to this: no quotient of an integer lies closer to a half than 1 / (2 * 16384), which is
/// more than the roundings of the reciprocal and of the product with it move it, below 256: 2^-16 + 2^-17.
constexpr double kMostOddDivisor = 16384;

/// The largest magnitude of a sum of bytes.
double largest_sum(const DigitWeights& weights) {
    double positive = 0, negative = 0;
    for (const double n : weights.numbers) (n > 0 ? positive : negative) += std::fabs(n);
    return kFullByte * std::max(positive, negative);
}

/// Sets shift and start if integers alone round well enough.
bool rounds_by_shift(const DigitWeights& weights, double divisor, const SumResult& result,
                     SumFinish& finish) {
    int exponent = 0;
    if (result.out != Depth::u8 || !result.same_offset || std::frexp(divisor, &exponent) != 0.5) return false;
    const int shift = exponent - 1;
    const bool exact = weights.most_off == 0;
    // Halves of exact sums are ties, which this does not round to even.
    if (shift < 0 || shift > 30 || (exact && shift > 0) || (!exact && shift == 0)) return false;
    const double start = std::ldexp(static_cast<double>(result.offset) + (shift > 0 ? 0.5 : 0), shift);
    if (largest_sum(weights) + std::fabs(start) + 1 >= 0x1p31) return false;
    const double off = std::ldexp(std::fabs(start - std::rint(start)), -shift);
    if (off > (exact ? 0 : 0x1p-16)) return false; // less than the roundings of floats, which it replaces
    finish.shift = shift, finish.start = static_cast<int>(std::rint(start));
    return true;
}

bool may_scale(const DigitWeights& weights, double divisor, const SumResult& result) {
    int exponent = 0;
    if (std::fabs(std::frexp(divisor, &exponent)) == 0.5) return true; // exact
    if (result.out != Depth::u8) return false;
    // Rounded weights have an allowance for as many roundings, and need not agree to the byte.
    if (weights.most_off > 0) return true;
    return result.offset == 0 && std::fabs(divisor) <= kMostOddDivisor &&
           std::fabs(std::fmod(divisor, 2)) == 1;
}

} // namespace

SumFinish sum_finish(const DigitWeights& weights, float divisor, const SumResult& result) {
    SumFinish finish{};
    finish.divisor = std::ldexp(divisor, weights.shift);
    finish.reciprocal = 1 / finish.divisor;
    const double exact = finish.divisor;
    if (rounds_by_shift(weights, exact, result, finish)) finish.rounding = SumRounding::shift;
    else {
        finish.rounding = may_scale(weights, exact, result) ? SumRounding::scale : SumRounding::divide;
        finish.start = result.small_sums ? kSmallSum : 0;
    }
    return finish;
}

std::string why_not_digits(const Kernel& kernel, Depth in, Depth out) {
    const auto& weights = digit_weights(kernel, in);
    if (!weights) return "three bytes are too few for sums of these weights";
    if (!is_integer(out) && weights->most_off > 0)
        return "it rounds these weights, which only integer results allow";
    return {};
}

std::string why_not_byte_products(const Engine& engine) { return why_not_tensor_cores(engine, "bytes"); }

} // namespace kg::gpu
