#pragma once
// The parameters of a launch over a volume: what host and device share.

#include "core/plan/volume_states.hpp"
#include "gpu/kernels/sample_border.hpp"
#include "gpu/kernels/volumes/volume_sums.hpp"
#include "gpu/runtime/stop.hpp"

#include <cstdint>

namespace kg::gpu {

/// One step, or a pass of one, from a whole volume to another.
struct VolumeLaunch {
    VolumeMemory from, before, to; ///< `before` is subtracted; its data is null under first order
    StopFlag stop;
    SampleBorder columns, rows, slices;
    float outside; ///< the sample outside under Border::constant, else 0
    bool vectors;  ///< whether all rows begin at multiples of 16 bytes
};

inline constexpr int kVolumeColumns = 4;   // next to each other, of a thread
inline constexpr int kVolumeThreads = 256; // of a block

/// A block's threads over columns and rows: narrow volumes have fewer threads in a row, and more rows.
struct VolumeTile {
    int lane_bits; ///< threads in a row, as a power of two: 2 to 32
    int threads = kVolumeThreads;

    KG_HOST_DEVICE int lanes() const { return 1 << lane_bits; }
    KG_HOST_DEVICE int columns() const { return kVolumeColumns << lane_bits; }
    KG_HOST_DEVICE int rows() const { return threads >> lane_bits; }
    KG_HOST_DEVICE int lane(int thread) const { return thread & (lanes() - 1); }
    KG_HOST_DEVICE int row(int thread) const { return thread >> lane_bits; }
};

/// That of volumes of this width.
VolumeTile volume_tile(std::int64_t width);

/// Blocks over a volume: tiles across and down, and some slices.
struct VolumeBlocks {
    std::int64_t across, down, deep;

    std::int64_t count() const { return across * down * deep; }
};

/// Whether all rows of a volume begin at multiples of 16 bytes.
bool is_aligned(const VolumeMemory& memory);

/// The parameters of a launch from one volume to another. `outside` is the sample outside under `constant`.
VolumeLaunch volume_launch(const VolumeExtent& size, Border border, float outside, const VolumeMemory& from,
                           const VolumeMemory& before, const VolumeMemory& to, StopFlag stop);

#ifdef __CUDACC__
#define KG_CALLED __noinline__
#else
#define KG_CALLED
#endif

/// SampleBorder::index() as a call: inlined for each of many reads it would be most of a kernel's code.
KG_CALLED KG_HOST_DEVICE inline std::int64_t border_place(const SampleBorder& border, std::int64_t i) {
    return border.index(i);
}

/// A sample of the volume that a launch reads, wherever its border leads.
KG_HOST_DEVICE inline float sample_at(const VolumeLaunch& v, std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto column = border_place(v.columns, x), row = border_place(v.rows, y),
               slice = border_place(v.slices, z);
    return column < 0 || row < 0 || slice < 0 ? v.outside : v.from.row(row, slice)[column];
}

/// The sum of one output from memory, without taps of zero.
KG_HOST_DEVICE inline float sum_at(const VolumeLaunch& v, const VolumeBox& box, const float* weights,
                                   std::int64_t x, std::int64_t y, std::int64_t z) {
    return sum_with_care(box, weights,
                         [&](int dx, int dy, int dz) { return sample_at(v, x + dx, y + dy, z + dz); });
}

/// Place of a block among VolumeBlocks, whose columns follow each other first.
struct VolumeBlock {
    std::int64_t across, down, deep;

    KG_HOST_DEVICE VolumeBlock(std::uint32_t index, std::uint32_t all_across, std::uint32_t all_down) {
        const std::uint32_t row = index / all_across;
        across = index - row * all_across;
        deep = row / all_down;
        down = row - static_cast<std::uint32_t>(deep) * all_down;
    }
};

} // namespace kg::gpu
