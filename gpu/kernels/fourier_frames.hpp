#pragma once
// The frames that the way `fourier` cuts a picture into, and how long it is expected to take: decided before anything runs. Pure.

#include "core/image/host_device.hpp"
#include "core/request/request.hpp"

#include <cstddef>
#include <limits>

namespace kg::gpu {

/// Tiles whose planes are paired among themselves, side by side, so that a tile's bytes do not depend on what else is computed.
/// They are what Frames counts as tiles, in `first`, `at_once`, `tiles` and `across`. One tile will do where an even number of
/// channels is paired; not of floats, where a channel of large samples would take another its digits: there a pair is one channel
/// of two tiles, as if its frame were twice as wide.
KG_HOST_DEVICE constexpr int tiles_of_group(int channels, bool by_channel) {
    return by_channel ? 2 : 1 + channels % 2;
}

/// Whether a step's pairs are one channel of two tiles.
bool by_channel(const ImageRequest& step);

/// Tiles side by side whose planes are paired; how many pairs they are.
int tiles_of_group(const ImageRequest& step);
int pairs_of_group(const ImageRequest& step);

struct FourierFrames {
    int size = 0; ///< of a frame's side; 0 = none holds the kernel, or the memory not even one group of them
    int tile_width = 0, tile_height = 0; ///< outputs of a frame
    int at_once = 0;                     ///< groups of tiles whose frames are there together
    double microseconds =
        std::numeric_limits<double>::infinity(); ///< predicted for the whole picture on an H200
};

/// Those that are predicted to be the fastest with buffers of so many bytes (0 = no limit).
FourierFrames choose_frames(const ImageRequest& step, std::size_t memory_limit);

} // namespace kg::gpu
