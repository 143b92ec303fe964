#pragma once
// How much two images of one size differ, in numbers.

#include "app/editor/comparison/image_strips.hpp"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace kg {

/// Over all samples, alpha included, relative to the full scale of each image.
struct DifferenceNumbers {
    std::int64_t samples = 0, differing = 0;
    /// Samples that differ and of which at least one is infinite or NaN; in no other number.
    std::int64_t not_finite = 0;
    double largest = 0, mean = 0;
    std::optional<double> psnr{}; ///< dB; empty where no sample differs
    std::optional<double> ssim{}; ///< SSIM (ssim.hpp): the lower of that of the luminance and of alpha
};

/// Compares two images with the same size and channels. Throws Cancelled when stopped, and what the engine
/// throws.
DifferenceNumbers measure_difference(const WholeImage& a, const WholeImage& b,
                                     const std::stop_token& stop = {});

/// "Max 12 of 255 · mean 0.84 · PSNR 38.2 dB · SSIM 0.9812", in levels of `format`.
std::string difference_text(const DifferenceNumbers& numbers, const PixelFormat& format);

} // namespace kg
