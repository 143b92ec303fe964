#pragma once
// Two steps of a stencil of the 27 neighbours in one pass through memory: what lies between them stays in
// shared memory.
// Source: Micikevicius 2009 for a march along the slices; overlapped tiles after Krishnamoorthy et al.,
// "Effective automatic parallelization of stencil computations", PLDI 2007.
//
//   tile       512 threads of 4 columns: the first step of all, the second of all but four columns and one
//              row at each end
//   shared     the last four slices of first steps
//
// The march of the first step is a slice ahead of the second. Outside the volume the second step reads what
// the border leads to: a first step in the tile, or under `wrap` the same first step once more. Sums are
// those of single steps, so the bytes are too (semantics 17). Four slices need one barrier for each: while
// some threads still read three of them, others store the next first steps into the fourth. The code of a
// block between two barriers is also run by the CPU, in tests (tests/gpu/volumes).

#include "gpu/kernels/volumes/stencil_march.hpp"

namespace kg::gpu {

inline constexpr int kTimeThreads = 512, kTimeSlices = 4; ///< of a block, and of first steps that it holds

struct TimeGrid {
    VolumeTile tile;
    std::uint32_t across, down; ///< blocks
    std::int64_t chunk;         ///< slices of a block

    /// Of second steps.
    KG_HOST_DEVICE int columns() const { return tile.columns() - 2 * kVolumeColumns; }
    KG_HOST_DEVICE int rows() const { return tile.rows() - 2; }
};

struct TimeBlocks {
    TimeGrid grid;
    VolumeBlocks blocks;
};
/// The blocks over this volume, short enough to occupy so many multiprocessors.
TimeBlocks time_blocks(const VolumeExtent& size, int multiprocessors);

struct TimeLaunch {
    VolumeLaunch v; ///< `from` and `before` of the first step, `to` of the second
    /// Where the first step goes under second order; its data is null under first order. The second one then
    /// subtracts `from`.
    VolumeMemory first;
};

/// The slices of a block.
struct TimeRange {
    std::int64_t begin, end;  ///< of second steps
    std::int64_t first, last; ///< of first steps, the last included

    KG_HOST_DEVICE TimeRange(const VolumeLaunch& v, std::int64_t from, std::int64_t chunk) {
        const auto depth = v.slices.samples;
        begin = from;
        end = from + chunk < depth ? from + chunk : depth;
        const bool wraps = v.slices.border == Border::wrap;
        first = wraps || begin > 0 ? begin - 1 : 0;
        last = wraps || end < depth ? end : depth - 1;
    }

    /// Calls first_step(z) for the slices of samples that first steps are under, whose last one ends that of
    /// slice z - 1, barrier() after each that ended, and second_step(z).
    template <typename First, typename Barrier, typename Second>
    KG_HOST_DEVICE void run(const First& first_step, const Barrier& barrier,
                            const Second& second_step) const {
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
        for (auto z = first - 1; z <= last + 1; ++z) {
            first_step(z);
            if (z <= first) continue;
            barrier();
            // Nothing lies behind the volume's last slice.
            const auto ready = z - 1 == last && last < end ? last : z - 2;
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
            for (auto of = z - 2 < begin ? begin : z - 2; of <= ready; ++of) second_step(of);
        }
    }
};

/// Where the second step finds the first steps around an index of an axis, in a tile whose first one is that
/// of index `begin`.
KG_HOST_DEVICE inline std::int64_t place_in_tile(const SampleBorder& border, std::int64_t index,
                                                 std::int64_t begin, int extent) {
    if (border.border != Border::wrap) {
        if (index < -1 || index > border.samples) return -1; // no output reads it
        index = border.nearby(index);
        if (index < 0) return -1;
    }
    index -= begin;
    return index >= 0 && index < extent ? index : -1;
}

/// A thread of a block.
template <bool Faces>
class TimeThread {
public:
    KG_HOST_DEVICE TimeThread(const TimeLaunch& launch, const Stencil& stencil, const TimeGrid& grid,
                              const VolumeBlock& place, int thread)
        : l_(launch), stencil_(stencil), tile_(grid.tile), lane_(grid.tile.lane(thread)),
          row_(grid.tile.row(thread)), x0_(place.across * grid.columns() - kVolumeColumns),
          y0_(place.down * grid.rows() - 1), range_(launch.v, place.deep * grid.chunk, grid.chunk),
          columns_(volume_columns(launch.v, x(), lane_ == 0, lane_ == grid.tile.lanes() - 1)),
          rows_(launch.v, y()), own_row_(border_place(launch.v.rows, y())),
          next_(launch.v, columns_, rows_, launch.v.slices.nearby(range_.first - 1)) {}

    KG_HOST_DEVICE const TimeRange& range() const { return range_; }

    /// Adds slice z of samples to the sums of the first step, and stores those of slice z - 1 in the ring.
    template <typename Beside>
    KG_HOST_DEVICE void first_step(std::int64_t z, const Beside& beside, float* ring) {
        const auto& v = l_.v;
        float window[3][kStencilWindow], done[kVolumeColumns];
        next_.fill(columns_, beside, window);
        if (z <= range_.last) next_ = StencilSlice<Faces>(v, columns_, rows_, v.slices.nearby(z + 1));
        sums_.template add<Faces>(stencil_.weights, window, done);
        if (z <= range_.first) return;
        if (v.before.data) {
            const auto slice = v.slices.nearby(z - 1);
            float earlier[kVolumeColumns];
            load_own(columns_, slice < 0 || own_row_ < 0 ? nullptr : v.before.row(own_row_, slice), 0,
                     ReadOnlyMemory(), earlier);
            KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i) done[i] -= earlier[i];
        }
        store_four(done, ring + place_of(z - 1) + row_ * tile_.columns() + lane_ * kVolumeColumns);
        if (l_.first.data && writes() && z - 1 >= range_.begin && z - 1 < range_.end) {
            write_outputs(v, l_.first, {}, x(), y(), z - 1, done);
            note(done);
        }
    }

    /// Writes the second step of slice z, from first steps in the ring.
    template <typename Beside>
    KG_HOST_DEVICE void second_step(std::int64_t z, const Beside& beside, const float* ring) {
        const auto& v = l_.v;
        const bool wraps = v.columns.border == Border::wrap;
        const StencilColumns columns(x(), wraps || (x() >= 0 && x() + kVolumeColumns <= v.columns.samples),
                                     false, false, [&](std::int64_t column) {
                                         return static_cast<int>(
                                             place_in_tile(v.columns, column, x0_, tile_.columns()));
                                     });
        float total[kVolumeColumns] = {};
        add_slice<-1>(columns, z, beside, ring, total);
        add_slice<0>(columns, z, beside, ring, total);
        add_slice<1>(columns, z, beside, ring, total);
        if (!writes()) return;
        write_outputs(v, v.to, l_.first.data ? v.from : VolumeMemory{}, x(), y(), z, total);
        note(total);
    }

    /// Computes outputs again that may have met samples that are not finite under taps of zero.
    /// `careful(x, y, z)` and `careful_twice(x, y, z)` are the sums of one step and of two.
    template <typename Careful, typename CarefulTwice>
    KG_HOST_DEVICE void repair(const Careful& careful, const CarefulTwice& careful_twice) const {
        if (!suspect_ || !stencil_.has_zeros) return;
        const auto& v = l_.v;
        for (auto z = range_.begin; z < range_.end; ++z) {
            if (l_.first.data) repair_outputs(v, l_.first, v.before, x(), y(), z, careful);
            repair_outputs(v, v.to, l_.first.data ? v.from : VolumeMemory{}, x(), y(), z, careful_twice);
        }
    }

private:
    KG_HOST_DEVICE std::int64_t x() const { return x0_ + lane_ * kVolumeColumns; }
    KG_HOST_DEVICE std::int64_t y() const { return y0_ + row_; }
    /// Whether it computes second steps.
    KG_HOST_DEVICE bool writes() const {
        return lane_ > 0 && lane_ < tile_.lanes() - 1 && row_ > 0 && row_ < tile_.rows() - 1 &&
               x() < l_.v.columns.samples && y() < l_.v.rows.samples;
    }
    /// The first float of a slice in the ring.
    KG_HOST_DEVICE int place_of(std::int64_t z) const {
        return static_cast<int>(z & (kTimeSlices - 1)) * tile_.rows() * tile_.columns();
    }
    KG_HOST_DEVICE void note(const float (&outputs)[kVolumeColumns]) {
        KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i) suspect_ = suspect_ || is_suspect(outputs[i]);
    }

    template <int Z, typename Beside>
    KG_HOST_DEVICE void add_slice(const StencilColumns& columns, std::int64_t z, const Beside& beside,
                                  const float* ring, float (&total)[kVolumeColumns]) const {
        const auto& v = l_.v;
        const auto slice = v.slices.border == Border::wrap ? z + Z : v.slices.nearby(z + Z);
        const bool is_inside = slice >= 0 || v.slices.border == Border::wrap;
        float window[3][kStencilWindow];
        KG_UNROLL for (int i = 0; i < 3; ++i) {
            if (Faces && Z != 0 && i != 1) continue;
            const auto row = place_in_tile(v.rows, y() - 1 + i, y0_, tile_.rows());
            const float* const own = is_inside && row >= 0
                                         ? ring + place_of(slice) + static_cast<int>(row) * tile_.columns()
                                         : nullptr;
            const auto samples = loaded<false>(columns, own, v.outside, SharedMemory());
            if (!Faces || (Z == 0 && i == 1)) fill_window<true>(columns, samples, beside, window[i]);
            else fill_window<false>(columns, samples, beside, window[i]);
        }
        KG_UNROLL for (int i = 0; i < kVolumeColumns; ++i)
            total[i] += slice_sum<Faces>(stencil_.weights, Z, window, i);
    }

    const TimeLaunch& l_;
    const Stencil& stencil_;
    VolumeTile tile_;
    int lane_, row_;
    std::int64_t x0_, y0_; ///< of the tile's first column and row
    TimeRange range_;
    StencilColumns columns_;
    StencilRows rows_;
    std::int64_t own_row_; ///< in the volume; -1 = outside
    MarchSums sums_;
    StencilSlice<Faces> next_;
    bool suspect_ = false;
};

/// The sum of one output after two steps, from memory, without taps of zero.
KG_HOST_DEVICE inline float sum_twice_at(const TimeLaunch& l, const Stencil& stencil, std::int64_t x,
                                         std::int64_t y, std::int64_t z) {
    const auto& v = l.v;
    return sum_with_care(stencil_box(), stencil.weights, [&](int dx, int dy, int dz) {
        const auto column = border_place(v.columns, x + dx), row = border_place(v.rows, y + dy),
                   slice = border_place(v.slices, z + dz);
        if (column < 0 || row < 0 || slice < 0) return v.outside;
        const float sum = sum_at(v, stencil_box(), stencil.weights, column, row, slice);
        return v.before.data ? sum - v.before.row(row, slice)[column] : sum;
    });
}

} // namespace kg::gpu
