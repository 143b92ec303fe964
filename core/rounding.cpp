#include "core/rounding.hpp"

#include "core/conversion.hpp"
#include "core/separate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace kg {

namespace {

/// The most that rounding a float32 of up to this magnitude is off.
double half_last_place(double magnitude) {
    return magnitude > 0 ? std::ldexp(1.0, std::ilogb(magnitude) - 24) : 0;
}

/// Roundings that add up, in units of the numbers they are made on.
class Roundings {
public:
    void add(double most) {
        most_ += most;
        squares_ += most * most;
    }
    /// What is off the same way in every sum of a flat picture.
    void add_bias(double most) { bias_ += most; }
    void add(const Roundings& more, double scale) {
        most_ += more.most_ * scale;
        squares_ += more.squares_ * scale * scale;
        bias_ += more.bias_ * scale;
    }
    /// False if they stay within `bound` whatever their signs, or as good as always: each is spread evenly between its
    /// ends, so that its variance is a third of its square.
    bool may_exceed(double bound) const {
        constexpr double kDeviations = 4;
        return bias_ + std::min(most_, kDeviations * std::sqrt(squares_ / 3)) > bound;
    }

private:
    double most_ = 0, squares_ = 0, bias_ = 0;
};

/// A sum on its way: samples are not negative, so it lies between what its negative terms and its positive ones give.
struct Terms {
    double positive = 0, negative = 0;
    void add(double weight, const Terms& of = {1, 0}) {
        positive += std::fabs(weight) * (weight > 0 ? of.positive : of.negative);
        negative += std::fabs(weight) * (weight > 0 ? of.negative : of.positive);
    }
    double largest() const { return std::max(positive, negative); }
};

/// Counts the roundings of sums of samples of up to full scale.
class Sum {
public:
    Sum(double full_scale, bool whole) : full_scale_(full_scale), whole_(whole) {}
    void round(const Terms& sum) {
        const double magnitude = sum.largest() * full_scale_;
        if (!whole_ || magnitude >= 0x1p24) roundings.add(half_last_place(magnitude));
    }
    Roundings roundings;

private:
    double full_scale_;
    bool whole_; ///< sums of whole numbers do not round as long as they are small
};

bool are_whole(const std::vector<float>& weights) {
    return std::ranges::all_of(weights, [](float w) { return w == std::rint(w); });
}

/// Of the ways that sum the taps as they are written.
Roundings of_taps(const Kernel& kernel, double full_scale, bool whole_samples) {
    Sum sum(full_scale, whole_samples && are_whole(kernel.weights));
    const bool by_rows = sums_by_rows(kernel.width, kernel.height);
    Terms total;
    const auto* weight = kernel.weights.data();
    for (int i = 0; i < kernel.height; ++i) {
        Terms row = by_rows ? Terms{} : total;
        for (int j = 0; j < kernel.width; ++j, ++weight) {
            if (*weight == 0.0f) continue; // no tap
            row.add(static_cast<double>(*weight));
            sum.round(row);
        }
        if (by_rows) {
            total.add(1, row);
            sum.round(total);
        } else {
            total = row;
        }
    }
    return sum.roundings;
}

/// Of the ways that sum down the columns and then along: fewer, but their factors are rounded too.
Roundings of_factors(const Kernel& kernel, const Factors& factors, double full_scale, bool whole_samples) {
    const bool whole = whole_samples && are_whole(factors.column) && are_whole(factors.row);
    Sum down(full_scale, whole), along(full_scale, whole);
    Terms column, total, off;
    for (const float c : factors.column) {
        column.add(static_cast<double>(c));
        down.round(column);
    }
    for (const float r : factors.row) {
        total.add(static_cast<double>(r), column);
        along.round(total);
        along.roundings.add(down.roundings, std::fabs(static_cast<double>(r)));
    }
    const auto* weight = kernel.weights.data();
    for (const float c : factors.column)
        for (const float r : factors.row)
            off.add(static_cast<double>(c) * static_cast<double>(r) - static_cast<double>(*weight++));
    along.roundings.add_bias(off.largest() * full_scale);
    return along.roundings;
}

} // namespace

bool filters_stored_numbers(const ImageRequest& r) {
    return r.stages.size() == 1 && !uses_coverage(r) && !straightens(r) && r.light == Light::stored;
}

bool needs_float64(const ImageRequest& r) {
    if (!is_integer(r.out.depth) || !filters_stored_numbers(r)) return false;
    const auto& stage = r.stages.front();
    const double in = full_scale(r.in), out = full_scale(r.out), levels = out / in;
    const bool whole_samples = is_integer(r.in.depth);
    if (!has_weights(stage) || (whole_samples && sums_exactly(stage, in))) return false;
    Roundings taps, factors, after; // the last: of what both do with their sums
    bool separable = true;
    int sides = 0;
    for (std::size_t k = 0; k < stage.kernels.size(); ++k) {
        const auto& kernel = stage.kernels[k];
        const double unit = levels / std::fabs(static_cast<double>(kernel.divisor));
        sides = std::max(sides, kernel.width + kernel.height);
        taps.add(of_taps(kernel, in, whole_samples), unit);
        if (const auto found = separate(stage, k))
            factors.add(of_factors(kernel, *found, in, whole_samples), unit);
        else separable = false;
        if (kernel.divisor != 1) after.add(half_last_place(in) * levels);
        if (stage.combine != Combine::single) after.add(half_last_place(in) * levels); // its square, its sum
    }
    if (stage.combine == Combine::l2) after.add(half_last_place(in) * levels); // the root
    if (offset(stage) != 0) after.add(half_last_place(in) * levels);
    if (r.in.depth != r.out.depth) after.add(2 * half_last_place(out));
    if (r.sign == SignedMode::half) after.add(half_last_place(out));
    taps.add(after, 1);
    factors.add(after, 1);
    const double t = r.out.depth == Depth::u16 ? sides / 512.0 : 1.0 / 64;
    return taps.may_exceed(t) || (separable && factors.may_exceed(t));
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
