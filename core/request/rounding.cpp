#include "core/request/rounding.hpp"

#include "core/image/weights.hpp"
#include "core/request/conversion.hpp"
#include "core/request/separate.hpp"

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

/// The samples that a stage reads.
struct Samples {
    Depth depth = Depth::f32;
    double most = 0; ///< their largest magnitude
    double unit = 0; ///< a power of two of which each is an integer multiple; 0 = they may have any digits
    bool negative = false; ///< some may be negative
};

/// A partial sum. Where samples are not negative, it lies between the sum of its negative terms and that of
/// its positive ones.
struct Terms {
    double positive = 0, negative = 0;
    void add(double weight, const Terms& of = {1, 0}) {
        positive += std::fabs(weight) * (weight > 0 ? of.positive : of.negative);
        negative += std::fabs(weight) * (weight > 0 ? of.negative : of.positive);
    }
    double largest(bool negative_samples) const {
        return negative_samples ? positive + negative : std::max(positive, negative);
    }
};

bool is_power_of_two(float weight) {
    int exponent = 0;
    return std::fabs(std::frexp(weight, &exponent)) == 0.5f;
}

/// The largest total rounding error of a sum of samples.
class Roundings {
public:
    /// `unit`: a power of two of which every sum is an integer multiple; 0 = none.
    Roundings(const Samples& samples, double unit) : samples_(samples), exact_below_(0x1p24 * unit) {}
    void of(const Terms& sum) { of(sum.largest(samples_.negative)); }
    /// `sum`: of samples of up to 1.
    void of(double sum) {
        const double magnitude = sum * samples_.most;
        if (magnitude >= exact_below_) most += half_last_place(magnitude);
    }
    /// Adds a product with one rounding. There is none for the first product if its weight is a power of two.
    void adding(float weight, Terms& sum, const Terms& of_what = {1, 0}) {
        const bool rounds = sum.positive + sum.negative > 0 || !is_power_of_two(weight);
        sum.add(static_cast<double>(weight), of_what);
        if (rounds) of(sum);
    }
    double most = 0;

private:
    Samples samples_;
    double exact_below_; ///< small sums of integer multiples are exact
};

/// The unit of sums of these weights and samples; 0 where they may have any digits.
double unit_of(const std::vector<float>& weights, const Samples& in) {
    return in.unit > 0 ? in.unit * common_unit(weights) : 0;
}
double unit_of(const Factors& factors, const Samples& in) {
    return in.unit > 0 ? unit_of(factors.column, in) * common_unit(factors.row) : 0;
}

/// The error of algorithms that sum the taps directly.
double off_by_taps(const Kernel& kernel, const Samples& in) {
    Roundings roundings(in, unit_of(kernel.weights, in));
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
double off_by_exact_factors(const Factors& factors, const Samples& in) {
    Roundings down(in, unit_of(factors.column, in)), along(in, unit_of(factors, in));
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
double off_by_factors(const Kernel& kernel, const Factors& factors, const Samples& in) {
    Terms off;
    const auto* weight = kernel.weights.data();
    for (const float c : factors.column)
        for (const float r : factors.row)
            off.add(static_cast<double>(c) * static_cast<double>(r) - static_cast<double>(*weight++));
    return off_by_exact_factors(factors, in) + off.largest(in.negative) * in.most;
}

double off_by_either(const Kernel& kernel, const std::optional<Factors>& factors, const Samples& in) {
    const double taps = off_by_taps(kernel, in);
    return factors ? std::max(taps, off_by_factors(kernel, *factors, in)) : taps;
}

/// The largest sums of samples of up to 1: over all weights, and over one row.
struct Extremes {
    double all = 0, row = 0;
    void add_row(const Terms& terms, Terms& total, bool negative_samples) {
        row = std::max(row, terms.largest(negative_samples));
        total.add(1, terms);
    }
};

Terms terms_of(std::span<const float> weights) {
    const auto sums = sums_of(weights);
    return {(sums.magnitude + sums.sum) / 2, (sums.magnitude - sums.sum) / 2};
}

Extremes extremes_of(const Kernel& kernel, const std::optional<Factors>& factors, bool negative_samples) {
    Extremes most;
    Terms total;
    if (factors) {
        const auto row = terms_of(factors->row);
        for (const float c : factors->column) {
            Terms scaled;
            scaled.add(static_cast<double>(c), row);
            most.add_row(scaled, total, negative_samples);
        }
    } else {
        const std::span weights(kernel.weights);
        const auto width = static_cast<std::size_t>(kernel.width);
        for (std::size_t at = 0; at < weights.size(); at += width)
            most.add_row(terms_of(weights.subspan(at, width)), total, negative_samples);
    }
    most.all = total.largest(negative_samples);
    constexpr double kFactorsMayBeOff = 1 + 0x1p-20; // the sums themselves are rounded, too
    return {most.all * kFactorsMayBeOff, most.row * kFactorsMayBeOff};
}

/// An upper bound of off_by_taps() and off_by_factors() without visiting each tap: every rounding is assumed
/// as large as that of the largest sum.
double at_most_off(const Kernel& kernel, const std::optional<Factors>& factors, const Samples& in) {
    const auto most = extremes_of(kernel, factors, in.negative);
    const bool by_rows = sums_by_rows(kernel, in.depth);
    const double taps = static_cast<double>(kernel.width) * kernel.height;
    const double unit = factors ? unit_of(*factors, in) : unit_of(kernel.weights, in);
    const auto each = [&](double sum) {
        Roundings one(in, unit);
        one.of(sum);
        return one.most;
    };
    const double by_taps = by_rows ? taps * each(most.row) + kernel.height * each(most.all)
                                   : taps * each(most.all);
    if (!factors) return by_taps;
    const double weights_off = 2 * kRoundings * most.all * in.most; // positive and negative ones
    return std::max(by_taps, off_by_exact_factors(*factors, in) + weights_off);
}

using Factorings = std::vector<std::optional<Factors>>; ///< one per kernel of a stage

Factorings factorings_of(const Stage& stage) {
    Factorings all;
    for (std::size_t k = 0; k < stage.kernels.size(); ++k) all.push_back(separate(stage, k));
    return all;
}

/// The error of a stage's result, in its own numbers. `off`: that of one kernel's sum; `largest`: the
/// magnitude up to which the result counts.
template <typename Off>
double off_by_stage(const Stage& stage, const Factorings& factors, const Samples& in, double largest,
                    Off off) {
    const double once = half_last_place(largest);
    double error = 0;
    for (std::size_t k = 0; k < stage.kernels.size(); ++k) {
        const auto& kernel = stage.kernels[k];
        error += off(kernel, factors[k], in) / std::fabs(static_cast<double>(kernel.divisor));
        if (kernel.divisor != 1) error += once;
        if (stage.combine != Combine::single) error += once; // square and sum
    }
    if (stage.combine == Combine::l2) error += once; // root
    if (offset(stage) != 0) error += once;
    return error;
}

/// What the next stage reads.
Samples samples_after(const Stage& stage, const Samples& in, double full_scale) {
    Samples out;
    const double offset = std::fabs(static_cast<double>(kg::offset(stage)));
    out.most = in.most * absolute_gain(stage) + offset * full_scale;
    out.negative = stage.combine == Combine::single || kg::offset(stage) < 0;
    out.unit = stage.combine == Combine::l2 || offset != 0 ? 0 : in.unit;
    for (const auto& kernel : stage.kernels)
        out.unit = is_power_of_two(kernel.divisor)
                       ? std::min(out.unit, unit_of(kernel.weights, in) /
                                                std::max(1.0, std::fabs(static_cast<double>(kernel.divisor))))
                       : 0;
    return out;
}

Samples samples_of(const ImageRequest& r) {
    return {r.in.depth, full_scale(r.in), is_integer(r.in.depth) ? 1.0 : 0.0, false};
}

/// What the stage after reads: under border `constant`, the pixel outside the image too.
Samples with_outside(const ImageRequest& r, Samples samples) {
    if (r.border != Border::constant) return samples;
    for (const double value : outside_pixel(r)) {
        samples.most = std::max(samples.most, std::fabs(value));
        samples.negative |= value < 0;
    }
    samples.unit = std::min(samples.unit, samples_of(r).unit);
    return samples;
}

/// The roundings after the last stage.
double off_by_end(const ImageRequest& r) {
    const double out = full_scale(r.out);
    return (r.in.depth != r.out.depth ? 2 * half_last_place(out) : 0) +
           (r.sign == SignedMode::half ? half_last_place(out) : 0);
}

/// One filter on the stored numbers.
bool one_filter_needs_float64(const ImageRequest& r) {
    const auto& stage = r.stages.front();
    const double in = full_scale(r.in), out = full_scale(r.out);
    if (is_integer(r.in.depth) && sums_exactly(stage, in)) return false;
    const auto factors = factorings_of(stage);
    const double largest = in * (1 + std::fabs(static_cast<double>(offset(stage))));
    const auto is_too_much = [&](auto off) {
        return off_by_stage(stage, factors, samples_of(r), largest, off) * out / in + off_by_end(r) >
               (r.out.depth == Depth::u8 ? kShareOfMargin : 1) * rounding_margin(r);
    };
    return is_too_much(at_most_off) && is_too_much(off_by_either);
}

/// True for blurs: their taps are many enough that each rounding is well below t, and they amplify none.
bool is_normalised(const Stage& stage) {
    const auto& kernel = stage.kernels.front();
    return kernel.width >= 3 && kernel.height >= 3 && absolute_gain(stage) <= 1.05;
}

/// Several steps, where a later one amplifies the roundings of those before it.
bool chain_needs_float64(const ImageRequest& r) {
    if (std::ranges::all_of(r.stages, is_normalised)) return false;
    const double white = full_scale(r.in);
    std::vector<Factorings> factors;
    for (const auto& stage : r.stages) factors.push_back(factorings_of(stage));
    const auto is_too_much = [&](auto off) {
        auto samples = samples_of(r);
        double error = 0;
        if (is_alpha_weighted(r) || straightens(r) || r.light == Light::linear || r.in.linear)
            samples.depth = Depth::f32, samples.unit = 0, error = half_last_place(white); // a conversion
        for (std::size_t i = 0; i < r.stages.size(); ++i) {
            const auto& stage = r.stages[i];
            const auto after = with_outside(r, samples_after(stage, samples, white));
            const bool last = i + 1 == r.stages.size();
            const double beyond_white = 1 + std::fabs(static_cast<double>(offset(stage)));
            error = error * absolute_gain(stage) +
                    off_by_stage(stage, factors[i], samples,
                                 last ? std::min(after.most, white * beyond_white) : after.most, off);
            samples = after;
        }
        return error * full_scale(r.out) / white + off_by_end(r) > rounding_margin(r);
    };
    return is_too_much(at_most_off) && is_too_much(off_by_either);
}

} // namespace

bool has_steps_between(const ImageRequest& r) {
    return r.stages.size() > 1 ||
           (r.stages.size() == 1 && is_alpha_weighted(r) && !filters_alpha(r.stages.front()));
}

bool filters_stored_numbers(const ImageRequest& r) {
    return !r.stages.empty() && !is_alpha_weighted(r) && !straightens(r) && r.light == Light::stored &&
           r.in.linear == r.out.linear;
}

double rounding_margin(const ImageRequest& r) {
    const double tolerated = has_steps_between(r) ? r.tolerance * full_scale(r.out) : 0;
    if (r.out.depth == Depth::u8) return std::max(1.0 / 64, tolerated);
    int extents = 0;
    for (const auto& stage : r.stages) {
        int longest = 0;
        for (const auto& kernel : stage.kernels) longest = std::max(longest, kernel.width + kernel.height);
        extents += longest;
    }
    return std::max(extents / 512.0, tolerated);
}

double off_by_factoring(const Kernel& kernel, const Factors& factors) {
    double off = 0;
    const auto* weight = kernel.weights.data();
    for (const float c : factors.column)
        for (const float r : factors.row)
            off += std::fabs(static_cast<double>(c) * static_cast<double>(r) -
                             static_cast<double>(*weight++));
    return off;
}

std::vector<double> amplifications(const ImageRequest& r) {
    std::vector<double> all;
    auto samples = samples_of(r);
    for (const auto& stage : r.stages) {
        all.push_back(samples.most / full_scale(r.in));
        samples = with_outside(r, samples_after(stage, samples, full_scale(r.in)));
    }
    double gain = 1; // gain of all later stages together
    for (auto i = r.stages.size(); i-- > 0;) {
        all[i] *= gain;
        gain *= absolute_gain(r.stages[i]);
    }
    return all;
}

bool needs_float64(const ImageRequest& r) {
    if (!is_integer(r.out.depth) || !std::ranges::all_of(r.stages, has_weights)) return false;
    if (has_steps_between(r)) return chain_needs_float64(r);
    return filters_stored_numbers(r) && one_filter_needs_float64(r);
}

std::string why_float64(const ImageStep& step) {
    if (has_float64(step))
        return "its filters amplify roundings beyond what the output allows, so the numbers between its "
               "steps are "
               "float64";
    const double gain = absolute_gain(step.stages.front());
    if (gain < 1.05) return "float32 would round its few taps too coarsely, so it is summed in float64";
    char times[32];
    if (gain < 1e7) std::snprintf(times, sizeof times, "%.*f", gain < 10 ? 1 : 0, gain);
    else std::snprintf(times, sizeof times, "%.1e", gain);
    return std::string("its weights come to ") + times + " times the divisor, so it is summed in float64";
}

} // namespace kg
