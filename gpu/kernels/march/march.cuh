#pragma once
// What warps that march down their own strip of an f32 image share: the ring of rows in shared memory, and
// the outputs.
//
//      strip, 128 samples of a row for each group          ring of a warp in shared memory
//     halo |        outputs         | halo                 +----------------------+
//     +----+------------------------+----+   copy_async    | row t + 7            |  in flight
//     |    |  row t + 7             |    | --------------> |  ...                 |
//     |    |   ...                  |    |                 | row t                |  --> a lane's registers,
//     |    |  row t                 |    |                 +----------------------+      with the halo
//     +----+------------------------+----+                 | where samples come   |  written once, for edges
//                                                          +----------------------+
//
// A row of the image is a sequence of samples, in which a neighbour is `Channels` samples away. A lane copies
// 16 bytes at once where they lie in the source as in the ring; elsewhere - beside the image, or where rows
// are not aligned - it copies sample by sample from the places that border_index() gave once, for the whole
// strip. So all warps run the same loop, nothing is tested inside the image, and no warp waits for another:
// there is no block barrier.

#include "gpu/kernels/march/async_copy.cuh"
#include "gpu/kernels/march/march.hpp"
#include "gpu/kernels/stage.cuh"

namespace kg::gpu {

/// A strip's layout in samples. A lane owns `Lane` neighbouring samples of each of `Groups` groups of 32
/// lanes.
template <int ChannelCount, int Size, int Lane, int GroupCount>
struct StripLayout {
    static constexpr int kChannels = ChannelCount, kSize = Size, kLane = Lane, kGroups = GroupCount;
    static constexpr int kGroup = 32 * Lane, kOwn = kGroup * GroupCount; ///< samples of a group; of the strip
    static constexpr int kHalo = Size / 2 * ChannelCount; ///< samples on each side that taps reach
    static constexpr int kSide = (kHalo + 3) / 4;         ///< the same in 16-byte chunks
    static constexpr int kChunks = kOwn / 4 + 2 * kSide, kRounds = (kChunks + 31) / 32;
    static constexpr int kWindow = Lane + 8 * kSide; ///< samples that a lane reads for a group
    static constexpr int kFirst = 4 * kSide - kHalo; ///< the first output's first tap in the window
    static constexpr int kSums = Lane * GroupCount;  ///< outputs of a lane in a row
    static constexpr int kSlots = 8;                 ///< rows of the ring; a power of two
    static constexpr int kBlockBytes = kStripWarps * (kSlots + 1) * kChunks * 16;
};

/// The strip of a warp.
struct Strip {
    int column, row; ///< its first output in the rectangle of outputs; up to 3 samples before it
    int outputs;     ///< rows
    bool exists;

    __device__ Strip(const StageCommon& c, const MarchGrid& grid, int samples) {
        const int number = static_cast<int>(blockIdx.x) * kStripWarps + static_cast<int>(threadIdx.y);
        const int down = number / grid.across;
        column = (number - down * grid.across) * samples - grid.shift;
        row = down * grid.rows;
        outputs = min(grid.rows, c.dst_height - row);
        exists = number < grid.strips;
    }
};

/// The latest rows of a warp's strip, with the halo.
template <typename L>
class Ring {
public:
    /// `shared` is the block's memory, kBlockBytes.
    __device__ Ring(const StageCommon& c, const StageItem& item, const MarchGrid& grid, const Strip& strip,
                    float4* shared)
        : c_(c), item_(item), lane_(static_cast<int>(threadIdx.x)),
          slots_(shared + static_cast<int>(threadIdx.y) * (L::kSlots + 1) * L::kChunks + lane_),
          row_(c.dst_y + strip.row - L::kSize / 2 - c.src_y),
          line_(item.src + std::int64_t{row_} * item.src_pitch),
          at_((c.dst_x - c.src_x) * L::kChannels + strip.column - 4 * L::kSide + 4 * lane_) {
#pragma unroll 1
        for (int r = 0; r < L::kRounds && lane_ + 32 * r < L::kChunks; ++r) {
            const int sample = at_ + 128 * r;
            if (grid.wide_loads && sample >= 0 && sample + 4 <= c.src_width * L::kChannels) wide_ |= 1u << r;
            else {
                gathered_ |= 1u << r;
                locate(r, sample);
            }
        }
    }

    /// Begins to copy the next row into slot t; past the strip's last row, only ends the group of copies.
    __device__ void bring(int t, bool exists) {
        if (exists) {
            const auto* from = line_;
            bool there = true;
            if (static_cast<unsigned>(row_) >= static_cast<unsigned>(c_.src_height)) {
                const int y = index_at_border(c_.border, row_ + c_.src_y, c_.height) - c_.src_y;
                there = y >= 0 && y < c_.src_height;
                from = item_.src + std::int64_t{there ? y : 0} * item_.src_pitch;
            }
            auto* to = slots_ + (t & (L::kSlots - 1)) * L::kChunks;
            const auto* at = reinterpret_cast<const float*>(from) + at_;
#pragma unroll
            for (int r = 0; r < L::kRounds; ++r)
                if (wide_ >> r & 1u) {
                    assert(is_of_source<float>(c_, item_, at + 128 * r, 16));
                    copy_async<16>(to + 32 * r, at + 128 * r, there);
                }
            if (gathered_) gather(reinterpret_cast<float*>(to), from, there);
            ++row_;
            line_ += item_.src_pitch;
        }
        end_copies();
    }

    /// Waits for the row of slot t; call with the whole warp. All later rows may still be in flight.
    __device__ void await() const {
        wait_for_copies<L::kSlots - 1>();
        __syncwarp();
    }
    /// The window of the lane in slot t, from its first sample on, for the first group.
    __device__ const float* window(int t) const {
        return reinterpret_cast<const float*>(slots_ - lane_ + (t & (L::kSlots - 1)) * L::kChunks) +
               L::kLane * lane_;
    }

private:
    /// Where a chunk's samples lie, counted from the source's first of the row; negative: zeros, or no output
    /// needs them.
    __device__ void locate(int round, int sample) {
        auto* where = reinterpret_cast<int*>(slots_ + L::kSlots * L::kChunks + 32 * round);
#pragma unroll 1
        for (int i = 0; i < 4; ++i) {
            const int s = sample + i + c_.src_x * L::kChannels,
                      x = s >= 0 ? s / L::kChannels : -((L::kChannels - 1 - s) / L::kChannels);
            const int pixel = index_at_border(c_.border, x, c_.width) - c_.src_x;
            where[i] = pixel >= 0 && pixel < c_.src_width ? pixel * L::kChannels + s - x * L::kChannels : -1;
        }
    }
    __device__ void gather(float* to, const std::byte* row, bool there) const {
        const auto* where = reinterpret_cast<const int*>(slots_ + L::kSlots * L::kChunks);
#pragma unroll 1
        for (int r = 0; r < L::kRounds; ++r, to += 128, where += 128) {
            if (!(gathered_ >> r & 1u)) continue;
#pragma unroll 1
            for (int i = 0; i < 4; ++i) {
                const int at = where[i];
                const auto* from = reinterpret_cast<const float*>(row) + max(at, 0);
                assert(at < 0 || !there || is_of_source<float>(c_, item_, from, 4));
                copy_async<4>(to + i, from, there && at >= 0);
            }
        }
    }

    const StageCommon& c_;
    const StageItem& item_;
    int lane_;
    float4* slots_;                    ///< the lane's chunk of the first slot
    int row_;                          ///< the next row, counted from the source's first
    const std::byte* line_;            ///< where it would be
    int at_;                           ///< the lane's first chunk in a row of the source, in samples
    unsigned wide_ = 0, gathered_ = 0; ///< bit r: the chunk of round r is copied at once; sample by sample
};

/// `Count` neighbouring samples of shared memory by the widest loads.
template <int Lane, int Count>
__device__ void read_window(const float* from, float (&to)[Count]) {
#pragma unroll
    for (int i = 0; i < Count; i += Lane) {
        if constexpr (Lane == 4) {
            const float4 v = *reinterpret_cast<const float4*>(from + i);
            to[i] = v.x, to[i + 1] = v.y, to[i + 2] = v.z, to[i + 3] = v.w;
        } else {
            const float2 v = *reinterpret_cast<const float2*>(from + i);
            to[i] = v.x, to[i + 1] = v.y;
        }
    }
}

/// From a lane's sums to its outputs in memory.
template <typename L>
class StripOutputs {
public:
    __device__ StripOutputs(const StageCommon& c, const StageItem& item, const MarchGrid& grid,
                            const Strip& strip)
        : c_(c), item_(item), plain_(grid.plain),
          column_(strip.column + L::kLane * static_cast<int>(threadIdx.x)), row_(strip.row) {
        const int end = c.dst_width * L::kChannels;
#pragma unroll
        for (int s = 0; s < L::kSums; ++s) {
            const int column = column_of(s), channel = (column + 4 * L::kChannels) % L::kChannels;
            if (column < 0 || column >= end) continue;
            inside_ |= 1u << s;
            if (!(c.computed >> channel & 1u)) kept_ |= 1u << s;
            if (channel != c.alpha) shifted_ |= 1u << s;
        }
        if (grid.wide_stores) wide_ = inside_;
    }

    /// Divides and stores the next row.
    __device__ void put(float (&sums)[L::kSums]) {
        divide(sums, c_.kernels[0]);
        if (!plain_) finish(sums);
        auto* to = reinterpret_cast<float*>(item_.dst + std::int64_t{row_} * item_.dst_pitch) + column_;
#pragma unroll
        for (int g = 0; g < L::kGroups; ++g) {
            constexpr unsigned kAll = (1u << L::kLane) - 1u;
            const int first = g * L::kLane;
            if ((wide_ >> first & kAll) == kAll) {
                assert(is_of_result<float>(c_, item_, to + g * L::kGroup, 4 * L::kLane));
                if constexpr (L::kLane == 4)
                    *reinterpret_cast<float4*>(to + g * L::kGroup) = {sums[first], sums[first + 1],
                                                                      sums[first + 2], sums[first + 3]};
                else *reinterpret_cast<float2*>(to + g * L::kGroup) = {sums[first], sums[first + 1]};
                continue;
            }
#pragma unroll
            for (int s = 0; s < L::kLane; ++s)
                if (inside_ >> (first + s) & 1u) {
                    assert(is_of_result<float>(c_, item_, to + g * L::kGroup + s, 4));
                    to[g * L::kGroup + s] = sums[first + s];
                }
        }
        ++row_;
    }

private:
    __device__ int column_of(int s) const { return column_ + s / L::kLane * L::kGroup + s % L::kLane; }

    /// Adds the offset; channels that are not computed come from the source.
    __device__ void finish(float (&sums)[L::kSums]) const {
        const auto* centre = reinterpret_cast<const float*>(
                                 item_.src + std::int64_t{c_.dst_y + row_ - c_.src_y} * item_.src_pitch) +
                             std::int64_t{c_.dst_x - c_.src_x} * L::kChannels;
#pragma unroll
        for (int s = 0; s < L::kSums; ++s) {
            sums[s] += shifted_ >> s & 1u ? c_.offset : 0.0f;
            if (!(kept_ >> s & 1u)) continue;
            assert(is_of_source<float>(c_, item_, centre + column_of(s), 4));
            sums[s] = __ldg(centre + column_of(s));
        }
    }

    const StageCommon& c_;
    const StageItem& item_;
    bool plain_;
    int column_, row_; ///< the lane's first sample, the next row in the rectangle of outputs
    unsigned inside_ = 0, wide_ = 0, kept_ = 0, shifted_ = 0; ///< bit s: of the lane's outputs
};

/// Brings the rows of a strip one after another; step(t, window of the lane) may sum row t, for which
/// `outputs` + size - 1 rows come. The loop is not unrolled: longer code misses the instruction cache.
template <typename L, typename Step>
__device__ void march(Ring<L>& ring, int outputs, Step step) {
    const int rows = outputs + L::kSize - 1;
#pragma unroll 1
    for (int t = 1 - L::kSlots; t < rows; ++t) {
        __syncwarp(); // all lanes have read row t - 1, whose slot is next
        ring.bring(t + L::kSlots - 1, t + L::kSlots - 1 < rows);
        if (t < 0) continue;
        ring.await();
        step(t, ring.window(t));
    }
}

} // namespace kg::gpu
