#pragma once
// Histograms of an original and a result, channel by channel, on one axis.

#include "app/editor/comparison/image_strips.hpp"

#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace kg {

inline constexpr int kHistogramBins = 256;

/// Samples of one channel. Bin i counts those nearest to its centre, and the outer bins those beyond, too.
struct ChannelHistogram {
    std::array<std::int64_t, kHistogramBins> bins{};
    std::int64_t below = 0, above = 0; ///< stored below 0 and above full scale: floats only
    std::int64_t not_finite = 0;       ///< infinite or NaN; in no bin
    bool operator==(const ChannelHistogram&) const = default;
};

struct Histograms {
    /// Centres of the first and the last bin, relative to full scale: 0 and 1 for integers. For floats the
    /// range ends at powers of two, so that at most one sample in a thousand lies beyond either end.
    double low = 0, high = 1;
    /// One per channel of the format.
    std::vector<ChannelHistogram> original, result;
};

/// Counts all samples. Throws Cancelled when stopped, and what the engine throws.
Histograms count_histograms(const WholeImage& original, const WholeImage& result,
                            const std::stop_token& stop = {});

/// The bin of a number relative to full scale.
int histogram_bin(const Histograms& histograms, double value);

} // namespace kg
