#pragma once
// Measured times beside the estimates of the algorithms' formulas (Algorithm::cost). A formula knows how
// the time grows with the work; a correction, fitted to one device by `kernelglass bench tune`, fixes its
// level.

#include "core/request/request.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// The measured time of one algorithm over its formula's estimate, for one kind of step.
struct CostSample {
    std::string algorithm;
    Depth depth = Depth::u8; ///< depth of the input
    int channels = 1;
    double megapixels = 1; ///< size of the image
    int kernel_size = 3;   ///< the longer extent
    double factor = 1;
    bool alpha = false; ///< colour is weighted by alpha
};

/// Immutable, so that the choice of an algorithm is a pure function of the request (semantics 13).
class CostCorrections {
public:
    CostCorrections() = default;
    /// Throws Error for a sample whose numbers are not above 0. Samples of one kind are averaged,
    /// geometrically.
    explicit CostCorrections(std::vector<CostSample> samples);

    /// The factor for a filtering step: interpolated between the samples of its algorithm, depth, channel
    /// count and alpha, linearly between the logarithms of kernel size, image size and factor; beyond them
    /// that of the nearest. Without samples with alpha, those without it count; without any it is 1.
    double factor(std::string_view algorithm, const ImageStep& step) const;

    const std::vector<CostSample>& samples() const { return samples_; }

    /// These samples, and those of `earlier` of kinds that these do not have.
    CostCorrections with_earlier(const CostCorrections& earlier) const;

private:
    std::vector<CostSample> samples_; ///< sorted by algorithm, depth, channels, megapixels, kernel size
};

/// The file of constants: a first line "kernelglass-costs/1 ENGINE DEVICE", then a line for each sample:
/// algorithm, depth, channels (4a with alpha), megapixels, kernel size, factor. Empty lines and lines that
/// begin with # are skipped.
std::string costs_text(const CostCorrections& corrections, std::string_view engine, std::string_view device);
/// Whether the text begins as a file of constants does.
bool is_costs_text(std::string_view text);
/// The constants for `engine`. Throws Error that names `file` and the line.
CostCorrections parse_costs(std::string_view text, std::string_view file, std::string_view engine);

} // namespace kg
