#pragma once
// The last launch of `decimated` (gpu/algorithms/decimated.cu): outputs from cells, and the outputs that NaN
// and infinity reach.

#include "gpu/kernels/decimation/decimation.cuh"

namespace kg::gpu {

/// Whether a tile that a block's outputs depend on holds a sample that is not finite. A thread tests some.
__device__ inline bool reaches_flagged(const StageCommon& c, const DecimatedGrid& grid, const unsigned* flags,
                                       int first, int end, int row, int rows) {
    const auto tile = [](const DecimatedSpan& span, int pixel) {
        const int held = min(max(pixel, span.first_pixel), span.end_pixel - 1);
        return quotient_down(held, span.tile_blocks * span.stride) - span.first_tile;
    };
    const int y = tile(grid.down, c.dst_y + row - c.up),
              y_end = tile(grid.down, c.dst_y + row + rows - 1 - c.up + c.reach_height - 1) + 1,
              x = tile(grid.along, c.dst_x + quotient_down(first, c.channels) - c.left),
              x_end = tile(grid.along,
                           c.dst_x + quotient_down(end - 1, c.channels) - c.left + c.reach_width - 1) +
                      1;
    const int across = x_end - x;
    bool found = false;
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < across * (y_end - y); i += kDecimatedThreads) {
        const int down = quotient_down(i, across);
        found |= flags[(y + down) * grid.along.tiles + x + i - down * across] != 0;
    }
    return found;
}

/// Samples that are not finite as codes: 1 is infinity, 2 minus infinity, 3 NaN. The code of a sum with
/// positive weights is the union of the codes.
using Codes = unsigned long long; // codes of 32 rows of outputs
inline constexpr int kCodedRows = 32;

/// The codes that the samples of a column of the image give the outputs in rows row to row + rows - 1.
__device__ inline Codes column_codes(const StageCommon& c, const DecimatedGrid& grid, const StageItem& item,
                                     const unsigned* flags, int pixel, int channel, int row, int rows) {
    const auto &down = grid.down, &along = grid.along;
    const int held = min(max(pixel, along.first_pixel), along.end_pixel - 1),
              x = index_at_border(c.border, held, c.width);
    if (x < 0) return 0;
    const unsigned* column = flags + quotient_down(held, along.tile_blocks * along.stride) - along.first_tile;
    const int tile_rows = down.tile_blocks * down.stride;
    Codes codes = 0;
#pragma unroll 1
    for (int i = 0; i < rows + c.reach_height - 1; ++i) { // from the uppermost tap of the first output
        const int below = min(max(row - c.up + i, down.first_pixel), down.end_pixel - 1);
        if (!column[(quotient_down(below, tile_rows) - down.first_tile) * along.tiles]) continue;
        const int y = index_at_border(c.border, below, c.height);
        if (y < 0) continue;
        assert(has_pixel(c, x, y));
        const auto* line = reinterpret_cast<const float*>(item.src +
                                                          std::int64_t{y - c.src_y} * item.src_pitch);
        const float sample = line[std::int64_t{x - c.src_x} * c.channels + channel];
        if (isfinite(sample)) continue;
        const Codes code = isnan(sample) ? 3 : sample > 0 ? 1 : 2;
        const int first = max(0, i - c.reach_height + 1), last = min(rows - 1, i);
        const Codes reached = (~Codes{0} >> (64 - 2 * (last - first + 1))) << (2 * first);
        codes |= reached & (code == 3 ? ~Codes{0} : code * 0x5555555555555555ull);
    }
    return codes;
}

/// As a call: its code is long, and divisors hardly ever differ from 1.
static __device__ __noinline__ float quotient_elsewhere(float sum, float divisor) {
    return __fdiv_rn(sum, divisor);
}

/// Overwrites the outputs with taps on samples that are not finite (semantics 10). For whole blocks.
static __device__ __noinline__ void mark_non_finite(const StageCommon& c, const DecimatedGrid& grid,
                                                    const StageItem& item, const unsigned* flags, int first,
                                                    int row, int rows, Codes* columns) {
    constexpr int kPixels = kDecimatedThreads; // columns at a time
    const int samples = c.dst_width * c.channels, end = min(first + kInterpolatedSamples, samples),
              own = first + 4 * static_cast<int>(threadIdx.x);
    const int begin_x = c.dst_x + quotient_down(first, c.channels) - c.left,
              end_x = c.dst_x + quotient_down(end - 1, c.channels) - c.left + c.reach_width;
    for (int above = 0; above < rows; above += kCodedRows) {
        const int some = min(kCodedRows, rows - above);
        Codes codes[4] = {};
        for (int x = begin_x; x < end_x; x += kPixels) {
            if (c.stop.raised_for_block()) return;
            bool found = false;
#pragma unroll 1
            for (int i = static_cast<int>(threadIdx.x); i < kPixels * c.channels; i += kDecimatedThreads) {
                const int behind = quotient_down(i, c.channels), pixel = x + behind;
                columns[i] = pixel < end_x
                                 ? column_codes(c, grid, item, flags, pixel, i - behind * c.channels,
                                                c.dst_y + row + above, some)
                                 : 0;
                found |= columns[i] != 0;
            }
            if (__syncthreads_or(found))
#pragma unroll 1
                for (int s = 0; s < 4; ++s) {
                    const int pixel = quotient_down(own + s, c.channels),
                              channel = own + s - pixel * c.channels, left = c.dst_x + pixel - c.left - x;
#pragma unroll 1
                    for (int i = max(left, 0); i < min(left + c.reach_width, kPixels); ++i)
                        codes[s] |= columns[i * c.channels + channel];
                }
            __syncthreads();
        }
#pragma unroll 1
        for (int s = 0; s < 4; ++s) {
            const int channel = own + s - quotient_down(own + s, c.channels) * c.channels;
            if (own + s >= samples || !(c.computed >> channel & 1u)) continue;
#pragma unroll 1
            for (int r = 0; r < some; ++r) {
                const int code = static_cast<int>(codes[s] >> (2 * r) & 3);
                if (code == 0) continue;
                const float sum = code == 3 ? nanf("") : code == 1 ? INFINITY : -INFINITY;
                auto* to = reinterpret_cast<float*>(item.dst +
                                                    std::int64_t{row + above + r} * item.dst_pitch);
                to[own + s] = quotient_elsewhere(sum, grid.divisor) + offset_of(c, channel);
            }
        }
    }
}

template <typename Out>
__device__ void store_four(const StageCommon& c, std::byte* row, int sample, int samples,
                           const float (&values)[4]) {
    auto* to = reinterpret_cast<Out*>(row) + sample;
    if (c.wide_stores && sample + 4 <= samples) return store_together(to, values);
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (sample + i < samples) to[i] = SampleTraits<Out>::from(values[i]);
}

/// A sample of the image. A call, as channels that are not computed are rare.
static __device__ __noinline__ float stored_sample(Depth in, const std::byte* row, int place) {
    if (in == Depth::f32) return reinterpret_cast<const float*>(row)[place];
    return static_cast<float>(in == Depth::u16 ? reinterpret_cast<const std::uint16_t*>(row)[place]
                                               : reinterpret_cast<const std::uint8_t*>(row)[place]);
}

/// A thread marches down four neighbouring samples. It interpolates four rows of cells along the row, once
/// for all rows of outputs between them.
static __global__ void __launch_bounds__(kDecimatedThreads, 5)
    interpolate_cells(const __grid_constant__ StageCommon c, const __grid_constant__ DecimatedGrid grid,
                      const __grid_constant__ SplineTables tables) {
    __shared__ float4 down[kMostStride];
    __shared__ Codes columns[4 * kDecimatedThreads];
    const int thread = static_cast<int>(threadIdx.x), samples = c.dst_width * c.channels,
              across = (samples + kInterpolatedSamples - 1) / kInterpolatedSamples;
    const int first = static_cast<int>(blockIdx.x) % across * kInterpolatedSamples,
              begin = static_cast<int>(blockIdx.x) / across * kInterpolatedRows,
              end = min(begin + kInterpolatedRows, c.dst_height), sample = first + 4 * thread;
    if (thread < kMostStride) {
        const auto* own = tables.down[thread];
        down[thread] = {own[0], own[1], own[2], own[3]};
    }
    if (c.stop.raised_for_block()) return;
    const auto& item = c.items[blockIdx.z];
    const unsigned* flags = grid.memory.flags_of(static_cast<int>(blockIdx.z));
    const bool flagged = grid.in == Depth::f32 &&
                         reaches_flagged(c, grid, flags, first, min(first + kInterpolatedSamples, samples),
                                         begin, end - begin);

    const int stride = grid.down.stride, pitch = grid.along.out_count * c.channels;
    float weights[4][kSplineTaps], offsets[4];
    int places[4];     // place of the first cell of each sample
    unsigned kept = 0; // samples of channels that are not computed
    const int shift = __ffs(grid.along.stride) - 1;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int own = min(sample + i, samples - 1) + c.dst_x * c.channels,
                  pixel = quotient_down(own, c.channels), channel = own - pixel * c.channels,
                  cell = pixel >> shift;
        places[i] = (cell - 1 - grid.along.out_first) * c.channels + channel;
        offsets[i] = offset_of(c, channel);
        if (sample + i < samples && !(c.computed >> channel & 1u)) kept |= 1u << i;
#pragma unroll
        for (int j = 0; j < kSplineTaps; ++j) weights[i][j] = tables.along[pixel - (cell << shift)][j];
    }
    const float* cells = grid.memory.cells_of(static_cast<int>(blockIdx.z));
    float rows[kSplineTaps][4] = {};
    int phase = (c.dst_y + begin) & (stride - 1), missing = kSplineTaps - 1;
    cells += (quotient_down(c.dst_y + begin, stride) - 1 - grid.down.out_first) * std::int64_t{pitch};
#pragma unroll 1
    for (int row = begin; row < end;) {
#pragma unroll
        for (int i = 0; i < 4; ++i) { // the next row of cells
            rows[0][i] = rows[1][i], rows[1][i] = rows[2][i], rows[2][i] = rows[3][i];
            float sum = 0;
#pragma unroll
            for (int j = 0; j < kSplineTaps; ++j)
                sum = __fmaf_rn(weights[i][j], cells[places[i] + j * c.channels], sum);
            rows[3][i] = sum;
        }
        cells += pitch;
        if (missing-- > 0) continue;
        const int last = min(end, row + stride - phase);
#pragma unroll 1
        for (; row < last; ++row, ++phase) {
            const float4 weight = down[phase];
            float values[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                float sum = weight.x * rows[0][i];
                sum = __fmaf_rn(weight.y, rows[1][i], sum);
                sum = __fmaf_rn(weight.z, rows[2][i], sum);
                sum = __fmaf_rn(weight.w, rows[3][i], sum) * grid.scale;
                values[i] = sum;
            }
            if (grid.divisor != 1.0f)
#pragma unroll
                for (float& value : values) value = quotient_elsewhere(value, grid.divisor);
#pragma unroll
            for (int i = 0; i < 4; ++i) values[i] += offsets[i];
            if (kept != 0) {
                assert(has_row(c, c.dst_y + row));
                const auto* from = item.src + std::int64_t{c.dst_y + row - c.src_y} * item.src_pitch;
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    if (kept >> i & 1u)
                        values[i] = stored_sample(grid.in, from,
                                                  sample + i + (c.dst_x - c.src_x) * c.channels);
            }
            auto* to = item.dst + std::int64_t{row} * item.dst_pitch;
            if (grid.out == Depth::f32) store_four<float>(c, to, sample, samples, values);
            else if (grid.out == Depth::u16) store_four<std::uint16_t>(c, to, sample, samples, values);
            else store_four<std::uint8_t>(c, to, sample, samples, values);
        }
        phase = 0;
    }
    if (__syncthreads_or(flagged)) mark_non_finite(c, grid, item, flags, first, begin, end - begin, columns);
}

} // namespace kg::gpu
