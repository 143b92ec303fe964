#pragma once
// A stencil of the 27 neighbours: a thread walks along the slices with the sums of two outputs in registers,
// so that a slice is loaded once, by each thread the rows above and below its own, too. On an H200 7 points
// of 256 x 256 x 128 take 42 us, where its memory would take 16.
// Source: Micikevicius, "3D finite difference computation on GPUs using CUDA", GPGPU-2 2009; here rows are
// held in registers and the L1 cache instead of shared memory.
//
//   slice p    adds its third part to output p - 1, its second to p, and its first to p + 1
//   block      256 threads; 4 columns each, a warp has 128 of a row (volume_tile())
//
// The samples of slice p + 1 are loaded while p is summed. The code of a thread is also run by the CPU, in
// tests (tests/gpu/volumes).

#include "gpu/kernels/volumes/stencil_rows.hpp"
#include "gpu/kernels/volumes/volume_box.hpp"
#include "gpu/kernels/volumes/volume_outputs.hpp"

namespace kg::gpu {

struct MarchGrid {
    VolumeTile tile;
    std::uint32_t across, down; ///< blocks
    std::int64_t chunk;         ///< slices of a block
};

/// Blocks of a march over this volume, short enough to occupy so many multiprocessors.
VolumeBlocks march_blocks(const VolumeExtent& size, int multiprocessors);
/// The slices of a block of march_blocks().
std::int64_t march_chunk(const VolumeExtent& size, const VolumeBlocks& blocks);

/// The rows y - 1, y and y + 1 of a thread in slice 0; null = outside.
struct StencilRows {
    const float* row[3];

    KG_HOST_DEVICE StencilRows(const VolumeLaunch& v, std::int64_t y) {
        KG_UNROLL for (int i = 0; i < 3; ++i) {
            const auto at = border_place(v.rows, y - 1 + i);
            row[i] = at < 0 ? nullptr : v.from.row(at, 0);
        }
    }
};

/// What a thread loads of a slice.
template <bool Faces>
struct StencilSlice {
    StencilSamples rows[3];

    /// That of a slice after the border; -1 = outside.
    KG_HOST_DEVICE StencilSlice(const VolumeLaunch& v, const StencilColumns& columns, const StencilRows& of,
                                std::int64_t slice) {
        const auto place = slice * static_cast<std::int64_t>(v.from.slice / sizeof(float));
        KG_UNROLL for (int i = 0; i < 3; ++i) {
            const float* row = of.row[i] && slice >= 0 ? of.row[i] + place : nullptr;
            rows[i] = i == 1 || !Faces ? loaded<true>(columns, row, v.outside, ReadOnlyMemory())
                                       : loaded<false>(columns, row, v.outside, ReadOnlyMemory());
        }
    }

    template <typename Beside>
    KG_HOST_DEVICE void fill(const StencilColumns& columns, const Beside& beside,
                             float (&window)[3][kStencilWindow]) const {
        fill_window<!Faces>(columns, rows[0], beside, window[0]);
        fill_window<true>(columns, rows[1], beside, window[1]);
        fill_window<!Faces>(columns, rows[2], beside, window[2]);
    }
};

/// The sums of the outputs that a thread's march has reached.
struct MarchSums {
    float two[kVolumeColumns] = {}, one[kVolumeColumns] = {}; ///< of two slices of the stencil, and of one

    /// Adds slice p and returns the whole sums of slice p - 1.
    template <bool Faces>
    KG_HOST_DEVICE void add(const float* stencil, const float (&window)[3][kStencilWindow],
                            float (&done)[kVolumeColumns]) {
        KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i) {
            done[i] = two[i] + slice_sum<Faces>(stencil, 1, window, i);
            two[i] = one[i] + slice_sum<Faces>(stencil, 0, window, i);
            one[i] = 0 + slice_sum<Faces>(stencil, -1, window, i);
        }
    }
};

/// All outputs of a thread of a block. `careful(x, y, z)` is an output's sum_at().
template <bool Faces, typename Beside, typename Careful>
KG_HOST_DEVICE void march(const VolumeLaunch& v, const Stencil& stencil, const MarchGrid& grid,
                          std::uint32_t block, int thread, const Beside& beside, const Careful& careful) {
    const VolumeBlock place(block, grid.across, grid.down);
    const int lane = grid.tile.lane(thread);
    const auto x = place.across * grid.tile.columns() + lane * kVolumeColumns,
               y = place.down * grid.tile.rows() + grid.tile.row(thread);
    const bool writes = x < v.columns.samples && y < v.rows.samples;
    // Threads beyond the last column take part, as those beside them need their samples.
    const auto columns = volume_columns(v, x, lane == 0, lane == grid.tile.lanes() - 1);
    const StencilRows rows(v, y);
    const auto begin = place.deep * grid.chunk,
               end = begin + grid.chunk < v.slices.samples ? begin + grid.chunk : v.slices.samples;
    MarchSums sums;
    StencilSlice<Faces> next(v, columns, rows, v.slices.nearby(begin - 1));
    bool suspect = false;
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
    for (auto z = begin - 1; z <= end; ++z) {
        float window[3][kStencilWindow], done[kVolumeColumns];
        next.fill(columns, beside, window);
        if (z < end) next = StencilSlice<Faces>(v, columns, rows, v.slices.nearby(z + 1));
        sums.add<Faces>(stencil.weights, window, done);
        if (z <= begin || !writes) continue;
        write_outputs(v, v.to, v.before, x, y, z - 1, done);
        KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i) suspect = suspect || is_suspect(done[i]);
    }
    if (!suspect || !stencil.has_zeros) return;
    for (auto z = begin; z < end; ++z) repair_outputs(v, v.to, v.before, x, y, z, careful);
}

} // namespace kg::gpu
