#pragma once
// Conversion of an image to frames for a Fourier transform, and back: the steps of overlap-save around the
// transforms. A frame belongs to one tile and one channel. Tiles are stored row by row, frames tile by tile,
// and the frames of a stage's second kernel follow those of its first.
//
// Samples that cannot be transformed, because they are not finite or too large beside the others, are stored
// as 0. A frame's samples lie in squares; each square records whether samples were left out of it. The
// finishing kernel adds the left-out samples tap by tap to the sums that reach them, so that NaN and infinity
// affect exactly the outputs whose non-zero taps cover them (semantics 10).

#include "gpu/kernels/one_output.cuh"

namespace kg::gpu {

// Width and height of a square in samples; rows of threads, four samples each.
inline constexpr int kSquare = 32, kSquareRows = 8;
inline constexpr int kRowsEach = kSquare / kSquareRows;
inline constexpr dim3 kSquareThreads{kSquare, kSquareRows};
inline constexpr int kSpectrumThreads = 256, kFramesEach = 4;

/// Numbers are floats or doubles, the precision of the transforms.
struct Frames {
    int width, height;           ///< samples of a frame
    int row, size;               ///< Numbers from one row to the next; Numbers of a frame
    int tile_width, tile_height; ///< outputs of a frame
    int squares_across, squares; ///< squares of a frame
    int channels;                ///< frames of a tile
    int at_once;                 ///< tiles whose frames are in memory together
    /// The rectangle of tiles that is computed, in units of tiles.
    int first_column, first_row, across, tiles;
    int first;       ///< tile of that rectangle that the first frame belongs to
    float largest;   ///< largest sample that is transformed; for integers the value of white
    double noise;    ///< CufftChoice::noise
    bool whole_sums; ///< CufftChoice::whole_sums
    bool divided;    ///< `cufft` only: the result is premultiplied, and colour may be divided by its alpha
    bool by_channel; ///< not `cufft`: a pair holds one channel of two tiles, not two consecutive planes
};

/// Sets the rectangle of tiles that covers a launch's outputs, in units of tiles `width` outputs wide.
inline void set_tiles(Frames& f, const StageCommon& c, int width) {
    f.first_column = c.dst_x / width, f.first_row = c.dst_y / f.tile_height;
    f.across = (c.dst_x + c.dst_width - 1) / width - f.first_column + 1;
    f.tiles = f.across * ((c.dst_y + c.dst_height - 1) / f.tile_height - f.first_row + 1);
}

/// The tile of a block, and the position of its first output in the image.
struct OwnTile {
    int x, y;
    bool exists;
};
__device__ inline OwnTile own_tile(const Frames& f) {
    const int tile = f.first + static_cast<int>(blockIdx.z);
    return {(f.first_column + tile % f.across) * f.tile_width,
            (f.first_row + tile / f.across) * f.tile_height, tile < f.tiles};
}

/// Position of the block's square in a plane that is `across` squares wide.
struct OwnSquare {
    int x, y;
};
__device__ inline OwnSquare own_square(int across) {
    const int square = static_cast<int>(blockIdx.x);
    return {square % across * kSquare, square / across * kSquare};
}

/// The largest value of a block of kSquareThreads.
__device__ inline float largest_of_block(float value) {
    __shared__ float of_warps[kSquareRows];
    for (int lane = kSquare / 2; lane > 0; lane /= 2) value = fmaxf(value, __shfl_xor_sync(~0u, value, lane));
    if (threadIdx.x == 0) of_warps[threadIdx.y] = value;
    __syncthreads();
    for (int warp = 0; warp < kSquareRows; ++warp) value = fmaxf(value, of_warps[warp]);
    __syncthreads(); // the next call writes to the same memory
    return value;
}

/// Writes a sample of a frame. The row's last threads also clear the padding behind each row, which exists
/// because the spectrum's row is longer: cuFFT reads it, though it does not affect the result.
template <typename Number>
__device__ inline void store_sample(const Frames& f, Number* frame, int column, int row, Number value) {
    auto* at = frame + row * f.row + column;
    *at = value;
    const int behind = f.row - f.width;
    if (column >= f.width - behind) at[behind] = 0;
}

/// Fills the frames of f.at_once tiles, border resolved; frames without a tile become zero. A block fills one
/// square of all channels. For floats it records the largest magnitude of each square (only for doubles,
/// which need it), negative if samples were left out.
template <typename In, typename Number>
__global__ void __launch_bounds__(kSquare* kSquareRows)
    lay_out_frames(const __grid_constant__ StageCommon c, int which, const __grid_constant__ Frames f,
                   Number* frames, float* squares) {
    if (c.stop.raised_for_block()) return;
    const auto& item = c.items[which];
    const auto tile = own_tile(f);
    const auto square = own_square(f.squares_across);
    const int column = square.x + static_cast<int>(threadIdx.x),
              first_row = square.y + static_cast<int>(threadIdx.y);
    // The first sample that no tap of any tile reaches.
    const int beyond_x = c.width - c.left + c.reach_width - 1,
              beyond_y = c.height - c.up + c.reach_height - 1;
    const int x = tile.x - c.left + column;
    const int at_x = tile.exists && column < f.width && x < beyond_x
                         ? device_border_index(c.border, x, c.width)
                         : -1;
    int at_y[kRowsEach];
#pragma unroll
    for (int r = 0; r < kRowsEach; ++r) {
        const int row = first_row + r * kSquareRows, y = tile.y - c.up + row;
        at_y[r] = at_x >= 0 && row < f.height && y < beyond_y ? device_border_index(c.border, y, c.height)
                                                              : -1;
    }
    auto frame = static_cast<std::int64_t>(blockIdx.z) * f.channels;
    for (int channel = 0; channel < c.channels; ++channel) {
        if (!(c.computed >> channel & 1u)) continue;
        float values[kRowsEach];
#pragma unroll
        for (int r = 0; r < kRowsEach; ++r)
            values[r] = at_y[r] < 0 ? 0.0f : image_sample<In>(c, item, at_x, at_y[r], channel);
        if constexpr (std::is_same_v<In, float>) {
            bool left_out = false;
            float largest = 0.0f;
#pragma unroll
            for (int r = 0; r < kRowsEach; ++r) {
                if (!(fabsf(values[r]) <= f.largest)) { // also true of NaN
                    values[r] = 0.0f;
                    left_out = true;
                }
                largest = fmaxf(largest, fabsf(values[r]));
            }
            left_out = __syncthreads_or(left_out);
            if constexpr (std::is_same_v<Number, double>) largest = largest_of_block(largest);
            if (threadIdx.x + threadIdx.y == 0)
                squares[frame * f.squares + blockIdx.x] = left_out ? -largest : largest;
        }
        auto* to = frames + frame * f.size;
#pragma unroll
        for (int r = 0; r < kRowsEach; ++r)
            if (const int row = first_row + r * kSquareRows; column < f.width && row < f.height)
                store_sample(f, to, column, row, static_cast<Number>(values[r]));
        ++frame;
    }
}

/// Fills one frame per kernel with its taps. The product with the conjugate of the spectrum sums a tile's
/// outputs from the frame's first sample on.
template <typename Number>
__global__ void __launch_bounds__(kSquare* kSquareRows)
    lay_out_taps(const __grid_constant__ StageCommon c, const __grid_constant__ Frames f,
                 const float* weights, Number* frames) {
    const auto square = own_square(f.squares_across);
    const auto& kernel = c.kernels[blockIdx.z];
    const int column = square.x + static_cast<int>(threadIdx.x), j = column - c.left - kernel.dx;
    for (int r = 0; r < kRowsEach; ++r) {
        const int row = square.y + static_cast<int>(threadIdx.y) + r * kSquareRows,
                  i = row - c.up - kernel.dy;
        if (column >= f.width || row >= f.height) continue;
        const bool is_tap = i >= 0 && i < kernel.height && j >= 0 && j < kernel.width;
        store_sample(f, frames + static_cast<std::int64_t>(blockIdx.z) * f.size, column, row,
                     is_tap ? static_cast<Number>(weights[kernel.first + i * kernel.width + j]) : Number{0});
    }
}

template <typename Number>
struct alignas(2 * sizeof(Number)) ComplexOf {
    Number re, im;
};

/// The factors of the products: the conjugate, divided by the number of samples, which is cuFFT's gain.
template <typename Number>
__global__ void __launch_bounds__(kSpectrumThreads)
    conjugate_and_scale(ComplexOf<Number>* spectra, std::int64_t count, Number samples) {
    const auto i = static_cast<std::int64_t>(blockIdx.x) * kSpectrumThreads + threadIdx.x;
    if (i < count) spectra[i] = {spectra[i].re / samples, -spectra[i].im / samples};
}

/// Multiplies `count` spectra of `size` numbers by those of the kernels: in place for the first kernel,
/// behind it for the others. A thread reads a kernel's number once for kFramesEach spectra.
template <typename Number>
__global__ void __launch_bounds__(kSpectrumThreads)
    multiply_spectra(ComplexOf<Number>* spectra, int count, int size, const ComplexOf<Number>* kernels,
                     int kernel_count) {
    const int i = static_cast<int>(blockIdx.x) * kSpectrumThreads + static_cast<int>(threadIdx.x),
              first = static_cast<int>(blockIdx.y) * kFramesEach;
    if (i >= size) return;
    ComplexOf<Number> own[kFramesEach];
    auto* from = spectra + static_cast<std::int64_t>(first) * size + i;
#pragma unroll
    for (int n = 0; n < kFramesEach; ++n)
        if (first + n < count) own[n] = from[static_cast<std::int64_t>(n) * size];
    for (int k = 0; k < kernel_count; ++k) {
        const auto kernel = kernels[static_cast<std::int64_t>(k) * size + i];
        auto* to = from + static_cast<std::int64_t>(k) * count * size;
#pragma unroll
        for (int n = 0; n < kFramesEach; ++n)
            if (first + n < count)
                to[static_cast<std::int64_t>(n) * size] = {
                    fma(own[n].re, kernel.re, -(own[n].im * kernel.im)),
                    fma(own[n].re, kernel.im, own[n].im * kernel.re)};
    }
}

/// Whether samples were left out of a frame's squares that the block's outputs reach.
__device__ inline bool block_reaches_left_out(const StageCommon& c, const Frames& f, OwnSquare outputs,
                                              const float* squares) {
    const int first_x = outputs.x / kSquare, first_y = outputs.y / kSquare;
    const int across = min(f.squares_across - 1, (outputs.x + kSquare + c.reach_width - 2) / kSquare) -
                       first_x + 1,
              last_y = (outputs.y + kSquare + c.reach_height - 2) / kSquare,
              down = min(f.squares / f.squares_across - 1, last_y) - first_y + 1;
    bool any = false;
    for (int n = static_cast<int>(threadIdx.y * kSquare + threadIdx.x); n < across * down;
         n += kSquare * kSquareRows)
        any |= signbit(squares[(first_y + n / across) * f.squares_across + first_x + n % across]) != 0;
    return __syncthreads_or(any);
}

/// The largest magnitude that was transformed in a frame.
__device__ inline float largest_of_frame(const Frames& f, const float* squares) {
    float largest = 0.0f;
    for (int n = static_cast<int>(threadIdx.y * kSquare + threadIdx.x); n < f.squares;
         n += kSquare * kSquareRows)
        largest = fmaxf(largest, fabsf(squares[n]));
    return largest_of_block(largest);
}

/// The sum of a kernel's taps over left-out samples, or over all, for the output (own.x, own.y) at (column,
/// row) of its tile. Rare, and too long to be repeated for each output of a thread.
static __device__ __noinline__ double sum_of_taps(const StageCommon& c, const StageItem& item,
                                                  const Frames& f, const OutputSample& own, int column,
                                                  int row, const KernelShape& kernel, const float* weights,
                                                  const float* squares, bool all) {
    // the taps' position in the frame
    const int left = column + c.left + kernel.dx, top = row + c.up + kernel.dy;
    double sum = 0;
    for (int square_y = top / kSquare; square_y <= (top + kernel.height - 1) / kSquare; ++square_y)
        for (int square_x = left / kSquare; square_x <= (left + kernel.width - 1) / kSquare; ++square_x) {
            const float largest = squares[square_y * f.squares_across + square_x];
            if (!signbit(largest) && !(all && largest > 0.0f)) continue;
            const int first_i = max(0, square_y * kSquare - top), first_j = max(0, square_x * kSquare - left);
            const int end_i = min(kernel.height, (square_y + 1) * kSquare - top),
                      end_j = min(kernel.width, (square_x + 1) * kSquare - left);
            for (int i = first_i; i < end_i; ++i)
                for (int j = first_j; j < end_j; ++j) {
                    const float weight = weights[kernel.first + i * kernel.width + j];
                    if (weight == 0.0f) continue; // not a tap
                    const float sample = bordered_sample<float>(c, item, own.x + kernel.dx + j,
                                                                own.y + kernel.dy + i, own.channel);
                    if (all || !(fabsf(sample) <= f.largest))
                        sum = __fma_rn(static_cast<double>(weight), static_cast<double>(sample), sum);
                }
        }
    return sum;
}

/// All kernels' sums over their divisors, combined, with the offset.
template <typename Value, typename Sum>
__device__ Value value_from(const StageCommon& c, int channel, Sum sum) {
    Value value = 0;
    for (int k = 0; k < c.kernel_count; ++k)
        value = combined(c.combine, value,
                         static_cast<Value>(sum(k)) / static_cast<Value>(c.kernels[k].divisor));
    return finished(c.combine, value, static_cast<Value>(offset_of(c, channel)));
}

/// A block writes one square of a tile's outputs, all channels, to the destination.
template <typename In, typename Out, typename Number>
__global__ void __launch_bounds__(kSquare* kSquareRows)
    finish_tiles(const __grid_constant__ StageCommon c, int which, const __grid_constant__ Frames f,
                 const Number* frames, const float* squares, const float* weights) {
    constexpr bool kFloats = std::is_same_v<In, float>, kDoubles = std::is_same_v<Number, double>;
    const auto tile = own_tile(f);
    const auto square = own_square((f.tile_width + kSquare - 1) / kSquare);
    const int column = square.x + static_cast<int>(threadIdx.x),
              first_row = square.y + static_cast<int>(threadIdx.y);
    if (!tile.exists || c.stop.raised_for_block()) return;
    const auto& item = c.items[which];
    auto frame = static_cast<std::int64_t>(blockIdx.z) * f.channels;
    const auto next_kernel = static_cast<std::int64_t>(f.at_once) * f.channels * f.size;
    for (int channel = 0; channel < c.channels; ++channel) {
        const bool computed = c.computed >> channel & 1u;
        const float* own_squares = squares + frame * f.squares;
        bool left_out = false;
        double nothing = f.noise * static_cast<double>(f.largest);
        if constexpr (kFloats)
            if (computed) {
                left_out = block_reaches_left_out(c, f, square, own_squares);
                if constexpr (kDoubles)
                    nothing = f.noise * static_cast<double>(largest_of_frame(f, own_squares));
            }
#pragma unroll
        for (int r = 0; r < kRowsEach; ++r) {
            const int row = first_row + r * kSquareRows;
            const OutputSample own{tile.x + column - c.dst_x, tile.y + row - c.dst_y, channel,
                                   tile.x + column,           tile.y + row,           true};
            if (column >= f.tile_width || row >= f.tile_height || own.column < 0 || own.row < 0 ||
                own.column >= c.dst_width || own.row >= c.dst_height)
                continue;
            if (!computed) {
                store_output<Out>(c, item, own, image_sample<In>(c, item, own.x, own.y, channel));
                continue;
            }
            const Number* sums = frames + frame * f.size + row * f.row + column;
            const auto sum = [&](int k) {
                const Number transformed = sums[k * next_kernel];
                if constexpr (kDoubles)
                    if (fabs(transformed) <= nothing) return Number{0};
                return transformed;
            };
            const auto full_sum = [&](int k) { // in double, because left-out samples may exceed float32
                double full = sum(k);
                if constexpr (kFloats) {
                    // Colour is divided by alpha: where a transform cannot tell alpha from 0, taps do.
                    const bool all = kDoubles && f.divided && full == 0;
                    if (left_out || all)
                        full += sum_of_taps(c, item, f, own, column, row, c.kernels[k], weights, own_squares,
                                            all);
                }
                return full;
            };
            float value = 0.0f;
            if (f.whole_sums) {
                value = value_from<float>(c, channel, [&](int k) { return rint(sum(k)); });
            } else if (kDoubles || left_out) {
                const double fine = value_from<double>(c, channel, full_sum);
                // Avoids double rounding.
                value = static_cast<float>(std::is_same_v<Out, float> ? fine : rint(fine));
            } else {
                value = value_from<float>(c, channel, sum);
            }
            store_output<Out>(c, item, own, value);
        }
        frame += computed;
    }
}

} // namespace kg::gpu
