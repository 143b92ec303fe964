#include "gpu/kernels/tensor/byte_factors.hpp"

#include "core/request/rounding.hpp"
#include "core/request/separate.hpp"
#include "core/support/last_answer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace kg::gpu {

namespace {

constexpr double kWhole = 255, kMostOff = kShareOfMargin / 64; // levels (semantics 11)
constexpr int kLargestUnsigned = 65535, kSignBit = 1 << 15;
constexpr int kMostShift = 24;

ByteFactorsFound refused(std::string why) { return {std::nullopt, std::move(why)}; }

int sum_of(std::span<const int> factor) { return std::accumulate(factor.begin(), factor.end(), 0); }

/// The rounding error of float32 after exact sums, for results between black and white: the sum itself, the
/// quotient, the offset and its addition.
double off_after(double offset) { return 4 * 0x1p-24 * (kWhole + 1) * (1 + std::fabs(offset)); }

/// Integer factors as they are. A row of integers r has sums between -255 N and 255 P, N and P the sums of
/// its negative and of its positive weights: 16 bits hold them if 255 P < 2^16, N = 0, or with 2^15 added if
/// 255 P < 2^15, 255 N <= 2^15. Sums down a column c of their high and of their low bytes are of magnitude
/// 255 sum |c|, at most 255 * 65 * 128, and 256 high + low - 2^15 sum c is the kernel's sum, exactly, in 31
/// bits. As a float it is rounded only where it has more than 24 bits, and there semantics 11 allows it.
std::optional<ByteFactors> exact_factors(const Kernel& kernel, const IntegerFactors& integers) {
    const auto fits = [](int v) { return v >= -128 && v <= 127; };
    if (!std::ranges::all_of(integers.row, fits) || !std::ranges::all_of(integers.column, fits))
        return std::nullopt;
    int negative = 0, positive = 0;
    for (const int v : integers.row) (v < 0 ? negative : positive) += std::abs(v);
    ByteFactors f;
    f.exact = true;
    f.row = integers.row, f.column = integers.column;
    f.bias = negative > 0 ? kSignBit : 0;
    if (255 * positive + f.bias > kLargestUnsigned || 255 * negative > f.bias) return std::nullopt;
    const float divisor = std::fabs(kernel.divisor);
    if (divisor < 0x1p-40f || divisor > 0x1p40f) return std::nullopt;
    if (!sums_exactly(kernel, kWhole)) f.most_off = off_after(static_cast<double>(kernel.offset));
    return f.most_off <= kMostOff ? std::optional(std::move(f)) : std::nullopt;
}

/// A column and a row of weights that are not negative.
struct Profiles {
    std::vector<double> column, row;
};

/// The finest integers number / 2^shift of up to `largest`, where 2^shift is at most `scale`. Sets the
/// numbers; returns the shift, or nothing if it would be negative.
std::optional<int> finest(const std::vector<double>& weights, double largest, double scale,
                          std::vector<int>& numbers) {
    const double peak = std::ranges::max(weights);
    int shift = kMostShift;
    while (shift >= 0 && (std::ldexp(1.0, shift) > scale || std::ldexp(peak, shift) > largest)) --shift;
    if (shift < 0) return std::nullopt;
    for (const double w : weights) numbers.push_back(static_cast<int>(std::lrint(std::ldexp(w, shift))));
    return shift;
}

/// The largest difference, over all images, between the sum of the listed weights over the divisor and that
/// of the products column[i] row[j] unit. Samples are 0 to 255, so differences of one sign add up, and those
/// of the other do not count against them.
template <typename Factor>
double off_by_weights(const Kernel& kernel, const Factor& column, const Factor& row, double unit) {
    const double reciprocal = 1 / static_cast<double>(kernel.divisor);
    double signed_sum = 0, magnitude = 0;
    const float* weight = kernel.weights.data();
    for (const auto c : column)
        for (const auto r : row) {
            const double off = static_cast<double>(c) * static_cast<double>(r) * unit -
                               static_cast<double>(*weight++) * reciprocal;
            signed_sum += off;
            magnitude += std::fabs(off);
        }
    return kWhole * (magnitude + std::fabs(signed_sum)) / 2; // the larger of both signs' sums
}

/// The profiles r and c as integers of 16 bits, R = r 2^s and C = c 2^t, rounded, and the passes with them:
///   row sum     S = floor(sum R x 2^(8 - s) + 1/2), off by at most 1/2, in 16 bits
///   column sum  V = sum (256 Ch Sh + Ch Sl + Cl Sh), where C = 256 Ch + Cl and S = 256 Sh + Sl;
///               so 256 V = sum C S - sum Cl Sl
///   result      (V + sum Cl 255/2 / 256) / 2^t + offset
/// With Sl between 0 and 255, Cl Sl differs from Cl 255/2 by at most |Cl| 255/2. The result differs from
/// that of the listed weights w[i][j] by at most the sum of
///   255 max(sum of positive, sum of negative R[j] C[i] / 2^(s + t) - w[i][j] / divisor)  (weights)
///   1/512 sum C / 2^t                                                      (rounding of row sums)
///   255/2 sum |Cl| / 2^(8 + t)                                             (products left out)
///   1 / 2^t                                                                (constants, as integers)
/// and is rounded to the nearest byte by integer arithmetic, which adds nothing. `largest`: magnitude of
/// results, in levels.
std::optional<ByteFactors> rounded(const Kernel& kernel, const Profiles& profiles, double largest) {
    ByteFactors f;
    const auto row_shift = finest(profiles.row, kLargestUnsigned, 0x1p24, f.row);
    // 32 bits, signed, hold the sums; the largest low digit is 127.
    const auto column_shift = finest(profiles.column, kLargestUnsigned - 128, 0x1p31 / (largest + 4),
                                     f.column);
    if (!row_shift || !column_shift) return std::nullopt;
    f.row_shift = *row_shift, f.column_shift = *column_shift;
    if (std::ldexp(kWhole * sum_of(f.row), 8 - f.row_shift) + 0.5 >= kLargestUnsigned + 1)
        return std::nullopt;
    double low = 0, low_magnitude = 0;
    for (const int c : f.column) low += column_digit(c, 0), low_magnitude += std::abs(column_digit(c, 0));
    const double unit = std::ldexp(1.0, -f.column_shift), down = sum_of(f.column) * unit;
    f.left_out = low * kWhole / 2 / 256;
    f.gain = down * std::ldexp(sum_of(f.row), -f.row_shift);
    f.most_off = off_by_weights(kernel, f.column, f.row, std::ldexp(unit, -f.row_shift)) + down / 512 +
                 kWhole / 2 * low_magnitude / 256 * unit + unit;
    return f.most_off <= kMostOff ? std::optional(std::move(f)) : std::nullopt;
}

/// Rounded factors of weights that are not negative. The sums of their columns, over the sum of all, and of
/// their rows are factors, up to roundings of the listed weights, if there are any. A smaller row and a
/// larger column have other roundings: the first of a few that are accurate enough is taken.
ByteFactorsFound rounded_factors(const Kernel& kernel) {
    constexpr int kAttempts = 12;
    Profiles listed{std::vector<double>(static_cast<std::size_t>(kernel.height)),
                    std::vector<double>(static_cast<std::size_t>(kernel.width))};
    double all = 0;
    const float* weight = kernel.weights.data();
    for (double& of_row : listed.column)
        for (double& of_column : listed.row) {
            const double w = static_cast<double>(*weight++) / static_cast<double>(kernel.divisor);
            if (!(w >= 0 && w < 0x1p30))
                return refused("it rounds weights that are no integers, and those must not be negative");
            of_row += w, of_column += w, all += w;
        }
    if (all == 0) return refused("its weights vanish");
    if (off_by_weights(kernel, listed.column, listed.row, 1 / all) > kMostOff)
        return refused("it takes only kernels that are one column times one row");
    const double largest = kWhole * (all + std::fabs(static_cast<double>(kernel.offset)));
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const double scale = 1 - attempt / 32.0;
        auto scaled = listed;
        for (double& v : scaled.row) v *= scale / all;
        for (double& v : scaled.column) v /= scale;
        if (auto found = rounded(kernel, scaled, largest)) return {std::move(found), {}};
    }
    return refused("factors of 16 bits are too coarse for its weights (semantics 11)");
}

ByteFactorsFound found(const Stage& stage) {
    if (stage.combine != Combine::single || stage.kernels.size() != 1) return refused("it sums one kernel");
    if (!has_weights(stage)) return refused(kTooManyWeights);
    const auto& kernel = stage.kernels.front();
    if (std::max(kernel.width, kernel.height) > kLongestFactor)
        return refused("its window has room for " + std::to_string(kLongestFactor) + " taps");
    auto integers = stage.factors.empty() ? integer_factors(kernel) : std::optional(stage.factors.front());
    ByteFactorsFound answer;
    if (integers && !integers->row.empty()) answer.factors = exact_factors(kernel, *integers);
    if (!answer.factors) {
        if (sums_exactly(kernel, kWhole))
            return refused("sums of these weights are exact, and it has no integer factors of 8 bits, "
                           "with 16-bit sums of rows, for them");
        answer = rounded_factors(kernel);
    }
    if (answer.factors && kernel.flip) {
        std::ranges::reverse(answer.factors->row);
        std::ranges::reverse(answer.factors->column);
    }
    return answer;
}

} // namespace

const ByteFactorsFound& byte_factors(const Stage& stage) {
    thread_local LastAnswer<Stage, ByteFactorsFound> last;
    return last.to(stage, [&] { return found(stage); });
}

ByteFinish byte_finish(const ByteFactors& f, float divisor, float offset) {
    ByteFinish finish{};
    if (f.exact) {
        DigitWeights weights;
        weights.most_off = f.most_off;
        finish.sums = sum_finish(weights, divisor, {Depth::u8, offset, true, false});
        if (finish.sums.rounding == SumRounding::shift) finish.sums.rounding = SumRounding::scale; // by 1
        finish.bias = f.bias * sum_of(f.column);
        finish.sign = f.bias == 0 ? 0 : 0x80808080u;
        finish.plain = f.bias == 0 && offset == 0.0f && finish.sums.rounding == SumRounding::scale;
        return finish;
    }
    const auto levels = static_cast<double>(offset);
    finish.plain = levels == 0 && kWhole * f.gain + 2 * f.most_off < kWhole + 0.5;
    finish.row_scale = 1u << (24 - f.row_shift);
    finish.scale = 1u << (24 - f.column_shift), finish.high_scale = 256 * finish.scale;
    finish.shift = f.column_shift;
    const auto start = [&](double of) {
        return static_cast<int>(std::lrint(std::ldexp(of + 0.5, f.column_shift) + f.left_out));
    };
    finish.start = start(levels), finish.start_of_alpha = start(0);
    finish.add = static_cast<unsigned>(finish.start_of_alpha) * finish.scale;
    return finish;
}

ByteTables byte_tables(const ByteFactors& f) {
    ByteTables tables{};
    const auto add = [](std::uint32_t& word, int digit, int i) {
        word |= (static_cast<std::uint32_t>(digit) & 255u) << 8 * i;
    };
    constexpr int kFirst = kBlock - 1, kFirstOfRow = kFirst + ByteTables::kMostPad;
    for (int digit = 0; digit < (f.exact ? 1 : 2); ++digit)
        for (int i = 0; i < 4; ++i) {
            for (int tap = 0; tap < static_cast<int>(f.row.size()); ++tap) {
                const int number = f.row[static_cast<std::size_t>(tap)];
                add(tables.row[digit][tap - i + kFirstOfRow], f.exact ? number : row_digit(number, digit), i);
            }
            for (int tap = 0; tap < static_cast<int>(f.column.size()); ++tap) {
                const int number = f.column[static_cast<std::size_t>(tap)];
                add(tables.column[digit][tap - row_of(0, i) + kFirst],
                    f.exact ? number : column_digit(number, digit), i);
            }
        }
    return tables;
}

} // namespace kg::gpu
