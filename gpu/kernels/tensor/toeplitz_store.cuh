#pragma once
// From sums to stored results of `toeplitz` (gpu/algorithms/toeplitz.cu). Integers are staged in shared
// memory until all channels of a strip are there; floats are stored channel by channel.

#include "gpu/kernels/tensor/toeplitz_sums.cuh"

namespace kg::gpu::toeplitz {

/// A warp's outputs: kRows rows of a channel.
struct Outputs {
    int column, row, channel;
    unsigned* staged; ///< the lane's samples [row][32][4], or sums [row][32][4]
};

/// Words in which a lane stages its four samples of a row.
template <typename Sample>
inline constexpr int kStaged = static_cast<int>(sizeof(Sample));

/// body(address of a sample, row, i) for a lane's samples that exist.
template <typename Sample, typename Byte, typename Body>
__device__ void for_each_sample(const StageCommon& c, Byte* first, std::int64_t pitch, const Outputs& o,
                                Body body) {
    const int lane = static_cast<int>(threadIdx.x) % kLanes;
#pragma unroll 1
    for (int r = 0; r < min(kRows, c.dst_height - o.row); ++r) {
        auto* line = reinterpret_cast<Sample*>(first + std::int64_t{o.row + r} * pitch) + o.channel;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (const int x = o.column + output_of_lane(lane, i); x < c.dst_width)
                body(line + x * c.channels, r, i);
    }
}

/// Results in f32 from staged sums.
__device__ __noinline__ void store_floats(const StageCommon& c, const StageItem& item,
                                          const SumFinish& finish, Outputs o) {
    const float offset = offset_of(c, o.channel);
    for_each_sample<float>(c, item.dst, item.dst_pitch, o, [&](float* to, int r, int i) {
        const int sum[1] = {static_cast<int>(o.staged[r * 4 * kLanes + i])};
        float value[1];
        finish_as_floats<false>(finish, sum, value, [&](int) { return offset; });
        assert(is_of_result<float>(c, item, to, sizeof(float)));
        *to = value[0];
    });
}

/// A channel that is not computed: stages its samples, or stores them as f32.
template <typename Sample>
__device__ __noinline__ void copy_channel(const StageCommon& c, const StageItem& item, bool floats,
                                          Outputs o) {
    const auto* from = item.src + std::int64_t{c.dst_y - c.src_y} * item.src_pitch +
                       std::int64_t{c.dst_x - c.src_x} * c.channels * static_cast<int>(sizeof(Sample));
    auto* samples = reinterpret_cast<Sample*>(o.staged);
    const int pitch = kLanes * (floats ? 16 : 4);
    for_each_sample<const Sample>(c, from, item.src_pitch, o, [&](const Sample* at, int r, int i) {
        assert(is_of_source<Sample>(c, item, at, sizeof(Sample)));
        samples[r * pitch + i] = *at;
    });
    if (floats)
        for_each_sample<float>(c, item.dst, item.dst_pitch, o, [&](float* to, int r, int i) {
            assert(is_of_result<float>(c, item, to, sizeof(float)));
            *to = static_cast<float>(samples[r * pitch + i]);
        });
}

/// Finishes a warp's sums of one channel: bytes are staged, floats stored.
__device__ void finish_channel(const StageCommon& c, const StageItem& item, const ToeplitzShape& shape,
                               LaneSums& own, const Outputs& o) {
    if (shape.floats) {
#pragma unroll
        for (int i = 0; i < 4 * kRows; i += 4)
            *reinterpret_cast<int4*>(o.staged + i * kLanes) = {own[i], own[i + 1], own[i + 2], own[i + 3]};
        store_floats(c, item, shape.finish, o);
        return;
    }
    const float offset = offset_of(c, o.channel);
    finish_as_bytes<false, true>(shape.finish, own, [&](int) { return offset; });
#pragma unroll
    for (int r = 0; r < kRows; ++r)
        o.staged[r * kLanes] = pack_saturated(own[4 * r], own[4 * r + 1], own[4 * r + 2], own[4 * r + 3]);
}

/// Stages a warp's sums of one channel of u16, as results.
template <int Powers>
__device__ void finish_channel(const StageCommon& c, const ToeplitzShape& shape,
                               const int (&sums)[kRows][Powers][4], const Outputs& o) {
    const float offset = offset_of(c, o.channel);
    const auto stage = [&](auto result) {
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            int results[4]; // they saturate
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int e = sum_of_output(i);
                long long sum = sums[r][Powers - 1][e];
#pragma unroll
                for (int p = Powers - 2; p >= 0; --p) sum = sum * 256 + sums[r][p][e];
                results[i] = result(sum);
            }
            *reinterpret_cast<uint2*>(o.staged + r * 2 * kLanes) = {pack_saturated(results[0], results[1]),
                                                                    pack_saturated(results[2], results[3])};
        }
    };
    if (shape.scale == 0)
        stage([&](long long sum) {
            return to_saturate(divided_sum<false>(shape.finish, static_cast<int>(sum), offset));
        });
    else
        stage([&](long long sum) {
            return __double2int_rn(__fma_rn(__ll2double_rn(sum), shape.scale, static_cast<double>(offset)));
        });
}

/// Stores 128 pixels of a row at a multiple of 16 bytes, the lane's in `words`, one per channel.
template <int Channels>
__device__ void store_row(const StageCommon& c, const StageItem& item, std::byte* line, int lane,
                          unsigned (&words)[Channels]) {
    if constexpr (Channels == 4) {
        to_interleaved(words);
        auto* to = line + output_of_lane(lane, 0) * 4;
        assert(is_of_result<std::uint8_t>(c, item, to, 72));
        *reinterpret_cast<uint2*>(to) = {words[0], words[1]};
        *reinterpret_cast<uint2*>(to + 64) = {words[2], words[3]};
    } else { // lanes of neighbouring groups exchange pairs: four neighbouring pixels each
        const bool is_odd = lane / 4 % 2 != 0;
#pragma unroll
        for (int k = 0; k < Channels; ++k)
            words[k] = __byte_perm(words[k], __shfl_xor_sync(~0u, words[k], 4), is_odd ? 0x3276 : 0x5410);
        to_interleaved(words);
        auto* to = line + (is_odd ? output_of_lane(lane, 2) - 2 : output_of_lane(lane, 0)) * Channels;
        assert(is_of_result<std::uint8_t>(c, item, to, 4 * Channels));
#pragma unroll
        for (int k = 0; k < Channels; ++k) reinterpret_cast<unsigned*>(to)[k] = words[k];
    }
}

/// The same for u16: of each channel two words of two neighbouring pixels.
template <int Channels>
__device__ void store_row(const StageCommon& c, const StageItem& item, std::byte* line, int lane,
                          const uint2 (&words)[Channels]) {
    constexpr int kBytes = 4 * Channels;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        unsigned pixels[Channels]; // interleaved
#pragma unroll
        for (int w = 0; w < Channels; ++w) {
            const auto of = [&](int sample) {
                const auto& both = words[sample % Channels];
                return half == 0 ? both.x : both.y;
            };
            const int first = 2 * w, second = first + 1; // samples of the two pixels
            const unsigned order = (first < Channels ? 0x0010u : 0x0032u) |
                                   (second < Channels ? 0x5400u : 0x7600u);
            pixels[w] = __byte_perm(of(first), of(second), order);
        }
        auto* to = line + output_of_lane(lane, 2 * half) * (kBytes / 2);
        assert(is_of_result<std::uint16_t>(c, item, to, kBytes));
        if constexpr (Channels == 4)
            *reinterpret_cast<uint4*>(to) = {pixels[0], pixels[1], pixels[2], pixels[3]};
        else
#pragma unroll
            for (int w = 0; w < Channels; ++w) reinterpret_cast<unsigned*>(to)[w] = pixels[w];
    }
}

/// Sample by sample, where rows are not aligned or end within the strip.
template <typename Sample>
__device__ __noinline__ void store_samples(const StageCommon& c, const StageItem& item, int first, int split,
                                           Outputs o) {
    const auto* staged = o.staged;
    for (o.channel = first; o.channel < c.channels; o.channel += split) {
        const auto* samples = reinterpret_cast<const Sample*>(staged +
                                                              o.channel * kRows * kLanes * kStaged<Sample>);
        for_each_sample<Sample>(c, item.dst, item.dst_pitch, o, [&](Sample* to, int r, int i) {
            assert(is_of_result<Sample>(c, item, to, sizeof(Sample)));
            *to = samples[r * 4 * kLanes + i];
        });
    }
}

/// Every split-th row of a strip from `first` on, AtOnce rows together, so that they wait for shared memory
/// once.
template <typename Sample, int Channels, int AtOnce>
__device__ void store_rows(const StageCommon& c, const StageItem& item, int first, int split,
                           const Outputs& o) {
    using Words = std::conditional_t<sizeof(Sample) == 1, unsigned, uint2>;
    constexpr int kOfRow = kLanes * kStaged<Sample>; // words of a channel
    const int lane = static_cast<int>(threadIdx.x) % kLanes, rows = min(kRows, c.dst_height - o.row);
    const auto step = split * item.dst_pitch;
    const auto* staged = o.staged + first * kOfRow;
    auto* to = item.dst + (o.row + first) * item.dst_pitch +
               std::int64_t{o.column} * kPlanes<Sample, Channels>;
#pragma unroll 1
    for (int row = first; row < rows; row += AtOnce * split) {
        Words words[AtOnce][Channels];
#pragma unroll
        for (int r = 0; r < AtOnce; ++r, staged += split * kOfRow)
            if (row + r * split < rows)
#pragma unroll
                for (int k = 0; k < Channels; ++k)
                    words[r][k] = *reinterpret_cast<const Words*>(staged + k * kRows * kOfRow);
#pragma unroll
        for (int r = 0; r < AtOnce; ++r, to += step)
            if (row + r * split < rows) store_row<Channels>(c, item, to, lane, words[r]);
    }
}

/// Stores the staged samples [channel][row][lane] of a strip, to which `o` belongs. Of `split` warps each
/// takes a part.
template <typename Sample>
__device__ __noinline__ void store_strip(const StageCommon& c, const StageItem& item, int first, int split,
                                         Outputs o) {
    if (!c.wide_stores || o.column + kAcross > c.dst_width)
        return store_samples<Sample>(c, item, first, split, o);
    with_these_channels(c.channels, [&](auto channels) {
        constexpr int kChannels = decltype(channels)::value;
        store_rows<Sample, kChannels, kChannels == 1 ? 4 : 1>(c, item, first, split, o);
    });
}

} // namespace kg::gpu::toeplitz
