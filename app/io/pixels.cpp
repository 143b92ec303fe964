#include "app/io/pixels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kg::io {

namespace {

void copy_samples(const std::byte* from, std::byte* to, std::size_t sample, int count) {
    std::memcpy(to, from, sample * static_cast<std::size_t>(count));
}

/// Calls pixel(from, to) for every pixel of two pictures of one size.
template <typename Pixel>
void for_pixels(const ConstImageView& from, const ImageView& to, Pixel pixel) {
    const auto step_from = bytes_per_pixel(from.format), step_to = bytes_per_pixel(to.format);
    for (std::int64_t y = 0; y < from.size.height; ++y) {
        const auto* in = from.row<std::byte>(y);
        auto* out = to.row<std::byte>(y);
        for (std::int64_t x = 0; x < from.size.width; ++x, in += step_from, out += step_to) pixel(in, out);
    }
}

template <typename Sample>
void scale_colour(const ImageView& picture, bool multiply) {
    const double white = full_scale(picture.format);
    const int alpha = picture.format.alpha;
    for (std::int64_t y = 0; y < picture.size.height; ++y) {
        auto* pixel = picture.row<Sample>(y);
        for (std::int64_t x = 0; x < picture.size.width; ++x, pixel += picture.format.channels) {
            const double a = static_cast<double>(pixel[alpha]) / white;
            if (a == 0) continue;
            for (int c = 0; c < picture.format.channels; ++c) {
                if (c == alpha) continue;
                const double v = static_cast<double>(pixel[c]) * (multiply ? a : 1 / a);
                if constexpr (std::is_integral_v<Sample>)
                    pixel[c] = static_cast<Sample>(std::lrint(std::min(v, white)));
                else pixel[c] = static_cast<Sample>(v);
            }
        }
    }
}

} // namespace

Image without_alpha(const ConstImageView& picture) {
    auto format = picture.format;
    format.alpha = -1;
    format.premultiplied = false;
    --format.channels;
    Image result(picture.size, format);
    const auto sample = bytes(format.depth);
    for_pixels(picture, result.view(), [&](const std::byte* from, std::byte* to) {
        copy_samples(from, to, sample, format.channels);
    });
    return result;
}

Image in_colour(const ConstImageView& picture) {
    auto format = picture.format;
    const bool grey = format.channels < 3;
    if (grey) format.channels += 2;
    if (grey && format.alpha >= 0) format.alpha = 3;
    Image result(picture.size, format);
    const auto sample = bytes(format.depth);
    for_pixels(picture, result.view(), [&](const std::byte* from, std::byte* to) {
        if (!grey) return copy_samples(from, to, sample, format.channels);
        for (std::size_t c = 0; c < 3; ++c) copy_samples(from, to + c * sample, sample, 1);
        if (format.channels == 4) copy_samples(from + sample, to + 3 * sample, sample, 1);
    });
    return result;
}

Image with_premultiplied(const ConstImageView& picture, bool wanted) {
    Image result(picture.size, picture.format);
    for_pixels(picture, result.view(), [&](const std::byte* from, std::byte* to) {
        copy_samples(from, to, bytes(picture.format.depth), picture.format.channels);
    });
    auto format = result.format();
    if (format.alpha < 0 || format.premultiplied == wanted) return result;
    switch (format.depth) {
    case Depth::u8: scale_colour<std::uint8_t>(result.view(), wanted); break;
    case Depth::u16: scale_colour<std::uint16_t>(result.view(), wanted); break;
    case Depth::f16: scale_colour<Half>(result.view(), wanted); break;
    case Depth::f32: scale_colour<float>(result.view(), wanted); break;
    }
    format.premultiplied = wanted;
    result.relabel(format);
    return result;
}

} // namespace kg::io
