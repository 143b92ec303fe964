#pragma once
// Noise: input images for timing, since constant ones raise clocks and hide errors, and the content of
// outputs before a run, so that unwritten memory cannot be mistaken for a result; and fingerprints of pixels.

#include "core/image/image.hpp"

#include <cstddef>
#include <optional>

namespace kg::measure {

/// The same bytes for the same seed on any machine: every level of integers, floats from 0 to full scale.
Image noise_image(Extent size, const PixelFormat& format, std::uint64_t seed = 1);

/// Fills the pixels with bytes that no filter writes, at any depth.
void poison(const ImageView& view);

/// A pixel of a stretch (64 bytes of a row, or the row) that is still as poison() left it, or nothing.
std::optional<Extent> poison_left(const ConstImageView& view);

/// Equal for equal pixels, and for different ones with a probability of 2^-64.
std::size_t fingerprint_of(const ConstImageView& view);

} // namespace kg::measure
