#include "core/request/integer_weights.hpp"

#include "core/request/rounding.hpp"
#include "core/support/last_answer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace kg {

namespace {

constexpr double kMostValue = 0x1p30;    // levels: values rounded to integers fit 32 bits
constexpr double kLeastScale = 0x1p-100; // the divisor of sums and its reciprocal fit float32

/// What samples of a depth require, in levels.
struct Rules {
    double largest;     ///< sample
    double most_off;    ///< t of semantics 11
    double most_sum;    ///< magnitude of a sum of numbers times samples
    double of_rounding; ///< float32's rounding after the sums, for an offset of 0
};

/// For bytes, float32 rounds four times after the sums, for results between black and white: the sum itself,
/// the quotient, the offset and its addition.
Rules rules_for(Depth in, const Kernel& kernel) {
    if (in == Depth::u8) return {255, kShareOfMargin / 64, 0x1p31, 4 * 0x1p-24 * 256};
    return {65535, kShareOfMargin * (kernel.width + kernel.height) / 512, 0x1p53, 0};
}

/// Sums of positive and of negative terms. Signs are as good as random, so nothing branches on them.
struct Bounds {
    double positive = 0, negative = 0;
    void add(double v) { positive += std::max(v, 0.0), negative += std::max(-v, 0.0); }
    double largest() const { return std::max(positive, negative); }
};

/// Weights at one shift.
struct Quantised {
    std::vector<std::int32_t> numbers;
    Bounds sum, off; // off: the errors of the weights
};

/// All of them, or the first ones up to those whose errors exceed `most_off`. Numbers must be below 2^31.
Quantised quantised(const std::vector<float>& weights, int shift, double most_off) {
    constexpr double kRounding = 0x1.8p52; // its last place is 1
    constexpr std::size_t kAtOnce = 64;
    const double up = std::ldexp(1.0, shift), down = std::ldexp(1.0, -shift);
    Quantised q;
    q.numbers.resize(weights.size());
    for (std::size_t begin = 0; begin < weights.size() && q.off.largest() <= most_off; begin += kAtOnce)
        for (std::size_t i = begin; i < std::min(begin + kAtOnce, weights.size()); ++i) {
            const double exact = static_cast<double>(weights[i]) * up,
                         number = (exact + kRounding) - kRounding;
            q.numbers[i] = static_cast<std::int32_t>(number);
            q.sum.add(number);
            q.off.add((number - exact) * down);
        }
    return q;
}

/// Removes common factors of two from the integers. The result is the same, without additional rounding.
void make_small(IntegerWeights& weights) {
    std::uint32_t all = 0;
    for (const auto number : weights.numbers) all |= static_cast<std::uint32_t>(number);
    const int zeros = all == 0 ? 0 : std::countr_zero(all);
    for (auto& number : weights.numbers) number >>= zeros;
    weights.shift -= zeros;
}

/// `first`: the magnitude up to which the finest weights are tried first; finer ones follow up to `last`.
std::optional<IntegerWeights> finest(const Kernel& kernel, const Rules& rules, std::int32_t first,
                                     std::int32_t last) {
    const auto weights = taps(kernel).weights;
    float lowest = 0, highest = 0;
    Bounds all;
    for (const float w : weights) {
        lowest = std::min(lowest, w), highest = std::max(highest, w);
        all.add(static_cast<double>(w));
    }
    const float peak = std::max(-lowest, highest);
    const double divisor = std::fabs(static_cast<double>(kernel.divisor)),
                 offset = std::fabs(static_cast<double>(kernel.offset)),
                 after = rules.of_rounding * (1 + offset);
    if (rules.largest * (all.largest() / divisor + offset) >= kMostValue) return std::nullopt;
    const auto in_range = [&](IntegerWeights found) {
        const double scale = std::ldexp(divisor, found.shift);
        return scale > kLeastScale && scale < 1 / kLeastScale ? std::optional(std::move(found))
                                                              : std::nullopt;
    };
    if (peak == 0) return in_range({std::vector<std::int32_t>(weights.size()), 0, 0});

    const bool exact = sums_exactly(kernel, rules.largest);
    // The error that the sum of the weights may have.
    const double most_off = exact ? 0 : (rules.most_off - after) * divisor / rules.largest;
    const int most = std::ilogb(rules.most_sum) - 1 - std::ilogb(all.largest() * rules.largest);
    const auto number = [](float weight, int shift) {
        return std::nearbyint(std::ldexp(double{weight}, shift));
    };
    const auto within = [&](std::int32_t largest, int shift) {
        if (number(highest, shift) > largest || number(lowest, shift) < -1.0 - largest)
            return std::optional<Quantised>();
        auto q = quantised(weights, shift, most_off);
        return q.sum.largest() * rules.largest < rules.most_sum ? std::optional(std::move(q)) : std::nullopt;
    };
    int shift = std::min(std::ilogb(first) - std::ilogb(peak), most);
    auto q = within(first, shift);
    if (!q) q = within(last, --shift); // they were rounded up
    while (q && q->off.largest() > most_off) q = shift < most ? within(last, ++shift) : std::nullopt;
    if (!q) return std::nullopt;
    const double off = q->off.largest() * rules.largest / divisor;
    IntegerWeights found{std::move(q->numbers), shift, exact ? 0 : off + after};
    if (off == 0) make_small(found);
    return in_range(std::move(found));
}

} // namespace

const std::optional<IntegerWeights>& integer_weights(const Kernel& kernel) {
    thread_local LastAnswer<Kernel, std::optional<IntegerWeights>> last;
    return last.to(kernel, [&] { return finest(kernel, rules_for(Depth::u8, kernel), 32767, 0x7fffffff); });
}

std::optional<IntegerWeights> integer_weights_within(const Kernel& kernel, std::int32_t largest, Depth in) {
    return finest(kernel, rules_for(in, kernel), largest, largest);
}

std::optional<IntegerWeights> finest_integer_weights(const Kernel& kernel, std::int32_t largest) {
    constexpr double kProduct = 255 * 255, kAnyError = std::numeric_limits<double>::infinity();
    return finest(kernel, {kProduct, kAnyError, 0x1p53, 0}, largest, largest);
}

} // namespace kg
