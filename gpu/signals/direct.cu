// The definition at the speed of multiply-adds: outputs and samples in registers, a window of the signal and
// the taps in shared memory.
//
//   shared     chunks of samples     | c0 | c1 | c2 | c3 | ...          chunk: 16 f32 or 8 f64
//   thread t   samples in registers       [ t  | t+1 ]                  two chunks
//              taps                  w0 ... w15, broadcast              one chunk
//              outputs                    [ t ]                         one chunk: 16 x 16 multiply-adds
//
// For the 512 multiply-adds of two chunks of taps that lie side by side a thread of f32 reads 12 times 16
// bytes of samples and 8 times 16 bytes of taps, so shared memory is busy for half of their time. Integers,
// whose products take longer, do with fewer taps at a time and less code. The pitch of a chunk is 16 bytes
// longer than the chunk: threads that read theirs at once meet different banks. Groups of a block's threads
// share the taps of its outputs, and their sums are added in the end: four groups of 512 outputs (f32), so
// that few outputs have work for many warps, or two of 1024. A stage, 1024 f32 taps, is loaded at a time.
// Strides and dilations become dense sums (gpu/kernels/signals/direct_layout.hpp), and chunks of zeros are
// left out, of which echoes have many.

#include "gpu/kernels/march/async_copy.cuh"
#include "gpu/kernels/signals/direct_layout.hpp"
#include "gpu/kernels/signals/line.cuh"
#include "gpu/kernels/signals/signal_plan.hpp"
#include "gpu/runtime/device.hpp"

namespace kg::gpu::signals {

namespace {

constexpr int kThreads = 128;
constexpr int kVectorBytes = 16, kChunkBytes = 64, kStageBytes = 4096;

template <typename T>
struct Chunks {
    static constexpr int kChunk = kChunkBytes / static_cast<int>(sizeof(T)); ///< samples, or taps
    static constexpr int kVector = kVectorBytes / static_cast<int>(sizeof(T));
    static constexpr int kPitch = kChunk + kVector;
    static constexpr int kAtOnce = std::is_integral_v<T> ? 1 : 2; ///< chunks of taps, if side by side
    static constexpr int kStage = kStageBytes / kChunkBytes;      ///< chunks of taps
};
template <typename T>
inline constexpr DirectSizes kSizes{Chunks<T>::kChunk, Chunks<T>::kStage};

/// Each group of a block's threads sums some of the chunks of taps. Many groups keep many warps busy with few
/// outputs; with few groups a thread has more to do besides its beginning and its end.
constexpr int kManyGroups = 4, kFewGroups = 2;
template <typename T, int Groups>
struct Shape : Chunks<T> {
    static constexpr int kGroups = Groups, kOwnThreads = kThreads / kGroups;
    static constexpr int kTile = kOwnThreads * Chunks<T>::kChunk;
    /// Samples of a stage; in the end the sums of all threads.
    static constexpr int kWindow = std::max(kOwnThreads + Chunks<T>::kStage, kThreads) * Chunks<T>::kPitch;
};

/// The tables of direct_taps() in device memory.
struct DirectTables {
    const DirectStage* stage;
    const int* places; ///< of the chunks of taps
    const void* weights;
    int stages;
    unsigned classes;                  ///< those with outputs
    std::int64_t of_class, last_class; ///< outputs of the classes up to the last; the others have one less
    DirectSteps steps;
};

template <typename T>
struct alignas(kVectorBytes) Vector {
    T of[kVectorBytes / sizeof(T)];
};

/// Adds `Chunks` chunks of taps side by side to a chunk of outputs, from samples of which `own` is the first.
template <typename S, int Chunks, typename T>
__device__ void add_chunks(const T* own, const T* weights, T (&sums)[S::kChunk]) {
    constexpr int kVectors = S::kChunk / S::kVector, // of a chunk
        kTaps = Chunks * S::kChunk, kAtOnce = std::is_integral_v<T> ? S::kVector : kTaps;
#pragma unroll 1
    for (int first = 0; first < kTaps; first += kAtOnce) {
        T x[S::kChunk + kAtOnce];
#pragma unroll
        for (int i = 0; i < S::kChunk + kAtOnce; i += S::kVector) {
            const int vector = (first + i) / S::kVector;
            const auto some = *reinterpret_cast<const Vector<T>*>(own + vector / kVectors * S::kPitch +
                                                                  vector % kVectors * S::kVector);
#pragma unroll
            for (int v = 0; v < S::kVector; ++v) x[i + v] = some.of[v];
        }
#pragma unroll
        for (int j = 0; j < kAtOnce; j += S::kVector) {
            const auto some = *reinterpret_cast<const Vector<T>*>(weights + first + j);
#pragma unroll
            for (int v = 0; v < S::kVector; ++v)
#pragma unroll
                for (int i = 0; i < S::kChunk; ++i) sums[i] = added(sums[i], some.of[v], x[j + v + i]);
        }
    }
}

/// Copies `cells` samples to shared memory, of which sample `base` of the line is the first and the others
/// follow `step` samples apart; those from `needed` on are 0.
template <typename S, typename T>
__device__ void copy_window(T* window, const SignalLine<T>& line, std::int64_t base, std::int64_t step,
                            int needed, int cells) {
    static_assert(kThreads % S::kChunk == 0);
    const int thread = static_cast<int>(threadIdx.x);
    auto index = base + thread * step;
    T* to = window + thread / S::kChunk * S::kPitch + thread % S::kChunk;
    constexpr int kAhead = kThreads / S::kChunk * S::kPitch;
    if (line.has(base) && line.has(base + (needed - 1) * step)) {
        const auto* from = reinterpret_cast<const std::byte*>(line.place(index));
        const auto ahead = kThreads * step * line.step;
#pragma unroll 4
        for (int cell = thread; cell < cells; cell += kThreads, from += ahead, to += kAhead)
            copy_async<sizeof(T)>(to, from, cell < needed);
        return;
    }
#pragma unroll 1
    for (int cell = thread; cell < cells; cell += kThreads, index += kThreads * step, to += kAhead) {
        if (cell >= needed || line.has(index)) copy_async<sizeof(T)>(to, line.place(index), cell < needed);
        else *to = line.at(index);
    }
}

/// The sum of one output in the same order, without taps of zero, through which samples that are not finite
/// would leak. `first` is the sample under the first tap.
template <typename S, typename T>
__device__ __noinline__ T sum_with_care(const SignalLaunch& s, const DirectTables& d,
                                        const SignalLine<T>& line, std::int64_t first) {
    T sum = 0;
#pragma unroll 1
    for (int group = 0; group < S::kGroups; ++group) {
        T own = 0;
#pragma unroll 1
        for (int n = 0; n < d.stages; ++n) {
            const auto seen = s.stop.read_for_block();
            const DirectStage stage = d.stage[n];
            const int end = stage.first + stage.count * (group + 1) / S::kGroups;
#pragma unroll 1
            for (int chunk = stage.first + stage.count * group / S::kGroups; chunk < end; ++chunk) {
                const T* weights = static_cast<const T*>(d.weights) + std::int64_t{chunk} * S::kChunk;
                auto index = first + stage.offset + d.places[chunk] * S::kChunk * d.steps.step;
#pragma unroll 1
                for (int j = 0; j < S::kChunk; ++j, index += d.steps.step)
                    if (weights[j] != 0) own = added(own, weights[j], line.at(index));
            }
        }
        sum = added(sum, own, T{1});
    }
    return sum;
}

/// Whether a sum may have met a sample that is not finite: if it has, it is not finite either.
template <typename T>
__device__ bool is_suspect(T sum) {
    if constexpr (std::is_integral_v<T>) return false;
    else return !(sum - sum == 0);
}

template <typename T, int Groups>
__global__ void __launch_bounds__(kThreads, Groups == kManyGroups ? 4 : 8)
    sum_direct(const __grid_constant__ SignalLaunch s, const __grid_constant__ DirectTables d) {
    using S = Shape<T, Groups>;
    __shared__ alignas(kVectorBytes) T window[S::kWindow];
    __shared__ alignas(kVectorBytes) T weights[S::kStage * S::kChunk];
    __shared__ int places[S::kStage];
    const int thread = static_cast<int>(threadIdx.x), group = thread / S::kOwnThreads,
              chunk = thread % S::kOwnThreads;
    const auto tile = blockIdx.x / d.classes, own_class = blockIdx.x - tile * d.classes;
    // The first output of the block, which has every steps.classes-th from there on.
    const auto begin = std::int64_t{tile} * S::kTile; // among the outputs of the class
    const auto first = s.outputs.begin + own_class + begin * d.steps.classes;
    const auto left = d.of_class - (own_class > d.last_class) - begin;
    const int outputs = left < S::kTile ? static_cast<int>(left) : S::kTile;
    if (outputs <= 0) return;
    const SignalLine<T> line(s);
    T sums[S::kChunk] = {};
#pragma unroll 1
    for (int n = 0; n < d.stages; ++n) {
        const auto seen = s.stop.read_for_block();
        const DirectStage stage = d.stage[n];
        const auto base = s.first + first * s.stride + stage.offset;
        // Samples that no requested output needs may not be in memory: they are 0.
        const int needed = outputs + stage.reach, cells = (S::kOwnThreads + stage.last + 1) * S::kChunk;
        if (n > 0) __syncthreads(); // shared memory is free
        copy_window<S>(window, line, base, d.steps.step, needed, cells);
        const T* const from = static_cast<const T*>(d.weights) + std::int64_t{stage.first} * S::kChunk;
#pragma unroll 1
        for (int i = thread * S::kVector; i < stage.count * S::kChunk; i += kThreads * S::kVector)
            copy_async<kVectorBytes>(weights + i, from + i, true);
        if (thread < stage.count) places[thread] = d.places[stage.first + thread];
        end_copies();
        wait_for_copies<0>();
        if (__syncthreads_or(s.stop.raised(seen))) return;
        if (chunk * S::kChunk >= outputs) continue;
        const int end = stage.count * (group + 1) / S::kGroups;
        int i = stage.count * group / S::kGroups;
        const auto add = [&]<int Chunks>(std::integral_constant<int, Chunks>) {
            add_chunks<S, Chunks>(window + (chunk + places[i]) * S::kPitch, weights + i * S::kChunk, sums);
            i += Chunks;
        };
#pragma unroll 1 // with the end in its condition, instead of the last chunk apart, it is 4 % slower
        while (i + S::kAtOnce <= end)
            if (S::kAtOnce == 1 || places[i + S::kAtOnce - 1] == places[i] + S::kAtOnce - 1)
                add(std::integral_constant<int, S::kAtOnce>());
            else add(std::integral_constant<int, 1>());
        if (i < end) add(std::integral_constant<int, 1>());
    }
    __syncthreads(); // shared memory is free for the sums, so that outputs are written in order
#pragma unroll
    for (int i = 0; i < S::kChunk; i += S::kVector) {
        Vector<T> some;
#pragma unroll
        for (int v = 0; v < S::kVector; ++v) some.of[v] = sums[i + v];
        *reinterpret_cast<Vector<T>*>(window + thread * S::kPitch + i) = some;
    }
    __syncthreads();
    auto output = first + thread * d.steps.classes;
    const T* own = window + thread / S::kChunk * S::kPitch + thread % S::kChunk;
#pragma unroll 1
    for (int i = thread; i < outputs; i += kThreads) {
        T sum = 0; // no sum is -0, whether or not taps of zero are left out
#pragma unroll
        for (int g = 0; g < S::kGroups; ++g) sum = added(sum, own[g * S::kOwnThreads * S::kPitch], T{1});
        if (is_suspect(sum)) sum = sum_with_care<S>(s, d, line, s.first + output * s.stride);
        write_output(s, output, sum);
        output += kThreads * d.steps.classes;
        own += kThreads / S::kChunk * S::kPitch;
    }
}

/// Stages load their windows, and chunks are summed, whether or not all outputs of a tile exist.
template <typename T, int Groups>
double microseconds(const SignalRequest& request, const DirectTaps<T>& taps) {
    // kBlocks fill the GPU; fewer have the speed of a part of it. Stages of a block wait for their samples.
    constexpr double kProductsPerUs[] = {Groups == kFewGroups ? 30e6 : 28e6, 12e6, 13e6, 4e6},
                     kCellsPerUs = 1e6, kStagesPerUs = 340, kBlocks = Groups == kFewGroups ? 500 : 250;
    using S = Shape<T, Groups>;
    const auto [classes, tiles] = direct_tasks(output_count(request),
                                               direct_steps(request.stride, request.dilation), S::kTile);
    const double blocks = static_cast<double>(classes * tiles) * static_cast<double>(request.signals),
                 products = blocks * S::kTile * static_cast<double>(taps.weights.size());
    double cells = 0;
    for (const auto& stage : taps.stages) cells += (S::kOwnThreads + stage.last + 1) * S::kChunk;
    const double stages = blocks * static_cast<double>(taps.stages.size());
    return (products / kProductsPerUs[request.taps.index()] + blocks * cells / kCellsPerUs +
            stages / kStagesPerUs) *
           std::max(1.0, kBlocks / blocks);
}

/// A kernel of sum_direct(), the outputs of its blocks, and its time.
struct Variant {
    const void* kernel;
    int tile;
    double us;
};
template <typename T>
Variant fastest_variant(const SignalRequest& request, const DirectTaps<T>& taps) {
    const auto variant = [&]<int Groups>(std::integral_constant<int, Groups>) {
        return Variant{reinterpret_cast<const void*>(&sum_direct<T, Groups>), Shape<T, Groups>::kTile,
                       microseconds<T, Groups>(request, taps)};
    };
    const auto many = variant(std::integral_constant<int, kManyGroups>());
    if constexpr (std::is_same_v<T, float>)
        if (const auto few = variant(std::integral_constant<int, kFewGroups>()); few.us < many.us) return few;
    return many;
}

class DirectPlan final : public SignalPlan {
public:
    DirectPlan(const SignalRequest& request, Engine& engine) : SignalPlan(request) {
        with_signal_type(request, [&]<typename T>(T) {
            const auto taps = direct_taps<T>(request, kSizes<T>);
            const auto copy = [&](const auto& all) {
                return all.empty() ? nullptr : device_copy(std::as_bytes(std::span(all)), engine);
            };
            stages_ = copy(taps.stages), places_ = copy(taps.places), weights_ = copy(taps.weights);
            count_ = static_cast<int>(taps.stages.size());
            const auto variant = fastest_variant<T>(request, taps);
            kernel_ = variant.kernel, tile_ = variant.tile;
        });
    }

private:
    void launch(CudaQueue& queue, SignalLaunch& s, unsigned rows) const override {
        const auto steps = direct_steps(s.stride, s.dilation);
        const auto [classes, tiles] = direct_tasks(s.outputs.end - s.outputs.begin, steps, tile_);
        const auto blocks = signal_blocks(classes * tiles, rows);
        const auto address = [](const auto& buffer) { return buffer ? buffer->device_address() : nullptr; };
        const auto last = s.outputs.end - s.outputs.begin - 1;
        DirectTables tables{reinterpret_cast<const DirectStage*>(address(stages_)),
                            reinterpret_cast<const int*>(address(places_)),
                            address(weights_),
                            count_,
                            static_cast<unsigned>(classes),
                            last / steps.classes + 1,
                            last % steps.classes,
                            steps};
        void* arguments[] = {&s, &tables};
        queue.launch(kernel_, blocks, {kThreads}, 0, arguments);
    }

    std::shared_ptr<CudaBuffer> stages_, places_, weights_; ///< null if all taps are zero
    int count_ = 0, tile_ = 0;
    const void* kernel_ = nullptr;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& request = std::get<SignalRequest>(step);
    constexpr std::int64_t kMostTaps = std::int64_t{1} << 30; // keeps the number of entries in 32 bits
    if (tap_count(request) > kMostTaps) return "the taps are more than 2^30";
    if (direct_steps(request.stride, request.dilation).phases > kMostSamples / request.dilation)
        return "the least common multiple of stride and dilation is more than 2^40";
    return {};
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<SignalRequest>(step);
    if (!why_not(step, engine).empty()) return {Cost::kOnlyWhenForced};
    return with_signal_type(request, [&]<typename T>(T) {
        const auto taps = direct_taps<T>(request, kSizes<T>);
        return Cost{kSignalLaunchMicroseconds + fastest_variant<T>(request, taps).us};
    });
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<DirectPlan>(std::get<SignalRequest>(step), engine);
}

} // namespace

extern const Algorithm kDirect{"direct",
                               "Direct",
                               "Every tap as it is written; outputs and samples in registers",
                               "register tiles after Volkov and Demmel 2008",
                               why_not,
                               cost,
                               plan};

} // namespace kg::gpu::signals
