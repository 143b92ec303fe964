#include "app/editor/comparison/histogram.hpp"

#include "core/support/stop.hpp"

#include <algorithm>
#include <cmath>

namespace kg {

namespace {

constexpr std::int64_t kShareBeyond = 1000; ///< at most one sample in so many lies beyond an end

int bin_of(double value, double low, double per_bin) {
    const double bin = (value - low) / per_bin + 0.5;
    return bin > 0 ? static_cast<int>(std::min(bin, kHistogramBins - 1.0)) : 0;
}

template <typename Body>
void for_each_strip(ImageStrips& image, const std::stop_token& stop, const Body& body) {
    for (std::int64_t y = 0; y < image.size().height; y += ImageStrips::kStrip) {
        throw_if_stopped(stop);
        body(image.rows(y, std::min(ImageStrips::kStrip, image.size().height - y)));
    }
}

/// Samples by the power of two that they do not exceed: the range of most of them is known after one pass.
struct Magnitudes {
    static constexpr int kLeast = -10, kMost = 128;
    std::array<std::int64_t, kMost - kLeast + 1> above_white{}, below_black{};
    std::int64_t samples = 0;

    void add(double value) {
        ++samples;
        if (!std::isfinite(value) || (value >= 0 && value <= 1)) return;
        const int power = std::clamp(static_cast<int>(std::ceil(std::log2(std::fabs(value)))), kLeast, kMost);
        ++(value < 0 ? below_black : above_white)[static_cast<std::size_t>(power - kLeast)];
    }
    /// The smallest power of two with at most a thousandth of the samples above it; `least` if there are
    /// fewer.
    double end(const std::array<std::int64_t, kMost - kLeast + 1>& counts, double least) const {
        std::int64_t beyond = 0;
        for (int power = kMost; power >= kLeast; --power) {
            beyond += counts[static_cast<std::size_t>(power - kLeast)];
            if (beyond > samples / kShareBeyond) return std::max(least, std::ldexp(1.0, power));
        }
        return least;
    }
};

void find_range(const WholeImage& whole, Histograms& found, const std::stop_token& stop) {
    ImageStrips image(whole);
    const auto& format = image.format();
    if (is_integer(format.depth)) return;
    const double white = full_scale(format);
    Magnitudes magnitudes;
    for_each_strip(image, stop, [&](const ConstImageView& strip) {
        for_each_row(strip, [&](const auto* samples, std::int64_t) {
            for (std::int64_t i = 0; i < strip.size.width * format.channels; ++i)
                magnitudes.add(static_cast<double>(samples[i]) / white);
        });
    });
    found.low = std::min(found.low, -magnitudes.end(magnitudes.below_black, 0));
    found.high = std::max(found.high, magnitudes.end(magnitudes.above_white, 1));
}

std::vector<ChannelHistogram> count(const WholeImage& whole, const Histograms& range,
                                    const std::stop_token& stop) {
    ImageStrips image(whole);
    const int channels = image.format().channels;
    const double white = full_scale(image.format()), low = range.low * white,
                 per_bin = (range.high - range.low) * white / (kHistogramBins - 1);
    std::vector<ChannelHistogram> counts(static_cast<std::size_t>(channels));
    for_each_strip(image, stop, [&](const ConstImageView& strip) {
        for_each_row(strip, [&](const auto* samples, std::int64_t) {
            for (std::int64_t x = 0; x < strip.size.width; ++x)
                for (auto& channel : counts) {
                    const auto value = static_cast<double>(*samples++);
                    if (!std::isfinite(value)) {
                        ++channel.not_finite;
                        continue;
                    }
                    ++channel.bins[static_cast<std::size_t>(bin_of(value, low, per_bin))];
                    channel.below += value < 0;
                    channel.above += value > white;
                }
        });
    });
    return counts;
}

} // namespace

Histograms count_histograms(const WholeImage& original, const WholeImage& result,
                            const std::stop_token& stop) {
    Histograms found;
    find_range(original, found, stop);
    find_range(result, found, stop);
    found.original = count(original, found, stop);
    found.result = count(result, found, stop);
    return found;
}

int histogram_bin(const Histograms& histograms, double value) {
    return bin_of(value, histograms.low, (histograms.high - histograms.low) / (kHistogramBins - 1));
}

} // namespace kg
