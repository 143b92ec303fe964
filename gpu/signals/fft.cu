// Sums by Fourier transforms in one launch: frames of 2048 samples stay in the registers of a block.
//
//   signal     ---[ frame a      ]------------       a and b become the real and the imaginary part of one
//              -----------[ frame b      ]----       transform: the taps are real, so the parts stay apart
//   block      transform * spectrum of the taps, transformed back: the outputs whose taps the frame covers
//
// Frames overlap by the reach of the taps (overlap-save). Where the taps reach further than suits a frame,
// they are cut into segments. The frame is loaded and transformed for each, shifted by its place, the
// products are added up, and only their sum is transformed back. Segments of zeros are left out. The
// transform back is the same code with real and imaginary part exchanged. For taps of one segment the signal
// is read and the result written once, and the rest is shared memory (gpu/kernels/fourier/fft.cuh).
//
// The error of an output is relative to the largest sample of its frames (semantics 12). A pair of frames
// with samples that are not finite, or so large that a transform might overflow, is summed tap by tap.

#include "gpu/kernels/fourier/fft.cuh"
#include "gpu/kernels/march/async_copy.cuh"
#include "gpu/kernels/signals/line.cuh"
#include "gpu/kernels/signals/signal_plan.hpp"
#include "gpu/runtime/device.hpp"

#include <cmath>
#include <limits>

namespace kg::gpu::signals {

namespace {

constexpr int kSize = 2048; ///< samples of a frame
using Fourier = Transforms<kSize, 1>;
constexpr int kThreads = Fourier::kThreads;
constexpr std::int64_t kMostSpan = std::int64_t{1} << 22; ///< spectra of 64 MB
constexpr std::int64_t kLongestSegment = kSize * 3 / 4;

struct Segment {
    std::int64_t place; ///< samples behind the first tap
    int length;
};

struct FftLaunch {
    int outputs, segments; ///< outputs of a frame
    float largest;         ///< samples above are not transformed
    const Segment* places;
    const float *taps, *twiddles;
    const float* factors; ///< of each segment, in the order of the transform
    float2* spectra;      ///< where to write them; null: to sum
};

/// The outputs of one of a pair of frames.
struct Frame {
    std::int64_t begin;
    int outputs;
    __device__ Frame(const SignalLaunch& s, const FftLaunch& f, std::int64_t pair, int which)
        : begin((2 * pair + which) * f.outputs) {
        const auto left = s.all - begin;
        outputs = left <= 0 ? 0 : left < f.outputs ? static_cast<int>(left) : f.outputs;
    }
    /// The samples of a segment that these outputs need.
    __device__ int samples(const SignalLaunch& s, const Segment& segment) const {
        return outputs == 0 ? 0 : (outputs - 1) * static_cast<int>(s.stride) + segment.length;
    }
};

__device__ float sum_of_taps(const SignalLaunch& s, const FftLaunch& f, const SignalLine<float>& line,
                             std::int64_t output) {
    auto index = s.first + output * s.stride;
    float sum = 0;
#pragma unroll 1
    for (std::int64_t j = 0; j < s.taps; ++j, index += s.dilation)
        if (const float weight = f.taps[j]; weight != 0) sum = added(sum, weight, line.at(index));
    return sum;
}

/// Loads the samples of one frame as a part of the numbers, 0 for the real one, and zeros behind them.
__device__ void load_frame(const SignalLine<float>& line, std::int64_t first, int samples, float* part) {
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < kSize; i += kThreads) {
        const auto index = first + i;
        if (i >= samples || line.has(index))
            copy_async<sizeof(float)>(part + 2 * i, line.place(index), i < samples);
        else part[2 * i] = line.at(index);
    }
}

/// With `spectra` the kernel makes the factors: the signals are the segments' taps, one frame for each.
__global__ void __launch_bounds__(kThreads, 4)
    sum_frames(const __grid_constant__ SignalLaunch s, const __grid_constant__ FftLaunch f) {
    __shared__ float2 shared[Fourier::kSharedNumbers];
    auto* const parts = reinterpret_cast<float*>(shared);
    if (s.stop.raised_for_block()) return;
    const SignalLine<float> line(s);
    const int thread = static_cast<int>(threadIdx.x);
    const auto pair = s.outputs.begin / (2 * f.outputs) + blockIdx.x;
    const Frame a(s, f, pair, 0), b(s, f, pair, 1);
    float2 products[kPoints] = {}, v[kPoints];
    bool fits = true;
#pragma unroll 1
    for (int n = 0; n <= f.segments; ++n) {
        const bool back = n == f.segments;
        __syncthreads(); // shared memory is free
        if (back) {
#pragma unroll
            for (int slot = 0; slot < kPoints; ++slot)
                shared[Fourier::frequency_of(thread, slot)] = {products[slot].y, products[slot].x};
        } else {
            const Segment segment = f.places[n];
            const auto first = s.first + a.begin * s.stride + segment.place;
            load_frame(line, first, a.samples(s, segment), parts);
            load_frame(line, first + f.outputs * s.stride, b.samples(s, segment), parts + 1);
            end_copies();
            wait_for_copies<0>();
        }
        __syncthreads();
#pragma unroll
        for (int slot = 0; slot < kPoints; ++slot) {
            v[slot] = shared[Fourier::sample_of(thread, slot)];
            fits &= back || (fabsf(v[slot].x) <= f.largest && fabsf(v[slot].y) <= f.largest); // not NaN
        }
        Fourier::to_spectrum(v, shared, thread, reinterpret_cast<const float2*>(f.twiddles));
        if (back) break;
        const auto* factors = reinterpret_cast<const float2*>(f.factors) + n * kSize + thread;
#pragma unroll
        for (int slot = 0; slot < kPoints; ++slot) {
            if (f.spectra) {
                // The conjugate makes a correlation of the product, and the transform back multiplies.
                constexpr float kScale = 1.0f / kSize;
                f.spectra[blockIdx.y * kSize + slot * kThreads + thread] = {v[slot].x * kScale,
                                                                            -v[slot].y * kScale};
                continue;
            }
            const float2 by = factors[slot * kThreads];
            auto& sum = products[slot];
            sum.x = fmaf(-v[slot].y, by.y, fmaf(v[slot].x, by.x, sum.x));
            sum.y = fmaf(v[slot].y, by.x, fmaf(v[slot].x, by.y, sum.y));
        }
        if (f.spectra) return;
    }
    fits = __syncthreads_and(fits); // also: the transform has read its numbers
#pragma unroll
    for (int slot = 0; slot < kPoints; ++slot) shared[Fourier::frequency_of(thread, slot)] = v[slot];
    __syncthreads();
#pragma unroll 1
    for (int i = thread; i < 2 * f.outputs; i += kThreads) {
        const auto output = a.begin + i; // frames follow each other
        if (output < s.outputs.begin || output >= s.outputs.end) continue;
        const int second = i >= f.outputs; // the parts are exchanged: that of a is the imaginary one
        const int at = 2 * (i - second * f.outputs) * static_cast<int>(s.stride) + 1 - second;
        write_output(s, output, fits ? parts[at] : sum_of_taps(s, f, line, output));
    }
}

struct Choice {
    int outputs = 0;          ///< of a frame
    std::int64_t segment = 0; ///< samples under the taps of one
    double transforms = 0;    ///< of a pair of frames
};

/// The number of segments with the fewest transforms for an output.
Choice choose(const SignalRequest& request) {
    const auto span = tap_span(request), fewest = (span - 1) / kLongestSegment + 1;
    Choice best;
    for (auto segments = fewest; segments <= 4 * fewest; ++segments) {
        const auto length = (span - 1) / segments + 1;
        Choice choice{static_cast<int>((kSize - length) / request.stride + 1), length,
                      static_cast<double>((span - 1) / length + 2)};
        if (best.outputs == 0 || choice.transforms * best.outputs < best.transforms * choice.outputs)
            best = choice;
    }
    return best;
}

/// Those with a tap other than zero, and their taps in frames of kSize.
struct Segments {
    std::vector<Segment> places;
    std::vector<float> taps;
};
Segments segments_of(const SignalRequest& request, std::int64_t length) {
    Segments all;
    for (const auto& tap : placed_taps<float>(request)) {
        const auto place = tap.place / length * length;
        if (all.places.empty() || all.places.back().place != place) {
            all.places.push_back({place, static_cast<int>(std::min(length, tap_span(request) - place))});
            all.taps.resize(all.taps.size() + kSize);
        }
        all.taps[all.taps.size() - kSize + static_cast<std::size_t>(tap.place - place)] = tap.weight;
    }
    return all;
}

double absolute_sum(const SignalRequest& request) {
    double sum = 0;
    for (const float tap : std::get<std::vector<float>>(request.taps))
        sum += std::fabs(static_cast<double>(tap));
    return sum;
}

class FftPlan final : public SignalPlan {
public:
    FftPlan(const SignalRequest& request, Engine& engine, const Choice& choice)
        : SignalPlan(request, 2 * choice.outputs), outputs_(choice.outputs) {
        // No number of a transform is larger than the sum of those that it begins with.
        constexpr double kLargest = 0x1p126;
        const double absolute = absolute_sum(request);
        largest_ = static_cast<float>(kLargest / (2.0 * kSize * std::max(absolute, 1.0)));
        const auto segments = segments_of(request, choice.segment);
        const auto twiddles = twiddles_of(kSize);
        const auto copy = [&](const auto& all) { return device_copy(std::as_bytes(std::span(all)), engine); };
        twiddles_ = copy(twiddles);
        taps_ = device_taps(request, engine);
        if (segments.places.empty()) return;
        places_ = copy(segments.places);
        factors_ = make_factors(*copy(segments.taps), segments.places.size(), engine);
        segments_ = static_cast<int>(segments.places.size());
    }

private:
    FftLaunch parameters() const {
        const auto address = [](const auto& buffer) {
            return buffer ? reinterpret_cast<const float*>(buffer->device_address()) : nullptr;
        };
        return {outputs_,          segments_,
                largest_,          reinterpret_cast<const Segment*>(address(places_)),
                address(taps_),    address(twiddles_),
                address(factors_), nullptr};
    }

    /// From the segments' taps. Complete on return.
    std::shared_ptr<CudaBuffer> make_factors(CudaBuffer& taps, std::size_t segments, Engine& engine) const {
        constexpr std::size_t kAtOnce = 65535; // blocks in the second dimension
        constexpr auto kPitch = static_cast<std::int64_t>(kSize * sizeof(float));
        const Segment whole{0, kSize};
        const auto place = device_copy(std::as_bytes(std::span(&whole, 1)), engine);
        auto factors = std::dynamic_pointer_cast<CudaBuffer>(
            engine.allocate(segments * kSize * sizeof(float2), BufferKind::device));
        make_current(cuda_engine(engine).index());
        const Stream stream;
        const WaitAtEnd wait(stream); // also when a call fails: before the memory is freed
        SignalLaunch s{};
        s.src_pitch = kPitch, s.src_step = sizeof(float);
        s.held = {0, kSize}, s.outputs = {0, 1}, s.all = s.stride = 1;
        s.border = {Border::zero, kSize};
        auto f = parameters();
        f.outputs = f.segments = 1;
        f.largest = std::numeric_limits<float>::max();
        f.places = reinterpret_cast<const Segment*>(place->device_address());
        for (std::size_t first = 0; first < segments; first += kAtOnce) {
            s.src = taps.device_address() + first * kPitch;
            f.spectra = reinterpret_cast<float2*>(factors->device_address()) + first * kSize;
            void* arguments[] = {&s, &f};
            const auto count = static_cast<unsigned>(std::min(kAtOnce, segments - first));
            check(cudaLaunchKernel(reinterpret_cast<const void*>(&sum_frames), {1, count}, {kThreads},
                                   arguments, 0, stream.get()));
        }
        check(cudaStreamSynchronize(stream.get()));
        return factors;
    }

    void launch(CudaQueue& queue, SignalLaunch& s, unsigned rows) const override {
        auto all = parameters();
        void* arguments[] = {&s, &all};
        const auto pairs = (s.outputs.end - 1) / (2 * outputs_) - s.outputs.begin / (2 * outputs_) + 1;
        queue.launch(reinterpret_cast<const void*>(&sum_frames), signal_blocks(pairs, rows), {kThreads}, 0,
                     arguments);
    }

    int outputs_, segments_ = 0;
    float largest_ = 0;
    std::shared_ptr<CudaBuffer> twiddles_, taps_, places_, factors_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& request = std::get<SignalRequest>(step);
    switch (element(request)) {
    case Element::f32: break;
    case Element::f64: return "it transforms f32 alone";
    default: return "a Fourier transform rounds, and sums of integers are exact";
    }
    if (tap_span(request) > kMostSpan) return "the taps reach over more than 2^22 samples";
    return {};
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<SignalRequest>(step);
    if (!why_not(step, engine).empty()) return {Cost::kOnlyWhenForced};
    constexpr double kSegmentsPerUs = 63;
    constexpr double kBack = 0.4; // the transform back, of a segment, whose frame is loaded besides
    const auto choice = choose(request);
    const double segments = static_cast<double>(segments_of(request, choice.segment).places.size()),
                 pairs = (static_cast<double>(output_count(request) - 1) / (2 * choice.outputs) + 1) *
                         static_cast<double>(request.signals);
    // One transform after the other: alone on a multiprocessor, of which an H200 has 132, or beside others.
    const double transform_us = pairs > 132 ? 5.2 : 3.4;
    return {kSignalLaunchMicroseconds +
            std::max(pairs * (segments + kBack) / kSegmentsPerUs, (segments + 1) * transform_us)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    const auto& request = std::get<SignalRequest>(step);
    return std::make_shared<FftPlan>(request, engine, choose(request));
}

double error(const PlanStep& step) {
    return 8 * static_cast<double>(std::numeric_limits<float>::epsilon()) * std::log2(kSize) *
           std::min(absolute_sum(std::get<SignalRequest>(step)),
                    static_cast<double>(std::numeric_limits<float>::max()));
}

} // namespace

extern const Algorithm kFft{"fft",
                            "Fourier transform",
                            "Overlapping frames times the spectrum of the taps, in one launch",
                            "Stockham 1966, High-speed convolution and correlation (overlap-save)",
                            why_not,
                            cost,
                            plan,
                            false,
                            error};

} // namespace kg::gpu::signals
