// A block brings its part of the picture into shared memory once, border resolved and widened to f32, and every thread
// sums several neighbouring outputs from there.
//
// When it wins, on an H200 with 4096 x 4096 pixels (docs/performance.md): over `naive` always, 4.5 to 18 times, the more the
// larger the kernel. f32 x 1: 80 us for 3 x 3 (a copy takes 36), 120 for 7 x 7, 324 for 15 x 15, where it does 11.7 million
// multiply-adds per microsecond, over a third of the chip's peak. u8 x 4: 262, 459 and 1266 us. Up to 3 x 3 it is not the sums
// but the instructions around them (placing, dividing, rounding) that it spends its time on.
//
// The tile holds floats even where the picture has bytes: a conversion is dearer than a
// multiply-add, so it is done once per pixel loaded and not once per tap. A thread owns 8 pixels of a row
// (4 where there are several channels) with all their channels: a window of samples slides along the kernel's row in
// registers, so that a tap costs one multiply-add per output, a fraction of a 16-byte read of shared memory, and one
// weight, which is the same for the whole block and comes from the launch's parameters.

#include "core/error.hpp"
#include "gpu/cuda/device.hpp"
#include "gpu/cuda/stage.cuh"

namespace kg::gpu {

namespace {

constexpr int kAcross = 16;   // threads side by side in a block
constexpr int kMostRows = 16; // output rows of a block, fewer where the tile would not fit
constexpr int kWarp = 32;

/// Pixels of a row that one thread computes.
constexpr int pixels_per_thread(int channels) { return channels == 1 ? 8 : 4; }

/// Blocks that one multiprocessor is to hold, as many as there are registers for without spilling any.
constexpr int blocks_at_once(int channels) { return channels <= 2 ? 4 : channels == 3 ? 3 : 2; }

struct TileShape {
    int blocks_across;
    int pitch; ///< of the tile's rows, in float4
};

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
    static constexpr int kPixels = pixels_per_thread(Channels), kSamples = kPixels * Channels, kGroups = kSamples / 4;
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
    if constexpr (kSamples == 4) *reinterpret_cast<float4*>(to) = {sample(0), sample(1), sample(2), sample(3)};
    else if constexpr (kSamples == 2) *reinterpret_cast<float2*>(to) = {sample(0), sample(1)};
    else *to = sample(0);
}

/// A warp takes two rows at a time, and a thread has ten reads in flight: a block that waits for one read after the other
/// spends its life waiting. A step of 32 units is the same distance everywhere, also in the spread-out tile, so that
/// inside the picture only the row's address is computed.
template <typename In, int Channels, bool Edge>
__device__ void fill_tile(const StageCommon& c, const StageItem& item, float* tile, int pitch, int x0, int y0, int columns, int rows) {
    using U = Unit<In, Channels>;
    using Type = typename U::Type;
    constexpr int kUnitsPerPixel = Channels / U::kSamples, kRows = 2, kInFlight = 5;
    constexpr int kStep = 4 * spread(kWarp * U::kSamples / 4); // floats of the tile between a thread's units
    const int thread = static_cast<int>(threadIdx.y * kAcross + threadIdx.x), lane = thread % kWarp;
    const int warps = static_cast<int>(blockDim.y) * kAcross / kWarp, units = columns * kUnitsPerPixel;
    const int sample = lane * U::kSamples;
    float* const lane_of_tile = tile + 4 * spread(sample >> 2) + (sample & 3);
    const auto* const lane_of_picture = reinterpret_cast<const Type*>(item.src) + std::int64_t{Edge ? -c.src_x : x0 - c.src_x} * kUnitsPerPixel + (Edge ? 0 : lane);
    for (int first_row = thread / kWarp * kRows; first_row < rows; first_row += warps * kRows)
        for (int first = 0; first < units; first += kInFlight * kWarp) {
            Type values[kRows][kInFlight];
#pragma unroll
            for (int r = 0; r < kRows; ++r) {
                const int row = first_row + r, y = Edge ? border_index(c.border, y0 + row, c.height) : y0 + row;
                const auto* line = reinterpret_cast<const Type*>(reinterpret_cast<const std::byte*>(lane_of_picture) + std::int64_t{y - c.src_y} * item.src_pitch);
#pragma unroll
                for (int i = 0; i < kInFlight; ++i) {
                    const int unit = first + lane + i * kWarp;
                    if (row >= rows || unit >= units) continue;
                    if constexpr (Edge) {
                        const int pixel = unit / kUnitsPerPixel, x = border_index(c.border, x0 + pixel, c.width);
                        if (x < 0 || y < 0) values[r][i] = Type{};
                        else values[r][i] = line[std::int64_t{x} * kUnitsPerPixel + (unit - pixel * kUnitsPerPixel)];
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
                    if (first_row + r < rows && first + lane + i * kWarp < units) widen(values[r][i], to + i * kStep);
            }
        }
}

/// SampleTraits<u8>::from in fewer instructions: next to 2^23 a float's last place is 1, so the addition rounds, ties to
/// even, and leaves the byte at the bottom. fmaxf turns NaN into 0.
__device__ inline unsigned byte_of(float v) { return __float_as_uint(fminf(fmaxf(v, 0.0f), 255.0f) + 8388608.0f) & 255u; }

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

/// Sums over the divisor, correctly rounded. Where no value can over- or underflow, the divisor's correctly rounded
/// reciprocal, the same for all, does it with two corrections (Markstein 1990) and without the general division's branch.
template <int Count>
__device__ void divide(float (&sums)[Count], const KernelShape& kernel) {
    if (kernel.divisor == 1.0f) return;
    if (kernel.reciprocal != 0.0f) {
#pragma unroll
        for (int s = 0; s < Count; ++s) {
            const float rough = sums[s] * kernel.reciprocal;
            const float near = __fmaf_rn(__fmaf_rn(-kernel.divisor, rough, sums[s]), kernel.reciprocal, rough);
            sums[s] = __fmaf_rn(__fmaf_rn(-kernel.divisor, near, sums[s]), kernel.reciprocal, near);
        }
    } else {
#pragma unroll
        for (int s = 0; s < Count; ++s) sums[s] = __fdiv_rn(sums[s], kernel.divisor);
    }
}

template <typename In, typename Out, int Channels, int Capacity>
__global__ void __launch_bounds__(kAcross* kMostRows, blocks_at_once(Channels))
    filter_tiled(const __grid_constant__ StageParameters<Capacity> p, const __grid_constant__ TileShape shape) {
    using W = Window<Channels>;
    extern __shared__ float4 tile[];
    const auto& c = p.common;
    const auto& item = c.items[blockIdx.z];
    const int across = kAcross * W::kPixels, down = static_cast<int>(blockDim.y);
    const int column = static_cast<int>(blockIdx.x) % shape.blocks_across * across, row = static_cast<int>(blockIdx.x) / shape.blocks_across * down;

    const bool stopped = threadIdx.x + threadIdx.y == 0 && c.stop.raised();
    // The tile: the outputs that exist, and what the kernels reach around them.
    const int x0 = c.dst_x + column - c.left, y0 = c.dst_y + row - c.up;
    const int columns = min(across, c.dst_width - column) + c.reach_width - 1, rows = min(down, c.dst_height - row) + c.reach_height - 1;
    const bool inside = x0 >= 0 && y0 >= 0 && x0 + columns <= c.width && y0 + rows <= c.height;
    if (inside) fill_tile<In, Channels, false>(c, item, reinterpret_cast<float*>(tile), shape.pitch, x0, y0, columns, rows);
    else fill_tile<In, Channels, true>(c, item, reinterpret_cast<float*>(tile), shape.pitch, x0, y0, columns, rows);
    if (__syncthreads_or(stopped)) return;

    const int x = static_cast<int>(threadIdx.x) * W::kPixels, y = static_cast<int>(threadIdx.y);
    if (column + x >= c.dst_width || row + y >= c.dst_height) return;
    const int first_group = static_cast<int>(threadIdx.x) * W::kGroups;
    float values[W::kSamples] = {};
    for (int k = 0; k < c.kernel_count; ++k) {
        const KernelShape kernel = c.kernels[k];
        float sums[W::kSamples] = {};
        for (int i = 0; i < kernel.height; ++i) {
            const float4* line = tile + (y + c.up + kernel.dy + i) * shape.pitch;
            const float* weights = p.weights + kernel.first + i * kernel.width;
            float row_sums[W::kSamples] = {};
            W window;
            window.load(line, first_group, 0);
            for (int j = 0, group = first_group; j < kernel.width; j += W::kPixels) {
                const int taps = min(W::kPixels, kernel.width - j);
                if (taps > 1) window.load(line, group += W::kGroups, W::kSamples);
                if (std::is_same_v<In, float> && kernel.skip_zeros) window.add_non_zero(row_sums, weights + j, taps);
                else window.add_first(row_sums, weights + j, taps);
                if (j + W::kPixels < kernel.width) window.slide();
            }
#pragma unroll
            for (int s = 0; s < W::kSamples; ++s) sums[s] += row_sums[s];
        }
        divide(sums, kernel);
        switch (c.combine) {
        case Combine::single:
#pragma unroll
            for (int s = 0; s < W::kSamples; ++s) values[s] = combined(Combine::single, values[s], sums[s]);
            break;
        case Combine::l1:
#pragma unroll
            for (int s = 0; s < W::kSamples; ++s) values[s] = combined(Combine::l1, values[s], sums[s]);
            break;
        case Combine::l2:
#pragma unroll
            for (int s = 0; s < W::kSamples; ++s) values[s] = combined(Combine::l2, values[s], sums[s]);
            break;
        }
    }
    if (c.combine == Combine::l2) {
#pragma unroll
        for (int s = 0; s < W::kSamples; ++s) values[s] = finished(Combine::l2, values[s], offset_of(c, s % Channels));
    } else {
#pragma unroll
        for (int s = 0; s < W::kSamples; ++s) values[s] = finished(Combine::single, values[s], offset_of(c, s % Channels));
    }
    if (c.computed != (1u << Channels) - 1u) { // some channels pass through
        const float* centre = reinterpret_cast<const float*>(tile + (y + c.up) * shape.pitch);
#pragma unroll
        for (int s = 0; s < W::kSamples; ++s)
            if (const int sample = (x + c.left) * Channels + s; !(c.computed >> (s % Channels) & 1u)) values[s] = centre[4 * spread(sample >> 2) + (sample & 3)];
    }

    auto* to = reinterpret_cast<Out*>(item.dst + std::int64_t{row + y} * item.dst_pitch) + std::int64_t{column + x} * Channels;
    if (c.wide_stores && column + x + W::kPixels <= c.dst_width) {
        store_together(to, values);
    } else {
        const int count = min(W::kPixels, c.dst_width - column - x) * Channels;
#pragma unroll
        for (int s = 0; s < W::kSamples; ++s)
            if (s < count) to[s] = SampleTraits<Out>::from(values[s]);
    }
}

std::size_t tile_bytes(const ImageRequest& step, int rows) {
    const auto r = reach(step.stages.front());
    return std::size_t{16} * static_cast<std::size_t>(tile_pitch(step.in.channels, r.left + r.right + 1)) * static_cast<std::size_t>(rows + r.up + r.down);
}

/// The output rows of a block whose tile fits into shared memory; 0 = not even the fewest.
int rows_that_fit(const ImageRequest& step, const Engine& engine) {
    const auto limit = cuda_engine(engine).limits().shared_bytes_per_block;
    for (int rows = kMostRows; rows >= 4; rows /= 2)
        if (tile_bytes(step, rows) <= limit) return rows;
    return 0;
}

class TiledPlan final : public StagePlan {
public:
    TiledPlan(const ImageRequest& step, const Engine& engine)
        : StagePlan(step, pack(step, true)), rows_(rows_that_fit(step, engine)), bytes_(tile_bytes(step, rows_)),
          across_(kAcross * pixels_per_thread(step.in.channels)), pitch_(tile_pitch(step.in.channels, packed().common.reach_width)) {
        kernel_ = with_samples(step.in, step.out, [&](auto in, auto out) {
            return with_channels(step.in.channels, [&](auto channels) {
                return with_capacity(packed(), [](auto capacity) {
                    return reinterpret_cast<const void*>(&filter_tiled<decltype(in), decltype(out), decltype(channels)::value, decltype(capacity)::value>);
                });
            });
        });
        make_current(cuda_engine(engine).index());
        check(cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(cuda_engine(engine).limits().shared_bytes_per_block)));
    }

private:
    void launch(CudaQueue& queue, const StageParameters<kMostWeights>& parameters, unsigned count) const override {
        const auto& c = parameters.common;
        TileShape shape{(c.dst_width + across_ - 1) / across_, pitch_};
        const auto blocks = std::int64_t{shape.blocks_across} * ((c.dst_height + rows_ - 1) / rows_);
        void* arguments[] = {const_cast<StageParameters<kMostWeights>*>(&parameters), &shape};
        queue.launch(kernel_, {static_cast<unsigned>(blocks), 1, count}, {kAcross, static_cast<unsigned>(rows_)}, bytes_, arguments);
    }

    int rows_;
    std::size_t bytes_;
    int across_, pitch_;
    const void* kernel_;
};

std::string why_not(const Request& request, const Engine& engine) {
    const auto& step = std::get<ImageRequest>(request);
    if (auto why = why_not_packable(step); !why.empty()) return why;
    if (rows_that_fit(step, engine) > 0) return {};
    return "its tile of " + std::to_string(tile_bytes(step, 4) >> 10) + " KiB does not fit into the GPU's shared memory of " +
           std::to_string(cuda_engine(engine).limits().shared_bytes_per_block >> 10) + " KiB per block";
}

Cost cost(const Request& request, const Engine&) { return {stage_microseconds(std::get<ImageRequest>(request), kTiledSpeed)}; }

std::shared_ptr<const Plan> plan(const Request& request, Engine& engine) {
    return std::make_shared<TiledPlan>(std::get<ImageRequest>(request), engine);
}

} // namespace

extern const Algorithm kTiled{"tiled", "Tiled", "Tiles of the picture in shared memory, several outputs per thread",
                              "Hwu, Kirk, El Hajj: Programming Massively Parallel Processors, chapter 7", why_not, cost, plan};

} // namespace kg::gpu
