#include "core/request/rounding.hpp"

#include "core/image/conversion.hpp"
#include "core/request/separate.hpp"
#include "core/image/weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <vector>

namespace kg {

namespace {

/// The largest rounding error of a float32 of up to this magnitude.
double half_last_place(double magnitude) {
    return magnitude > 0 ? std::ldexp(1.0, std::ilogb(magnitude) - 24) : 0;
}

/// A partial sum. Samples are not negative, so it lies between the sum of its negative terms and that of its
/// positive ones.
struct Terms {
    double positive = 0, negative = 0;
    void add(double weight, const Terms& of = {1, 0}) {
        positive += std::fabs(weight) * (weight > 0 ? of.positive : of.negative);
        negative += std::fabs(weight) * (weight > 0 ? of.negative : of.positive);
    }
    double largest() const { return std::max(positive, negative); }
};

bool is_power_of_two(float weight) {
    int exponent = 0;
    return std::fabs(std::frexp(weight, &exponent)) == 0.5f;
}

/// The largest total rounding error of a sum of samples of up to full scale.
class Roundings {
public:
    /// `unit`: a power of two of which every sum is an integer multiple; 0 = none.
    Roundings(double full_scale, double unit) : full_scale_(full_scale), exact_below_(0x1p24 * unit) {}
    void of(const Terms& sum) {
        const double magnitude = sum.largest() * full_scale_;
        if (magnitude >= exact_below_) most += half_last_place(magnitude);
    }
    /// Adds a product with one rounding. There is none for the first product if its weight is a power of two.
    void adding(float weight, Terms& sum, const Terms& of_what = {1, 0}) {
        const bool rounds = sum.largest() > 0 || !is_power_of_two(weight);
        sum.add(static_cast<double>(weight), of_what);
        if (rounds) of(sum);
    }
    double most = 0;

private:
    double full_scale_;
    double exact_below_; ///< small sums of integer multiples are exact
};

/// The unit of sums of these weights and samples of this format; 0 where samples may have any number of
/// digits.
double unit_of(const std::vector<float>& weights, const PixelFormat& in) {
    return is_integer(in.depth) ? common_unit(weights) : 0;
}
double unit_of(const Factors& factors, const PixelFormat& in) {
    return unit_of(factors.column, in) * unit_of(factors.row, in);
}

/// The error of algorithms that sum the taps directly.
double off_by_taps(const Kernel& kernel, const PixelFormat& in) {
    Roundings roundings(full_scale(in), unit_of(kernel.weights, in));
    const bool by_rows = sums_by_rows(kernel, in.depth);
    Terms total;
    const auto* weight = kernel.weights.data();
    for (int i = 0; i < kernel.height; ++i) {
        Terms row = by_rows ? Terms{} : total;
        for (int j = 0; j < kernel.width; ++j, ++weight) {
            if (*weight == 0.0f) continue; // no tap
            roundings.adding(*weight, row);
        }
        if (!by_rows) {
            total = row;
            continue;
        }
        total.add(1, row);
        if (i > 0) roundings.of(total); // the first row is added to 0
    }
    return roundings.most;
}

/// The error of sums down the columns, then along the rows, for weights that are exactly the products of
/// these factors.
double off_by_exact_factors(const Factors& factors, const PixelFormat& in) {
    Roundings down(full_scale(in), unit_of(factors.column, in)), along(full_scale(in), unit_of(factors, in));
    Terms column, total;
    for (const float c : factors.column) down.adding(c, column);
    for (const float r : factors.row) {
        along.adding(r, total, column);
        along.most += down.most * std::fabs(static_cast<double>(r));
    }
    return along.most;
}

/// The error of algorithms that sum down the columns, then along the rows: fewer roundings, but the factors
/// are rounded too.
double off_by_factors(const Kernel& kernel, const Factors& factors, const PixelFormat& in) {
    Terms off;
    const auto* weight = kernel.weights.data();
    for (const float c : factors.column)
        for (const float r : factors.row)
            off.add(static_cast<double>(c) * static_cast<double>(r) - static_cast<double>(*weight++));
    return off_by_exact_factors(factors, in) + off.largest() * full_scale(in);
}

double off_by_either(const Kernel& kernel, const std::optional<Factors>& factors, const PixelFormat& in) {
    const double taps = off_by_taps(kernel, in);
    return factors ? std::max(taps, off_by_factors(kernel, *factors, in)) : taps;
}

/// The largest sums of samples of up to 1: over all weights, and over one row.
struct Extremes {
    double all = 0, row = 0;
    void add_row(const Terms& terms, Terms& total) {
        row = std::max(row, terms.largest());
        total.add(1, terms);
    }
};

Terms terms_of(std::span<const float> weights) {
    const auto sums = sums_of(weights);
    return {(sums.magnitude + sums.sum) / 2, (sums.magnitude - sums.sum) / 2};
}

Extremes extremes_of(const Kernel& kernel, const std::optional<Factors>& factors) {
    Extremes most;
    Terms total;
    if (factors) {
        const auto row = terms_of(factors->row);
        for (const float c : factors->column) {
            Terms scaled;
            scaled.add(static_cast<double>(c), row);
            most.add_row(scaled, total);
        }
    } else {
        const std::span weights(kernel.weights);
        const auto width = static_cast<std::size_t>(kernel.width);
        for (std::size_t at = 0; at < weights.size(); at += width)
            most.add_row(terms_of(weights.subspan(at, width)), total);
    }
    most.all = total.largest();
    constexpr double kFactorsMayBeOff = 1 + 0x1p-20; // the sums themselves are rounded, too
    return {most.all * kFactorsMayBeOff, most.row * kFactorsMayBeOff};
}

/// An upper bound of off_by_taps() and off_by_factors() without visiting each tap: every rounding is assumed
/// as large as that of the largest sum.
double at_most_off(const Kernel& kernel, const std::optional<Factors>& factors, const PixelFormat& in) {
    const auto most = extremes_of(kernel, factors);
    const bool by_rows = sums_by_rows(kernel, in.depth);
    const double taps = static_cast<double>(kernel.width) * kernel.height;
    const double unit = factors ? unit_of(*factors, in) : unit_of(kernel.weights, in);
    const auto each = [&](double sum) {
        Roundings one(full_scale(in), unit);
        one.of({sum, 0});
        return one.most;
    };
    const double by_taps = by_rows ? taps * each(most.row) + kernel.height * each(most.all)
                                   : taps * each(most.all);
    if (!factors) return by_taps;
    const double weights_off = 2 * kRoundings * most.all * full_scale(in); // positive and negative ones
    return std::max(by_taps, off_by_exact_factors(*factors, in) + weights_off);
}

} // namespace

bool filters_stored_numbers(const ImageRequest& r) {
    return r.stages.size() == 1 && !is_alpha_weighted(r) && !straightens(r) && r.light == Light::stored &&
           r.in.linear == r.out.linear;
}

bool needs_float64(const ImageRequest& r) {
    if (!is_integer(r.out.depth) || !filters_stored_numbers(r)) return false;
    const auto& stage = r.stages.front();
    const double in = full_scale(r.in), out = full_scale(r.out), levels = out / in;
    if (!has_weights(stage) || (is_integer(r.in.depth) && sums_exactly(stage, in))) return false;
    const double once = levels * half_last_place(in * (1 + std::fabs(static_cast<double>(offset(stage)))));
    double after = 0;
    int extents = 0;
    std::vector<std::optional<Factors>> factors;
    for (std::size_t k = 0; k < stage.kernels.size(); ++k) {
        const auto& kernel = stage.kernels[k];
        factors.push_back(separate(stage, k));
        if (kernel.divisor != 1) after += once;
        if (stage.combine != Combine::single) after += once; // square and sum
        extents = std::max(extents, kernel.width + kernel.height);
    }
    if (stage.combine == Combine::l2) after += once; // root
    if (offset(stage) != 0) after += once;
    if (r.in.depth != r.out.depth) after += 2 * half_last_place(out);
    if (r.sign == SignedMode::half) after += half_last_place(out);
    const auto is_too_much = [&](auto off) {
        double sums = 0;
        for (std::size_t k = 0; k < stage.kernels.size(); ++k)
            sums += off(stage.kernels[k], factors[k], r.in) * levels /
                    std::fabs(static_cast<double>(stage.kernels[k].divisor));
        return sums + after > (r.out.depth == Depth::u16 ? extents / 512.0 : 1.0 / 64);
    };
    return is_too_much(at_most_off) && is_too_much(off_by_either);
}

std::string why_float64(const Stage& stage) {
    const double gain = absolute_gain(stage);
    if (gain < 1.05) return "float32 would round its few taps too coarsely, so it is summed in float64";
    char times[32];
    if (gain < 1e7) std::snprintf(times, sizeof times, "%.*f", gain < 10 ? 1 : 0, gain);
    else std::snprintf(times, sizeof times, "%.1e", gain);
    return std::string("its weights come to ") + times + " times the divisor, so it is summed in float64";
}

} // namespace kg
