#pragma once
// What warps that march down their own strip of an image of f32 or u16 share: the ring of rows in shared
// memory, and the outputs.
//
//      strip, 128 samples of a row for each group          ring of a warp in shared memory
//     halo |        outputs         | halo                 +----------------------+
//     +----+------------------------+----+   copy_async    | row t + 7            |  in flight
//     |    |  row t + 7             |    | --------------> |  ...                 |
//     |    |   ...                  |    |                 | row t                |  --> a lane's registers,
//     |    |  row t                 |    |                 +----------------------+      with the halo
//     +----+------------------------+----+                 | where samples and    |  written once
//                                                          | rows come from       |
//                                                          +----------------------+
//
// A row of the image is a sequence of samples, in which a neighbour is `Channels` samples away. A lane copies
// 4 samples, a chunk, at once where they lie in the source as in the ring; elsewhere - beside the image, or
// where rows are not aligned - it copies sample by sample from the places that border_index() gave once, for
// the whole strip. Rows come from places that are known from the beginning, too. So all warps run the same
// loop, nothing is tested inside the image, and no warp waits for another: there is no block barrier.
//
// Samples of 16 bits arrive in chunks of 8 bytes, which a lane reads back while the row before is summed and
// converts into one of two rows of floats. One by one they pass the lane's registers, one row ahead:
// asynchronous copies have at least 4 bytes.
//
// The loop over a strip's rows calls no function and contains no loop. Only then does the compiler (nvcc 13)
// keep the weights in uniform registers from row to row instead of loading them again, which on an H200 took
// a third of the time of 31 x 31.

#include "gpu/kernels/march/async_copy.cuh"
#include "gpu/kernels/march/march.hpp"
#include "gpu/kernels/stage.cuh"

namespace kg::gpu {

/// A strip's layout in samples. A lane owns `Lane` neighbouring samples of each of `Groups` groups of 32
/// lanes.
template <typename SampleType, int ChannelCount, int Size, int Lane, int GroupCount>
struct StripLayout {
    using Sample = SampleType;
    static constexpr bool kConverts = !std::is_same_v<Sample, float>;
    static constexpr int kChannels = ChannelCount, kSize = Size, kLane = Lane, kGroups = GroupCount;
    static constexpr int kGroup = 32 * Lane, kOwn = kGroup * GroupCount; ///< samples of a group; of the strip
    static constexpr int kHalo = Size / 2 * ChannelCount; ///< samples on each side that taps reach
    static constexpr int kSide = (kHalo + 3) / 4;         ///< the same in chunks of 4
    static constexpr int kChunks = kOwn / 4 + 2 * kSide, kRounds = (kChunks + 31) / 32;
    static constexpr int kWindow = Lane + 8 * kSide; ///< samples that a lane reads for a group
    static constexpr int kFirst = 4 * kSide - kHalo; ///< the first output's first tap in the window
    static constexpr int kSums = Lane * GroupCount;  ///< outputs of a lane in a row
    static constexpr int kSlots = 8;                 ///< rows of the ring
    static constexpr int kFloatRows = kConverts ? 2 : 0;
    static constexpr int kAhead = kConverts ? 1 : 0; ///< rows read back before they are due
    /// Chunks of a warp: slots, where the samples of a chunk come from, rows of floats, where rows come from.
    static constexpr int kWarpChunks = (kSlots + 1 + kFloatRows) * kChunks + (kMostStripRows + Size + 2) / 4;
    static constexpr int kBlockBytes = kStripWarps * kWarpChunks * 16;
};

/// The strip of a warp.
struct Strip {
    int column, row; ///< its first output in the rectangle of outputs; up to 3 samples before it
    int outputs;     ///< rows
    bool exists;

    __device__ Strip(const StageCommon& c, const MarchGrid& grid, int samples) {
        const int number = static_cast<int>(blockIdx.x) * kStripWarps + static_cast<int>(threadIdx.y);
        exists = number < grid.strips;
        if (!exists) return;
        const auto place = march_place(grid, number);
        column = place.column * samples - grid.shift;
        row = place.row;
        outputs = min(place.rows, c.dst_height - row);
    }
};

/// The latest rows of a warp's strip, with the halo.
template <typename L>
class Ring {
    using Sample = typename L::Sample;
    static constexpr int kChunkBytes = 4 * static_cast<int>(sizeof(Sample));

public:
    /// Begins to copy the first rows. `shared` is the block's memory, kBlockBytes.
    __device__ Ring(const StageCommon& c, const StageItem& item, const MarchGrid& grid, const Strip& strip,
                    float4* shared)
        : c_(c), item_(item), lane_(static_cast<int>(threadIdx.x)),
          slot_(shared + static_cast<int>(threadIdx.y) * L::kWarpChunks + lane_),
          end_(slot_ + L::kSlots * L::kChunks), floats_(end_ + L::kChunks),
          row_(reinterpret_cast<int*>(floats_ - lane_ + L::kFloatRows * L::kChunks)), single_row_(row_),
          at_((c.dst_x - c.src_x) * L::kChannels + strip.column - 4 * L::kSide + 4 * lane_) {
        assert(strip.outputs <= kMostStripRows);
        const int rows = strip.outputs + L::kSize - 1,
                  end = (c.dst_x - c.src_x + c.dst_width) * L::kChannels + L::kHalo; // no output needs more
        last_row_ = row_ + rows;
        for (int t = lane_; t < rows; t += 32) locate_row(t, c.dst_y + strip.row - L::kSize / 2 + t);
#pragma unroll 1
        for (int r = 0; r < L::kRounds && lane_ + 32 * r < L::kChunks; ++r) {
            const int sample = at_ + 128 * r;
            if (sample >= end) break;
            if (grid.wide_loads && sample >= 0 && sample + 4 <= c.src_width * L::kChannels) wide_ |= 1u << r;
            else {
                gathered_ |= 1u << r;
                locate_chunk(r, sample);
            }
        }
        __syncwarp();
        free_ = slot_;
#pragma unroll 1
        for (int t = 0; t < L::kSlots - 1; ++t, free_ += L::kChunks) copy_row();
        if constexpr (L::kConverts) {
            fetch_singles();
            wait_for_copies<L::kSlots - 2>();
            fetch_chunks();
            convert();
            fetch_singles();
        }
    }

    /// Waits for the next row and returns the lane's window of it, for the first group; call with the whole
    /// warp.
    __device__ const float* next() {
        wait_for_copies<L::kSlots - 2 - L::kAhead>();
        __syncwarp(); // the row is complete, and all lanes have read the row before, whose memory is free
        const auto* row = slot_;
        if constexpr (L::kConverts) {
            row = floats_;
            slot_ = following(slot_);
            fetch_chunks();
        }
        return reinterpret_cast<const float*>(row) - (4 - L::kLane) * lane_;
    }

    /// Begins to copy a later row into the slot of the row before. Call once after each next().
    __device__ void bring() {
        if constexpr (L::kConverts) {
            floats_ = floats_ == end_ + L::kChunks ? floats_ + L::kChunks : end_ + L::kChunks;
            convert();
            fetch_singles();
        }
        copy_row();
        if constexpr (L::kConverts) free_ = following(free_); // slot_ is a row ahead
        else {
            free_ = slot_;
            slot_ = following(slot_);
        }
    }

private:
    __device__ float4* following(float4* slot) const {
        slot += L::kChunks;
        return slot == end_ ? slot - L::kSlots * L::kChunks : slot;
    }

    /// Past the strip's last row, only ends the group of copies.
    __device__ void copy_row() {
        if (row_ != last_row_) {
            const int row = *row_++;
            const bool there = row >= 0;
            const auto* line = item_.src + (there ? row : 0) * item_.src_pitch;
            const auto* chunk = line + std::int64_t{at_} * static_cast<int>(sizeof(Sample));
#pragma unroll
            for (int r = 0; r < L::kRounds; ++r)
                if (wide_ >> r & 1u) {
                    const auto* from = chunk + 32 * kChunkBytes * r;
                    assert(is_of_source<Sample>(c_, item_, from, kChunkBytes));
                    copy_async<kChunkBytes>(free_ + 32 * r, from, there);
                }
            if constexpr (!L::kConverts)
                if (gathered_) gather(reinterpret_cast<const float*>(line), there);
        }
        end_copies();
    }
    __device__ void gather(const float* line, bool there) const {
#pragma unroll
        for (int r = 0; r < L::kRounds; ++r) {
            if (!(gathered_ >> r & 1u)) continue;
            const int4 where = *reinterpret_cast<const int4*>(end_ + 32 * r);
            auto* to = reinterpret_cast<float*>(free_ + 32 * r);
            gather(to, line, where.x, there);
            gather(to + 1, line, where.y, there);
            gather(to + 2, line, where.z, there);
            gather(to + 3, line, where.w, there);
        }
    }
    __device__ void gather(float* to, const float* line, int at, bool there) const {
        const auto* from = line + max(at, 0);
        assert(at < 0 || !there || is_of_source<float>(c_, item_, from, 4));
        copy_async<4>(to, from, there && at >= 0);
    }

    /// Reads the lane's chunks of the row in `slot_`.
    __device__ void fetch_chunks() {
#pragma unroll
        for (int r = 0; r < L::kRounds; ++r)
            if (wide_ >> r & 1u) {
                const auto two = *reinterpret_cast<const uint2*>(slot_ + 32 * r);
                fetched_[r][0] = two.x, fetched_[r][1] = two.y;
            }
    }
    /// Begins to read the samples of the next row that are not copied in chunks.
    __device__ void fetch_singles() {
        if (gathered_ == 0 || single_row_ == last_row_) return;
        const int row = *single_row_++;
        const auto* line = reinterpret_cast<const Sample*>(item_.src + max(row, 0) * item_.src_pitch);
#pragma unroll
        for (int r = 0; r < L::kRounds; ++r) {
            if (!(gathered_ >> r & 1u)) continue;
            const int4 where = *reinterpret_cast<const int4*>(end_ + 32 * r);
            fetched_[r][0] = single(line, where.x, row >= 0);
            fetched_[r][1] = single(line, where.y, row >= 0);
            fetched_[r][2] = single(line, where.z, row >= 0);
            fetched_[r][3] = single(line, where.w, row >= 0);
        }
    }
    __device__ unsigned single(const Sample* line, int at, bool there) const {
        if (at < 0 || !there) return 0;
        assert(is_of_source<Sample>(c_, item_, line + at, sizeof(Sample)));
        return static_cast<unsigned>(__ldg(line + at));
    }
    /// Stores what was fetched in the next row of floats.
    __device__ void convert() {
#pragma unroll
        for (int r = 0; r < L::kRounds; ++r) {
            const auto& v = fetched_[r];
            if (wide_ >> r & 1u)
                floats_[32 * r] = {static_cast<float>(v[0] & 0xffffu), static_cast<float>(v[0] >> 16),
                                   static_cast<float>(v[1] & 0xffffu), static_cast<float>(v[1] >> 16)};
            else if (gathered_ >> r & 1u)
                floats_[32 * r] = {static_cast<float>(v[0]), static_cast<float>(v[1]),
                                   static_cast<float>(v[2]), static_cast<float>(v[3])};
        }
    }

    /// The row of the source that row t of the strip, row `y` of the image, is copied from; negative: zeros.
    __device__ void locate_row(int t, int y) {
        const int row = index_at_border(c_.border, y, c_.height) - c_.src_y;
        row_[t] = row < c_.src_height ? row : -1;
    }
    /// Where a chunk's samples lie, counted from the source's first of the row; negative: zeros, or no output
    /// needs them.
    __device__ void locate_chunk(int round, int sample) {
        auto* where = reinterpret_cast<int*>(end_ + 32 * round);
#pragma unroll 1
        for (int i = 0; i < 4; ++i) {
            const int s = sample + i + c_.src_x * L::kChannels,
                      x = s >= 0 ? s / L::kChannels : -((L::kChannels - 1 - s) / L::kChannels);
            const int pixel = index_at_border(c_.border, x, c_.width) - c_.src_x;
            where[i] = pixel >= 0 && pixel < c_.src_width ? pixel * L::kChannels + s - x * L::kChannels : -1;
        }
    }
    const StageCommon& c_;
    const StageItem& item_;
    int lane_;
    /// The lane's chunks: of the next row to be read, behind the last slot, of the free slot.
    float4 *slot_, *end_, *free_;
    float4* floats_;        ///< the lane's first chunk of the row of floats that is complete
    int *row_, *last_row_;  ///< where the next row, and the one behind the last, lie in the source
    const int* single_row_; ///< where the next row lies whose samples are read one by one
    unsigned fetched_[L::kConverts ? L::kRounds : 1][4] = {}; ///< two samples each in a chunk, else one each
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

/// Sample `column` of row `row` of the rectangle of outputs, before its division: the sum of the weights of a
/// square that are not zero, or of the products of a column and a row (`cross`), one factor behind the other.
template <int Channels>
static __device__ __noinline__ float sum_without_zeros(const StageCommon& c, const StageItem& item,
                                                       const float* weights, int size, bool cross, int column,
                                                       int row) {
    const int x = column / Channels, channel = column - x * Channels;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < size; ++i) {
        const float* const of_row = weights + (cross ? size : i * size);
        const int y = index_at_border(c.border, c.dst_y + row + i - size / 2, c.height) - c.src_y;
        const auto* line = reinterpret_cast<const float*>(item.src + std::int64_t{y} * item.src_pitch);
        float row_sum = 0;
        if (cross && weights[i] == 0.0f) continue;
#pragma unroll 1
        for (int j = 0; j < size; ++j) {
            if (of_row[j] == 0.0f) continue;
            const int at = index_at_border(c.border, c.dst_x + x + j - size / 2, c.width) - c.src_x;
            const bool exists = y >= 0 && y < c.src_height && at >= 0 && at < c.src_width;
            row_sum = __fmaf_rn(of_row[j], exists ? __ldg(line + at * Channels + channel) : 0.0f, row_sum);
        }
        sum = cross ? __fmaf_rn(weights[i], row_sum, sum) : sum + row_sum;
    }
    return sum;
}

/// From a lane's sums to its outputs in memory.
template <typename L>
class StripOutputs {
    using Sample = typename L::Sample;

public:
    __device__ StripOutputs(const StageCommon& c, const StageItem& item, const MarchGrid& grid,
                            const Strip& strip)
        : c_(c), item_(item), plain_(grid.plain),
          column_(strip.column + L::kLane * static_cast<int>(threadIdx.x)), row_(strip.row),
          first_row_(strip.row),
          to_(item.dst + std::int64_t{row_} * item.dst_pitch + std::int64_t{column_} * bytes(c)),
          reciprocal_(1.0f / c.kernels[0].divisor) {
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
        if (!L::kConverts && c_.kernels[0].skip_zeros)
#pragma unroll
            for (const float sum : sums) nothing_ = __fmaf_rn(sum, 0.0f, nothing_);
        if (const auto& kernel = c_.kernels[0]; kernel.divisor != 1.0f)
#pragma unroll
            for (float& sum : sums) sum = divided_float(sum, kernel.divisor, reciprocal_);
        if (!plain_) finish(sums);
        if (!L::kConverts || c_.floats) store<float>(sums);
        else store<Sample>(sums);
        ++row_;
        to_ += item_.dst_pitch;
    }

    /// Zeros around the taps or between them were summed, too, which lets a NaN or an infinity under them
    /// through: computes the outputs that are not finite again, without zeros. Call when the strip is
    /// complete.
    __device__ void mend(const float* weights, bool cross) {
        if constexpr (!L::kConverts)
            if (nothing_ != 0) mend_rows(weights, cross);
    }

private:
    __device__ void mend_rows(const float* weights, bool cross) {
#pragma unroll 1
        for (--row_, to_ -= item_.dst_pitch; row_ >= first_row_; --row_, to_ -= item_.dst_pitch)
#pragma unroll 1
            for (int s = 0; s < L::kSums; ++s) {
                auto* const to = reinterpret_cast<float*>(to_) + (column_of(s) - column_);
                if (!(inside_ & ~kept_ & 1u << s) || *to - *to == 0) continue;
                const float sum = sum_without_zeros<L::kChannels>(c_, item_, weights, L::kSize, cross,
                                                                  column_of(s), row_);
                *to = divided_float(sum, c_.kernels[0].divisor, reciprocal_) +
                      (shifted_ & 1u << s ? c_.offset : 0.0f);
            }
    }

    __device__ static int bytes(const StageCommon& c) {
        return !L::kConverts || c.floats ? 4 : static_cast<int>(sizeof(Sample));
    }

    template <typename Out>
    __device__ void store(const float (&sums)[L::kSums]) const {
#pragma unroll
        for (int g = 0; g < L::kGroups; ++g) {
            constexpr unsigned kAll = (1u << L::kLane) - 1u;
            const int first = g * L::kLane;
            auto* to = reinterpret_cast<Out*>(to_) + g * L::kGroup;
            if ((wide_ >> first & kAll) == kAll) {
                assert(is_of_result<Out>(c_, item_, to, sizeof(Out) * L::kLane));
                store_together(to, &sums[first]);
                continue;
            }
#pragma unroll
            for (int s = 0; s < L::kLane; ++s)
                if (inside_ >> (first + s) & 1u) {
                    assert(is_of_result<Out>(c_, item_, to + s, sizeof(Out)));
                    to[s] = SampleTraits<Out>::from(sums[first + s]);
                }
        }
    }
    __device__ static void store_together(float* to, const float* sums) {
        if constexpr (L::kLane == 4) *reinterpret_cast<float4*>(to) = {sums[0], sums[1], sums[2], sums[3]};
        else *reinterpret_cast<float2*>(to) = {sums[0], sums[1]};
    }
    __device__ static void store_together(std::uint16_t* to, const float* sums) {
        const auto rounded = [&](int s) { return SampleTraits<std::uint16_t>::from(sums[s]); };
        if constexpr (L::kLane == 4)
            *reinterpret_cast<ushort4*>(to) = {rounded(0), rounded(1), rounded(2), rounded(3)};
        else *reinterpret_cast<ushort2*>(to) = {rounded(0), rounded(1)};
    }

    __device__ int column_of(int s) const { return column_ + s / L::kLane * L::kGroup + s % L::kLane; }

    /// Adds the offset; channels that are not computed come from the source.
    __device__ void finish(float (&sums)[L::kSums]) const {
        const auto* centre = reinterpret_cast<const Sample*>(
                                 item_.src + std::int64_t{c_.dst_y + row_ - c_.src_y} * item_.src_pitch) +
                             std::int64_t{c_.dst_x - c_.src_x} * L::kChannels;
#pragma unroll
        for (int s = 0; s < L::kSums; ++s) {
            sums[s] += shifted_ >> s & 1u ? c_.offset : 0.0f;
            if (!(kept_ >> s & 1u)) continue;
            assert(is_of_source<Sample>(c_, item_, centre + column_of(s), sizeof(Sample)));
            sums[s] = static_cast<float>(__ldg(centre + column_of(s)));
        }
    }

    const StageCommon& c_;
    const StageItem& item_;
    bool plain_;
    float nothing_ = 0; ///< NaN as soon as some sum is not finite
    /// The lane's first sample, the next row in the rectangle of outputs, and the strip's first.
    int column_, row_, first_row_;
    std::byte* to_;                                           ///< where that sample is
    float reciprocal_;                                        ///< 1 / divisor
    unsigned inside_ = 0, wide_ = 0, kept_ = 0, shifted_ = 0; ///< bit s: of the lane's outputs
};

} // namespace kg::gpu
