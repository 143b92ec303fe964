#include "peers/support/gpu_peer.hpp"

#include <cmath>

namespace kg::peers {

std::string why_not_for_gpu_peers(const ImageStep& step) {
    constexpr std::int64_t kLongest = 500000, kMostSamples = std::int64_t{1} << 30;
    if (auto why = why_not_one_stage(step); !why.empty()) return why;
    if (step.in.depth == Depth::f16 || step.in.depth != step.out.depth)
        return "its result has the depth of its input, u8, u16 or f32, and here the filter needs another";
    if (computed_channels(step) != all_channels(step.in.channels)) return "it filters all channels";
    if (step.stages.front().combine != Combine::single) return "it has no such combination in one call";
    if (step.size.width > kLongest || step.size.height > kLongest ||
        step.size.width * step.size.height * step.in.channels > kMostSamples)
        return "it counts samples and bytes in 32 bits";
    return {};
}

double absolute_gain(const ImageStep& step) {
    const auto& stage = step.stages.front();
    if (!has_weights(stage)) return std::fabs(dc_gain(stage)); // no generator has negative weights
    const auto& kernel = stage.kernels.front();
    double sum = 0;
    for (const float w : kernel.weights) sum += std::fabs(static_cast<double>(w));
    return sum / std::fabs(static_cast<double>(kernel.divisor));
}

BufferView on_device(Engine& engine, std::span<const float> values, int rows) {
    const Extent size{static_cast<std::int64_t>(values.size()) / rows, rows};
    auto view = allocate_view(engine, {Depth::f32, 1}, whole(size));
    const auto queue = engine.queue();
    queue->upload({reinterpret_cast<const std::byte*>(values.data()),
                   static_cast<std::size_t>(size.width) * sizeof(float), size, view.format},
                  view);
    queue->fence().wait();
    return view;
}

} // namespace kg::peers
