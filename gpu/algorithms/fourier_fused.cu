// Convolution as a product of spectra in one launch: a frame of 128 x 128 samples does not leave its
// multiprocessor.
//
// Like `fourier` it cuts the image into tiles and transforms pairs of planes, the channels of tiles with the
// kernel's reach around them (overlap-save, gpu/kernels/fourier/frame_spectra.cuh). A block of 512 threads
// holds a pair in registers, transforms it in both dimensions (gpu/kernels/fourier/fused_transform.cuh),
// multiplies it by the kernel's spectrum, transforms it back and stores the outputs, then goes on to the next
// pair. The image is read and the result written once, where the three launches of `fourier` write and read
// the frames twice; frames are smaller, so up to about 51 x 51 it is the faster one (docs/performance.md).
//
// Only floats, to and from which other samples are converted. Samples that cannot be transformed are added
// tap by tap, as in `fourier`.

#include "core/request/step.hpp"
#include "gpu/kernels/fourier/frame_spectra.cuh"
#include "gpu/kernels/fourier/fused_transform.cuh"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kg::gpu {

namespace {

// Measured on an H200.
constexpr double kFixedMicroseconds = 8;
constexpr double kBytesPerUs = 6.7e6;        // image and result
constexpr double kStridedBytesPerUs = 4.5e6; // in addition where a pixel has several channels
constexpr double kNumbersPerUs = 136e3;      // of frames, in both directions
constexpr double kFrameMicroseconds = 12;    // one frame, however many multiprocessors there are
constexpr int kLongestKernel = kFusedSize * 3 / 4;

constexpr int kSquares = kFusedSize * kFusedSize / (kSquare * kSquare); ///< of a frame
static_assert(kSquare == 32 && kSquares <= 32, "a square is 8 slots high, and a lane reads one");
constexpr int kAtOnce = 8; ///< factors of the spectrum that a thread reads at once

/// Rows of a pair's frames: bytes from an item's first pixel to each row's, border resolved.
struct RowOffsets {
    static constexpr std::int64_t kNone = INT64_MIN; ///< the row's samples are 0
    std::int64_t of[2][kFusedSize];

    __device__ void fill(const StageCommon& c, const StageItem& item, const Plane (&planes)[2]) {
        const int which = static_cast<int>(threadIdx.x) / kFusedSize,
                  row = static_cast<int>(threadIdx.x) % kFusedSize;
        if (which > 1) return;
        const auto& plane = planes[which];
        const int y = row < plane.rows ? index_at_border(c.border, plane.y - c.up + row, c.height) : -1;
        of[which][row] = y < 0 ? kNone : std::int64_t{y - c.src_y} * item.src_pitch;
    }
};

/// Where a thread's samples of one plane lie in each row.
struct PlaneColumn {
    const std::byte* first; ///< in the row of the item's first pixel; null: they are 0
    __device__ PlaneColumn(const StageCommon& c, const StageItem& item, const Plane& plane, int column) {
        const int own = plane.x - c.left + column;
        const int x = own < c.width - c.left + c.reach_width - 1 ? index_at_border(c.border, own, c.width)
                                                                 : -1;
        first = x < 0 ? nullptr
                      : item.src + (std::int64_t{x - c.src_x} * c.channels + plane.channel) *
                                       static_cast<int>(sizeof(float));
    }
    __device__ float at(const StageCommon& c, const StageItem& item, std::int64_t row) const {
        if (!first || row == RowOffsets::kNone) return 0.0f;
        const auto* sample = reinterpret_cast<const float*>(first + row);
        assert(is_of_source<float>(c, item, sample, sizeof *sample));
        return *sample;
    }
};

/// The outputs of a thread's column of one plane.
struct OutputColumn {
    std::byte* first; ///< row 0 of the tile, which may lie outside the result
    int begin, end;   ///< requested rows of the tile
    __device__ OutputColumn(const StageCommon& c, const StageItem& item, const Frames& f, const Plane& plane,
                            int column) {
        const int x = plane.x + column - c.dst_x, y = plane.y - c.dst_y;
        const bool wanted = plane.exists && column < f.tile_width && x >= 0 && x < c.dst_width;
        begin = max(0, -y), end = wanted ? min(f.tile_height, c.dst_height - y) : 0;
        first = item.dst + std::int64_t{y} * item.dst_pitch +
                (std::int64_t{x} * c.channels + plane.channel) * static_cast<int>(sizeof(float));
    }
    __device__ void store(const StageCommon& c, const StageItem& item, int row, float value) const {
        if (row < begin || row >= end) return;
        auto* result = reinterpret_cast<float*>(first + row * item.dst_pitch);
        assert(is_of_result<float>(c, item, result, sizeof *result));
        *result = value;
    }
};

/// Outputs of a pair for every combination, mask and left-out sample, row by row: `sums` is the frame in
/// shared memory.
__device__ void write_rows(const StageCommon& c, const StageItem& item, const Frames& f,
                           const Plane (&planes)[2], const float2* sums, const float* squares,
                           const float* weights) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const bool all = c.computed == (1u << c.channels) - 1;
#pragma unroll 1
    for (int p = 0; p < 2; ++p) {
        const auto& plane = planes[p];
        const auto* own_squares = squares + p * kSquares;
        const bool left_out = __any_sync(~0u, lane < kSquares && signbit(own_squares[lane % kSquares]) != 0);
#pragma unroll 1
        for (int row = static_cast<int>(threadIdx.x) / 32; row < f.tile_height; row += kFusedThreads / 32) {
            const auto to = output_row<float>(c, item, f, plane, row);
            const auto* own = reinterpret_cast<const float*>(sums + row * kFusedSize) + p;
            if (left_out)
                write_row_with_left_out<float>(c, item, f, to, lane, 32, plane, row, own, own_squares,
                                               weights);
            else write_row<float, 32, 1>(c, item, f, to, lane, plane.channel, own);
            if (plane.first && !all) copy_others<float, float>(c, item, to, lane, 32, plane, row);
        }
    }
}

__global__ void __launch_bounds__(kFusedThreads, 1)
    filter_fused(const __grid_constant__ StageCommon c, int which, const __grid_constant__ Frames f,
                 int pairs, const float2* twiddles, const float2* spectrum, const float* weights) {
    extern __shared__ float2 frame[];
    __shared__ float2 own_twiddles[kFusedSize];
    __shared__ RowOffsets rows;
    __shared__ float squares[2 * kSquares]; // negative: samples were left out
    __shared__ Plane planes[2];
    const auto& item = c.items[which];
    const int column = static_cast<int>(threadIdx.x) % kFusedSize,
              first_row = static_cast<int>(threadIdx.x) / kFusedSize;
    const FusedTransform transform(frame, own_twiddles);
    if (threadIdx.x < kFusedSize) own_twiddles[threadIdx.x] = twiddles[threadIdx.x];
    for (int pair = static_cast<int>(blockIdx.x); pair < pairs; pair += static_cast<int>(gridDim.x)) {
        __syncthreads(); // the pair before is done with what follows
        if (threadIdx.x < 2 * kSquares) squares[threadIdx.x] = 0.0f;
        find_planes(c, f, pair, planes);
        if (c.stop.raised_for_block()) return;
        rows.fill(c, item, planes);
        __syncthreads();

        float2 v[kFusedPoints];
        {
            const PlaneColumn a(c, item, planes[0], column), b(c, item, planes[1], column);
#pragma unroll
            for (int s = 0; s < kFusedPoints; ++s)
                v[s] = {a.at(c, item, rows.of[0][4 * s + first_row]),
                        b.at(c, item, rows.of[1][4 * s + first_row])};
        }
        bool left_out = false;
#pragma unroll
        for (int down = 0; down < kFusedSize / kSquare; ++down) {
            bool of_a = false, of_b = false;
#pragma unroll
            for (int s = 8 * down; s < 8 * down + 8; ++s) {
                if (!(fabsf(v[s].x) <= f.largest)) v[s].x = 0.0f, of_a = true; // also true of NaN
                if (!(fabsf(v[s].y) <= f.largest)) v[s].y = 0.0f, of_b = true;
            }
            float* square = squares + down * (kFusedSize / kSquare) + column / kSquare;
            if (of_a) atomicExch(square, -1.0f);
            if (of_b) atomicExch(square + kSquares, -1.0f);
            left_out |= of_a || of_b;
        }
        left_out = __syncthreads_or(left_out);

        transform.to_spectrum(v);
        const auto* factors = spectrum + threadIdx.x;
#pragma unroll
        for (int s = 0; s < kFusedPoints; s += kAtOnce) {
            float2 by[kAtOnce];
#pragma unroll
            for (int i = 0; i < kAtOnce; ++i) by[i] = factors[(s + i) * kFusedThreads];
#pragma unroll
            for (int i = 0; i < kAtOnce; ++i) v[s + i] = product(v[s + i], by[i]);
        }
        transform.to_samples(v);

        if (!left_out && !f.whole_sums && c.combine == Combine::single &&
            c.computed == (1u << c.channels) - 1) {
            const OutputColumn a(c, item, f, planes[0], column), b(c, item, f, planes[1], column);
            const float of_a = offset_of(c, planes[0].channel), of_b = offset_of(c, planes[1].channel);
#pragma unroll
            for (int s = 0; s < kFusedPoints; ++s) {
                a.store(c, item, 4 * s + first_row, v[s].x + of_a);
                b.store(c, item, 4 * s + first_row, v[s].y + of_b);
            }
            continue;
        }
        __syncthreads(); // the transform reads this memory
#pragma unroll
        for (int s = 0; s < kFusedPoints; ++s) frame[(4 * s + first_row) * kFusedSize + column] = v[s];
        __syncthreads();
        write_rows(c, item, f, planes, frame, squares, weights);
    }
}

/// The factors of the products, in the order of FusedTransform: the conjugate of the kernel's spectrum times
/// `scale`. One block.
__global__ void __launch_bounds__(kFusedThreads, 1)
    taps_to_factors(const __grid_constant__ StageCommon c, float scale, const float* weights,
                    const float2* twiddles, float2* factors) {
    extern __shared__ float2 frame[];
    __shared__ float2 own_twiddles[kFusedSize];
    if (threadIdx.x < kFusedSize) own_twiddles[threadIdx.x] = twiddles[threadIdx.x];
    __syncthreads();
    const auto& kernel = c.kernels[0];
    const int j = static_cast<int>(threadIdx.x) % kFusedSize - c.left - kernel.dx,
              first_row = static_cast<int>(threadIdx.x) / kFusedSize;
    float2 v[kFusedPoints];
#pragma unroll
    for (int s = 0; s < kFusedPoints; ++s) {
        const int i = 4 * s + first_row - c.up - kernel.dy;
        const bool is_tap = i >= 0 && i < kernel.height && j >= 0 && j < kernel.width;
        v[s] = {is_tap ? weights[kernel.first + i * kernel.width + j] : 0.0f, 0.0f};
    }
    FusedTransform(frame, own_twiddles).to_spectrum(v);
#pragma unroll
    for (int s = 0; s < kFusedPoints; ++s)
        factors[s * kFusedThreads + threadIdx.x] = {v[s].x * scale, -v[s].y * scale};
}

FourierFrames frames_for(const ImageStep& step) {
    const auto all = reach(step.stages.front());
    FourierFrames frames{kFusedSize, kFusedSize - all.left - all.right, kFusedSize - all.up - all.down};
    const auto along = [](std::int64_t image, int tile) { return (image + tile - 1) / tile; };
    const auto groups = along(step.size.width, frames.tile_width * tiles_of_group(step)) *
                        along(step.size.height, frames.tile_height);
    const double numbers = static_cast<double>(groups) * pairs_of_group(step) * kFusedSize * kFusedSize,
                 bytes = static_cast<double>(step.size.width * step.size.height) *
                         static_cast<double>(bytes_per_pixel(step.in) + bytes_per_pixel(step.out)),
                 strided = step.in.channels == 1 ? 0 : bytes / kStridedBytesPerUs;
    frames.microseconds = kFixedMicroseconds + std::max(kFrameMicroseconds, bytes / kBytesPerUs + strided +
                                                                                numbers / kNumbersPerUs);
    return frames;
}

class FourierFusedPlan final : public StagePlan {
public:
    FourierFusedPlan(const ImageStep& step, Engine& engine)
        : StagePlan(step, pack(step, false)), frames_(frames_of(step, frames_for(step))),
          multiprocessors_(cuda_engine(engine).limits().multiprocessors) {
        std::vector<float> numbers;
        for (int k = 0; k < kFusedSize; ++k) {
            const double angle = -2 * std::numbers::pi * k / kFusedSize;
            numbers.push_back(static_cast<float>(std::cos(angle)));
            numbers.push_back(static_cast<float>(std::sin(angle)));
        }
        numbers.insert(numbers.end(), packed().weights.begin(), packed().weights.end());
        numbers_ = device_copy(numbers, engine);
        for (const auto* kernel : {kFilter, kFactors}) allow_shared_memory(kernel, engine);
        factors_ = make_factors(engine);
    }

    /// Computes whole groups of tiles, as `fourier` does, so that every rectangle has the bytes of the whole.
    Needs needs(const Rect& output) const override {
        const auto tiles = whole_tiles(group_width(), frames_.tile_height, output);
        auto needs = StagePlan::needs(intersect(tiles, whole(step().size)));
        needs.row_quantum = frames_.tile_height;
        return needs;
    }

private:
    inline static const void* const kFilter = reinterpret_cast<const void*>(&filter_fused);
    inline static const void* const kFactors = reinterpret_cast<const void*>(&taps_to_factors);

    int group_width() const { return frames_.tile_width * tiles_of_group(step()); }
    const float* twiddles() const { return reinterpret_cast<const float*>(numbers_->device_address()); }
    const float* weights() const { return twiddles() + 2 * kFusedSize; }

    /// Complete on return.
    std::shared_ptr<CudaBuffer> make_factors(Engine& engine) const {
        auto factors = std::dynamic_pointer_cast<CudaBuffer>(
            engine.allocate(kFusedBytes, BufferKind::device));
        make_current(cuda_engine(engine).index());
        const Stream stream;
        const WaitAtEnd wait(stream); // also when a call fails: before the memory is freed
        auto common = packed().common;
        auto scale = static_cast<float>(1 / (frames_.size * static_cast<double>(common.kernels[0].divisor)));
        const auto *own_weights = weights(), *own_twiddles = twiddles();
        auto* address = factors->device_address();
        void* arguments[] = {&common, &scale, &own_weights, &own_twiddles, &address};
        check(cudaLaunchKernel(kFactors, {1}, {kFusedThreads}, arguments, kFusedBytes, stream.get()));
        check(cudaStreamSynchronize(stream.get()));
        return factors;
    }

    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        auto f = frames_;
        set_tiles(f, parameters.common, group_width());
        f.at_once = f.tiles;
        int pairs = f.tiles * pairs_of_group(step());
        const auto *own_twiddles = twiddles(), *own_weights = weights();
        const auto* factors = factors_->device_address();
        const auto blocks = static_cast<unsigned>(std::min(pairs, std::max(multiprocessors_, 1)));
        for (int which = 0; which < static_cast<int>(count); ++which) {
            if (queue.stop_requested()) return;
            void* arguments[] = {&parameters.common, &which,   &f,          &pairs,
                                 &own_twiddles,      &factors, &own_weights};
            queue.launch(kFilter, {blocks}, {kFusedThreads}, kFusedBytes, arguments);
        }
    }

    Frames frames_; ///< except the rectangle of tiles
    int multiprocessors_;
    std::shared_ptr<CudaBuffer> numbers_, factors_;
};

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step, Sums::float64); !why.empty()) return why;
    if (step.in.depth != Depth::f32 || step.out.depth != Depth::f32) return "it filters floats";
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (step.stages.front().kernels.size() != 1) return "it takes one kernel, not several that are combined";
    if (computed_channels(step) == 0) return "there is no channel to transform";
    const auto all = reach(step.stages.front());
    if (std::max(all.left + all.right, all.up + all.down) >= kLongestKernel)
        return "its frames of 128 x 128 do not hold the kernel";
    if (auto why = why_not_shared(kFusedBytes + 4096, engine); !why.empty()) return why;
    if (step.size.width * step.size.height < kFewestFourierPixels)
        return "so small an image is summed tap by tap as soon, and to the last digit";
    const double gain = absolute_gain(step.stages.front());
    if (!(gain >= 0x1p-60 && gain <= 0x1p60) || !float32_suffices(step, kFusedSize * kFusedSize))
        return "what a transform in float32 rounds is more than the rules allow here";
    return {};
}

Cost cost(const PlanStep& request, const Engine&) {
    return {frames_for(std::get<ImageStep>(request)).microseconds};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<FourierFusedPlan>(std::get<ImageStep>(request), engine);
}

double error(const PlanStep& request) { return fourier_error(std::get<ImageStep>(request)); }

} // namespace

extern const Algorithm kFourierFused{"fourier_fused",
                                     "Fourier, fused",
                                     "Any kernel as a product of spectra, in one launch",
                                     "overlap-save (Oppenheim and Schafer 2010, 8.7)",
                                     why_not,
                                     cost,
                                     plan,
                                     false,
                                     error};

} // namespace kg::gpu
