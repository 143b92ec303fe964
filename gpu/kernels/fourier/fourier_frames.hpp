#pragma once
// The frames that the algorithm `fourier` cuts an image into, and its estimated time, decided before anything
// runs. Pure.

#include "core/image/host_device.hpp"
#include "core/request/request.hpp"

#include <cstddef>
#include <limits>

namespace kg::gpu {

/// Number of adjacent tiles whose planes are paired among themselves, so that a tile's bytes do not depend on
/// what else is computed. Frames counts such groups as tiles in `first`, `at_once`, `tiles` and `across`. One
/// tile suffices where an even number of integer channels is paired. Float channels are not paired with each
/// other, because a channel of large samples would cost the other precision: a pair is then one channel of
/// two tiles, as if its frame were twice as wide.
KG_HOST_DEVICE constexpr int tiles_of_group(int channels, bool by_channel) {
    return by_channel ? 2 : 1 + channels % 2;
}

/// Whether a step's pairs are one channel of two tiles.
bool by_channel(const ImageStep& step);

/// Number of adjacent tiles whose planes are paired, and number of those pairs.
int tiles_of_group(const ImageStep& step);
int pairs_of_group(const ImageStep& step);

struct FourierFrames {
    /// Width and height of a frame. 0 = no frame holds the kernel, or the memory does not hold one group of
    /// frames.
    int size = 0;
    int tile_width = 0, tile_height = 0; ///< outputs of a frame
    int at_once = 0;                     ///< groups of tiles whose frames are in memory together
    /// Estimate for the whole image on an H200.
    double microseconds = std::numeric_limits<double>::infinity();
};

/// Float images of fewer pixels are summed tap by tap as soon, and to the last digit.
inline constexpr std::int64_t kFewestFourierPixels = 256 * 256;

/// The frames with the least estimated time whose buffers take at most `memory_limit` bytes (0 = no limit).
FourierFrames choose_frames(const ImageStep& step, std::size_t memory_limit);

} // namespace kg::gpu
