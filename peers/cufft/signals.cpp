// cuFFT for signals: the whole signal, its border around it, is one frame, whose spectrum is multiplied by
// that of the taps.
//
//   frame      | outside | samples ... | outside | zeros |      transform, product, transform back
//   result     | outputs ......................... | - - |
//
// Kernels of ours lay out the frame and copy the outputs (peers/support/device.cu); their time is included.

#include "core/support/error.hpp"
#include "gpu/runtime/cufft_library.hpp"
#include "peers/peers.hpp"
#include "peers/support/gpu_peer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

namespace kg::peers {

namespace {

constexpr std::int64_t kLongest = std::int64_t{1} << 28; // keeps the frame's numbers in 32 bits

/// Samples outside that the outputs read, before the signal and behind it.
Reach reach_of(const SignalRequest& request) {
    const auto first = first_sample(request),
               last = first + output_count(request) - 1 + tap_span(request) - request.samples;
    return {static_cast<int>(std::max<std::int64_t>(-first, 0)),
            static_cast<int>(std::max<std::int64_t>(last, 0)), 0, 0};
}

int frame_width(const SignalRequest& request) {
    return gpu::smooth_length(static_cast<int>(output_count(request) + tap_span(request) - 1), 32, 7);
}

/// The same, once the engine's device is current.
int frame_width_on(Engine& engine, const SignalRequest& request) {
    const auto queue = engine.queue();
    return frame_width(request);
}

/// One signal of f32 as an image of one row.
BufferView as_image(BufferView view) {
    view.tensor.reset();
    view.format = {Depth::f32, 1};
    return view;
}

class CufftSignalPlan final : public Plan {
public:
    CufftSignalPlan(const SignalRequest& request, Engine& engine)
        : request_(request), width_(frame_width_on(engine, request)),
          forward_(gpu::FourierType::float_to_complex, width_, 1, 1),
          back_(gpu::FourierType::complex_to_float, width_, 1, 1), spectrum_(spectrum_of_taps(engine)) {}

    Needs needs(const Rect&) const override {
        return {{0, 0, request_.samples, 1}, frame_bytes() + aligned(work_bytes()), 1};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        const std::lock_guard lock(one_at_a_time_); // a transform's stream and memory are part of its state
        auto* const data = address_of(scratch);
        auto* const work = data + frame_bytes();
        for (const auto& item : items) {
            extend(queue, as_image(item.src), request_.border, reach_of(request_), frame(data));
            forward_.enqueue(stream_of(queue), data, work);
            multiply_by_conjugate(queue, reinterpret_cast<float*>(data), 1,
                                  reinterpret_cast<const float*>(address_of(spectrum_)),
                                  gpu::spectrum_width(width_), 1.0f / static_cast<float>(width_));
            back_.enqueue(stream_of(queue), data, work);
            finish(queue, frame(data), 1, 0, as_image(item.dst));
        }
    }

private:
    std::int64_t floats() const { return std::int64_t{2} * gpu::spectrum_width(width_); }
    std::size_t frame_bytes() const { return aligned(static_cast<std::size_t>(floats()) * sizeof(float)); }
    std::size_t work_bytes() const { return std::max(forward_.work_bytes(), back_.work_bytes()); }
    Planes frame(std::byte* data) const {
        return {reinterpret_cast<float*>(data), width_, 1, floats(), floats()};
    }

    /// In a frame of its own, complete on return.
    BufferView spectrum_of_taps(Engine& engine) const {
        std::vector<float> taps(static_cast<std::size_t>(tap_span(request_)));
        for (const auto& tap : placed_taps<float>(request_))
            taps[static_cast<std::size_t>(tap.place)] = tap.weight;
        const auto weights = on_device(engine, taps);
        auto spectrum = allocate_view(engine, {Depth::f32, 1}, {0, 0, floats(), 1});
        const BufferView work{
            engine.allocate(std::max<std::size_t>(work_bytes(), 1)), 0, 1, {}, {0, 0, 1, 1}};
        const auto queue = engine.queue();
        extend(*queue, weights, Border::zero, {}, frame(address_of(spectrum)));
        forward_.enqueue(stream_of(*queue), address_of(spectrum), address_of(work));
        queue->fence().wait();
        return spectrum;
    }

    SignalRequest request_;
    int width_;
    gpu::FourierHandle forward_, back_;
    BufferView spectrum_;
    mutable std::mutex one_at_a_time_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& request = std::get<SignalRequest>(step);
    if (element(request) != Element::f32) return "it transforms f32";
    if (request.signals != 1 || request.stride != 1) return "it takes one signal, and every output of it";
    if (request.border == Border::constant) return "it has no border of this kind";
    if (request.samples > kLongest || output_count(request) > kLongest || tap_span(request) > kLongest)
        return "its frame would be larger than it counts in 32 bits";
    return {};
}

Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<CufftSignalPlan>(std::get<SignalRequest>(step), engine);
}

/// Semantics 12 for Fourier transforms.
double error(const PlanStep& step) {
    const auto& request = std::get<SignalRequest>(step);
    double absolute = 0;
    for (const auto& tap : placed_taps<float>(request))
        absolute += std::fabs(static_cast<double>(tap.weight));
    return 8 * static_cast<double>(std::numeric_limits<float>::epsilon()) *
           std::log2(static_cast<double>(frame_width(request))) * absolute;
}

} // namespace

extern const Algorithm kCufftSignals;
const Algorithm kCufftSignals{"cufft:signal",
                              "cuFFT",
                              "The whole signal times the spectrum of the taps",
                              "NVIDIA cuFFT 12",
                              why_not,
                              cost,
                              plan,
                              false,
                              error};

} // namespace kg::peers
