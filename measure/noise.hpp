#pragma once
// Noise: pictures to time with, since constant ones raise clocks and hide mistakes, and what outputs hold before a run, so
// that nothing passes for a result that was not written.

#include "core/image/image.hpp"

#include <optional>

namespace kg::measure {

/// The same bytes for the same seed on any machine: every level of integers, floats from 0 to full scale.
Image noise_picture(Extent size, const PixelFormat& format, std::uint64_t seed = 1);

/// Fills the pixels with bytes that no filter writes, whatever the depth means by them.
void poison(const ImageView& view);

/// A pixel of a stretch (64 bytes of a row, or the row) that still is as poison() left it, or nothing.
std::optional<Extent> poison_left(const ConstImageView& view);

} // namespace kg::measure
