#include "gpu/kernels/banks/bank_frames.hpp"

#include "core/request/bank_spectra.hpp"
#include "core/support/parts_of.hpp"
#include "gpu/runtime/cufft_library.hpp"

#include <algorithm>
#include <cmath>

namespace kg::gpu {

namespace {

constexpr std::int64_t kMostSpectra = std::int64_t{1} << 30; ///< bytes of the filters' spectra
constexpr std::int64_t kMostFrames = std::int64_t{1} << 30;  ///< bytes of the frames of one tile
constexpr std::int64_t kAtOnce = std::int64_t{32} << 20;     ///< bytes at once, if that is several tiles
constexpr std::int64_t kMostAtOnce = 65535;                  ///< blocks in the third dimension
constexpr std::int64_t kLongest = 4096, kLargestPrime = 7;

/// One axis: numbers of a frame and outputs of a tile.
struct Side {
    int numbers;
    std::int64_t outputs;
};

/// The side whose tiles divide `outputs` into so many parts; no numbers if it would be too long.
Side side_of(std::int64_t outputs, std::int64_t parts, std::int64_t stride, std::int64_t span, int step) {
    const auto least = (parts_of(outputs, parts) - 1) * stride + span;
    if (least > kLongest) return {};
    const int numbers = smooth_length(static_cast<int>(least), step, kLargestPrime);
    return {numbers, std::min((numbers - span) / stride + 1, outputs)};
}

/// On an H200. A thread sums its channels one after another, and waits for the spectra of some of them.
double time_of(const BankRequest& r, const BankFrames& f) {
    constexpr double kTransformPerUs = 5e6, kProductsPerUs = 15e6, kMovedPerUs = 0.35e6, kLaunchUs = 30,
                     kChannelUs = 0.5;
    const auto size = output_size(r);
    const auto tiles = parts_of(size.width, f.outputs.width) * parts_of(size.height, f.outputs.height);
    const double n = f.numbers(), all = static_cast<double>(tiles),
                 both = static_cast<double>(r.channels + r.filters),
                 products = static_cast<double>(r.filters) * static_cast<double>(group_channels(r));
    return all * both * n * (5 * std::log2(n) / kTransformPerUs + 1 / kMovedPerUs) +
           all * products * 2 * n / kProductsPerUs +
           static_cast<double>(parts_of(tiles, f.at_once)) *
               (kLaunchUs + kChannelUs * static_cast<double>(group_channels(r)));
}

} // namespace

std::int64_t filter_transforms(const BankRequest& r, const BankFrames& f) {
    return parts_of(r.filters * group_channels(r), f.at_once * r.channels);
}

BankFrames bank_frames(const BankRequest& r) {
    const auto size = output_size(r), span = tap_span(r);
    BankFrames best;
    for (std::int64_t down = 1; down < 2 * size.height; down *= 2) {
        const auto rows = side_of(size.height, down, r.stride.rows, span.height, 1);
        if (rows.numbers == 0) continue;
        for (std::int64_t across = 1; across < 2 * size.width; across *= 2) {
            const auto columns = side_of(size.width, across, r.stride.columns, span.width, 2);
            if (columns.numbers == 0) continue;
            BankFrames frames{columns.numbers, rows.numbers, {columns.outputs, rows.outputs}};
            const auto bytes = std::int64_t{frames.floats()} * static_cast<std::int64_t>(sizeof(float)),
                       of_tile = bytes * (r.channels + r.filters);
            if (r.channels + r.filters > kMostFrames / bytes) continue;
            const auto tiles = parts_of(size.width, columns.outputs) * parts_of(size.height, rows.outputs);
            frames.at_once = static_cast<int>(
                std::clamp<std::int64_t>(kAtOnce / of_tile, 1, std::min(tiles, kMostAtOnce)));
            if (filter_transforms(r, frames) > kMostSpectra / (bytes * frames.at_once * r.channels)) continue;
            frames.microseconds = time_of(r, frames);
            if (best.width == 0 || frames.microseconds < best.microseconds) best = frames;
        }
    }
    return best;
}

} // namespace kg::gpu
