#pragma once
// Base of the plans for signals: needs, and a launch for the signals of an item.

#include "core/plan/engine.hpp"
#include "gpu/kernels/signals/signal_launch.hpp"
#include "gpu/runtime/queue.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include <cuda_runtime.h>

namespace kg::gpu {

class SignalPlan : public Plan {
public:
    Needs needs(const Rect& output) const override;
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const final;

protected:
    /// Outputs depend on all samples of their chunk of `chunk` outputs, counted from output 0 of the whole
    /// signal; 1 = on their own alone.
    explicit SignalPlan(const SignalRequest& request, std::int64_t chunk = 1)
        : request_(request), chunk_(chunk) {}

    /// One launch for `rows` signals, at most as many as a launch may have blocks in its second dimension.
    virtual void launch(CudaQueue& queue, SignalLaunch& parameters, unsigned rows) const = 0;

    const SignalRequest& request() const { return request_; }
    /// The chunks that contain these outputs.
    Span chunks_around(Span outputs) const;

private:
    SignalRequest request_;
    std::int64_t chunk_;
};

/// `across` blocks for each signal. Throws Error if they are more than a launch may have.
dim3 signal_blocks(std::int64_t across, unsigned rows);

/// The taps in the order of the sum, zeros included. T is the type of the request's taps.
template <typename T>
std::vector<T> ordered_taps(const SignalRequest& request) {
    auto taps = std::get<std::vector<T>>(request.taps);
    if (request.flip) std::ranges::reverse(taps);
    return taps;
}

/// ordered_taps() in the engine's memory. Throws std::bad_alloc.
std::shared_ptr<CudaBuffer> device_taps(const SignalRequest& request, Engine& engine);

/// The one place that maps elements to types: body(T{}).
template <typename Body>
auto with_signal_type(const SignalRequest& request, Body body) {
    return std::visit([&]<typename T>(const std::vector<T>&) { return body(T{}); }, request.taps);
}

/// Why algorithms that serve to compare methods refuse requests: they have the types of the texts that they
/// come from.
inline constexpr const char* kOtherType =
    "it serves to compare methods, not for this type; direct sums all types";

/// Multiply-adds of an algorithm that sums every tap of every output.
double signal_products(const SignalRequest& request);

/// What a launch takes at least, in microseconds.
inline constexpr double kSignalLaunchMicroseconds = 3;

/// The time of an algorithm whose threads sum every tap of an output: products at a speed per microsecond,
/// or one tap after the other where there are few outputs, and samples and outputs at the speed of memory.
double signal_microseconds(const SignalRequest& request, double products_per_us, double tap_us);

} // namespace kg::gpu
