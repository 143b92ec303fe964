#pragma once
// A thread's four columns of a row with one neighbour on each side, through the border: what kernels for
// stencils read.
//
//   samples    left | own[0] own[1] own[2] own[3] | right
//
// The thread loads its own four, at once where they are next to each other. `left` and `right` belong to the
// threads beside it, which give them from their registers; the first and the last thread of a row load one
// more sample, `side`.

#include "gpu/kernels/volumes/volume_launch.hpp"
#include "gpu/kernels/volumes/volume_memory.hpp"

namespace kg::gpu {

inline constexpr int kStencilWindow = kVolumeColumns + 2;

struct StencilSamples {
    float own[kVolumeColumns], side;
};

/// Where a thread's samples are in a row, after the border.
struct StencilColumns {
    int own[kVolumeColumns], side; ///< -1 = outside
    bool at_once;                  ///< its own may be loaded as 16 bytes
    bool first, last;              ///< of a row of at least two threads

    /// Those of columns x to x + 3, each of which is at `place(column)`. `is_at_once`: these follow each
    /// other from a multiple of 16 bytes on.
    template <typename Place>
    KG_HOST_DEVICE StencilColumns(std::int64_t x, bool is_at_once, bool is_first, bool is_last,
                                  const Place& place)
        : side(-1), at_once(is_at_once), first(is_first), last(is_last) {
        KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i) own[i] = place(x + i);
        if (first || last) side = place(first ? x - 1 : x + kVolumeColumns);
    }
};

/// The columns of a thread in the volume that a launch reads; x is a multiple of 4.
KG_HOST_DEVICE inline StencilColumns volume_columns(const VolumeLaunch& v, std::int64_t x, bool is_first,
                                                    bool is_last) {
    const auto width = v.columns.samples;
    return {x, v.vectors && x >= 0 && x + kVolumeColumns <= width, is_first, is_last,
            [&](std::int64_t column) {
                // No output reads what is further beyond an end: not even the second of two steps.
                return column >= -2 && column < width + 2 ? static_cast<int>(border_place(v.columns, column))
                                                          : -1;
            }};
}

/// A thread's own samples of a row, which is null if it lies outside.
template <typename Memory>
KG_HOST_DEVICE void load_own(const StencilColumns& columns, const float* row, float outside, Memory,
                             float (&own)[kVolumeColumns]) {
    if (row && columns.at_once) return Memory::four(row + columns.own[0], own);
    KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i)
        own[i] = row && columns.own[i] >= 0 ? Memory::one(row + columns.own[i]) : outside;
}

/// What a thread loads of a row. `Sides`: whether it also needs the samples beside its own.
template <bool Sides, typename Memory>
KG_HOST_DEVICE StencilSamples loaded(const StencilColumns& columns, const float* row, float outside,
                                     Memory memory) {
    StencilSamples samples;
    load_own(columns, row, outside, memory, samples.own);
    samples.side = outside;
    if (Sides && row && columns.side >= 0) samples.side = Memory::one(row + columns.side);
    return samples;
}

/// The samples under the taps of a thread's outputs in a row. `beside` gives it those that the threads beside
/// it hold.
template <bool Sides, typename Beside>
KG_HOST_DEVICE void fill_window(const StencilColumns& columns, const StencilSamples& row,
                                const Beside& beside, float (&window)[kStencilWindow]) {
    KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i) window[i + 1] = row.own[i];
    if constexpr (Sides) {
        const float left = beside.left(row), right = beside.right(row);
        window[0] = columns.first ? row.side : left;
        window[kStencilWindow - 1] = columns.last ? row.side : right;
    }
}

/// The sum of one slice of a stencil for output i of a thread; z is the offset of the slice, and the rows are
/// those of the window of the output, `y - 1` first.
template <bool Faces>
KG_HOST_DEVICE float slice_sum(const float* stencil, int z, const float (&rows)[3][kStencilWindow], int i) {
    const float* weights = stencil + (z + 1) * 9;
    if constexpr (Faces) {
        const float centre = fmaf(weights[4], rows[1][i + 1], 0);
        if (z != 0) return 0 + centre;
        float sum = 0 + fmaf(weights[1], rows[0][i + 1], 0);
        sum += fmaf(weights[5], rows[1][i + 2],
                    fmaf(weights[4], rows[1][i + 1], fmaf(weights[3], rows[1][i], 0)));
        return sum + fmaf(weights[7], rows[2][i + 1], 0);
    } else {
        float sum = 0;
        KG_UNROLL for (int y = 0; y < 3; ++y) {
            float row = 0;
            KG_UNROLL for (int x = 0; x < 3; ++x) row = fmaf(weights[y * 3 + x], rows[y][i + x], row);
            sum += row;
        }
        return sum;
    }
}

} // namespace kg::gpu
