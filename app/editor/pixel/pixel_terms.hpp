#pragma once
// Why a pixel has its value: the taps of one output of a step, their sum, and what becomes of it. Agrees with
// the reference (core/reference/reference.hpp) to the last bit.

#include "app/editor/pixel/pixel_chain.hpp"

#include <string>
#include <vector>

namespace kg {

/// A tap: one weight, and the sample that it is multiplied by.
struct PixelTap {
    int row = 0, column = 0;   ///< in the sum's grid, the flip applied
    double weight = 0;         ///< not divided; 0 = no tap
    std::int64_t x = 0, y = 0; ///< coordinate that the tap lies on, possibly outside the image
    /// Coordinate that is read after the border; -1 where there is none.
    std::int64_t source_x = 0, source_y = 0;
    bool constant = false; ///< it reads the pixel outside the image of border `constant`
    double sample = 0, product = 0;

    bool is_tap() const { return weight != 0; }
    bool outside() const { return !has_source() || x != source_x || y != source_y; }
    bool has_source() const { return source_x >= 0 && source_y >= 0; }
    bool counts_as_zero() const { return !has_source() && !constant; }
};

/// The pixel that the border reads for a tap outside the image: "767,510", or only the coordinate that it
/// changes: "x 767". Empty for other taps, and where it changes both but one is asked for.
enum class SourceText { both, changed };
std::string source_text(const PixelTap& tap, SourceText which = SourceText::both);

/// The sum of one kernel.
struct KernelTerms {
    int width = 1, height = 1, anchor_x = 0, anchor_y = 0; ///< as summed, the flip applied
    std::vector<PixelTap> taps;                            ///< `height` rows of `width`
    double sum = 0, divisor = 1, quotient = 0;
    /// Sums of the weights, of their magnitudes, and of the magnitudes outside the image.
    double weight_sum = 0, absolute_weight = 0, outside_weight = 0;

    /// Share of the absolute weight that lies outside the image: 0 to 1.
    double outside_share() const { return absolute_weight == 0 ? 0 : outside_weight / absolute_weight; }
};

/// What explains the value best.
enum class PixelFact {
    passes_through, ///< the channel is not filtered
    alpha_copied,   ///< alpha of a step that copies it
    not_finite,     ///< a tap reads infinity or NaN
    no_alpha,       ///< the filtered alpha is 0, so that colour is
    below,          ///< clamped to 0
    above,          ///< clamped to the largest number
    outside,        ///< weight lies outside the image
    flat,           ///< the weights sum to 0, and the taps are equal
    difference,     ///< the weights sum to 0: neighbours are compared
    one_tap,        ///< a single tap has most of the product
    mean,           ///< no weight is negative: a weighted mean, or a multiple of it
    contrast,       ///< positive and negative weights that do not sum to 0
};

struct PixelTerms {
    std::int64_t x = 0, y = 0;
    int channel = 0;
    std::size_t stage = 0, stages = 1; ///< the explained stage of the request, and their number
    Border border = Border::reflect101;
    Combine combine = Combine::single;
    std::vector<KernelTerms> kernels; ///< empty where nothing is summed
    double white = 255;               ///< number of white during the steps
    bool linear = false;              ///< samples are linear light
    bool weighted = false;            ///< samples are colour times alpha
    double combined = 0;              ///< quotients of all kernels, combined
    double offset = 0;                ///< in units of the samples
    double result = 0;                ///< the step's result, neither clamped nor rounded
    /// From the last step to the stored number; empty for the steps before it, which pass their result on.
    std::optional<PixelEnd> end{};
    SignedMode sign = SignedMode::clamp;
    PixelFormat out{}; ///< format of the stored number
    double stored = 0; ///< clamped, rounded and stored; of the last step only
    PixelFact fact = PixelFact::mean;

    bool is_last() const { return end.has_value(); }
};

/// The result of `stage` of the request at pixel (x, y) for one channel. The stages up to it must list their
/// weights. Cost: products_behind(). Throws Error for an inconsistent request, or one that the image or the
/// position does not suit.
PixelTerms pixel_terms(const ImageRequest& request, const ConstImageView& image, std::size_t stage,
                       std::int64_t x, std::int64_t y, int channel);

/// The sum of the first `taps` taps in the order of summation: along each row, then over the rows. With all
/// taps it equals the kernel's sum.
double partial_sum(const KernelTerms& kernel, std::size_t taps);

/// `taps`, and one tap more: weights of 0 are no taps.
std::size_t with_next_tap(const KernelTerms& kernel, std::size_t taps);

/// Indices of the `count` taps with the largest products, the largest first; of equal products, as those of
/// black samples, those with the largest weights.
std::vector<std::size_t> strongest_taps(const KernelTerms& kernel, std::size_t count);

/// How many numbers of this depth lie between two stored numbers: levels of integers, last places of floats.
/// Negative if `a` is the smaller; empty for NaN beside a number.
std::optional<std::int64_t> steps_between(double a, double b, Depth depth);

/// The fact as one message, with the pixel's numbers.
std::string explanation(const PixelTerms& terms);

} // namespace kg
