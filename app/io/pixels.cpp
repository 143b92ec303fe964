#include "app/io/pixels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace kg::io {

namespace {

void copy_samples(const std::byte* from, std::byte* to, std::size_t sample, int count) {
    std::memcpy(to, from, sample * static_cast<std::size_t>(count));
}

/// Calls pixel(from, to) for every pixel of two images of the same size.
template <typename Pixel>
void for_pixels(const ConstImageView& from, const ImageView& to, Pixel pixel) {
    const auto step_from = bytes_per_pixel(from.format), step_to = bytes_per_pixel(to.format);
    for (std::int64_t y = 0; y < from.size.height; ++y) {
        const auto* in = from.row<std::byte>(y);
        auto* out = to.row<std::byte>(y);
        for (std::int64_t x = 0; x < from.size.width; ++x, in += step_from, out += step_to) pixel(in, out);
    }
}

/// Calls body(Sample{}) for the sample type of a depth.
template <typename Body>
void with_samples(Depth depth, Body body) {
    switch (depth) {
    case Depth::u8: return body(std::uint8_t{});
    case Depth::u16: return body(std::uint16_t{});
    case Depth::f16: return body(Half{});
    case Depth::f32: return body(float{});
    case Depth::f64: break; // only between steps
    }
}

/// Clamps and rounds a sample (semantics 6).
template <typename Sample>
Sample stored(double value, double white) {
    constexpr double kLargestHalf = 65504;
    if constexpr (std::is_integral_v<Sample>)
        return static_cast<Sample>(value > 0 ? std::lrint(std::min(value, white)) : 0);
    else if constexpr (std::is_same_v<Sample, Half>)
        return Half(std::isfinite(value) ? std::clamp(value, -kLargestHalf, kLargestHalf) : value);
    else return static_cast<Sample>(value);
}

} // namespace

Image without_alpha(const ConstImageView& image) {
    auto format = image.format;
    format.alpha = -1;
    format.premultiplied = false;
    --format.channels;
    Image result(image.size, format);
    const auto sample = bytes(format.depth);
    for_pixels(image, result.view(), [&](const std::byte* from, std::byte* to) {
        copy_samples(from, to, sample, format.channels);
    });
    return result;
}

Image in_colour(const ConstImageView& image) {
    auto format = image.format;
    const bool grey = format.channels < 3;
    if (grey) format.channels += 2;
    if (grey && format.alpha >= 0) format.alpha = 3;
    Image result(image.size, format);
    const auto sample = bytes(format.depth);
    for_pixels(image, result.view(), [&](const std::byte* from, std::byte* to) {
        if (!grey) return copy_samples(from, to, sample, format.channels);
        for (std::size_t c = 0; c < 3; ++c) copy_samples(from, to + c * sample, sample, 1);
        if (format.channels == 4) copy_samples(from + sample, to + 3 * sample, sample, 1);
    });
    return result;
}

Image with_premultiplied(const ConstImageView& image, bool wanted) {
    return converted(image, image.format.depth, wanted);
}

Image converted(const ConstImageView& image, Depth depth, bool premultiplied, ImageMemorySource* memory) {
    auto format = image.format;
    format.depth = depth;
    if (depth != image.format.depth) format.scale = 1.0f;
    if (format.alpha >= 0) format.premultiplied = premultiplied;
    const bool scales = format.premultiplied != image.format.premultiplied;
    const double white_in = full_scale(image.format), white_out = full_scale(format);
    Image result(image.size, format, memory);
    std::vector<double> row(static_cast<std::size_t>(image.size.width * format.channels));
    const auto channels = static_cast<std::size_t>(format.channels);
    for (std::int64_t y = 0; y < image.size.height; ++y) {
        with_samples(image.format.depth, [&](auto of) {
            const auto* from = image.row<decltype(of)>(y);
            for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<double>(from[i]);
        });
        for (std::size_t at = 0; scales && at < row.size(); at += channels) {
            const auto alpha_at = at + static_cast<std::size_t>(format.alpha);
            const double alpha = row[alpha_at] / white_in;
            const double factor = premultiplied ? alpha : alpha == 0 ? 1 : 1 / alpha;
            for (auto i = at; i < at + channels; ++i)
                if (i != alpha_at) row[i] *= factor;
        }
        if (white_in != white_out)
            for (double& v : row) v = v / white_in * white_out;
        with_samples(depth, [&](auto of) {
            using Sample = decltype(of);
            auto* to = result.view().row<Sample>(y);
            for (std::size_t i = 0; i < row.size(); ++i) to[i] = stored<Sample>(row[i], white_out);
        });
    }
    return result;
}

} // namespace kg::io
