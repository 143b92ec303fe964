// cuFFT, NVIDIA's Fourier transforms, of CUDA 13, loaded at run time: a convolution as a product of spectra,
// the kernel's computed before timing begins. The cost hardly depends on the kernel size.
//
// cuFFT transforms frames of floats and supports neither borders nor bytes nor interleaved channels. Kernels
// of ours convert the image, border included, and the result (support/device.cu); their time is included.

#include "peers/peers.hpp"

#include "core/request/sample.hpp"
#include "core/support/error.hpp"
#include "gpu/runtime/cufft_library.hpp"
#include "peers/support/gpu_peer.hpp"
#include "peers/support/remembered.hpp"
#include "peers/support/trials.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace kg::peers {

extern const Algorithm kCufftSignals; // cufft/signals.cpp

namespace {

/// A frame of floats that becomes its spectrum in place: rows are as long as a row of the spectrum.
struct Frame {
    int width, height;
    /// Complex numbers of the spectrum.
    std::int64_t spectrum() const { return std::int64_t{gpu::spectrum_width(width)} * height; }
    std::int64_t floats() const { return 2 * spectrum(); }
    bool operator==(const Frame&) const = default;
    Planes planes(std::byte* data) const {
        return {reinterpret_cast<float*>(data), width, height, std::int64_t{2} * gpu::spectrum_width(width),
                floats()};
    }
};

/// Forward and inverse transforms of frames of one size.
struct Pair {
    Frame frame;
    int batch;
    gpu::FourierHandle forward, back;

    Pair(const Frame& f, int count)
        : frame(f), batch(count), forward(gpu::FourierType::float_to_complex, f.width, f.height, count),
          back(gpu::FourierType::complex_to_float, f.width, f.height, count) {}
    std::size_t frame_bytes() const {
        return aligned(static_cast<std::size_t>(frame.floats()) * static_cast<std::size_t>(batch) *
                       sizeof(float));
    }
    std::size_t scratch_bytes() const {
        return frame_bytes() + aligned(std::max(forward.work_bytes(), back.work_bytes()));
    }
    void there(Queue& queue, std::byte* scratch) const {
        forward.enqueue(stream_of(queue), scratch, scratch + frame_bytes());
    }
    void and_back(Queue& queue, std::byte* scratch) const {
        back.enqueue(stream_of(queue), scratch, scratch + frame_bytes());
    }
};

/// Frames that hold the image and the kernel's reach, the smallest first. Of which numbers a transform's size
/// is made matters as much as how large it is (cuFFT's documentation names the primes up to 7), and only
/// trying tells.
std::vector<Frame> frames(const ImageStep& step) {
    const auto r = reach(step.stages.front());
    const int width = static_cast<int>(step.size.width) + r.left + r.right,
              height = static_cast<int>(step.size.height) + r.up + r.down;
    std::vector<Frame> all;
    for (const auto& [multiple, prime] : {std::pair{2, 7}, {32, 7}, {128, 11}}) {
        const Frame f{gpu::smooth_length(width, multiple, prime),
                      gpu::smooth_length(height, multiple, prime)};
        if (std::ranges::find(all, f) == all.end() &&
            f.floats() * step.in.channels <= std::numeric_limits<int>::max())
            all.push_back(f);
    }
    return all;
}

/// Key of the fastest frame: device, channels, and the sizes of image and frame.
using FrameKey = std::array<int, 6>;
Remembered<FrameKey, Frame>& known_frames() {
    static Remembered<FrameKey, Frame> all;
    return all;
}

Pair fastest(Engine& engine, const ImageStep& step, const PlanContext& context) {
    const auto queue = engine.queue(); // makes the engine's device the current one, too
    const auto choices = frames(step);
    const int channels = step.in.channels;
    const FrameKey job{facts_of(engine).device,
                       channels,
                       static_cast<int>(step.size.width),
                       static_cast<int>(step.size.height),
                       choices.front().width,
                       choices.front().height};
    if (const auto known = known_frames().find(job)) return {*known, channels};

    Trials trials(*queue, context);
    std::optional<Pair> best;
    bool all_tried = true;
    for (const auto& frame : choices) {
        if (!trials.may_go_on()) {
            all_tried = false;
            break;
        }
        Pair pair(frame, channels);
        const BufferView scratch{
            engine.allocate(pair.scratch_bytes()), 0, pair.scratch_bytes(), {}, {0, 0, 1, 1}};
        if (trials.is_fastest([&] {
                pair.there(*queue, address_of(scratch));
                pair.and_back(*queue, address_of(scratch));
            }))
            best.emplace(std::move(pair));
    }
    if (all_tried) known_frames().keep(job, best->frame);
    return std::move(*best);
}

/// The kernel's spectrum in a frame of its own.
BufferView spectrum_of(Engine& engine, const Taps& taps, const Frame& frame) {
    auto spectrum = allocate_view(engine, {Depth::f32, 1}, {0, 0, frame.floats(), 1});
    const auto weights = on_device(engine, taps.weights, taps.height);
    const Pair pair(frame, 1);
    const auto work = engine.allocate(std::max<std::size_t>(pair.forward.work_bytes(), 1));
    const auto queue = engine.queue();
    auto* data = address_of(spectrum);
    extend(*queue, weights, Border::zero, {}, frame.planes(data));
    pair.forward.enqueue(stream_of(*queue), data, address_of({work, 0, 1, {}, {0, 0, 1, 1}}));
    queue->fence().wait();
    return spectrum;
}

class CufftPlan final : public Plan {
public:
    CufftPlan(const ImageStep& step, Engine& engine, bool marks, const PlanContext& context)
        : step_(step), marks_(marks), taps_(taps(step.stages.front().kernels.front())),
          pair_(fastest(engine, step, context)), spectrum_(spectrum_of(engine, taps_, pair_.frame)) {}

    /// Whole images only: a rectangle is cut from a whole result.
    Needs needs(const Rect&) const override {
        return {whole(step_.size), pair_.scratch_bytes(), step_.size.height};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        const std::lock_guard lock(one_at_a_time_); // a transform's stream and memory are part of its state
        auto* frames = address_of(scratch);
        const auto planes = pair_.frame.planes(frames);
        const auto* kernel = reinterpret_cast<const float*>(address_of(spectrum_));
        const auto scale = static_cast<float>(1.0 / (static_cast<double>(planes.width) * planes.height));
        const auto& stage = step_.stages.front();
        for (const auto& item : items) { // one after the other, so that they share the scratch
            extend(queue, item.src.crop(whole(step_.size)), step_.border, reach(stage), planes);
            if (marks_) queue.mark(kOwnWork);
            pair_.there(queue, frames);
            multiply_by_conjugate(queue, planes.data, pair_.batch, kernel, pair_.frame.spectrum(), scale);
            pair_.and_back(queue, frames);
            if (marks_) queue.mark("bringing back");
            finish(queue, planes, taps_.divisor, offset_in(stage, step_.in), item.dst);
        }
    }

private:
    ImageStep step_;
    bool marks_;
    Taps taps_;
    Pair pair_;
    BufferView spectrum_;
    mutable std::mutex one_at_a_time_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_for_gpu_peers(step); !why.empty()) return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    return frames(step).empty() ? "its frames would be larger than it counts in 32 bits" : "";
}
Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }
template <bool marks>
std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext& context) {
    return std::make_shared<CufftPlan>(std::get<ImageStep>(request), engine, marks, context);
}
/// Semantics 12 for Fourier transforms, over the largest frame that it may choose.
double error(const PlanStep& request) {
    const auto& step = std::get<ImageStep>(request);
    const auto all = frames(step);
    if (all.empty()) return 0;
    const double samples = static_cast<double>(all.back().width) * all.back().height;
    return 8 * static_cast<double>(std::numeric_limits<float>::epsilon()) * std::log2(samples) *
           absolute_gain(step);
}

template <bool marks>
constexpr Algorithm kSpectra{
    "cufft:spectra",
    "cuFFT",
    "Any kernel by its spectrum; laying out planes with the border around them is included",
    "NVIDIA cuFFT 12",
    why_not,
    cost,
    plan<marks>,
    false,
    error};
constexpr const Algorithm *kAlgorithms[] = {&kSpectra<false>}, *kMarked[] = {&kSpectra<true>},
                          *kSignals[] = {&kCufftSignals};

std::string absent() {
    auto why = why_no_cuda();
    return why.empty() ? gpu::why_no_cufft() : why;
}

} // namespace

extern const Peer kCufft{"cufft",     "cuFFT", "cuda",  absent,  gpu::cufft_version,
                         kAlgorithms, true,    kMarked, kSignals};

} // namespace kg::peers
