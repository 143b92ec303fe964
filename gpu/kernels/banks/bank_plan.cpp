#include "gpu/kernels/banks/bank_plan.hpp"

#include "core/image/grown_rect.hpp"
#include "core/support/error.hpp"
#include "gpu/kernels/stage.hpp"
#include "gpu/kernels/tensor_address.hpp"

#include <limits>

namespace kg::gpu {

namespace {

BankStrides strides_of(const BufferView& view) {
    return {static_cast<std::int64_t>(view.tensor->column_stride), static_cast<std::int64_t>(view.pitch),
            static_cast<std::int64_t>(view.tensor->channel_stride)};
}

/// Where number (0, 0) of channel 0 is, or would be.
std::byte* origin(const BufferView& view) {
    const auto strides = strides_of(view);
    return number_address(view) - view.covers.y * strides.row - view.covers.x * strides.column;
}

/// All but the items, the bias and what the queue knows.
BankLaunch parameters_of(const BankRequest& r, const Item& item) {
    BankLaunch launch{};
    launch.in = strides_of(item.src);
    launch.out = strides_of(item.dst);
    launch.held = item.src.covers;
    launch.outputs = item.dst.covers;
    launch.columns = {r.border, r.size.width};
    launch.rows = {r.border, r.size.height};
    launch.stride = r.stride;
    launch.dilation = r.dilation;
    launch.top = r.padding.top;
    launch.left = r.padding.left;
    launch.kernel_width = r.kernel.width;
    launch.kernel_height = r.kernel.height;
    launch.channels = group_channels(r);
    launch.filters = group_filters(r);
    launch.outside = r.border == Border::constant ? r.outside : 0;
    return launch;
}

} // namespace

BankPlan::BankPlan(const BankRequest& request, Engine& engine, Extent together)
    : request_(request), together_(together) {
    if (!request.bias.empty()) bias_ = device_copy(std::span(request.bias), engine);
}

Needs BankPlan::needs(const Rect& output) const {
    return {source_rect(request_, grown_to_multiples(output, together_, output_size(request_))),
            scratch_bytes(output), 1};
}

void BankPlan::record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const {
    auto& cuda = static_cast<CudaQueue&>(queue);
    const auto outputs = items.front().dst.covers;
    const auto of_item = scratch_bytes(outputs);
    auto* own = of_item > 0 ? address_of(scratch) : nullptr;
    for (std::size_t first = 0; first < items.size();) {
        if (cuda.stop_requested()) return;
        auto parameters = parameters_of(request_, items[first]);
        parameters.stop = cuda.stop_flag();
        if (bias_) parameters.bias = reinterpret_cast<const float*>(bias_->device_address());
        unsigned count = 0;
        for (; first + count < items.size() && count < kMostBankItems; ++count) {
            const auto& [from, to] = items[first + count];
            if (strides_of(from) != parameters.in || strides_of(to) != parameters.out) break;
            parameters.items[count] = {origin(from), origin(to)};
        }
        launch(cuda, parameters, count, own + first * of_item);
        first += count;
    }
}

dim3 bank_grid(std::int64_t across, unsigned down, unsigned items) {
    if (across > std::numeric_limits<std::int32_t>::max())
        throw Error("too-many-outputs",
                    "these outputs need more blocks than a launch has; compute fewer of them at a time");
    return {static_cast<unsigned>(across), down, items};
}

double bank_products(const BankRequest& request) {
    const auto size = output_size(request);
    return static_cast<double>(size.width) * static_cast<double>(size.height) *
           static_cast<double>(request.filters) * static_cast<double>(term_count(request) * request.items);
}

double bank_microseconds(const BankRequest& request, double products, double products_per_us) {
    constexpr double kLaunchUs = 3, kNumbersPerUs = 1e6; // of an H200's memory
    const auto size = output_size(request);
    const double numbers = static_cast<double>(request.size.width) *
                               static_cast<double>(request.size.height) *
                               static_cast<double>(request.channels) +
                           static_cast<double>(size.width) * static_cast<double>(size.height) *
                               static_cast<double>(request.filters);
    return kLaunchUs + products / products_per_us +
           static_cast<double>(request.items) * numbers / kNumbersPerUs;
}

} // namespace kg::gpu
