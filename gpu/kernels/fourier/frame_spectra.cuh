#pragma once
// Spectra of tiles without intermediate copies: the kernels of the algorithm `fourier`, which read the image,
// multiply and write the outputs while they transform. Rows are transformed from the image, columns in both
// directions, rows into the outputs. `fourier_fused` shares the planes and what writes a row.
//
// Planes (one channel of one tile each) are transformed in pairs, as the real and the imaginary part of one
// number. The kernel is real and keeps them apart.

#include "gpu/kernels/fourier/fft.cuh"
#include "gpu/kernels/fourier/fourier_frames.hpp"
#include "gpu/kernels/fourier/frames.cuh"
#include "gpu/kernels/fourier/overlap_save.hpp"

#include <algorithm>
#include <bit>

namespace kg::gpu {

/// What the kernels need to know of the frames, except the rectangle of tiles.
inline Frames frames_of(const ImageStep& step, const FourierFrames& choice) {
    Frames f{};
    f.width = f.height = f.row = choice.size, f.size = choice.size * choice.size;
    f.tile_width = choice.tile_width, f.tile_height = choice.tile_height;
    f.squares_across = choice.size / kSquare, f.squares = f.squares_across * f.squares_across;
    f.channels = std::popcount(computed_channels(step));
    f.at_once = choice.at_once;
    const double gain = std::max(absolute_gain(step.stages.front()), 1.0); // the spectrum is divided
    f.largest = largest_transformed(step, f.size * gain);
    f.whole_sums = sums_are_whole(step);
    f.by_channel = by_channel(step);
    return f;
}

inline constexpr int kBlockThreads = 256;
inline constexpr int kBlocksOfRows = 3, kBlocksOfColumns = 2; // resident blocks per multiprocessor

/// Number of row transforms and of column transforms that a block does at once.
template <int Size>
using Rows = Transforms<Size, 1>;
template <int Size>
inline constexpr int kTogether = kBlockThreads / Rows<Size>::kThreads;
template <int Size>
using Columns = Transforms<Size, kTogether<Size>>;

/// One channel of one tile.
struct Plane {
    int x, y; ///< the tile's first output
    int channel;
    int rows;           ///< rows of its frame that taps reach; 0: there is no such tile
    bool exists, first; ///< first: the tile's first plane
};
__device__ inline Plane plane_of(const StageCommon& c, const Frames& f, int index) {
    const int tiles = tiles_of_group(f.channels, f.by_channel), planes = f.channels * tiles,
              group = index / planes, in_group = index % planes, place = f.first + group,
              tile = f.by_channel ? in_group % tiles : in_group / f.channels,
              nth = f.by_channel ? in_group / tiles : in_group % f.channels;
    int channel = 0;
    for (int before = nth; !(c.computed >> channel & 1u) || before-- > 0;) ++channel;
    const int x = ((f.first_column + place % f.across) * tiles + tile) * f.tile_width,
              y = (f.first_row + place / f.across) * f.tile_height;
    const bool exists = group < f.at_once && place < f.tiles && x < c.width;
    return {x, y, channel, exists ? c.height + c.reach_height - 1 - y : 0, exists, nth == 0};
}
/// The planes of a pair; valid after the block's next barrier.
__device__ inline void find_planes(const StageCommon& c, const Frames& f, int pair, Plane (&planes)[2]) {
    const int which = static_cast<int>(threadIdx.x);
    if (which < 2) planes[which] = plane_of(c, f, 2 * pair + which);
}

/// Whether two planes are adjacent channels of one tile, so that both samples are read and written with one
/// access.
__device__ inline bool side_by_side(const StageCommon& c, const Plane& a, const Plane& b) {
    return a.exists && b.exists && a.x == b.x && c.channels % 2 == 0 && a.channel % 2 == 0 &&
           b.channel == a.channel + 1;
}
template <typename Sample>
struct alignas(2 * sizeof(Sample)) Two {
    Sample a, b;
};

/// One row of a plane's frame: where its samples come from.
template <typename In>
struct FrameRow {
    int x, beyond_x; ///< the first sample, in the image; the first one that no tap reaches
    int y;           ///< border resolved; -1: all samples are 0
    int channel;
    bool inner; ///< all samples lie in the image

    __device__ FrameRow(const StageCommon& c, const Plane& plane, int row, int size)
        : x(plane.x - c.left), beyond_x(c.width - c.left + c.reach_width - 1), channel(plane.channel) {
        y = row < plane.rows ? index_at_border(c.border, plane.y - c.up + row, c.height) : -1;
        inner = y >= 0 && x >= 0 && x + size <= c.width;
    }
    __device__ float at(const StageCommon& c, const StageItem& item, int column) const {
        if (y < 0) return 0.0f;
        const int own = x + column, at_x = own < beyond_x ? index_at_border(c.border, own, c.width) : -1;
        return at_x < 0 ? 0.0f : image_sample<In>(c, item, at_x, y, channel);
    }
    /// The first sample. Requires `inner`.
    __device__ const In* begin(const StageCommon& c, const StageItem& item) const {
        assert(has_pixel(c, x, y));
        return reinterpret_cast<const In*>(item.src + std::int64_t{y - c.src_y} * item.src_pitch) +
               std::int64_t{x - c.src_x} * c.channels + channel;
    }
};

/// A thread's samples of one row of two planes. `own` is the transform's shared memory.
template <typename In, int Size>
__device__ void read_rows(const StageCommon& c, const StageItem& item, const Plane (&planes)[2], int row,
                          int thread, float2* own, float2 (&v)[kPoints]) {
    const int first = thread * c.channels;
    const FrameRow<In> a(c, planes[0], row, Size);
    if (a.inner && c.wide_loads && side_by_side(c, planes[0], planes[1])) {
        const auto* from = reinterpret_cast<const Two<In>*>(a.begin(c, item) + first);
        const auto read = [&](auto channels) { // a constant stride is part of the instruction
            constexpr int kStep = Rows<Size>::kThreads * decltype(channels)::value / 2;
            Two<In> all[kPoints];
#pragma unroll
            for (int s = 0; s < kPoints; ++s) all[s] = from[s * kStep];
#pragma unroll
            for (int s = 0; s < kPoints; ++s)
                v[s] = {static_cast<float>(all[s].a), static_cast<float>(all[s].b)};
        };
        if (c.channels == 4) read(Constant<4>{});
        else read(Constant<2>{});
        return;
    }
    const int step = Rows<Size>::kThreads * c.channels;
    const FrameRow<In> b(c, planes[1], row, Size);
    if (a.inner && b.inner) {
        const In *of_a = a.begin(c, item) + first, *of_b = b.begin(c, item) + first;
#pragma unroll
        for (int s = 0; s < kPoints; ++s)
            v[s] = {static_cast<float>(of_a[s * step]), static_cast<float>(of_b[s * step])};
        return;
    }
    // Through shared memory, where each thread finds its own samples again: avoids unrolling this loop.
    for (int s = 0; s < kPoints; ++s) {
        const int column = Rows<Size>::sample_of(thread, s);
        own[column] = {a.at(c, item, column), b.at(c, item, column)};
    }
#pragma unroll
    for (int s = 0; s < kPoints; ++s) v[s] = own[Rows<Size>::sample_of(thread, s)];
}

/// Spectra of the rows of pairs of planes. For floats, a negative number marks each square from which samples
/// were left out.
template <typename In, int Size>
__global__ void __launch_bounds__(kBlockThreads, kBlocksOfRows)
    rows_to_spectra(const __grid_constant__ StageCommon c, int which, const __grid_constant__ Frames f,
                    const float2* twiddles, float2* frames, float* squares) {
    __shared__ float2 numbers[kTogether<Size> * Rows<Size>::kSharedNumbers];
    __shared__ Plane planes[2];
    find_planes(c, f, static_cast<int>(blockIdx.y), planes);
    if (c.stop.raised_for_block()) return;
    const int group = static_cast<int>(threadIdx.x) / Rows<Size>::kThreads,
              thread = static_cast<int>(threadIdx.x) % Rows<Size>::kThreads;
    const int pair = static_cast<int>(blockIdx.y), first_row = static_cast<int>(blockIdx.x) * kTogether<Size>,
              row = first_row + group;
    auto* own = numbers + group * Rows<Size>::kSharedNumbers; // shared memory of the transform
    auto* to = frames + (std::int64_t{pair} * Size + row) * Size;
    if (first_row >= max(planes[0].rows, planes[1].rows)) {
#pragma unroll
        for (int s = 0; s < kPoints; ++s) (to + thread)[Rows<Size>::sample_of(s)] = {0.0f, 0.0f};
        return;
    }
    float2 v[kPoints];
    read_rows<In, Size>(c, c.items[which], planes, row, thread, own, v);
    if constexpr (std::is_same_v<In, float>) {
        auto* own_squares = squares + std::int64_t{2 * pair} * f.squares + row / kSquare * f.squares_across;
#pragma unroll
        for (int s = 0; s < kPoints; ++s) {
            const int square = Rows<Size>::sample_of(thread, s) / kSquare;
            if (!(fabsf(v[s].x) <= f.largest)) v[s].x = 0.0f, own_squares[square] = -1.0f; // also true of NaN
            if (!(fabsf(v[s].y) <= f.largest)) v[s].y = 0.0f, own_squares[f.squares + square] = -1.0f;
        }
    }
    Rows<Size>::to_spectrum(v, own, thread, twiddles);
    to += thread;
#pragma unroll
    for (int s = 0; s < kPoints; ++s) to[Rows<Size>::frequency_of(s)] = v[s];
}

/// Multiplies frames by the kernel's spectrum, column by column, with transforms in both directions. Only the
/// first `rows` rows of the result are valid; the others keep their old content.
template <int Size>
__global__ void __launch_bounds__(kBlockThreads, kBlocksOfColumns)
    multiply_columns(StopFlag stop, int rows, const float2* twiddles, const float2* spectrum,
                     float2* frames) {
    __shared__ float2 numbers[Columns<Size>::kSharedNumbers];
    if (stop.raised_for_block()) return;
    const int neighbour = static_cast<int>(threadIdx.x) % kTogether<Size>,
              thread = static_cast<int>(threadIdx.x) / kTogether<Size>;
    const int column = static_cast<int>(blockIdx.x) * kTogether<Size> + neighbour;
    const int first = thread * Size + column; // the thread's first number in a frame
    auto* frame = frames + std::int64_t{blockIdx.y} * Size * Size + first;
    float2 v[kPoints];
#pragma unroll
    for (int s = 0; s < kPoints; ++s) v[s] = frame[Columns<Size>::sample_of(s) * Size];
    Columns<Size>::to_spectrum(v, numbers + neighbour, thread, twiddles);
    spectrum += first;
#pragma unroll
    for (int s = 0; s < kPoints; ++s) v[s] = product(v[s], spectrum[Columns<Size>::frequency_of(s) * Size]);
    Columns<Size>::to_samples(v, numbers + neighbour, thread, twiddles);
    rows -= thread;
#pragma unroll
    for (int s = 0; s < kPoints; ++s)
        if (Columns<Size>::sample_of(s) < rows) frame[Columns<Size>::sample_of(s) * Size] = v[s];
}

/// Whether any sample of a plane's frame was left out.
__device__ inline bool block_left_out(const Frames& f, const float* squares) {
    bool any = false;
    for (int n = static_cast<int>(threadIdx.x); n < f.squares; n += kBlockThreads)
        any |= signbit(squares[n]) != 0;
    return __syncthreads_or(any);
}

/// The requested range of a tile's row.
struct OutputRow {
    int begin, end;  ///< columns of the tile
    std::byte* line; ///< the tile's first column, which may lie before the row
};
template <typename Out>
__device__ OutputRow output_row(const StageCommon& c, const StageItem& item, const Frames& f,
                                const Plane& plane, int row) {
    const int y = plane.y + row - c.dst_y, x = plane.x - c.dst_x;
    const bool wanted = plane.exists && row < f.tile_height && y >= 0 && y < c.dst_height;
    return {max(0, -x), wanted ? min(f.tile_width, c.dst_width - x) : 0,
            item.dst + std::int64_t{y} * item.dst_pitch +
                (std::int64_t{x} * c.channels + plane.channel) * static_cast<int>(sizeof(Out))};
}

/// Converts the sums of a row to outputs for `Planes` adjacent planes, by `Threads` threads. `sums` is a row
/// of pairs, of which the first belongs to the plane.
template <typename Out, int Threads, int Planes>
__device__ void write_row(const StageCommon& c, const StageItem& item, const Frames& f, const OutputRow& to,
                          int thread, int channel, const float* sums) {
    constexpr int kEach = 4;
    for (int first = thread; first < to.end; first += kEach * Threads) {
        float values[kEach * Planes], quotients[kEach * Planes];
#pragma unroll
        for (int e = 0; e < kEach * Planes; ++e)
            quotients[e] = sums[2 * (first + e / Planes * Threads) + e % Planes];
        if (f.whole_sums) { // otherwise the spectrum was divided
#pragma unroll
            for (float& sum : quotients) sum = rintf(sum);
            divide(quotients, c.kernels[0]);
        }
#pragma unroll
        for (float& value : values) value = 0.0f;
        combine(c.combine, values, quotients);
#pragma unroll
        for (int e = 0; e < kEach; ++e) {
            const int column = first + e * Threads;
            if (column < to.begin || column >= to.end) continue;
            auto* out = reinterpret_cast<Out*>(to.line) + column * c.channels;
            assert(is_of_result<Out>(c, item, out, Planes * sizeof(Out)));
            Out own[Planes];
#pragma unroll
            for (int p = 0; p < Planes; ++p)
                own[p] = SampleTraits<Out>::from(
                    finished(c.combine, values[e * Planes + p], offset_of(c, channel + p)));
            if constexpr (Planes == 2) {
                *reinterpret_cast<Two<Out>*>(out) = {own[0], own[1]};
            } else {
                *out = own[0];
            }
        }
    }
}

/// The same for tiles with samples left out; adds them here.
template <typename Out>
__device__ void write_row_with_left_out(const StageCommon& c, const StageItem& item, const Frames& f,
                                        const OutputRow& to, int thread, int threads, const Plane& plane,
                                        int row, const float* sums, const float* squares,
                                        const float* weights) {
    for (int column = thread; column < to.end; column += threads) {
        if (column < to.begin) continue;
        const OutputSample own{plane.x + column - c.dst_x, plane.y + row - c.dst_y, plane.channel,
                               plane.x + column,           plane.y + row,           true};
        const double fine = value_from<double>(c, plane.channel, [&](int k) {
            return static_cast<double>(sums[2 * column]) * static_cast<double>(c.kernels[k].divisor) +
                   sum_of_taps(c, item, f, own, column, row, c.kernels[k], weights, squares, false);
        });
        // Avoids double rounding.
        store_output<Out>(c, item, own, static_cast<float>(std::is_same_v<Out, float> ? fine : rint(fine)));
    }
}

/// Copies the channels that are not computed.
template <typename In, typename Out>
__device__ void copy_others(const StageCommon& c, const StageItem& item, const OutputRow& to, int thread,
                            int threads, const Plane& plane, int row) {
    for (int column = thread; column < to.end; column += threads)
        for (int channel = 0; channel < c.channels; ++channel) {
            if (column < to.begin || (c.computed >> channel & 1u)) continue;
            const OutputSample own{plane.x + column - c.dst_x, plane.y + row - c.dst_y, channel,
                                   plane.x + column,           plane.y + row,           true};
            store_output<Out>(c, item, own, image_sample<In>(c, item, own.x, own.y, channel));
        }
}

/// Outputs of pairs of planes.
template <typename In, typename Out, int Size>
__global__ void __launch_bounds__(kBlockThreads, kBlocksOfRows)
    spectra_to_outputs(const __grid_constant__ StageCommon c, int which, const __grid_constant__ Frames f,
                       const float2* twiddles, const float2* frames, const float* squares,
                       const float* weights) {
    constexpr int kThreads = Rows<Size>::kThreads;
    __shared__ float2 numbers[kTogether<Size> * Rows<Size>::kSharedNumbers];
    __shared__ Plane planes[2];
    find_planes(c, f, static_cast<int>(blockIdx.y), planes);
    if (c.stop.raised_for_block()) return;
    const auto& item = c.items[which];
    const int group = static_cast<int>(threadIdx.x) / kThreads,
              thread = static_cast<int>(threadIdx.x) % kThreads;
    const int pair = static_cast<int>(blockIdx.y), first_row = static_cast<int>(blockIdx.x) * kTogether<Size>,
              row = first_row + group;
    const auto &a = planes[0], &b = planes[1]; // both in the same row of tiles
    if (a.y + first_row >= c.dst_y + c.dst_height || a.y + first_row + kTogether<Size> <= c.dst_y) return;
    const auto* from = frames + (std::int64_t{pair} * Size + row) * Size + thread;
    auto* own = numbers + group * Rows<Size>::kSharedNumbers; // shared memory of the transform
    float2 v[kPoints];
#pragma unroll
    for (int s = 0; s < kPoints; ++s) v[s] = from[Rows<Size>::frequency_of(s)];
    Rows<Size>::to_samples(v, own, thread, twiddles);
    __syncthreads(); // the transforms read this memory
    // Through shared memory, where each thread finds its own sums again: avoids unrolling the rest.
#pragma unroll
    for (int s = 0; s < kPoints; ++s) (own + thread)[Rows<Size>::sample_of(s)] = v[s];

    const auto* own_squares = squares + std::int64_t{2 * pair} * f.squares;
    bool left_out[2] = {false, false};
    if constexpr (std::is_same_v<In, float>)
        left_out[0] = block_left_out(f, own_squares),
        left_out[1] = block_left_out(f, own_squares + f.squares);
    const bool all = c.computed == (1u << c.channels) - 1;
    const auto* sums = reinterpret_cast<const float*>(own);
    if (all && c.wide_stores && side_by_side(c, a, b) && !left_out[0] && !left_out[1]) {
        write_row<Out, kThreads, 2>(c, item, f, output_row<Out>(c, item, f, a, row), thread, a.channel, sums);
        return;
    }
#pragma unroll 1
    for (int p = 0; p < 2; ++p) {
        const auto& plane = planes[p];
        const auto to = output_row<Out>(c, item, f, plane, row);
        if (left_out[p])
            write_row_with_left_out<Out>(c, item, f, to, thread, kThreads, plane, row, sums + p,
                                         own_squares + p * f.squares, weights);
        else write_row<Out, kThreads, 1>(c, item, f, to, thread, plane.channel, sums + p);
        if (plane.first && !all) copy_others<In, Out>(c, item, to, thread, kThreads, plane, row);
    }
}

/// Spectra of the rows of a frame that holds the kernel's taps. The product with the conjugate of the
/// spectrum sums a tile's outputs from the frame's first sample on.
template <int Size>
__global__ void __launch_bounds__(kBlockThreads)
    taps_to_spectra(const __grid_constant__ StageCommon c, const float* weights, const float2* twiddles,
                    float2* frame) {
    __shared__ float2 numbers[kTogether<Size> * Rows<Size>::kSharedNumbers];
    const int group = static_cast<int>(threadIdx.x) / Rows<Size>::kThreads,
              thread = static_cast<int>(threadIdx.x) % Rows<Size>::kThreads;
    const auto& kernel = c.kernels[0];
    const int row = static_cast<int>(blockIdx.x) * kTogether<Size> + group, i = row - c.up - kernel.dy;
    float2 v[kPoints];
#pragma unroll
    for (int s = 0; s < kPoints; ++s) {
        const int j = Rows<Size>::sample_of(thread, s) - c.left - kernel.dx;
        const bool is_tap = i >= 0 && i < kernel.height && j >= 0 && j < kernel.width;
        v[s] = {is_tap ? weights[kernel.first + i * kernel.width + j] : 0.0f, 0.0f};
    }
    Rows<Size>::to_spectrum(v, numbers + group * Rows<Size>::kSharedNumbers, thread, twiddles);
#pragma unroll
    for (int s = 0; s < kPoints; ++s) frame[row * Size + Rows<Size>::frequency_of(thread, s)] = v[s];
}

/// The factors of the products: the conjugate, divided by the number of samples (the gain of both transforms)
/// and, where sums need not be rounded first, by the divisor.
template <int Size>
__global__ void __launch_bounds__(kBlockThreads)
    columns_to_spectrum(float scale, const float2* twiddles, float2* frame) {
    __shared__ float2 numbers[Columns<Size>::kSharedNumbers];
    const int neighbour = static_cast<int>(threadIdx.x) % kTogether<Size>,
              thread = static_cast<int>(threadIdx.x) / kTogether<Size>;
    auto* column = frame + static_cast<int>(blockIdx.x) * kTogether<Size> + neighbour;
    float2 v[kPoints];
#pragma unroll
    for (int s = 0; s < kPoints; ++s) v[s] = column[Columns<Size>::sample_of(thread, s) * Size];
    Columns<Size>::to_spectrum(v, numbers + neighbour, thread, twiddles);
#pragma unroll
    for (int s = 0; s < kPoints; ++s)
        column[Columns<Size>::frequency_of(thread, s) * Size] = {v[s].x * scale, -v[s].y * scale};
}

} // namespace kg::gpu
