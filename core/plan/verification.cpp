#include "core/plan/verification.hpp"

#include "core/plan/cut.hpp"
#include "core/reference/reference.hpp"
#include "core/request/conversion.hpp"
#include "core/request/rounding.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

namespace kg {

namespace {

double eps() { return static_cast<double>(std::numeric_limits<float>::epsilon()); }

float absolute(float v) { return std::fabs(v); }

/// Light is decoded before the stages.
bool decodes(const ImageRequest& r) { return r.light == Light::linear && !r.in.linear && !r.stages.empty(); }

/// The request with every weight and offset made positive, on the numbers during the stages.
ImageRequest positive_request(const ImageRequest& r) {
    auto all_positive = r;
    all_positive.in.depth = Depth::f32;
    all_positive.in.scale = static_cast<float>(full_scale(r.in));
    if (decodes(r)) all_positive.in.scale = 1, all_positive.in.linear = true;
    all_positive.in.premultiplied = false;
    all_positive.out = all_positive.in;
    all_positive.alpha = AlphaMode::straight;
    all_positive.light = Light::stored;
    all_positive.sign = SignedMode::clamp;
    for (auto& stage : all_positive.stages) {
        stage.offset = absolute(stage.offset);
        stage.factors.clear(); // they belong to the signed weights
        // No smaller than the root of the squares.
        if (stage.combine == Combine::l2) stage.combine = Combine::l1;
        for (auto& kernel : stage.kernels) {
            std::ranges::transform(kernel.weights, kernel.weights.begin(), absolute);
            kernel.divisor = absolute(kernel.divisor);
            kernel.offset = absolute(kernel.offset);
        }
    }
    return all_positive;
}

/// The magnitudes of the numbers that the stages of `r` begin with, in the format of positive_request().
Image positive_image(const ImageRequest& r, const ConstImageView& image, const PixelFormat& format) {
    Image positive(r.size, format);
    const bool decode = decodes(r);
    const int alpha = r.in.alpha;
    for (std::int64_t y = 0; y < r.size.height; ++y)
        for (std::int64_t x = 0; x < r.size.width; ++x)
            for (int c = 0; c < r.in.channels; ++c) {
                double v = sample(image, x, y, c);
                if (decode) v /= full_scale(r.in);
                if (decode && c != alpha) v = srgb_to_linear(v);
                const double weight = alpha >= 0 ? sample(image, x, y, alpha) / full_scale(r.in) : 1;
                if (is_alpha_weighted(r) && !r.in.premultiplied && c != alpha) v *= weight;
                if (straightens(r)) {
                    const double within = weight > 0 ? std::min(weight, 1.0) : 0;
                    if (c == alpha) v = within * full_scale(format);
                    else v = within > 0 ? v / within : 0;
                }
                store(positive.view(), x, y, c, std::fabs(v));
            }
    return positive;
}

/// The magnitude whose share in the bound covers the rounding of terms below the smallest normal float to
/// multiples of 2^-149: in the sums of a stage's kernels, and in the quotient.
/// With l2, squares are rounded so too, which changes the root by at most 2^-74 per kernel.
double least_magnitude(const Stage& stage) {
    double share = 1;
    for (const auto& kernel : stage.kernels)
        share += static_cast<double>(kernel.width) * kernel.height / (kernel.width + kernel.height) /
                 std::fabs(static_cast<double>(kernel.divisor));
    const double of_squares = stage.combine == Combine::l2
                                  ? 0x1p-53 * static_cast<double>(stage.kernels.size())
                                  : 0;
    return share * static_cast<double>(std::numeric_limits<float>::min()) + of_squares;
}

/// The largest finite number that the stages begin with, relative to full scale; at least 1.
double largest_number(const Image& positive) {
    double largest = full_scale(positive.format());
    for (std::int64_t y = 0; y < positive.size().height; ++y)
        for (std::int64_t x = 0; x < positive.size().width; ++x)
            for (int c = 0; c < positive.format().channels; ++c)
                if (const double v = sample(positive.view(), x, y, c); std::isfinite(v))
                    largest = std::max(largest, v);
    return largest / full_scale(positive.format());
}

struct Magnitudes {
    std::vector<double> values;
    double largest = 1; ///< largest_number()
    double outside = 0; ///< the same of the pixel outside the image
};

/// Semantics 12 for whole recipes. With every weight, offset and sample made positive, the reference yields
/// sum |w x| at each pixel; through a chain, it yields how each stage propagates the errors of the stages
/// before it. The numbers are those during the stages: light decoded, colour premultiplied, in units of the
/// input's full scale (1 in linear light).
Magnitudes magnitudes(const ImageRequest& r, const ConstImageView& image, const Rect& part,
                      const std::stop_token& stop) {
    auto all_positive = positive_request(r);
    auto positive = positive_image(r, image, all_positive.in);
    double largest = largest_number(positive), outside = 0;
    if (r.border == Border::constant) {
        auto of_pixel = r;
        of_pixel.size = {1, 1};
        Image pixel(of_pixel.size, r.in);
        const auto numbers = outside_pixel(r);
        for (int c = 0; c < r.in.channels; ++c)
            store(pixel.view(), 0, 0, c, numbers[static_cast<std::size_t>(c)]);
        const auto around = positive_image(of_pixel, pixel.view(), all_positive.in);
        outside = largest_number(around);
        largest = std::max(largest, outside);
        for (int c = 0; c < r.in.channels; ++c)
            all_positive.outside[static_cast<std::size_t>(c)] = static_cast<float>(
                sample(around.view(), 0, 0, c) / full_scale(all_positive.in));
    }
    const int alpha = r.in.alpha;
    std::vector<double> values;
    bool weighted = is_alpha_weighted(r); // until a stage copies alpha
    for (std::size_t i = 0; i == 0 || i < r.stages.size(); ++i) {
        auto step = all_positive;
        step.channels = computed_channels(r);
        if (!r.stages.empty()) step.stages = {all_positive.stages[i]};
        // Alpha is copied.
        if (is_alpha_weighted(r) && !filters_alpha(r.stages[i])) step.channels &= ~(1u << alpha);
        if (step.channels == 0) step.channels = ~0u, step.stages.clear(); // all channels pass through
        weighted = weighted && filters_alpha(r.stages[i]);
        const double weighted_offset = weighted ? std::fabs(static_cast<double>(offset(r.stages[i]))) : 0;
        if (weighted_offset != 0) step.stages.front().kernels.front().offset = 0;
        const double least = step.stages.empty() ? 0 : least_magnitude(r.stages[i]);
        const bool last = i + 1 >= r.stages.size();
        values = reference_values(step, positive.view(), last ? part : whole(r.size), stop);
        for (auto& value : values) value += least;
        if (weighted_offset != 0) // times alpha, or after the division by it
            for (std::size_t v = 0; v < values.size(); ++v) {
                const auto channel = v % static_cast<std::size_t>(r.in.channels);
                if (channel == static_cast<std::size_t>(alpha)) continue;
                const double unit = full_scale(all_positive.in);
                values[v] += weighted_offset *
                             std::max(unit, values[v - channel + static_cast<std::size_t>(alpha)]);
            }
        if (!last) positive = rounded(step, values);
    }
    return {std::move(values), largest, outside};
}

/// The sums of kernel width and height, added over the stages: the count in the bound of semantics 12.
double kernel_extents(const ImageRequest& r) {
    double sum = 0;
    for (const auto& stage : r.stages) {
        double widest = 0;
        for (const auto& kernel : stage.kernels)
            widest = std::max(widest, static_cast<double>(kernel.width + kernel.height));
        sum += widest;
    }
    return sum;
}

/// The total of the stated errors of an inexact algorithm, in units of full scale. Each applies to samples of
/// up to full scale; later steps amplify it by the sum of their absolute weights. `outside` is the magnitude
/// that every step reads outside the image.
double stated_error(const ImageRequest& r, double largest, double outside, const Algorithm* algorithm) {
    if (!algorithm || !algorithm->error) return 0;
    double error = 0;
    for (const auto& step : cut_into_steps(r)) {
        if (is_conversion(step)) continue;
        const auto& stage = step.stages.front();
        const double gain = absolute_gain(stage);
        error = error * gain + algorithm->error(step) * largest;
        largest = std::max(largest * gain + std::fabs(static_cast<double>(offset(stage))), outside);
    }
    return error;
}

/// The error that each sample of the result may have before it is rounded to an integer, in units of
/// request.out. `bound` holds magnitudes(); `stated` is the stated error of the algorithm, in units of full
/// scale.
std::vector<double> bounds(const ImageRequest& r, std::vector<double> bound,
                           const std::vector<double>& expected, double stated) {
    // Conversions round too: to the working format and back, and when multiplying and dividing by alpha.
    const double in_sums = 2 * (kernel_extents(r) + 2) * eps();
    const double unit = decodes(r) ? 1.0 : full_scale(r.in), out = full_scale(r.out);
    const bool copies_alpha = is_alpha_weighted(r) && !std::ranges::all_of(r.stages, filters_alpha);
    const bool divided = r.in.alpha >= 0 && !r.out.premultiplied && !copies_alpha &&
                         (is_alpha_weighted(r) || (r.in.premultiplied && !straightens(r)));
    const bool encoded = (r.in.linear || decodes(r)) && !r.out.linear;
    const bool decoded = !r.in.linear && !decodes(r) && r.out.linear;
    const bool multiplied = r.in.alpha >= 0 && r.out.premultiplied && !is_alpha_weighted(r) &&
                            (!r.in.premultiplied || straightens(r)); // in the last step
    const double after_division = divided && is_alpha_weighted(r)
                                      ? std::fabs(static_cast<double>(offset(r.stages.back())))
                                      : 0;
    const bool keeps_alpha = r.in.alpha >= 0 && !(computed_channels(r) >> r.in.alpha & 1u);
    const auto channels = static_cast<std::size_t>(r.in.channels);
    for (std::size_t i = 0; i < bound.size(); i += channels) {
        double alpha = 1, alpha_error = 0;
        if (divided || multiplied) {
            const auto a = i + static_cast<std::size_t>(r.in.alpha);
            alpha_error = bound[a] * in_sums / unit + stated;
            alpha = expected[a] / out;
            // A copied alpha may lie outside its range; colour uses the clamped value.
            if (divided || keeps_alpha) alpha = std::min(alpha, 1.0);
        }
        for (std::size_t c = 0; c < channels; ++c) {
            const bool colour = static_cast<int>(c) != r.in.alpha && (computed_channels(r) >> c & 1u);
            // SignedMode::half adds half of full scale last.
            double value = expected[i + c] / out - (colour && r.sign == SignedMode::half ? 0.5 : 0);
            const double magnitude = bound[i + c] / unit;
            double error = magnitude * in_sums + stated;
            // Colour is divided before the result's curve, and multiplied behind it.
            if (multiplied && colour) value = alpha != 0 ? value / alpha : 0;
            double quotient = encoded ? srgb_to_linear(value) : decoded ? linear_to_srgb(value) : value;
            if (multiplied && colour && alpha == 0) { // any colour up to its magnitude gives the expected 0
                quotient = magnitude;
                value = encoded ? linear_to_srgb(quotient) : decoded ? srgb_to_linear(quotient) : quotient;
            }
            if (divided && colour) // (C +- e) / (A +- a); unbounded where alpha is below its own error
                error = alpha > alpha_error ? (error + (std::fabs(quotient) + after_division) * alpha_error) /
                                                  (alpha - alpha_error)
                                            : std::numeric_limits<double>::infinity();
            const auto through_curve = [&](auto curve, double before) {
                error = std::max(std::fabs(curve(before + error) - value),
                                 std::fabs(curve(before - error) - value)) +
                        4 * eps() * std::fabs(value); // the error of pow()
            };
            if (encoded && colour) through_curve(linear_to_srgb<double>, quotient);
            if (decoded && colour) through_curve(srgb_to_linear<double>, quotient);
            if (multiplied && colour) // (C +- e) * (A +- a)
                error = std::fabs(alpha) * error + (std::fabs(value) + error) * alpha_error;
            // Below the smallest normal float, results round to multiples of 2^-149.
            bound[i + c] = error * out + std::max(eps() * std::fabs(expected[i + c]), 0x1p-149);
        }
    }
    return bound;
}

/// Semantics 11: exact integer sums leave every algorithm the same f32 arithmetic and therefore the same
/// bytes. Operations after the stage, such as adding half of full scale, are float64 in the reference.
bool must_be_identical(const ImageRequest& r) {
    if (!is_integer(r.in.depth) || r.sign == SignedMode::half ||
        (r.out.depth != r.in.depth && r.out.depth != Depth::f32) ||
        r.in.premultiplied != r.out.premultiplied || r.stages.size() != 1 || !filters_stored_numbers(r))
        return false;
    return sums_exactly(r.stages.front(), full_scale(r.in));
}

[[noreturn]] void throw_wrong_format() {
    throw Error("image-mismatch", "The result does not have the size or format of the request.");
}

/// The samples in `part` of the values of the whole image.
std::vector<double> cropped(const ImageRequest& r, std::vector<double> values, const Rect& part) {
    if (part == whole(r.size)) return values;
    const auto channels = static_cast<std::int64_t>(r.in.channels);
    std::vector<double> kept;
    for (auto y = part.y; y < part.bottom(); ++y) {
        const auto row = values.begin() + (y * r.size.width + part.x) * channels;
        kept.insert(kept.end(), row, row + part.width * channels);
    }
    return kept;
}

} // namespace

Verification compare_with_reference(const ImageRequest& r, const ConstImageView& image,
                                    const ConstImageView& result, const Algorithm* algorithm,
                                    const std::stop_token& stop) {
    return compare_with_reference(r, image, whole(r.size), result, algorithm, stop);
}

Verification compare_with_reference(const ImageRequest& r, const ConstImageView& image, const Rect& part,
                                    const ConstImageView& result, const Algorithm* algorithm,
                                    const std::stop_token& stop) {
    if (result.size != Extent{part.width, part.height} || result.format != r.out) throw_wrong_format();
    return ReferenceResult(r, image, part, stop).verify(result, algorithm, stop);
}

ReferenceResult::ReferenceResult(const ImageRequest& request, const ConstImageView& image, const Rect& part,
                                 const std::stop_token& stop)
    : request_(request), part_(part),
      expected_(cropped(request, reference_values(request, image, part, stop), part)) {
    auto found = magnitudes(request, image, part, stop);
    magnitudes_ = cropped(request, std::move(found.values), part);
    largest_ = found.largest;
    outside_ = found.outside;
    auto of_part = request;
    of_part.size = {part.width, part.height};
    rounded_ = rounded(of_part, expected_);
}

namespace {

std::string place_text(std::int64_t x, std::int64_t y, int channel) {
    return "at x " + std::to_string(x) + " y " + std::to_string(y) + " channel " + std::to_string(channel);
}

std::string wrong_text(double got, double want, bool identical, double allowed) {
    std::ostringstream text;
    text << ": " << got << ", should be " << want;
    if (identical) text << " (identical bytes)";
    else text << " within " << allowed;
    return text.str();
}

} // namespace

Verification ReferenceResult::verify(const ConstImageView& result, const Algorithm* algorithm,
                                     const std::stop_token& stop) const {
    const auto& r = request_;
    if (result.size != rounded_.size() || result.format != r.out) throw_wrong_format();
    const double stated = stated_error(r, largest_, outside_, algorithm);
    const auto bound = bounds(r, magnitudes_, expected_, stated);
    const bool identical = must_be_identical(r) && stated == 0, integer = is_integer(r.out.depth);
    // Filters on the stored numbers must satisfy the narrow rule. Around alpha weighting and light, and where
    // one of several filters lists no weights, the bound of the sums counts.
    const bool narrow = filters_stored_numbers(r) &&
                        (r.stages.size() == 1 || std::ranges::all_of(r.stages, has_weights));
    const double t = rounding_margin(r);

    Verification verification;
    std::size_t next = 0;
    for (std::int64_t y = 0; y < part_.height; ++y) {
        if (stop.stop_requested()) throw Cancelled();
        for (std::int64_t x = 0; x < part_.width; ++x)
            for (int c = 0; c < r.in.channels; ++c) {
                const auto i = next++;
                const double got = sample(result, x, y, c), want = expected_[i],
                             want_rounded = sample(rounded_.view(), x, y, c);
                bool right = false;
                double allowed = 0;
                if (!std::isfinite(want)) {
                    right = integer ? got == want_rounded : std::isnan(want) ? std::isnan(got) : got == want;
                } else if (identical || std::isnan(bound[i]) || (c == r.in.alpha && std::isinf(bound[i]))) {
                    // A NaN or infinite alpha was clamped to its range before.
                    right = got == want_rounded;
                } else if (integer) {
                    const double slack = std::max(t, narrow ? stated * full_scale(r.out) : bound[i]);
                    const bool by_one = narrow && stated == 0 && !(has_steps_between(r) && r.tolerance > 0);
                    allowed = by_one ? 1 : std::ceil(0.5 + slack);
                    right = got == want_rounded || ((!by_one || std::fabs(got - want_rounded) <= 1) &&
                                                    std::fabs(got - want) <= 0.5 + slack);
                } else {
                    allowed = bound[i];
                    if (r.out.depth == Depth::f16) // plus the rounding to half floats
                        allowed += std::max(std::fabs(want) * 0x1p-11, 0x1p-25) +
                                   std::fabs(want - want_rounded);
                    right = std::fabs(got - want) <= allowed;
                }
                const bool same = got == want_rounded || (std::isnan(got) && std::isnan(want_rounded));
                const double error = same ? 0 : std::fabs(got - (integer ? want_rounded : want));
                verification.max_error = std::max(verification.max_error,
                                                  std::isnan(error) ? std::numeric_limits<double>::infinity()
                                                                    : error);
                if (std::isfinite(allowed)) verification.bound = std::max(verification.bound, allowed);
                verification.differing += !same;
                ++verification.samples;
                if (right || verification.wrong++ > 0) continue;
                verification.first_wrong = place_text(part_.x + x, part_.y + y, c) +
                                           wrong_text(got, want, identical, allowed);
            }
    }
    return verification;
}

} // namespace kg
