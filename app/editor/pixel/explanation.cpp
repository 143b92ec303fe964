// The fact behind a pixel as one message.

#include "app/editor/pixel/pixel_number.hpp"
#include "app/editor/pixel/pixel_terms.hpp"

#include <algorithm>
#include <cmath>

namespace kg {

namespace {

std::string percent(double share) {
    const auto whole = std::lround(share * 100);
    if (whole == 0) return "Under 1 %";
    return std::to_string(whole == 100 && share < 1 ? 99 : whole) + " %";
}

/// What the samples are: "numbers", or where colour is multiplied by alpha "products of colour and alpha".
const char* samples_text(const PixelTerms& terms) {
    return terms.weighted ? "products of colour and alpha" : "numbers";
}
const char* alpha_text(const PixelTerms& terms) { return terms.weighted ? " (colour times alpha)" : ""; }

const char* what_border_does(Border border) {
    switch (border) {
    case Border::zero: return "border zero counts it as 0";
    case Border::replicate: return "border replicate repeats the nearest pixel";
    case Border::reflect: return "border reflect mirrors the image, the edge included";
    case Border::reflect101: return "border reflect101 mirrors the image at its edge pixels";
    case Border::constant: return "border constant has one colour there";
    case Border::wrap: return "border wrap continues on the opposite edge";
    }
    return "";
}

struct Range {
    double low = INFINITY, high = -INFINITY;
    std::size_t taps = 0;
    double added = 0, taken = 0; ///< products above and below 0, over the divisor
};

Range range_of(const KernelTerms& kernel) {
    Range range;
    for (const auto& tap : kernel.taps) {
        if (!tap.is_tap()) continue;
        ++range.taps;
        range.low = std::min(range.low, tap.sample);
        range.high = std::max(range.high, tap.sample);
        (tap.product > 0 ? range.added : range.taken) += tap.product / kernel.divisor;
    }
    return range;
}

bool is_mean(const KernelTerms& kernel) { return std::fabs(kernel.weight_sum / kernel.divisor - 1) < 1e-3; }

const PixelTap& strongest(const KernelTerms& kernel) {
    return *std::ranges::max_element(kernel.taps, {}, [](const auto& tap) { return std::fabs(tap.product); });
}

/// The part of the kernels' weight that lies outside the image, over all kernels.
double outside_share(const PixelTerms& terms) {
    double outside = 0, all = 0;
    for (const auto& kernel : terms.kernels) outside += kernel.outside_weight, all += kernel.absolute_weight;
    return all == 0 ? 0 : outside / all;
}

std::string of_tap(const PixelTerms& terms) {
    const auto& kernel = terms.kernels.front();
    const auto& tap = strongest(kernel);
    const bool itself = tap.x == terms.x && tap.y == terms.y;
    const bool is_only = std::ranges::count_if(kernel.taps,
                                               [](const PixelTap& each) { return each.product != 0; }) <= 1;
    return (itself ? "The pixel itself" : "Pixel " + std::to_string(tap.x) + ", " + std::to_string(tap.y)) +
           " alone, " + pixel_number(tap.sample) + alpha_text(terms) + " times " +
           pixel_number(tap.weight / kernel.divisor) +
           (is_only ? ", is the whole result." : ", makes most of the result.");
}

std::string of_clamp(const PixelTerms& terms) {
    const bool low = terms.fact == PixelFact::below;
    return pixel_number(terms.end->value) + (low ? " is below 0" : " is above the largest number") +
           ": it is stored as " + pixel_number(terms.stored) + ".";
}

/// Text for several kernels, which are differences only where their weights cancel.
std::string of_magnitude(const PixelTerms& terms) {
    const bool differences = std::ranges::all_of(terms.kernels, [](const KernelTerms& kernel) {
        return std::fabs(kernel.weight_sum) <= 1e-6 * kernel.absolute_weight;
    });
    return std::string(terms.combine == Combine::l1 ? "The sum of the absolute values"
                                                    : "The root of the sum of squares") +
           " of " + std::to_string(terms.kernels.size()) +
           (differences ? " differences of neighbours is " : " weighted sums is ") +
           pixel_number(terms.result) + ".";
}

} // namespace

std::string explanation(const PixelTerms& terms) {
    const auto range = terms.kernels.empty() ? Range{} : range_of(terms.kernels.front());
    switch (terms.fact) {
    case PixelFact::passes_through: return "This channel is not filtered: it passes through.";
    case PixelFact::alpha_copied: return "The step does not keep the mean, so that it copies alpha.";
    case PixelFact::not_finite: return "A tap reads infinity or NaN, which reaches the result.";
    case PixelFact::no_alpha: return "The filtered alpha is 0: a colour without alpha is stored as 0.";
    case PixelFact::below:
    case PixelFact::above: return of_clamp(terms);
    case PixelFact::outside:
        return percent(outside_share(terms)) + " of the weight lies outside the image; " +
               what_border_does(terms.border) + ".";
    case PixelFact::flat:
        return (terms.kernels.size() > 1
                    ? "The weights of each kernel sum to 0 and all its taps read the same: "
                    : "The weights sum to 0 and all taps read " + pixel_number(range.low) +
                          alpha_text(terms) + ": ") +
               (terms.offset == 0 ? "the result is 0." : "the offset alone remains.");
    case PixelFact::difference:
        if (terms.kernels.size() > 1) return of_magnitude(terms);
        return "The weights sum to 0: " + pixel_number(range.added) + " minus " + pixel_number(-range.taken) +
               ", the difference of neighbours.";
    case PixelFact::one_tap: return terms.kernels.size() > 1 ? of_magnitude(terms) : of_tap(terms);
    case PixelFact::mean:
        if (terms.kernels.size() > 1) return of_magnitude(terms);
        return std::string(is_mean(terms.kernels.front()) ? "The weighted mean of " : "A weighted sum of ") +
               std::to_string(range.taps) + " " + samples_text(terms) + " from " + pixel_number(range.low) +
               " to " + pixel_number(range.high) + ".";
    case PixelFact::contrast:
        if (terms.kernels.size() > 1) return of_magnitude(terms);
        return "Positive weights add " + pixel_number(range.added) + ", negative ones take away " +
               pixel_number(-range.taken) + ".";
    }
    return {};
}

} // namespace kg
