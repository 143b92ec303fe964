#pragma once
// A tile of the image in shared memory: its layout, how it is filled, how a thread reads it, and how a
// thread's outputs are written.

#include "gpu/kernels/alpha_weighting.cuh"
#include "gpu/kernels/rounding.cuh"

namespace kg::gpu {

inline constexpr int kAcross = 16; // threads per row of a block
inline constexpr int kWarp = 32;

/// Pixels of a row that one thread computes.
constexpr int pixels_per_thread(int channels) { return channels == 1 ? 8 : 4; }

/// Position of the g-th float4 of a row. One float4 in nine is padding: avoids bank conflicts between threads
/// that are 2 or 4 float4 apart.
__host__ __device__ constexpr int spread(int g) { return g + (g >> 3); }

/// Pitch of the tile's rows in float4: every window that a thread may load, whether its last samples are used
/// or not.
constexpr int tile_pitch(int channels, int kernel_width) {
    const int step = pixels_per_thread(channels);
    const int pixels = kAcross * step + (kernel_width + step - 1) / step * step;
    return spread(pixels * channels / 4 - 1) + 1;
}

template <int Channels>
struct Window {
    static constexpr int kPixels = pixels_per_thread(Channels), kSamples = kPixels * Channels,
                         kGroups = kSamples / 4;
    static_assert(kSamples % 4 == 0);

    float samples[2 * kSamples];

    /// Loads the half at `to` from the group-th float4 of a tile row on.
    __device__ void load(const float4* row, int group, int to) {
        const float4* at = row + spread(group);
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            // Windows of 2 or 4 float4 begin at multiples of their size, so spread() inserts no padding
            // inside them.
            const float4 four = kGroups == 3 ? row[spread(group + g)] : at[g];
            samples[to + 4 * g] = four.x;
            samples[to + 4 * g + 1] = four.y;
            samples[to + 4 * g + 2] = four.z;
            samples[to + 4 * g + 3] = four.w;
        }
    }
    __device__ void slide() {
#pragma unroll
        for (int s = 0; s < kSamples; ++s) samples[s] = samples[kSamples + s];
    }
    /// The first `Taps` taps of a row's chunk.
    template <int Taps>
    __device__ void add(float (&sums)[kSamples], const float* weights) const {
#pragma unroll
        for (int j = 0; j < Taps; ++j) add_tap(sums, weights[j], j);
    }
    /// A chunk shorter than the window: `taps` is uniform, so this is one jump, not a test per tap.
    template <int Taps = kPixels>
    __device__ void add_first(float (&sums)[kSamples], const float* weights, int taps) const {
        if constexpr (Taps > 0) {
            if (taps == Taps) add<Taps>(sums, weights);
            else add_first<Taps - 1>(sums, weights, taps);
        }
    }
    /// For kernels in which a zero is not a tap. All weights are read before the first is tested: a read
    /// takes longer than a tap.
    __device__ void add_non_zero(float (&sums)[kSamples], const float* weights, int taps) const {
        float own[kPixels];
#pragma unroll
        for (int j = 0; j < kPixels; ++j) own[j] = j < taps ? weights[j] : 0.0f;
#pragma unroll
        for (int j = 0; j < kPixels; ++j)
            if (own[j] != 0.0f) add_tap(sums, own[j], j);
    }

private:
    __device__ void add_tap(float (&sums)[kSamples], float weight, int j) const {
#pragma unroll
        for (int s = 0; s < kSamples; ++s) sums[s] = __fmaf_rn(weight, samples[j * Channels + s], sums[s]);
    }
};

/// Unit of a read from the image: a pixel where its size is a power of two, otherwise a sample.
template <typename In, int Channels>
struct Unit {
    static constexpr int kSamples = Channels % 2 == 0 ? Channels : 1;
    struct alignas(kSamples * sizeof(In)) Type {
        In sample[kSamples];
    };
};

/// `Premultiply`: colour is multiplied by alpha, the last of four samples.
template <bool Premultiply, typename Type>
__device__ void widen(const Type& from, float* to) {
    constexpr int kSamples = static_cast<int>(sizeof(from.sample) / sizeof(from.sample[0]));
    const auto sample = [&](int s) { return static_cast<float>(from.sample[s]); };
    if constexpr (Premultiply)
        *reinterpret_cast<float4*>(to) = premultiplied<std::remove_cvref_t<decltype(from.sample[0])>>(
            sample(0), sample(1), sample(2), sample(3));
    else if constexpr (kSamples == 4)
        *reinterpret_cast<float4*>(to) = {sample(0), sample(1), sample(2), sample(3)};
    else if constexpr (kSamples == 2) *reinterpret_cast<float2*>(to) = {sample(0), sample(1)};
    else *to = sample(0);
}

/// A warp takes two rows at a time, and a thread has ten reads in flight: one read at a time would be bound
/// by latency. A step of 32 units is the same distance everywhere, also in the padded tile, so that inside
/// the image only the row's address is computed.
template <typename In, int Channels, bool Edge, bool Premultiply>
__device__ void fill_tile(const StageCommon& c, const StageItem& item, float* tile, int pitch, int x0, int y0,
                          int columns, int rows) {
    using U = Unit<In, Channels>;
    using Type = typename U::Type;
    constexpr int kUnitsPerPixel = Channels / U::kSamples, kRows = 2, kInFlight = 5;
    constexpr int kStep = 4 * spread(kWarp * U::kSamples / 4); // floats of the tile between a thread's units
    const int thread = static_cast<int>(threadIdx.y * kAcross + threadIdx.x), lane = thread % kWarp;
    const int warps = static_cast<int>(blockDim.y) * kAcross / kWarp, units = columns * kUnitsPerPixel;
    const int sample = lane * U::kSamples;
    float* const lane_of_tile = tile + 4 * spread(sample >> 2) + (sample & 3);
    const auto* const lane_of_image = reinterpret_cast<const Type*>(item.src) +
                                      std::int64_t{Edge ? -c.src_x : x0 - c.src_x} * kUnitsPerPixel +
                                      (Edge ? 0 : lane);
    for (int first_row = thread / kWarp * kRows; first_row < rows; first_row += warps * kRows)
        for (int first = 0; first < units; first += kInFlight * kWarp) {
            Type values[kRows][kInFlight];
            int at[kInFlight]; // from the row's start; negative: outside, where the border is 0
            if constexpr (Edge) {
#pragma unroll
                for (int i = 0; i < kInFlight; ++i) {
                    const int unit = first + lane + i * kWarp, pixel = unit / kUnitsPerPixel;
                    const int x = index_at_border(c.border, x0 + pixel, c.width);
                    at[i] = x < 0 ? -1 : x * kUnitsPerPixel + (unit - pixel * kUnitsPerPixel);
                }
            }
#pragma unroll
            for (int r = 0; r < kRows; ++r) {
                const int row = first_row + r,
                          y = Edge ? index_at_border(c.border, y0 + row, c.height) : y0 + row;
                const auto* line = reinterpret_cast<const Type*>(
                    reinterpret_cast<const std::byte*>(lane_of_image) +
                    std::int64_t{y - c.src_y} * item.src_pitch);
#pragma unroll
                for (int i = 0; i < kInFlight; ++i) {
                    const int unit = first + lane + i * kWarp;
                    if (row >= rows || unit >= units) continue;
                    if constexpr (Edge) {
                        assert(at[i] < 0 || y < 0 || is_of_source<In>(c, item, line + at[i], sizeof(Type)));
                        values[r][i] = at[i] < 0 || y < 0 ? Type{} : line[at[i]];
                    } else {
                        assert(is_of_source<In>(c, item, line + first + i * kWarp, sizeof(Type)));
                        values[r][i] = line[first + i * kWarp];
                    }
                }
            }
#pragma unroll
            for (int r = 0; r < kRows; ++r) {
                float* to = lane_of_tile + (first_row + r) * pitch * 4 + first / kWarp * kStep;
#pragma unroll
                for (int i = 0; i < kInFlight; ++i)
                    if (first_row + r < rows && first + lane + i * kWarp < units)
                        widen<Premultiply>(values[r][i], to + i * kStep);
            }
        }
}

/// The outputs of a block, and of a thread in it, which owns a window's pixels of one row. Blocks are ordered
/// row by row.
template <int Channels>
struct TileBlock {
    static constexpr int kWidth = kAcross * Window<Channels>::kPixels;

    int column, row; ///< the block's first output, in the rectangle of outputs
    int height;
    int x, y; ///< the thread's first output, relative to the block's

    __device__ explicit TileBlock(int blocks_across)
        : column(static_cast<int>(blockIdx.x) % blocks_across * kWidth),
          row(static_cast<int>(blockIdx.x) / blocks_across * static_cast<int>(blockDim.y)),
          height(static_cast<int>(blockDim.y)), x(static_cast<int>(threadIdx.x) * Window<Channels>::kPixels),
          y(static_cast<int>(threadIdx.y)) {}
    /// Whether the thread has an output.
    __device__ bool exists(const StageCommon& c) const {
        return column + x < c.dst_width && row + y < c.dst_height;
    }
};

/// Division of a launch into such blocks.
struct TileShape {
    int blocks_across;
    int pitch; ///< pitch of the tile's rows, in float4
};

inline dim3 tile_threads(int rows) { return {kAcross, static_cast<unsigned>(rows)}; }

/// Number of blocks in a row for outputs so many pixels wide.
constexpr int tile_blocks_across(int width, int channels) {
    const int across = kAcross * pixels_per_thread(channels);
    return (width + across - 1) / across;
}

inline dim3 tile_blocks(const StageCommon& c, int rows, unsigned count) {
    const auto across = std::int64_t{tile_blocks_across(c.dst_width, c.channels)};
    return {static_cast<unsigned>(across * ((c.dst_height + rows - 1) / rows)), 1, count};
}

/// The region of a block's tile that `tap_rows` rows of taps need, from the kernels' first_tap_row-th on:
/// their reach around the outputs that exist.
template <typename In, bool Premultiply = false, int Channels>
__device__ void bring_tile(const StageCommon& c, const StageItem& item, const TileBlock<Channels>& block,
                           int first_tap_row, int tap_rows, float4* tile, int pitch) {
    const int x0 = c.dst_x + block.column - c.left, y0 = c.dst_y + block.row - c.up + first_tap_row;
    const int columns = min(block.kWidth, c.dst_width - block.column) + c.reach_width - 1,
              rows = min(block.height, c.dst_height - block.row) + tap_rows - 1;
    auto* to = reinterpret_cast<float*>(tile);
    if (x0 >= 0 && y0 >= 0 && x0 + columns <= c.width && y0 + rows <= c.height)
        fill_tile<In, Channels, false, Premultiply>(c, item, to, pitch, x0, y0, columns, rows);
    else fill_tile<In, Channels, true, Premultiply>(c, item, to, pitch, x0, y0, columns, rows);
}

/// The sums of one kernel row before they are added to those of the rows above it. A kernel of one column has
/// no rows to sum but one chain, which continues (sums_by_rows()).
template <int Samples>
struct RowSums {
    float sums[Samples];
    bool continued;

    __device__ RowSums(const KernelShape& kernel, const float (&above)[Samples])
        : continued(kernel.width == 1) {
#pragma unroll
        for (int s = 0; s < Samples; ++s) sums[s] = continued ? above[s] : 0.0f;
    }
    __device__ void add_to(float (&all)[Samples]) const {
#pragma unroll
        for (int s = 0; s < Samples; ++s) all[s] = continued ? sums[s] : all[s] + sums[s];
    }
};

/// Adds one row's taps to a thread's sums. `group`: the float4 of the line with the first tap of its first
/// output. The first `lead` weights are zeros that are not taps; with skip_zeros no zero is. `Aligned`: the
/// weights are 16-byte aligned, so that several are read at once.
template <typename In, int Channels, bool Aligned = false>
__device__ void add_taps(const float4* line, int group, const float* weights, int width, int lead,
                         bool skip_zeros, float (&sums)[Window<Channels>::kSamples]) {
    using W = Window<Channels>;
    W window;
    window.load(line, group, 0);
    for (int j = 0; j < width; j += W::kPixels) {
        const int taps = min(W::kPixels, width - j);
        const auto* own = weights + j;
        if constexpr (Aligned) own = static_cast<const float*>(__builtin_assume_aligned(own, 16));
        if (taps > 1) window.load(line, group += W::kGroups, W::kSamples);
        if (std::is_same_v<In, float> && (skip_zeros || j < lead)) window.add_non_zero(sums, own, taps);
        else window.add_first(sums, own, taps);
        if (j + W::kPixels < width) window.slide();
    }
}

/// Writes all of a thread's outputs with the widest stores that their number allows.
template <typename Out, int Count>
__device__ void store_together(Out* to, const float (&values)[Count]) {
    constexpr int kWords = Count * static_cast<int>(sizeof(Out)) / 4;
    unsigned words[kWords];
    if constexpr (std::is_integral_v<Out>) {
        constexpr int kInWord = 4 / static_cast<int>(sizeof(Out));
#pragma unroll
        for (int w = 0; w < kWords; ++w) {
            const auto integer = [&](int i) { return to_saturate_any(values[kInWord * w + i]); };
            if constexpr (kInWord == 2) words[w] = pack_saturated(integer(0), integer(1));
            else words[w] = pack_saturated(integer(0), integer(1), integer(2), integer(3));
        }
    } else {
#pragma unroll
        for (int w = 0; w < kWords; ++w) words[w] = __float_as_uint(values[w]);
    }
#pragma unroll
    for (int w = 0; w < kWords;) {
        if constexpr (kWords % 4 == 0) {
            reinterpret_cast<uint4*>(to)[w / 4] = {words[w], words[w + 1], words[w + 2], words[w + 3]};
            w += 4;
        } else if constexpr (kWords % 2 == 0) {
            reinterpret_cast<uint2*>(to)[w / 2] = {words[w], words[w + 1]};
            w += 2;
        } else {
            reinterpret_cast<unsigned*>(to)[w] = words[w];
            ++w;
        }
    }
}

/// Copies channels that are not computed from the image; a thread's outputs begin at pixel (column, row) of
/// the rectangle.
template <typename In, int Channels, int Count>
__device__ void pass_through(const StageCommon& c, const StageItem& item, int column, int row,
                             float (&values)[Count]) {
    if (c.computed == (1u << Channels) - 1u) return;
    const auto* centre = reinterpret_cast<const In*>(item.src +
                                                     std::int64_t{c.dst_y + row - c.src_y} * item.src_pitch) +
                         std::int64_t{c.dst_x + column - c.src_x} * Channels;
#pragma unroll
    for (int s = 0; s < Count; ++s)
        if (const int x = column + s / Channels;
            x >= 0 && x < c.dst_width && !(c.computed >> (s % Channels) & 1u)) {
            assert(is_of_source<In>(c, item, centre + s, sizeof(In)));
            values[s] = static_cast<float>(centre[s]);
        }
}

/// The same from a row of the tile; a thread's outputs begin at pixel x of the block.
template <int Channels, int Count>
__device__ void pass_through_tile(const StageCommon& c, const float4* line, int x, float (&values)[Count]) {
    if (c.computed == (1u << Channels) - 1u) return;
    const auto* samples = reinterpret_cast<const float*>(line);
#pragma unroll
    for (int s = 0; s < Count; ++s)
        if (const int sample = (x + c.left) * Channels + s; !(c.computed >> (s % Channels) & 1u))
            values[s] = samples[4 * spread(sample >> 2) + (sample & 3)];
}

/// Writes a thread's outputs, which begin at pixel (column, row) of the rectangle of outputs; skips those
/// outside it.
template <typename Out, int Channels, int Count>
__device__ void store_outputs(const StageCommon& c, const StageItem& item, int column, int row,
                              const float (&values)[Count]) {
    auto* to = reinterpret_cast<Out*>(item.dst + std::int64_t{row} * item.dst_pitch) +
               std::int64_t{column} * Channels;
    constexpr int kPixels = Count / Channels;
    if (c.wide_stores && column >= 0 && column + kPixels <= c.dst_width) {
        assert(is_of_result<Out>(c, item, to, sizeof(Out) * Count));
        store_together(to, values);
        return;
    }
#pragma unroll
    for (int s = 0; s < Count; ++s)
        if (const int x = column + s / Channels; x >= 0 && x < c.dst_width) {
            assert(is_of_result<Out>(c, item, to + s, sizeof(Out)));
            to[s] = SampleTraits<Out>::from(values[s]);
        }
}

/// The same as floats or samples of the input's type, as the launch states.
template <typename In, int Channels, int Count>
__device__ void store_results(const StageCommon& c, const StageItem& item, int column, int row,
                              const float (&values)[Count]) {
    if (std::is_same_v<In, float> || c.floats) store_outputs<float, Channels>(c, item, column, row, values);
    else if constexpr (!std::is_same_v<In, float>) store_outputs<In, Channels>(c, item, column, row, values);
}

} // namespace kg::gpu
