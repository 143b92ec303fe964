#include "core/rounding.hpp"

#include "core/conversion.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

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
    void add(const Roundings& more, double scale) {
        most_ += more.most_ * scale;
        squares_ += more.squares_ * scale * scale;
    }
    /// False if they stay within `bound` whatever their signs, or as good as always: each is spread evenly between its
    /// ends, so that its variance is a third of its square.
    bool may_exceed(double bound) const {
        constexpr double kDeviations = 4;
        return most_ > bound && kDeviations * std::sqrt(squares_ / 3) > bound;
    }

private:
    double most_ = 0, squares_ = 0;
};

/// A sum on its way: samples are not negative, so it lies between what its negative terms and its positive ones give.
struct Terms {
    double positive = 0, negative = 0;
    void add(const Terms& more) {
        positive += more.positive;
        negative += more.negative;
    }
    double largest() const { return std::max(positive, negative); }
};

/// Of a kernel's sum, as the ways that sum taps go about it.
Roundings of_sum(const Kernel& kernel, double full_scale, bool whole_samples) {
    const bool whole = whole_samples &&
                       std::ranges::all_of(kernel.weights, [](float w) { return w == std::rint(w); });
    Roundings all;
    const auto round = [&](const Terms& sum) {
        const double magnitude = sum.largest() * full_scale;
        if (!whole || magnitude >= 0x1p24) all.add(half_last_place(magnitude));
    };
    const bool by_rows = sums_by_rows(kernel.width, kernel.height);
    Terms total;
    const auto* weight = kernel.weights.data();
    for (int i = 0; i < kernel.height; ++i) {
        Terms row = by_rows ? Terms{} : total;
        for (int j = 0; j < kernel.width; ++j, ++weight) {
            if (*weight == 0.0f) continue; // no tap
            const double w = static_cast<double>(*weight);
            row.add({std::max(w, 0.0), std::max(-w, 0.0)});
            round(row);
        }
        if (by_rows) {
            total.add(row);
            round(total);
        } else {
            total = row;
        }
    }
    return all;
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
    Roundings all;
    int sides = 0;
    for (const auto& kernel : stage.kernels) {
        sides = std::max(sides, kernel.width + kernel.height);
        all.add(of_sum(kernel, in, whole_samples), levels / std::fabs(static_cast<double>(kernel.divisor)));
        if (kernel.divisor != 1) all.add(half_last_place(in) * levels);
        if (stage.combine != Combine::single) all.add(half_last_place(in) * levels); // its square, its sum
    }
    if (stage.combine == Combine::l2) all.add(half_last_place(in) * levels); // the root
    if (offset(stage) != 0) all.add(half_last_place(in) * levels);
    if (r.in.depth != r.out.depth) all.add(2 * half_last_place(out));
    if (r.sign == SignedMode::half) all.add(half_last_place(out));
    return all.may_exceed(r.out.depth == Depth::u16 ? sides / 512.0 : 1.0 / 64);
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
