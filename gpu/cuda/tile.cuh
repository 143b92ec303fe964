#pragma once
// A tile of the picture in shared memory: how it lies there, how it is filled, how a thread reads it, and how a thread's
// outputs leave.

#include "gpu/cuda/stage.cuh"

namespace kg::gpu {

inline constexpr int kAcross = 16; // threads side by side in a block
inline constexpr int kWarp = 32;

/// Pixels of a row that one thread computes.
constexpr int pixels_per_thread(int channels) { return channels == 1 ? 8 : 4; }

/// Where the g-th float4 of a row lies. One float4 in nine is left out, so that threads that are 2 or 4 float4 apart meet
/// in no bank.
__host__ __device__ constexpr int spread(int g) { return g + (g >> 3); }

/// The tile's row in float4: every window that a thread may load, whether its last samples are used or not.
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

    /// The half at `to` from the group-th float4 of a tile row on.
    __device__ void load(const float4* row, int group, int to) {
        const float4* at = row + spread(group);
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            // Windows of 2 or 4 float4 begin at multiples of that, so spread() leaves nothing out inside them.
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
    /// The first `Taps` taps of a row's piece.
    template <int Taps>
    __device__ void add(float (&sums)[kSamples], const float* weights) const {
#pragma unroll
        for (int j = 0; j < Taps; ++j) add_tap(sums, weights[j], j);
    }
    /// A piece shorter than the window: `taps` is the same in every thread, so this is one jump, not a test per tap.
    template <int Taps = kPixels>
    __device__ void add_first(float (&sums)[kSamples], const float* weights, int taps) const {
        if constexpr (Taps > 0) {
            if (taps == Taps) add<Taps>(sums, weights);
            else add_first<Taps - 1>(sums, weights, taps);
        }
    }
    /// Where a zero is no tap. All weights are read before the first is looked at: a read takes longer than a tap.
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

/// What is read from the picture at once: a pixel where its size is a power of two, else a sample.
template <typename In, int Channels>
struct Unit {
    static constexpr int kSamples = Channels % 2 == 0 ? Channels : 1;
    struct alignas(kSamples * sizeof(In)) Type {
        In sample[kSamples];
    };
};

template <typename Type>
__device__ void widen(const Type& from, float* to) {
    constexpr int kSamples = static_cast<int>(sizeof(from.sample) / sizeof(from.sample[0]));
    const auto sample = [&](int s) { return static_cast<float>(from.sample[s]); };
    if constexpr (kSamples == 4)
        *reinterpret_cast<float4*>(to) = {sample(0), sample(1), sample(2), sample(3)};
    else if constexpr (kSamples == 2) *reinterpret_cast<float2*>(to) = {sample(0), sample(1)};
    else *to = sample(0);
}

/// A warp takes two rows at a time, and a thread has ten reads in flight: a block that waits for one read after the other
/// spends its life waiting. A step of 32 units is the same distance everywhere, also in the spread-out tile, so that
/// inside the picture only the row's address is computed.
template <typename In, int Channels, bool Edge>
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
    const auto* const lane_of_picture = reinterpret_cast<const Type*>(item.src) +
                                        std::int64_t{Edge ? -c.src_x : x0 - c.src_x} * kUnitsPerPixel +
                                        (Edge ? 0 : lane);
    for (int first_row = thread / kWarp * kRows; first_row < rows; first_row += warps * kRows)
        for (int first = 0; first < units; first += kInFlight * kWarp) {
            Type values[kRows][kInFlight];
#pragma unroll
            for (int r = 0; r < kRows; ++r) {
                const int row = first_row + r,
                          y = Edge ? border_index(c.border, y0 + row, c.height) : y0 + row;
                const auto* line = reinterpret_cast<const Type*>(
                    reinterpret_cast<const std::byte*>(lane_of_picture) +
                    std::int64_t{y - c.src_y} * item.src_pitch);
#pragma unroll
                for (int i = 0; i < kInFlight; ++i) {
                    const int unit = first + lane + i * kWarp;
                    if (row >= rows || unit >= units) continue;
                    if constexpr (Edge) {
                        const int pixel = unit / kUnitsPerPixel,
                                  x = border_index(c.border, x0 + pixel, c.width);
                        if (x < 0 || y < 0) values[r][i] = Type{};
                        else
                            values[r][i] =
                                line[std::int64_t{x} * kUnitsPerPixel + (unit - pixel * kUnitsPerPixel)];
                    } else {
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
                        widen(values[r][i], to + i * kStep);
            }
        }
}

/// SampleTraits<u8>::from in fewer instructions: next to 2^23 a float's last place is 1, so the addition rounds, ties to
/// even, and leaves the byte at the bottom. fmaxf turns NaN into 0.
__device__ inline unsigned byte_of(float v) {
    return __float_as_uint(fminf(fmaxf(v, 0.0f), 255.0f) + 8388608.0f) & 255u;
}

/// All of a thread's outputs at once, in the widest words that their number allows.
template <typename Out, int Count>
__device__ void store_together(Out* to, const float (&values)[Count]) {
    constexpr int kWords = Count * static_cast<int>(sizeof(Out)) / 4;
    unsigned words[kWords];
    if constexpr (sizeof(Out) == 1) {
#pragma unroll
        for (int w = 0; w < kWords; ++w) {
            words[w] = 0;
#pragma unroll
            for (int b = 0; b < 4; ++b) words[w] |= byte_of(values[4 * w + b]) << (8 * b);
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

} // namespace kg::gpu
