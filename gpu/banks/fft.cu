// Sums by Fourier transforms (core/request/bank_spectra.hpp), which cuFFT executes. The sums of an output
// cost a product for each frequency and channel, however many taps there are: for large kernels and many
// channels.
//
//   numbers   frames of tiles x channels, border resolved           -> transformed
//   sums      for each frequency, tile and filter the sum over the channels of number times conjugate weight
//             -> transformed back: frames of tiles x filters
//   outputs   the sums at the tile's outputs, scaled, and the bias
//
// As many tiles at a time as the L2 cache holds frames of. The spectra of the weights are the plan's.
//
// The error is not that of semantics 16, so a tolerance must allow it. A number that is not finite reaches
// all of its frame in the transforms, and sums of large numbers may overflow there: outputs that are not
// finite are computed by the definition.

#include "core/plan/chain.hpp"
#include "core/request/bank_spectra.hpp"
#include "core/support/parts_of.hpp"
#include "gpu/kernels/banks/bank_frames.hpp"
#include "gpu/kernels/banks/bank_item.cuh"
#include "gpu/kernels/banks/bank_plan.hpp"
#include "gpu/kernels/fourier/cufft_transform.hpp"
#include "gpu/kernels/stage.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/owners.hpp"

#include <algorithm>

namespace kg::gpu::banks {

namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostDown = 65535; ///< blocks in the second dimension
constexpr int kFilters = 4, kTiles = 4;   ///< of a thread's sums: each spectrum is read for four others

struct FrameLaunch {
    int row, floats;           ///< of a frame
    Extent outputs, all;       ///< of a tile, and of the request
    std::int64_t left, top;    ///< the first tile that has outputs of those requested
    std::int64_t across;       ///< tiles next to each other
    std::int64_t tiles, first; ///< tiles of an item, and the first one of those at once
    unsigned item;
    std::int64_t channels, filters; ///< of all groups
    std::int64_t filter_blocks;     ///< of a group
    int at_once;
    float* numbers;
    float* sums;
    const float* spectra;
    const float* weights; ///< in the order of the request
    float scale;
};

/// The outputs of tile `index` of those at once; none behind the last one.
__device__ inline Rect tile_outputs(const FrameLaunch& f, unsigned index) {
    const auto tile = f.first + index;
    if (tile >= f.tiles) return {};
    const auto x = (f.left + tile % f.across) * f.outputs.width,
               y = (f.top + tile / f.across) * f.outputs.height;
    return {x, y, min(f.outputs.width, f.all.width - x), min(f.outputs.height, f.all.height - y)};
}

//   blockIdx   x: kThreads floats of a frame, y: channel, and all that follow at this distance, z: tile
//
__global__ void __launch_bounds__(kThreads)
    load_frames(const __grid_constant__ BankLaunch b, const __grid_constant__ FrameLaunch f) {
    const int index = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
    if (index >= f.floats || b.stop.raised()) return;
    const int i = index / f.row, j = index - i * f.row;
    const auto tile = tile_outputs(f, blockIdx.z);
    // What no output of the request reads is zero: it need not be in memory.
    const bool is_read =
        tile.height > 0 &&
        i < (tile.height - 1) * b.stride.rows + (b.kernel_height - 1) * b.dilation.rows + 1 &&
        j < (tile.width - 1) * b.stride.columns + (b.kernel_width - 1) * b.dilation.columns + 1;
    std::int64_t row = kNone, column = kNone;
    if (is_read) {
        row = offset_of(b.rows, tile.y * b.stride.rows - b.top + i, b.in.row);
        column = offset_of(b.columns, tile.x * b.stride.columns - b.left + j, b.in.column);
    }
    const float otherwise = is_read ? b.outside : 0;
    const auto* const first = b.items[f.item].src;
    auto* const to = f.numbers + blockIdx.z * f.channels * f.floats + index;
    for (std::int64_t c = blockIdx.y; c < f.channels; c += gridDim.y)
        to[c * f.floats] = row < 0 || column < 0
                               ? otherwise
                               : *reinterpret_cast<const float*>(first + c * b.in.channel + row + column);
}

/// The taps of `count` channels of filters, as frames; those behind are zeros.
struct TapLaunch {
    int row, floats, kernel_width, kernel_height;
    RowsAndColumns dilation;
    std::int64_t count, frames;
    const float* weights;
    float* spectra;
};

//   blockIdx   x: kThreads floats of a frame, y: frame, and all that follow at this distance
//
__global__ void __launch_bounds__(kThreads) load_taps(const __grid_constant__ TapLaunch t) {
    const int index = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
    if (index >= t.floats) return;
    const std::int64_t i = index / t.row, j = index % t.row, row = i / t.dilation.rows,
                       column = j / t.dilation.columns;
    const bool is_tap = i % t.dilation.rows == 0 && j % t.dilation.columns == 0 && row < t.kernel_height &&
                        column < t.kernel_width;
    const auto taps = std::int64_t{t.kernel_width} * t.kernel_height;
    for (std::int64_t frame = blockIdx.y; frame < t.frames; frame += gridDim.y)
        t.spectra[frame * t.floats + index] = is_tap && frame < t.count
                                                  ? t.weights[frame * taps + row * t.kernel_width + column]
                                                  : 0.0f;
}

//   blockIdx   x: kThreads frequencies, y: kFilters of a group, z: kTiles
//
__global__ void __launch_bounds__(kThreads)
    multiply_spectra(const __grid_constant__ BankLaunch b, const __grid_constant__ FrameLaunch f) {
    const int k = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x), n = f.floats / 2;
    if (k >= n || b.stop.raised()) return;
    const auto block = b.first_block + blockIdx.y, group = block / f.filter_blocks,
               first = block % f.filter_blocks * kFilters;
    const float2 *weights[kFilters], *numbers[kTiles];
#pragma unroll
    for (int i = 0; i < kFilters; ++i) // behind the last one: that one again, which is not stored
        weights[i] = reinterpret_cast<const float2*>(f.spectra) +
                     (group * b.filters + min(first + i, b.filters - 1)) * b.channels * n + k;
#pragma unroll
    for (int j = 0; j < kTiles; ++j)
        numbers[j] = reinterpret_cast<const float2*>(f.numbers) +
                     (min(static_cast<int>(blockIdx.z) * kTiles + j, f.at_once - 1) * f.channels +
                      group * b.channels) *
                         n +
                     k;
    float2 sums[kFilters][kTiles] = {};
#pragma unroll 1
    for (std::int64_t c = 0; c < b.channels; ++c) {
        float2 w[kFilters], x[kTiles];
#pragma unroll
        for (int i = 0; i < kFilters; ++i) w[i] = *weights[i], weights[i] += n;
#pragma unroll
        for (int j = 0; j < kTiles; ++j) x[j] = *numbers[j], numbers[j] += n;
#pragma unroll
        for (int i = 0; i < kFilters; ++i)
#pragma unroll
            for (int j = 0; j < kTiles; ++j) { // the conjugate makes a correlation of the product
                auto& sum = sums[i][j];
                sum.x = __fmaf_rn(w[i].x, x[j].x, __fmaf_rn(w[i].y, x[j].y, sum.x));
                sum.y = __fmaf_rn(w[i].x, x[j].y, __fmaf_rn(-w[i].y, x[j].x, sum.y));
            }
    }
#pragma unroll
    for (int i = 0; i < kFilters; ++i)
#pragma unroll
        for (int j = 0; j < kTiles; ++j) {
            const int tile = static_cast<int>(blockIdx.z) * kTiles + j;
            if (first + i < b.filters && tile < f.at_once)
                reinterpret_cast<float2*>(
                    f.sums)[(tile * f.filters + group * b.filters + first + i) * n + k] = sums[i][j];
        }
}

//   blockIdx   x: kThreads outputs of a tile, y: filter, and all that follow at this distance, z: tile
//
__global__ void __launch_bounds__(kThreads)
    write_outputs(const __grid_constant__ BankLaunch b, const __grid_constant__ FrameLaunch f) {
    const auto tile = tile_outputs(f, blockIdx.z);
    const auto index = std::int64_t{blockIdx.x} * kThreads + threadIdx.x, i = index / f.outputs.width,
               j = index % f.outputs.width, p = tile.y + i, q = tile.x + j;
    if (i >= tile.height || j >= tile.width || !is_requested(b, p, q) || b.stop.raised()) return;
    const float* const from = f.sums + blockIdx.z * f.filters * f.floats + i * b.stride.rows * f.row +
                              j * b.stride.columns;
    for (std::int64_t filter = blockIdx.y; filter < f.filters; filter += gridDim.y) {
        float sum = from[filter * f.floats] * f.scale;
        if (!(sum - sum == 0)) sum = sum_of_output(b, f.item, f.weights, filter, p, q);
        *output_place(b, f.item, filter, p, q) = sum + bias_of(b, filter);
    }
}

class FftPlan final : public BankPlan {
public:
    FftPlan(const BankRequest& request, Engine& engine, const BankFrames& frames)
        : BankPlan(request, engine, frames.outputs), frames_(frames),
          weights_(device_copy(std::span(request.weights), engine)),
          there_(transform(engine, request.channels, Direction::forward)),
          back_(transform(engine, request.filters, Direction::inverse)), spectra_(make_spectra(engine)) {}

private:
    std::shared_ptr<const Transform> transform(const Engine& engine, std::int64_t frames_of_tile,
                                               Direction direction) const {
        return shared_transform({cuda_engine(engine).index(), frames_.width, frames_.height,
                                 static_cast<int>(frames_of_tile) * frames_.at_once, Precision::float32,
                                 direction});
    }

    /// Bytes of the frames at once, each of so many channels or filters.
    std::size_t frame_bytes(std::int64_t frames_of_tile) const {
        return aligned_scratch(static_cast<std::size_t>(frames_of_tile) *
                               static_cast<std::size_t>(frames_.at_once) *
                               static_cast<std::size_t>(frames_.floats()) * sizeof(float));
    }
    std::size_t scratch_bytes(const Rect&) const override {
        return frame_bytes(request().channels) + frame_bytes(request().filters) +
               aligned_scratch(std::max(there_->work_bytes(), back_->work_bytes()));
    }

    /// Complete on return.
    std::shared_ptr<CudaBuffer> make_spectra(Engine& engine) const {
        const auto device_bytes = [&](std::size_t count) {
            return std::dynamic_pointer_cast<CudaBuffer>(engine.allocate(count, BufferKind::device));
        };
        const auto& r = request();
        const auto transforms = filter_transforms(r, frames_), of_transform = frames_.at_once * r.channels;
        const auto of_frame = static_cast<std::size_t>(frames_.floats()) * sizeof(float);
        auto spectra = device_bytes(static_cast<std::size_t>(transforms * of_transform) * of_frame);
        const auto work = device_bytes(std::max<std::size_t>(there_->work_bytes(), 1));
        make_current(cuda_engine(engine).index());
        const Stream stream;
        const WaitAtEnd wait(stream); // also when a call fails: before the memory is freed
        TapLaunch taps{frames_.row(),
                       frames_.floats(),
                       static_cast<int>(r.kernel.width),
                       static_cast<int>(r.kernel.height),
                       r.dilation,
                       r.filters * group_channels(r),
                       transforms * of_transform,
                       reinterpret_cast<const float*>(weights_->device_address()),
                       reinterpret_cast<float*>(spectra->device_address())};
        void* arguments[] = {&taps};
        check(cudaLaunchKernel(reinterpret_cast<const void*>(&load_taps), frame_grid(taps.frames), {kThreads},
                               arguments, 0, stream.get()));
        for (std::int64_t i = 0; i < transforms; ++i)
            there_->enqueue(stream.get(),
                            spectra->device_address() + static_cast<std::size_t>(i * of_transform) * of_frame,
                            work->device_address());
        check(cudaStreamSynchronize(stream.get()));
        return spectra;
    }

    dim3 frame_grid(std::int64_t down, unsigned tiles = 1) const {
        return bank_grid(parts_of(frames_.floats(), kThreads),
                         static_cast<unsigned>(std::min(down, kMostDown)), tiles);
    }

    void launch(CudaQueue& queue, BankLaunch& b, unsigned count, std::byte* scratch) const override {
        const auto& r = request();
        const auto& [width, height] = frames_.outputs;
        FrameLaunch f{};
        f.row = frames_.row(), f.floats = frames_.floats();
        f.outputs = frames_.outputs, f.all = output_size(r);
        f.left = b.outputs.x / width, f.top = b.outputs.y / height;
        f.across = parts_of(b.outputs.right(), width) - f.left;
        f.tiles = f.across * (parts_of(b.outputs.bottom(), height) - f.top);
        f.channels = r.channels, f.filters = r.filters, f.filter_blocks = parts_of(b.filters, kFilters);
        f.at_once = frames_.at_once;
        f.numbers = reinterpret_cast<float*>(scratch);
        f.sums = reinterpret_cast<float*>(scratch + frame_bytes(r.channels));
        f.spectra = reinterpret_cast<const float*>(spectra_->device_address());
        f.weights = reinterpret_cast<const float*>(weights_->device_address());
        f.scale = static_cast<float>(1 / frames_.numbers());
        auto* const work = scratch + frame_bytes(r.channels) + frame_bytes(r.filters);
        for (f.item = 0; f.item < count; ++f.item)
            for (f.first = 0; f.first < f.tiles; f.first += f.at_once) {
                if (queue.stop_requested()) return;
                run(queue, b, f, work);
            }
    }

    void run(CudaQueue& queue, BankLaunch& b, FrameLaunch& f, std::byte* work) const {
        void* arguments[] = {&b, &f};
        const auto at_once = static_cast<unsigned>(f.at_once);
        queue.launch(reinterpret_cast<const void*>(&load_frames), frame_grid(f.channels, at_once), {kThreads},
                     0, arguments);
        there_->enqueue(queue.stream(), reinterpret_cast<std::byte*>(f.numbers), work);
        for_each_launch(request().groups * f.filter_blocks, [&](std::int64_t first, unsigned down) {
            b.first_block = first;
            queue.launch(reinterpret_cast<const void*>(&multiply_spectra),
                         bank_grid(parts_of(f.floats / 2, kThreads), down,
                                   static_cast<unsigned>(parts_of(f.at_once, kTiles))),
                         {kThreads}, 0, arguments);
        });
        back_->enqueue(queue.stream(), reinterpret_cast<std::byte*>(f.sums), work);
        queue.launch(reinterpret_cast<const void*>(&write_outputs),
                     bank_grid(parts_of(f.outputs.width * f.outputs.height, kThreads),
                               static_cast<unsigned>(std::min(f.filters, kMostDown)), at_once),
                     {kThreads}, 0, arguments);
    }

    BankFrames frames_;
    std::shared_ptr<CudaBuffer> weights_;
    std::shared_ptr<const Transform> there_, back_;
    std::shared_ptr<CudaBuffer> spectra_;
};

double error(const PlanStep& step) {
    const auto& request = std::get<BankRequest>(step);
    const auto frames = bank_frames(request);
    return frames.width == 0 ? 0 : spectra_error(request, frames.numbers());
}

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& request = std::get<BankRequest>(step);
    if (request.tolerance == 0) return std::string(kNeedsTolerance);
    const auto frames = bank_frames(request);
    if (frames.width == 0) return "its frames would have rows of over 4096 numbers, or spectra of over 1 GiB";
    if (auto why = why_not_spectra(request, frames.numbers()); !why.empty()) return why;
    return why_no_cufft();
}

Cost cost(const PlanStep& step, const Engine&) {
    const auto& request = std::get<BankRequest>(step);
    const auto frames = bank_frames(request);
    return {frames.width == 0 ? Cost::kOnlyWhenForced
                              : static_cast<double>(request.items) * frames.microseconds};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    const auto& request = std::get<BankRequest>(step);
    return std::make_shared<FftPlan>(request, engine, bank_frames(request));
}

} // namespace

extern const Algorithm kFft{
    "fft",
    "Fourier transform",
    "One product for each frequency instead of one for each tap, by cuFFT; under a tolerance",
    kSpectraSource,
    why_not,
    cost,
    plan,
    false,
    error};

} // namespace kg::gpu::banks
