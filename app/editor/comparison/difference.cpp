#include "app/editor/comparison/difference.hpp"

#include "app/editor/comparison/ssim.hpp"
#include "app/editor/pixel/pixel_number.hpp"
#include "core/image/difference.hpp"
#include "core/support/stop.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

namespace kg {

namespace {

/// One strip as numbers relative to full scale.
void read_strip(ImageStrips& image, std::int64_t y, std::int64_t count, std::vector<double>& numbers) {
    const auto strip = image.rows(y, count);
    const auto samples = strip.size.width * strip.format.channels;
    const double white = full_scale(strip.format);
    numbers.resize(static_cast<std::size_t>(samples * count));
    for_each_row(strip, [&](const auto* row, std::int64_t at) {
        auto* to = numbers.data() + at * samples;
        for (std::int64_t i = 0; i < samples; ++i) to[i] = static_cast<double>(row[i]) / white;
    });
}

/// The luminance of stored colours (Rec. 709); the channel itself of a grey image.
void luminances(std::span<const double> samples, const PixelFormat& format, std::vector<double>& found) {
    const auto channels = static_cast<std::size_t>(format.channels);
    const int colours = format.channels - (format.alpha >= 0 ? 1 : 0);
    for (std::size_t x = 0; x < found.size(); ++x) {
        const auto* c = samples.data() + x * channels;
        found[x] = colours < 3 ? c[0] : 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    }
}

/// The channel of this index.
void channel(std::span<const double> samples, const PixelFormat& format, int index,
             std::vector<double>& found) {
    for (std::size_t x = 0; x < found.size(); ++x)
        found[x] = samples[x * static_cast<std::size_t>(format.channels) + static_cast<std::size_t>(index)];
}

/// Sums over all samples.
struct Sums {
    double absolute = 0, squares = 0;
    void add(double a, double b, DifferenceNumbers& numbers) {
        const double difference = sample_distance(a, b);
        if (std::isinf(difference)) {
            ++numbers.not_finite;
            return;
        }
        ++numbers.samples;
        numbers.differing += difference > 0;
        numbers.largest = std::max(numbers.largest, difference);
        absolute += difference;
        squares += difference * difference;
    }
};

} // namespace

DifferenceNumbers measure_difference(const WholeImage& whole_a, const WholeImage& whole_b,
                                     const std::stop_token& stop) {
    ImageStrips a(whole_a), b(whole_b);
    const auto size = a.size();
    const auto row = static_cast<std::size_t>(size.width * a.format().channels);
    std::vector<double> numbers_a, numbers_b, row_a(static_cast<std::size_t>(size.width)), row_b(row_a);
    DifferenceNumbers numbers;
    Sums sums;
    Ssim of_luminance(size.width), of_alpha(size.width);
    const bool has_alpha = a.format().alpha >= 0 && b.format().alpha >= 0;
    for (std::int64_t y = 0; y < size.height; y += ImageStrips::kStrip) {
        const auto count = std::min(ImageStrips::kStrip, size.height - y);
        read_strip(a, y, count, numbers_a);
        read_strip(b, y, count, numbers_b);
        for (std::size_t i = 0; i < numbers_a.size(); ++i) sums.add(numbers_a[i], numbers_b[i], numbers);
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            throw_if_stopped(stop);
            const auto samples_a = std::span(numbers_a).subspan(i * row, row),
                       samples_b = std::span(numbers_b).subspan(i * row, row);
            luminances(samples_a, a.format(), row_a);
            luminances(samples_b, b.format(), row_b);
            of_luminance.add_row(row_a, row_b);
            if (!has_alpha) continue;
            channel(samples_a, a.format(), a.format().alpha, row_a);
            channel(samples_b, b.format(), b.format().alpha, row_b);
            of_alpha.add_row(row_a, row_b);
        }
    }
    if (numbers.samples > 0) {
        numbers.mean = sums.absolute / static_cast<double>(numbers.samples);
        numbers.psnr = psnr(numbers.samples, sums.squares);
    }
    numbers.ssim = of_luminance.mean();
    if (const auto alpha = of_alpha.mean(); has_alpha && numbers.ssim)
        numbers.ssim = alpha ? std::optional(std::min(*numbers.ssim, *alpha)) : std::nullopt;
    return numbers;
}

std::string difference_text(const DifferenceNumbers& numbers, const PixelFormat& format) {
    if (numbers.differing == 0 && numbers.not_finite == 0) return "No sample differs";
    const double white = is_integer(format.depth) ? full_scale(format) : 1;
    const std::string dot = " \xC2\xB7 ";
    auto text = "Max " + short_number(numbers.largest * white, 3) + " of " + short_number(white) + dot +
                "mean " + short_number(numbers.mean * white, 3);
    char number[32];
    if (numbers.psnr) {
        std::snprintf(number, sizeof number, "%.1f dB", *numbers.psnr);
        text += dot + "PSNR " + number;
    }
    if (numbers.ssim) {
        std::snprintf(number, sizeof number, "%.4f", *numbers.ssim);
        text += dot + "SSIM " + std::string(trimmed(without_negative_zero(number)));
    }
    if (numbers.not_finite > 0) text += dot + std::to_string(numbers.not_finite) + " not finite";
    return text;
}

} // namespace kg
