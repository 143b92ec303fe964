#pragma once
// The frames that the algorithm `fft` cuts the channels of a filter bank into, decided before anything runs.
// Pure.

#include "core/request/bank_request.hpp"

#include <cstdint>

namespace kg::gpu {

/// A frame holds the numbers under a tile of outputs. Tiles begin at multiples of their size, so that an
/// output has the same roundings whatever else is computed.
struct BankFrames {
    int width = 0, height = 0; ///< numbers of a frame; 0 = the spectra would take too much memory
    Extent outputs{};          ///< of a tile
    int at_once = 0;           ///< tiles of an item whose frames are in memory at a time
    double microseconds = 0;   ///< estimate for all outputs of an item on an H200

    /// Floats of a row, which has room for its spectrum, and of a frame.
    int row() const { return 2 * (width / 2 + 1); }
    int floats() const { return row() * height; }
    double numbers() const { return static_cast<double>(width) * height; }
};

/// The frames with the least estimated time.
BankFrames bank_frames(const BankRequest& request);

/// Launches of a transform of all filters: its frames are those of the numbers at once, which share a plan.
std::int64_t filter_transforms(const BankRequest& request, const BankFrames& frames);

} // namespace kg::gpu
