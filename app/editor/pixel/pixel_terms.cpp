#include "app/editor/pixel/pixel_terms.hpp"

#include "core/image/half.hpp"
#include "core/reference/reference.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace kg {

namespace {

KernelTerms kernel_terms(PixelChain& chain, const ImageRequest& request, std::size_t stage,
                         std::size_t kernel, const PixelTerms& at) {
    const auto& taps = chain.role(stage).kernels[kernel];
    KernelTerms terms{taps.width, taps.height, taps.anchor_x, taps.anchor_y, {}};
    terms.divisor = static_cast<double>(taps.divisor);
    terms.taps.reserve(taps.weights.size());
    for (int i = 0; i < taps.height; ++i)
        for (int j = 0; j < taps.width; ++j) {
            PixelTap tap{i, j, static_cast<double>(taps.at(i, j))};
            tap.x = at.x + j - taps.anchor_x;
            tap.y = at.y + i - taps.anchor_y;
            tap.source_x = border_index(request.border, tap.x, request.size.width);
            tap.source_y = border_index(request.border, tap.y, request.size.height);
            tap.constant = request.border == Border::constant && !tap.has_source();
            if (!tap.has_source()) tap.source_x = tap.source_y = -1;
            if (tap.constant) tap.sample = chain.outside()[static_cast<std::size_t>(at.channel)];
            else if (tap.has_source())
                tap.sample = chain.entering(stage, tap.source_x,
                                            tap.source_y)[static_cast<std::size_t>(at.channel)];
            if (tap.is_tap() && !tap.counts_as_zero()) tap.product = tap.weight * tap.sample;
            terms.weight_sum += tap.weight;
            terms.absolute_weight += std::fabs(tap.weight);
            if (tap.outside()) terms.outside_weight += std::fabs(tap.weight);
            terms.taps.push_back(tap);
        }
    terms.sum = partial_sum(terms, terms.taps.size());
    terms.quotient = chain.quotient(stage, kernel, terms.sum);
    return terms;
}

double as_stored(double value, const PixelFormat& format) {
    Image one({1, 1}, {format.depth, 1});
    store(one.view(), 0, 0, 0, value);
    return sample(one.view(), 0, 0, 0);
}

bool reads_not_finite(const KernelTerms& kernel) {
    return std::ranges::any_of(
        kernel.taps, [](const PixelTap& tap) { return tap.is_tap() && !std::isfinite(tap.sample); });
}

/// True if the weights cancel each other.
bool cancels(const KernelTerms& kernel) {
    return std::fabs(kernel.weight_sum) <= 1e-6 * kernel.absolute_weight;
}

PixelFact fact_of_kernel(const KernelTerms& kernel) {
    double products = 0, largest = 0, low = INFINITY, high = -INFINITY;
    bool negative = false;
    for (const auto& tap : kernel.taps) {
        if (!tap.is_tap()) continue;
        products += std::fabs(tap.product);
        largest = std::max(largest, std::fabs(tap.product));
        low = std::min(low, tap.sample);
        high = std::max(high, tap.sample);
        negative |= tap.weight < 0;
    }
    if (cancels(kernel)) return low == high ? PixelFact::flat : PixelFact::difference;
    if (products > 0 && largest > 0.9 * products) return PixelFact::one_tap;
    return negative ? PixelFact::contrast : PixelFact::mean;
}

PixelFact fact_of(const PixelTerms& terms) {
    if (std::ranges::any_of(terms.kernels, reads_not_finite)) return PixelFact::not_finite;
    if (terms.end && terms.end->alpha && *terms.end->alpha == 0) return PixelFact::no_alpha;
    if (terms.end && is_integer(terms.out.depth)) {
        if (terms.end->value < -0.5) return PixelFact::below;
        if (terms.end->value > full_scale(terms.out) + 0.5) return PixelFact::above;
    }
    if (std::ranges::any_of(terms.kernels, [](const auto& k) { return k.outside_weight > 0; }))
        return PixelFact::outside;
    const auto first = fact_of_kernel(terms.kernels.front());
    // Several kernels are flat only together.
    const bool same = std::ranges::all_of(terms.kernels,
                                          [&](const auto& k) { return fact_of_kernel(k) == first; });
    return same ? first : PixelFact::difference;
}

/// The place of a float in the order of all floats of its depth.
std::int64_t place_of(double value, Depth depth) {
    const auto in_order = [](std::int64_t magnitude, bool negative) {
        return negative ? -magnitude : magnitude;
    };
    if (depth == Depth::f16) {
        const auto bits = double_to_half(value);
        return in_order(bits & 0x7fff, (bits & 0x8000) != 0);
    }
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return in_order(bits & 0x7fffffffu, (bits >> 31) != 0);
}

} // namespace

PixelTerms pixel_terms(const ImageRequest& request, const ConstImageView& image, std::size_t stage,
                       std::int64_t x, std::int64_t y, int channel) {
    if (stage >= request.stages.size()) throw Error("no-such-step", "the recipe has no step {}", stage + 1);
    if (!whole(request.size).contains({x, y, 1, 1}) || channel < 0 || channel >= request.in.channels)
        throw Error("no-such-pixel", "the image has no pixel {},{} with channel {}", x, y, channel + 1);
    PixelChain chain(request, image, 1u << channel);
    PixelTerms terms{
        x, y, channel, stage, request.stages.size(), request.border, request.stages[stage].combine, {}};
    terms.white = chain.white();
    const bool colour = channel != request.in.alpha;
    terms.linear = chain.is_linear() && colour;
    terms.weighted = chain.is_weighted() && colour;
    terms.out = request.out;
    terms.sign = request.sign;
    if (stage + 1 == request.stages.size()) {
        terms.end = chain.end(x, y, channel);
        terms.stored = as_stored(terms.end->value, request.out);
    }
    const auto& role = chain.role(stage);
    if (!(role.channels >> channel & 1u)) {
        const bool copied = role.copies_alpha && channel == request.in.alpha;
        terms.fact = copied ? PixelFact::alpha_copied : PixelFact::passes_through;
        terms.combined = terms.result = chain.entering(stage, x, y)[static_cast<std::size_t>(channel)];
        return terms;
    }
    std::vector<double> quotients;
    for (std::size_t i = 0; i < role.kernels.size(); ++i) {
        terms.kernels.push_back(kernel_terms(chain, request, stage, i, terms));
        quotients.push_back(terms.kernels.back().quotient);
    }
    terms.combined = chain.combined(stage, quotients);
    terms.offset = colour ? role.offset : 0;
    terms.result = chain.with_offset(stage, quotients, channel);
    terms.fact = fact_of(terms);
    return terms;
}

double partial_sum(const KernelTerms& kernel, std::size_t taps) {
    double sum = 0, row_sum = 0;
    const auto width = static_cast<std::size_t>(kernel.width);
    for (std::size_t i = 0; i < std::min(taps, kernel.taps.size()); ++i) {
        if (i % width == 0) sum += std::exchange(row_sum, 0.0);
        const auto& tap = kernel.taps[i];
        if (tap.is_tap() && !tap.counts_as_zero()) row_sum += tap.product;
    }
    return sum + row_sum;
}

std::size_t with_next_tap(const KernelTerms& kernel, std::size_t taps) {
    while (taps < kernel.taps.size() && !kernel.taps[taps].is_tap()) ++taps;
    return std::min(taps + 1, kernel.taps.size());
}

std::vector<std::size_t> strongest_taps(const KernelTerms& kernel, std::size_t count) {
    std::vector<std::size_t> all(kernel.taps.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    count = std::min(count, all.size());
    const auto strength = [&](std::size_t i) {
        const auto& tap = kernel.taps[i];
        const double product = std::fabs(tap.product);
        return std::tuple(std::isnan(product) ? INFINITY : product, std::fabs(tap.weight));
    };
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(),
                      [&](std::size_t a, std::size_t b) {
                          const auto left = strength(a), right = strength(b);
                          return left != right ? left > right : a < b;
                      });
    all.resize(count);
    return all;
}

std::optional<std::int64_t> steps_between(double a, double b, Depth depth) {
    if (std::isnan(a) && std::isnan(b)) return 0;
    if (std::isnan(a) || std::isnan(b)) return {};
    if (is_integer(depth)) return static_cast<std::int64_t>(a) - static_cast<std::int64_t>(b);
    return place_of(a, depth) - place_of(b, depth);
}

std::string source_text(const PixelTap& tap, SourceText which) {
    if (!tap.outside() || !tap.has_source()) return {};
    if (which == SourceText::both) return std::to_string(tap.source_x) + "," + std::to_string(tap.source_y);
    if (tap.x == tap.source_x) return "y " + std::to_string(tap.source_y);
    return tap.y == tap.source_y ? "x " + std::to_string(tap.source_x) : std::string();
}

} // namespace kg
