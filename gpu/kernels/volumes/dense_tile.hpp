#pragma once
// Kernels of any size: a block sums some slices of a tile of outputs from shared memory, slice after slice of
// the samples.
//
//   shared     rows of one slice of samples, border included | weights of some rows of the kernel
//   thread     4 columns of one row of outputs, in up to 4 slices
//              window   | 4 + taps - 1 samples |      reads of 16 bytes
//
// A slice of samples serves all slices of outputs that it is under, each with its own slice of weights. Rows
// of weights are summed in runs of 1 to 8 taps, whose number is known to the compiler; a run's last taps may
// be zeros. The code of a block between two barriers is also run by the CPU, in tests (tests/gpu/volumes).

#include "gpu/kernels/volumes/volume_outputs.hpp"

#include <cstddef>

namespace kg::gpu {

inline constexpr int kMostDenseTaps = 8, kDenseSlices = 4;

struct DenseGrid {
    VolumeBox box;
    VolumeTile tile;
    std::uint32_t across, down; ///< blocks
    int slices;                 ///< of outputs, of a block: 1 or kDenseSlices
    int taps, runs;             ///< of a run, and of a row of the kernel
    int cells;                  ///< samples of a row in shared memory
    int chunk;                  ///< rows of the kernel at a time

    KG_HOST_DEVICE int tile_cells() const { return (tile.rows() + chunk - 1) * cells; }
    std::size_t shared_bytes() const {
        return static_cast<std::size_t>(tile_cells() + chunk * slices * box.pitch) * sizeof(float);
    }
};

/// How taps of a row of the kernel are summed.
struct DenseRuns {
    int taps, runs;
};
DenseRuns dense_runs(int width);

struct DenseLaunch {
    DenseGrid grid;
    VolumeBlocks blocks;
};
/// The launch for a box whose rows are padded to multiples of 4. The shared memory of a block is at most what
/// the device allows, if it allows the 54 KiB that the largest kernel needs.
DenseLaunch dense_launch(const VolumeExtent& size, const VolumeBox& box, int multiprocessors,
                         std::size_t shared_bytes);

/// The outputs of a block and of its threads.
struct DensePlace {
    std::int64_t x, y, z; ///< of the block's first output
    int slices;           ///< of outputs that exist

    KG_HOST_DEVICE DensePlace(const VolumeLaunch& v, const DenseGrid& g, std::uint32_t block) {
        const VolumeBlock place(block, g.across, g.down);
        x = place.across * g.tile.columns();
        y = place.down * g.tile.rows();
        z = place.deep * g.slices;
        slices = v.slices.samples - z < g.slices ? static_cast<int>(v.slices.samples - z) : g.slices;
    }
};

/// The slices of outputs that slice `plane` of a block's samples is under: for output i, slice `plane - i` of
/// the kernel.
struct DenseUses {
    int begin, end;

    KG_HOST_DEVICE DenseUses(const DenseGrid& g, const DensePlace& place, int plane)
        : begin(plane < g.box.depth ? 0 : plane - g.box.depth + 1),
          end(plane < place.slices ? plane + 1 : place.slices) {}
};

/// Planes of samples that a block sums.
KG_HOST_DEVICE inline int dense_planes(const DenseGrid& g, const DensePlace& place) {
    return g.box.depth + place.slices - 1;
}

/// Fills a thread's share of the rows of samples under the kernel's rows `first` to `first + count - 1`.
/// `copy(to, from)` copies one sample.
template <typename Copy>
KG_HOST_DEVICE void load_dense_rows(const VolumeLaunch& v, const DenseGrid& g, const DensePlace& place,
                                    int plane, int first, int count, int thread, float* to,
                                    const Copy& copy) {
    constexpr int kWarp = 32;
    const auto slice = border_place(v.slices, place.z + g.box.z + plane);
    const int rows = g.tile.rows() + count - 1;
    for (int row = thread / kWarp; row < rows; row += kVolumeThreads / kWarp) {
        const auto y = slice < 0 ? -1 : border_place(v.rows, place.y + g.box.y + first + row);
        const float* const from = y < 0 ? nullptr : v.from.row(y, slice);
        for (int cell = thread % kWarp; cell < g.cells; cell += kWarp) {
            auto x = place.x + g.box.x + cell;
            if (!from) x = -1;
            else if (!v.columns.has(x)) x = border_place(v.columns, x);
            if (x < 0) to[row * g.cells + cell] = v.outside;
            else copy(to + row * g.cells + cell, from + x);
        }
    }
}

/// Likewise the weights of these rows: row by row, for each of the slices of outputs.
template <typename Copy>
KG_HOST_DEVICE void load_dense_weights(const DenseGrid& g, const DenseUses& uses, const float* weights,
                                       int plane, int first, int count, int thread, float* to,
                                       const Copy& copy) {
    const int of_slice = count * g.box.pitch;
    for (int slice = uses.begin; slice < uses.end; ++slice) {
        const auto row = static_cast<std::int64_t>(plane - slice) * g.box.height + first;
        const float* const from = weights + row * g.box.pitch;
        for (int i = thread; i < of_slice; i += kVolumeThreads) {
            const int r = i / g.box.pitch;
            copy(to + (r * g.slices + slice) * g.box.pitch + i - r * g.box.pitch, from + i);
        }
    }
}

/// The sums of a thread's outputs.
struct DenseSums {
    float total[kDenseSlices][kVolumeColumns] = {}, slice[kDenseSlices][kVolumeColumns] = {};

    /// Adds rows of samples in shared memory, of which `own` is the thread's first.
    template <int Taps>
    KG_HOST_DEVICE void add_rows(const DenseGrid& g, const DenseUses& uses, int count, const float* own,
                                 const float* weights) {
        for (int r = 0; r < count; ++r, own += g.cells, weights += g.slices * g.box.pitch) {
            float row[kDenseSlices][kVolumeColumns] = {};
            for (int run = 0; run < g.runs; ++run)
                add_run<Taps>(g, uses, own + run * Taps, weights + run * Taps, row);
            KG_UNROLL for (int s = 0; s < kDenseSlices; ++s) add(row[s], slice[s]);
        }
    }

    /// After the last row of a slice of samples.
    KG_HOST_DEVICE void end_slice() {
        KG_UNROLL for (int s = 0; s < kDenseSlices; ++s) {
            add(slice[s], total[s]);
            KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i) slice[s][i] = 0;
        }
    }

private:
    KG_HOST_DEVICE static void add(const float (&sums)[kVolumeColumns], float (&to)[kVolumeColumns]) {
        KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i) to[i] += sums[i];
    }

    template <int Taps>
    KG_HOST_DEVICE static void add_run(const DenseGrid& g, const DenseUses& uses, const float* own,
                                       const float* weights, float (&row)[kDenseSlices][kVolumeColumns]) {
        constexpr int kWindow = Taps + kVolumeColumns - 1, kVectors = (kWindow + 3) / 4;
        float x[kVectors][4];
        KG_UNROLL for (int i = 0; i < kVectors; ++i) SharedMemory::four(own + 4 * i, x[i]);
        KG_UNROLL for (int s = 0; s < kDenseSlices; ++s) {
            if (s < uses.begin || s >= uses.end) continue;
            float w[(Taps + 3) / 4][4];
            KG_UNROLL for (int i = 0; i < (Taps + 3) / 4; ++i)
                SharedMemory::four(weights + s * g.box.pitch + 4 * i, w[i]);
            KG_UNROLL for (int t = 0; t < Taps; ++t) KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i)
                row[s][i] = fmaf(w[t / 4][t % 4], x[(t + i) / 4][(t + i) % 4], row[s][i]);
        }
    }
};

/// Writes a thread's outputs. `careful(x, y, z)` is an output's sum_at().
template <typename Careful>
KG_HOST_DEVICE void write_dense(const VolumeLaunch& v, const DenseGrid& g, const DensePlace& place,
                                int thread, DenseSums& sums, const Careful& careful) {
    const auto x = place.x + g.tile.lane(thread) * kVolumeColumns, y = place.y + g.tile.row(thread);
    if (x >= v.columns.samples || y >= v.rows.samples) return;
    bool suspect = false;
    KG_UNROLL for (int s = 0; s < kDenseSlices; ++s) {
        if (s >= place.slices) break;
        write_outputs(v, v.to, v.before, x, y, place.z + s, sums.total[s]);
        KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i) suspect = suspect || is_suspect(sums.total[s][i]);
    }
    if (!suspect) return;
    for (int s = 0; s < place.slices; ++s) repair_outputs(v, v.to, v.before, x, y, place.z + s, careful);
}

} // namespace kg::gpu
