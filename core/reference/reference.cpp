#include "core/reference/reference.hpp"

#include "core/image/half.hpp"
#include "core/request/conversion.hpp"
#include "core/request/rounding.hpp"
#include "core/request/sample.hpp"
#include "core/support/error.hpp"
#include "core/support/stop.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace kg {

namespace {

/// An image of doubles, read through a border.
struct Plane {
    Extent size;
    int channels;
    std::vector<double> values;

    double& at(std::int64_t x, std::int64_t y, int c) {
        return values[static_cast<std::size_t>((y * size.width + x) * channels + c)];
    }
    double at(std::int64_t x, std::int64_t y, int c) const { return const_cast<Plane&>(*this).at(x, y, c); }

    template <typename Body>
    void for_each_pixel(Body body) {
        for (std::size_t i = 0; i < values.size(); i += static_cast<std::size_t>(channels)) body(&values[i]);
    }
};

/// What lies outside an image.
struct Outside {
    Border mode = Border::reflect101;
    std::array<double, kMaxChannels> pixel{}; ///< colour of `constant` in the image's numbers, else zeros
    double at(int c) const { return pixel[static_cast<std::size_t>(c)]; }
};

/// The sum of semantics 1 and 2: first along each kernel row, then over the rows (semantics 11).
double correlate(const Plane& in, const Taps& t, const Outside& border, std::int64_t x, std::int64_t y,
                 int c) {
    double sum = 0;
    for (int i = 0; i < t.height; ++i) {
        const auto row = border_index<std::int64_t>(border.mode, y + i - t.anchor_y, in.size.height);
        double row_sum = 0;
        for (int j = 0; j < t.width; ++j) {
            const auto column = border_index<std::int64_t>(border.mode, x + j - t.anchor_x, in.size.width);
            if (t.at(i, j) == 0.0f) continue; // a zero weight is no tap
            row_sum += static_cast<double>(t.at(i, j)) *
                       (row < 0 || column < 0 ? border.at(c) : in.at(column, row, c));
        }
        sum += row_sum;
    }
    return sum;
}

/// If the sum is an exact integer, the quotient is the f32 division that every engine computes (semantics 4).
double quotient(double sum, float divisor, bool exact) {
    return exact ? static_cast<double>(static_cast<float>(sum) / divisor)
                 : sum / static_cast<double>(divisor);
}

/// The sums of a stage whose generator alone defines its weights (semantics 9): float64 along each row, then
/// over the rows. Both are plain sums of products, so the result is accurate to a few (width + height)
/// roundings of float64.
Plane generated_sums(const Plane& in, const Stage& stage, const Outside& border, unsigned channels,
                     const Rect& part, const std::stop_token& stop) {
    const auto t = taps(stage.kernels.front());
    const auto profile = [&](int kernel_size) {
        const auto* gaussian = std::get_if<GaussianGenerator>(&stage.generator);
        return gaussian ? gaussian_profile(gaussian->sigma, kernel_size)
                        : std::vector<double>(static_cast<std::size_t>(kernel_size), 1.0);
    };
    const auto pass = [&](const Plane& from, int kernel_size, int anchor, bool along_rows, const Rect& area,
                          double gain) { // the pass before has multiplied the pixel outside by it
        const auto weights = profile(kernel_size);
        const auto length = along_rows ? in.size.width : in.size.height;
        Plane to = from;
        std::vector<std::int64_t> index(weights.size());
        for (auto place = along_rows ? area.x : area.y; place < (along_rows ? area.right() : area.bottom());
             ++place) {
            for (std::size_t i = 0; i < index.size(); ++i)
                index[i] = border_index<std::int64_t>(border.mode,
                                                      place + static_cast<std::int64_t>(i) - anchor, length);
            for (auto other = along_rows ? area.y : area.x;
                 other < (along_rows ? area.bottom() : area.right()); ++other)
                for (int c = 0; c < in.channels; ++c) {
                    if (!(channels >> c & 1u)) continue;
                    throw_if_stopped(stop);
                    double sum = 0;
                    for (std::size_t i = 0; i < index.size(); ++i) {
                        if (weights[i] == 0) continue; // a zero weight is no tap
                        sum += weights[i] * (index[i] < 0 ? border.at(c) * gain
                                             : along_rows ? from.at(index[i], other, c)
                                                          : from.at(other, index[i], c));
                    }
                    (along_rows ? to.at(place, other, c) : to.at(other, place, c)) = sum;
                }
        }
        return to;
    };
    // The second pass reads above and below the region.
    const Rect columns{part.x, 0, part.width, in.size.height};
    const auto across = profile(t.width);
    return pass(pass(in, t.width, t.anchor_x, true, columns, 1), t.height, t.anchor_y, false, part,
                std::accumulate(across.begin(), across.end(), 0.0));
}

/// Outside `part` the result equals `in`.
Plane filter(const Plane& in, const Stage& stage, const Outside& border, unsigned channels, double offset,
             int alpha, bool integers, double largest, const Rect& part, const std::stop_token& stop) {
    std::vector<Taps> all;
    for (const auto& kernel : stage.kernels) all.push_back(taps(kernel));
    const bool exact = integers && sums_exactly(stage, largest);
    const bool listed = has_weights(stage);
    const Plane generated = listed ? Plane{} : generated_sums(in, stage, border, channels, part, stop);
    const auto result = [&](const Taps& t, std::int64_t x, std::int64_t y, int c) {
        return quotient(listed ? correlate(in, t, border, x, y, c) : generated.at(x, y, c), t.divisor, exact);
    };
    Plane out = in;
    for (auto y = part.y; y < part.bottom(); ++y)
        for (auto x = part.x; x < part.right(); ++x)
            for (int c = 0; c < in.channels; ++c) {
                if (!(channels >> c & 1u)) continue;
                throw_if_stopped(stop);
                const double due = c == alpha ? 0.0 : offset; // alpha has no offset
                // Exact integer sums: the f32 arithmetic of every engine follows.
                if (exact) {
                    float value = 0;
                    for (const auto& t : all)
                        value = combined(stage.combine, value, static_cast<float>(result(t, x, y, c)));
                    out.at(x, y,
                           c) = static_cast<double>(finished(stage.combine, value, static_cast<float>(due)));
                    continue;
                }
                double value = 0;
                for (const auto& t : all) {
                    const double one = result(t, x, y, c);
                    switch (stage.combine) {
                    case Combine::single: value = one; break;
                    case Combine::l1: value += std::fabs(one); break;
                    case Combine::l2: value += one * one; break;
                    }
                }
                out.at(x, y, c) = (stage.combine == Combine::l2 ? std::sqrt(value) : value) + due;
            }
    return out;
}

double clamp01(double v) { return v > 0 ? std::min(v, 1.0) : 0.0; }

} // namespace

double sample(const ConstImageView& image, std::int64_t x, std::int64_t y, int channel) {
    const auto i = x * image.format.channels + channel;
    switch (image.format.depth) {
    case Depth::u8: return image.row<std::uint8_t>(y)[i];
    case Depth::u16: return image.row<std::uint16_t>(y)[i];
    case Depth::f16: return static_cast<double>(half_to_float(image.row<std::uint16_t>(y)[i]));
    case Depth::f32: return static_cast<double>(image.row<float>(y)[i]);
    case Depth::f64: return image.row<double>(y)[i];
    }
    return 0;
}

void store(const ImageView& image, std::int64_t x, std::int64_t y, int channel, double value) {
    const auto i = x * image.format.channels + channel;
    const auto integer = [&](double largest) {
        return value > 0 ? std::nearbyint(std::min(value, largest)) : 0.0;
    };
    switch (image.format.depth) {
    case Depth::u8: image.row<std::uint8_t>(y)[i] = static_cast<std::uint8_t>(integer(255)); return;
    case Depth::u16: image.row<std::uint16_t>(y)[i] = static_cast<std::uint16_t>(integer(65535)); return;
    case Depth::f16:
        if (std::isfinite(value)) value = std::clamp(value, -65504.0, 65504.0);
        image.row<std::uint16_t>(y)[i] = double_to_half(value);
        return;
    case Depth::f32: image.row<float>(y)[i] = static_cast<float>(value); return;
    case Depth::f64: image.row<double>(y)[i] = value; return;
    }
}

double reference_products(const ImageRequest& request) {
    double taps = 0;
    for (const auto& stage : request.stages)
        for (const auto& kernel : stage.kernels)
            taps += static_cast<double>(kernel.width) * static_cast<double>(kernel.height);
    return std::max(1.0, taps) * request.in.channels;
}

std::vector<double> reference_values(const ImageRequest& request, const ConstImageView& image,
                                     const std::stop_token& stop) {
    return reference_values(request, image, whole(request.size), stop);
}

std::vector<double> reference_values(const ImageRequest& request, const ConstImageView& image,
                                     const Rect& part, const std::stop_token& stop) {
    validate(request);
    if (image.size != request.size || image.format != request.in)
        throw Error("image-mismatch", "the image is not of the size and format that the request is for");
    Plane p{request.size, request.in.channels, {}};
    p.values.resize(static_cast<std::size_t>(request.size.width * request.size.height * p.channels));
    for (std::int64_t y = 0; y < p.size.height; ++y)
        for (std::int64_t x = 0; x < p.size.width; ++x)
            for (int c = 0; c < p.channels; ++c) p.at(x, y, c) = sample(image, x, y, c);
    const Plane input = p;

    const int alpha = request.in.alpha;
    const auto computed = computed_channels(request);
    const auto is_colour = [&](int c) { return c != alpha && (computed >> c & 1u); };
    const bool alpha_weighting = is_alpha_weighted(request);
    const bool decode = request.light == Light::linear && !request.in.linear && !request.stages.empty();
    const bool is_linear = request.in.linear || decode; // during the stages
    const double in_scale = full_scale(request.in), out_scale = full_scale(request.out);
    const double unit = decode ? 1.0 : in_scale; // the number of white during the stages

    const auto prepare = [&](double* v) {
        for (int c = 0; c < p.channels; ++c) {
            if (decode) v[c] /= in_scale;
            if (decode && is_colour(c)) v[c] = srgb_to_linear(v[c]);
        }
        if (alpha_weighting && !request.in.premultiplied)
            for (int c = 0; c < p.channels; ++c)
                if (is_colour(c)) v[c] *= v[alpha] / unit;
        if (straightens(request)) {
            const double a = clamp01(v[alpha] / unit);
            for (int c = 0; c < p.channels; ++c)
                if (is_colour(c)) v[c] = a == 0 ? 0 : v[c] / a;
            if (computed >> alpha & 1u) v[alpha] = a * unit;
        }
    };
    p.for_each_pixel(prepare);
    Outside outside{request.border, outside_pixel(request)};
    prepare(outside.pixel.data());

    bool alpha_was_copied = false, alpha_was_filtered = false;
    double last_offset = 0; // offset of premultiplied colour
    bool integers = is_integer(request.in.depth) && !decode && !alpha_weighting && !straightens(request) &&
                    !(has_steps_between(request) && needs_float64(request));
    for (const auto& stage : request.stages) {
        const double stage_offset = static_cast<double>(
            static_cast<float>(static_cast<double>(offset(stage)) * unit));
        const bool copies_alpha = alpha_weighting && !filters_alpha(stage);
        alpha_was_copied |= copies_alpha;
        alpha_was_filtered |= alpha_weighting && !copies_alpha;
        const bool weighted_offset = alpha_weighting && !alpha_was_copied && stage_offset != 0;
        p = filter(p, stage, outside, copies_alpha ? computed & ~(1u << alpha) : computed,
                   weighted_offset ? 0.0 : stage_offset, alpha, integers, in_scale,
                   &stage == &request.stages.back() ? part : whole(request.size), stop);
        integers = false;
        if (!weighted_offset) continue; // added to straight colour, not to premultiplied colour
        if (&stage == &request.stages.back()) last_offset = stage_offset;
        else
            p.for_each_pixel([&](double* v) {
                for (int c = 0; c < p.channels; ++c)
                    if (is_colour(c)) v[c] += stage_offset * (v[alpha] / unit);
            });
    }

    // The result of a stage that copies alpha is final. Dividing it by alpha would undo the weighting.
    const bool weighted = alpha_was_copied
                              ? request.out.premultiplied
                              : alpha_weighting || (request.in.premultiplied && !straightens(request));
    p.for_each_pixel([&](double* v) {
        const bool divides = alpha >= 0 && weighted && !request.out.premultiplied;
        if (divides || alpha_was_filtered) v[alpha] = clamp01(v[alpha] / unit) * unit;
        for (int c = 0; c < p.channels; ++c) {
            if (!is_colour(c) || !(divides || last_offset != 0)) continue;
            const double filtered_alpha = v[alpha] / unit;
            if (!divides) v[c] += last_offset * filtered_alpha;
            else v[c] = filtered_alpha == 0 ? 0 : v[c] / filtered_alpha + last_offset;
        }
        double a = alpha >= 0 ? v[alpha] / unit : 1.0;
        // Alpha passes through unclamped; colour uses the clamped value.
        if (alpha >= 0 && !(computed >> alpha & 1u)) a = clamp01(a);
        for (int c = 0; c < p.channels; ++c) {
            const bool curved = is_linear != request.out.linear && is_colour(c);
            const bool rescaled = unit != out_scale || curved;
            if (rescaled) v[c] /= unit;
            if (curved) v[c] = is_linear ? linear_to_srgb(v[c]) : srgb_to_linear(v[c]);
            if (is_colour(c) && !weighted && request.out.premultiplied) v[c] *= a;
            if (rescaled) v[c] *= out_scale;
            if (is_colour(c) && request.sign == SignedMode::absolute) v[c] = std::fabs(v[c]);
            if (is_colour(c) && request.sign == SignedMode::half) v[c] += 0.5 * out_scale;
        }
    });

    for (std::size_t i = 0; i < p.values.size(); ++i) // the other channels pass through from the input
        if (!(computed >> (i % static_cast<std::size_t>(p.channels)) & 1u))
            p.values[i] = input.values[i] / in_scale * out_scale;
    return p.values;
}

Image rounded(const ImageRequest& request, const std::vector<double>& values) {
    Image result(request.size, request.out);
    std::size_t i = 0;
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x)
            for (int c = 0; c < request.out.channels; ++c) store(result.view(), x, y, c, values[i++]);
    return result;
}

Image reference_image(const ImageRequest& request, const ConstImageView& image, const std::stop_token& stop) {
    return rounded(request, reference_values(request, image, stop));
}

} // namespace kg
