#include "gpu/kernels/signals/signal_plan.hpp"

#include "core/support/error.hpp"
#include "gpu/kernels/tensor_address.hpp"
#include "gpu/runtime/device.hpp"

#include <limits>

namespace kg::gpu {

namespace {

constexpr double kBytesPerUs = 4e6; // of an H200's memory

} // namespace

Span SignalPlan::chunks_around(Span outputs) const {
    return {outputs.begin / chunk_ * chunk_,
            std::min(((outputs.end - 1) / chunk_ + 1) * chunk_, output_count(request_))};
}

Needs SignalPlan::needs(const Rect& output) const {
    const auto samples = source_samples(request_, chunks_around({output.x, output.right()}));
    return {{samples.begin, output.y, samples.end - samples.begin, output.height}, 0, 1};
}

void SignalPlan::record(Queue& queue, std::span<const Item> items, const BufferView&) const {
    constexpr std::int64_t kMostRows = 65535; // of a launch
    auto& cuda = static_cast<CudaQueue&>(queue);
    for (const auto& [from, to] : items) {
        auto *src = number_address(from), *dst = number_address(to);
        src += static_cast<std::size_t>(to.covers.y - from.covers.y) * from.pitch;
        for (std::int64_t row = 0; row < to.covers.height; row += kMostRows) {
            if (cuda.stop_requested()) return;
            SignalLaunch parameters{src + static_cast<std::size_t>(row) * from.pitch,
                                    dst + static_cast<std::size_t>(row) * to.pitch,
                                    static_cast<std::int64_t>(from.pitch),
                                    static_cast<std::int64_t>(from.tensor->column_stride),
                                    static_cast<std::int64_t>(to.pitch),
                                    static_cast<std::int64_t>(to.tensor->column_stride),
                                    cuda.stop_flag(),
                                    {from.covers.x, from.covers.right()},
                                    {to.covers.x, to.covers.right()},
                                    output_count(request_),
                                    first_sample(request_),
                                    request_.stride,
                                    request_.dilation,
                                    tap_count(request_),
                                    tap_span(request_),
                                    request_.border == Border::constant ? request_.outside : 0,
                                    {request_.border, request_.samples}};
            launch(cuda, parameters, static_cast<unsigned>(std::min(kMostRows, to.covers.height - row)));
        }
    }
}

dim3 signal_blocks(std::int64_t across, unsigned rows) {
    if (across > std::numeric_limits<std::int32_t>::max())
        throw Error("too-many-outputs",
                    "these outputs need more blocks than a launch has; compute fewer of them at a time");
    return {static_cast<unsigned>(across), rows};
}

std::shared_ptr<CudaBuffer> device_taps(const SignalRequest& request, Engine& engine) {
    return with_signal_type(request, [&]<typename T>(T) {
        const auto taps = ordered_taps<T>(request);
        return device_copy(std::as_bytes(std::span(taps)), engine);
    });
}

double signal_products(const SignalRequest& request) {
    return static_cast<double>(output_count(request)) * static_cast<double>(request.signals) *
           static_cast<double>(tap_count(request));
}

double signal_microseconds(const SignalRequest& request, double products_per_us, double tap_us) {
    const double numbers = static_cast<double>(request.samples + output_count(request)) *
                           static_cast<double>(request.signals);
    return kSignalLaunchMicroseconds +
           std::max(signal_products(request) / products_per_us,
                    static_cast<double>(tap_count(request)) * tap_us) +
           numbers * static_cast<double>(bytes(element(request))) / kBytesPerUs;
}

} // namespace kg::gpu
