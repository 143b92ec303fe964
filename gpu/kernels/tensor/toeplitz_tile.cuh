#pragma once
// The tile of `toeplitz` (gpu/algorithms/toeplitz.cu): a block's region of an image in shared memory, border
// resolved, as planes of bytes whose words hold pixels in the order of toeplitz_layout.hpp. A channel of u8
// is one plane, a channel of u16 two: its low bytes, then its high ones. RGBA of u8 that is weighted by alpha
// is seven: colour times alpha is two planes for each channel, alpha one.

#include "gpu/kernels/stage.cuh"
#include "gpu/kernels/tensor/integer_sums.hpp"
#include "gpu/kernels/tensor/mma.cuh"
#include "gpu/kernels/tensor/toeplitz_layout.hpp"

namespace kg::gpu::toeplitz {

inline constexpr int kLanes = 32, kMostStrips = 4, kBlock = 16; // pixels of a block
inline constexpr int kAcross = 128, kRows = 8;                  // outputs of a warp, of one channel at a time
inline constexpr int kMostTilePixels = kAcross + kBlock * kMostToeplitzSets; // per row

/// Division of a launch into blocks, which are rows of 128 pixels of `strips` strips, and what all of them
/// need.
struct ToeplitzShape {
    int width, height, digits; ///< the kernel's
    int sets, steps;           ///< sets of 16 taps in a kernel row; steps through its rows
    int blocks_across, strips;
    int split;   ///< warps of a strip, each of which takes every split-th channel
    int lead;    ///< pixels of the tile before the first one that a tap meets, so that loads are aligned
    int phase;   ///< bytes that a row of the tile begins behind an aligned address; -1: pixels are gathered
    bool floats; ///< the result is f32
    /// For u16: the factor of a sum, in float64. 0 where sums are exact in float32: they are divided.
    double scale;
    int row_pixels; ///< pixels of a row of the tile
    int tile_rows;  ///< those included that only zero taps meet
    SumFinish finish;
    ToeplitzTaps taps;

    /// Words of a row of the tile, of a plane, and of the table of taps, in which each word of 16 taps is
    /// beside its successor.
    KG_HOST_DEVICE int pitch() const { return row_pixels / 4; }
    KG_HOST_DEVICE int plane() const { return tile_rows * pitch(); }
    KG_HOST_DEVICE int table() const { return rings() * 8; }
    /// Rows of 16 taps, those of zero taps included.
    KG_HOST_DEVICE int rings() const { return steps * digits * 2; }
};

/// A block's outputs and tile.
struct Place {
    int column, row;   ///< place of the first output in the rectangle of outputs
    int x, y;          ///< place of the tile's first pixel in the source's rectangle
    int width, height; ///< extent of the pixels that outputs need, `lead` pixels from the tile's first
    unsigned* planes;
};

/// A block's place, whose planes follow the table of taps.
__device__ inline Place place_of(const StageCommon& c, const ToeplitzShape& shape, unsigned* table) {
    Place place;
    place.column = static_cast<int>(blockIdx.x) % shape.blocks_across * kAcross;
    place.row = static_cast<int>(blockIdx.x) / shape.blocks_across * shape.strips * kRows;
    place.x = c.dst_x + place.column - c.left - shape.lead - c.src_x;
    place.y = c.dst_y + place.row - c.up - c.src_y;
    place.width = min(kAcross, c.dst_width - place.column) + shape.width - 1;
    place.height = min(shape.strips * kRows, c.dst_height - place.row) + shape.height - 1;
    place.planes = table + shape.table();
    return place;
}

/// What a warp computes: channels `first`, first + split, .. of a strip. Several strips have one or two warps
/// each, so no division by a variable is needed.
struct Part {
    int strip, first;
};
__device__ inline Part part_of_warp(const ToeplitzShape& shape) {
    const int warp = static_cast<int>(threadIdx.x) / kLanes;
    if (shape.split > 2) return {0, warp};
    return shape.split == 2 ? Part{warp / 2, warp % 2} : Part{warp, 0};
}

template <typename Sample, int Channels>
inline constexpr int kPlanes = Channels* static_cast<int>(sizeof(Sample));

/// For RGBA that is weighted by alpha.
inline constexpr int kWeightedPlanes = 7, kAlphaPlane = 6;

/// Planes of an image: those of its channels, or of colour times alpha.
inline int tile_planes(const PixelFormat& format, bool weighted) {
    return weighted ? kWeightedPlanes : static_cast<int>(bytes_per_pixel(format));
}

/// Planes of a tile, of which Channels are weighted by alpha or not.
template <typename Sample, int Channels, bool Weighted>
inline constexpr int kTilePlanes = Weighted ? kWeightedPlanes : kPlanes<Sample, Channels>;

/// Loads the words of four pixels. With 1 and 3 channels they begin `phase` bytes behind a multiple of 4
/// bytes; unless that is 0, the word after them is loaded, too, and shift() takes the first bytes away. With
/// 4 channels they begin whole words behind a multiple of 16 bytes.
template <typename Sample, int Channels>
__device__ void load_four_pixels(const StageCommon& c, const StageItem& item, const std::byte* from,
                                 int phase, unsigned (&words)[kPlanes<Sample, Channels> + 1]) {
    constexpr int kWords = kPlanes<Sample, Channels>; // four samples of a plane are a word
    if (Channels == 4 && phase == 0) {
        assert(is_of_source<Sample>(c, item, from, 4 * kWords));
#pragma unroll
        for (int i = 0; i < kWords; i += 4) {
            const uint4 four = __ldg(reinterpret_cast<const uint4*>(from + 4 * i));
            words[i] = four.x, words[i + 1] = four.y, words[i + 2] = four.z, words[i + 3] = four.w;
        }
        return;
    }
    const auto* aligned = reinterpret_cast<const unsigned*>(Channels == 4 ? from : from - phase);
    assert(is_of_source<Sample>(c, item, aligned, 4 * kWords));
#pragma unroll
    for (int i = 0; i < kWords; ++i) words[i] = __ldg(aligned + i);
    words[kWords] = 0;
    if (Channels == 4 || phase == 0) return;
    assert(is_of_source<Sample>(c, item, aligned, 4 * kWords + 4));
    words[kWords] = __ldg(aligned + kWords);
}

/// The words of four pixels of u16, as they lie in a row of an image, to one word per plane; in place.
template <int Channels>
__device__ void to_byte_planes(unsigned (&words)[2 * Channels]) {
    unsigned planes[2 * Channels];
#pragma unroll
    for (int k = 0; k < Channels; ++k) {
        const auto pair = [&](int pixel) { // low low high high, of two pixels
            const int first = pixel * Channels + k, second = first + Channels; // samples
            const unsigned order = (first % 2 == 0 ? 0x0100u : 0x0302u) |
                                   (second % 2 == 0 ? 0x5040u : 0x7060u);
            return __byte_perm(words[first / 2], words[second / 2], order);
        };
        const unsigned left = pair(0), right = pair(2);
        planes[2 * k] = __byte_perm(left, right, 0x5410);
        planes[2 * k + 1] = __byte_perm(left, right, 0x7632);
    }
#pragma unroll
    for (int i = 0; i < 2 * Channels; ++i) words[i] = planes[i];
}

/// The words of four pixels of RGBA, one channel to a word, to those of the weighted planes.
__device__ inline void weigh(const unsigned (&channels)[4], unsigned (&planes)[kWeightedPlanes]) {
    const auto byte = [](unsigned word, unsigned i) { return __byte_perm(word, 0, 0x4440u + i); };
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        unsigned products[4];
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) products[i] = byte(channels[k], i) * byte(channels[3], i);
        const unsigned left = __byte_perm(products[0], products[1], 0x5140), // low low high high
            right = __byte_perm(products[2], products[3], 0x5140);
        planes[2 * k] = __byte_perm(left, right, 0x5410);
        planes[2 * k + 1] = __byte_perm(left, right, 0x7632);
    }
    planes[kAlphaPlane] = channels[3];
}

/// The four pixels of load_four_pixels(), one plane to a word. Apart from the loads, so that many are in
/// flight before the first shift waits.
template <typename Sample, int Channels, bool Weighted>
__device__ void to_planes(int phase, const unsigned (&loaded)[kPlanes<Sample, Channels> + 1],
                          unsigned (&planes)[kTilePlanes<Sample, Channels, Weighted>]) {
    unsigned words[kPlanes<Sample, Channels>];
#pragma unroll
    for (int i = 0; i < kPlanes<Sample, Channels>; ++i)
        words[i] = Channels == 4 ? loaded[i] : __funnelshift_r(loaded[i], loaded[i + 1], 8 * phase);
    if constexpr (sizeof(Sample) == 1) to_planar(words);
    else to_byte_planes<Channels>(words);
    if constexpr (Weighted) weigh(words, planes);
    else
#pragma unroll
        for (int i = 0; i < kPlanes<Sample, Channels>; ++i) planes[i] = words[i];
}

/// A tile that lies inside the source. A thread takes two times four pixels, which share the words of a
/// plane, of every n-th row, so that its addresses move by one step.
template <typename Sample, int Channels, bool Weighted>
__device__ void fill_aligned(const StageCommon& c, const StageItem& item, const ToeplitzShape& shape,
                             const Place& place) {
    constexpr int kOfPixel = kPlanes<Sample, Channels>; // bytes
    constexpr int kStored = kTilePlanes<Sample, Channels, Weighted>;
    constexpr int kInFlight = sizeof(Sample) == 2 ? 2 : Channels == 1 ? 8 : 4;
    constexpr int kOfRow[] = {(kAcross + kBlock) / 8, (kAcross + 2 * kBlock) / 8};
    const int of_row = shape.sets == 1 ? kOfRow[0] : kOfRow[1],
              inverse = shape.sets == 1 ? (1 << 16) / kOfRow[0] + 1
                                        : (1 << 16) / kOfRow[1] + 1; // exact below 2^14
    const int rows_at_once = static_cast<int>(blockDim.x) * inverse >> 16;
    int row = static_cast<int>(threadIdx.x) * inverse >> 16;
    if (row >= rows_at_once) return; // the last few threads
    const int half = static_cast<int>(threadIdx.x) - row * of_row;
    const auto pitch = item.src_pitch, step = rows_at_once * pitch;
    const auto* from = item.src + (place.y + row) * pitch +
                       std::int64_t{place.x + half / 2 * kBlock + half % 2 * 4} * kOfPixel;
    auto* to = place.planes + row * shape.pitch() + 2 * half;
    const int to_step = rows_at_once * shape.pitch();
    for (; row < place.height; row += rows_at_once * kInFlight) {
        unsigned loaded[kInFlight][2][kOfPixel + 1];
#pragma unroll
        for (int f = 0; f < kInFlight; ++f, from += step)
            if (row + f * rows_at_once < place.height) {
                load_four_pixels<Sample, Channels>(c, item, from, shape.phase, loaded[f][0]);
                load_four_pixels<Sample, Channels>(c, item, from + 8 * kOfPixel, shape.phase, loaded[f][1]);
            }
#pragma unroll
        for (int f = 0; f < kInFlight; ++f, to += to_step)
            if (row + f * rows_at_once < place.height) {
                unsigned planes[2][kStored];
                to_planes<Sample, Channels, Weighted>(shape.phase, loaded[f][0], planes[0]);
                to_planes<Sample, Channels, Weighted>(shape.phase, loaded[f][1], planes[1]);
#pragma unroll
                for (int k = 0; k < kStored; ++k) {
                    const auto both = plane_words(planes[0][k], planes[1][k]);
                    *reinterpret_cast<uint2*>(to + k * shape.plane()) = {both.low, both.high};
                }
            }
    }
}

/// Any tile, pixel by pixel: a warp takes two rows at a time, and of each pixel `Together` channels.
template <typename Sample, int Together, bool Weighted>
__device__ void gather(const StageCommon& c, const StageItem& item, const ToeplitzShape& shape,
                       const Place& place) {
    constexpr int kBytes = sizeof(Sample), kRowsAtOnce = 2, kColumns = kMostTilePixels / kLanes;
    struct alignas(Together * kBytes) Samples {
        Sample of_channel[Together];
    };
    const int lane = static_cast<int>(threadIdx.x) % kLanes, warp = static_cast<int>(threadIdx.x) / kLanes,
              warps = static_cast<int>(blockDim.x) / kLanes, channels = c.channels, plane = shape.plane();
    int columns[kColumns]; // of the source, of a lane's pixels; negative: zeros, or no output needs them
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
        const int pixel = lane + i * kLanes,
                  x = device_border_index(c.border, place.x + c.src_x + pixel, c.width);
        const bool is_needed = pixel >= shape.lead && pixel < shape.lead + place.width;
        columns[i] = is_needed && x >= 0 ? x - c.src_x : -1;
    }
    int row_of_lane = -1; // the source's row for one of the warp's next 32; -1: zeros
#pragma unroll 1
    for (int step = 0; warp + step * warps < place.height; step += kRowsAtOnce) {
        if (step % kLanes == 0) {
            const int row = warp + (step + lane) * warps;
            row_of_lane = row < place.height
                              ? device_border_index(c.border, place.y + c.src_y + row, c.height)
                              : -1;
        }
        const int top = warp + step * warps;
#pragma unroll 1
        for (int first = 0; first < channels; first += Together) {
            Samples samples[kRowsAtOnce][kColumns];
#pragma unroll
            for (int r = 0; r < kRowsAtOnce; ++r) {
                const int y = __shfl_sync(~0u, row_of_lane, (step + r) % kLanes);
                const auto* line = item.src + std::int64_t{y - c.src_y} * item.src_pitch;
#pragma unroll
                for (int i = 0; i < kColumns; ++i) {
                    const auto* at = line + (columns[i] * channels + first) * kBytes;
                    const bool exists = y >= 0 && columns[i] >= 0;
                    assert(!exists || is_of_source<Sample>(c, item, at, Together * kBytes));
                    samples[r][i] = exists ? *reinterpret_cast<const Samples*>(at) : Samples{};
                }
            }
            auto* to = reinterpret_cast<std::uint8_t*>(place.planes + first * kBytes * plane +
                                                       top * shape.pitch());
#pragma unroll
            for (int r = 0; r < kRowsAtOnce; ++r, to += 4 * warps * shape.pitch())
#pragma unroll
                for (int i = 0; i < kColumns; ++i) {
                    const int pixel = lane + i * kLanes;
                    if (pixel >= shape.row_pixels || top + r * warps >= place.height) continue;
#pragma unroll
                    for (int k = 0; k < kTilePlanes<Sample, Together, Weighted>; ++k) {
                        const int channel = Weighted ? k / 2 : k / kBytes;
                        int value = samples[r][i].of_channel[channel];
                        if (Weighted && k < kAlphaPlane) value *= samples[r][i].of_channel[Together - 1];
                        to[4 * k * plane + byte_of_pixel(pixel)] = static_cast<std::uint8_t>(
                            value >> 8 * (Weighted ? k % 2 : k % kBytes));
                    }
                }
        }
    }
}

/// body(Constant<Channels>) for 1, 3 or 4 channels.
template <typename Body>
__device__ void with_these_channels(int channels, Body body) {
    if (channels == 1) body(Constant<1>{});
    else if (channels == 3) body(Constant<3>{});
    else body(Constant<4>{});
}

/// Brings a block's tile.
template <typename Sample, bool Weighted = false>
__device__ void fill(const StageCommon& c, const StageItem& item, const ToeplitzShape& shape,
                     const Place& place) {
    const int beside = shape.phase > 0 ? 4 : 0; // pixels whose words are read, too
    if (shape.phase >= 0 && place.x >= beside && place.y >= 0 &&
        place.x + shape.row_pixels + beside <= c.src_width && place.y + place.height <= c.src_height) {
        if constexpr (Weighted) fill_aligned<Sample, 4, true>(c, item, shape, place);
        else
            with_these_channels(c.channels, [&](auto channels) {
                fill_aligned<Sample, decltype(channels)::value, false>(c, item, shape, place);
            });
        return;
    }
    if constexpr (Weighted) gather<Sample, 4, true>(c, item, shape, place);
    else if (sizeof(Sample) == 1 && c.channels == 4) gather<std::uint8_t, 4, false>(c, item, shape, place);
    else gather<Sample, 1, false>(c, item, shape, place); // one channel of u16 at a time: less code
}

} // namespace kg::gpu::toeplitz
