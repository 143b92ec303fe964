#include "gpu/kernels/factored.hpp"

#include "core/request/separate.hpp"

#include <algorithm>

namespace kg::gpu {

PackedStage pack_factors(const ImageStep& step, int lead) {
    const auto& stage = step.stages.front();
    const auto all = reach(stage);
    PackedStage packed{common_of(step), {}};
    auto& c = packed.common;
    for (std::size_t k = 0; k < stage.kernels.size(); ++k) {
        auto factors = separate(stage, k).value();
        if (stage.kernels[k].flip) {
            std::ranges::reverse(factors.column);
            std::ranges::reverse(factors.row);
        }
        const auto t = taps(stage.kernels[k]);
        const auto first = packed.weights.size();
        const auto append = [&](int zeros, const std::vector<float>& factor, int length) {
            const auto end = packed.weights.size() + static_cast<std::size_t>(length);
            packed.weights.insert(packed.weights.end(), static_cast<std::size_t>(zeros), 0.0f);
            packed.weights.insert(packed.weights.end(), factor.begin(), factor.end());
            packed.weights.resize(end, 0.0f);
        };
        append(all.up - t.up(), factors.column, c.reach_height);
        append(all.left - t.left(), factors.row, c.reach_width);
        const auto own = std::span(packed.weights).subspan(first);
        const bool has_zeros = std::ranges::find(own, 0.0f) != own.end();
        const float reciprocal = reciprocal_of(t.divisor, own, step.in.depth);
        packed.weights.insert(packed.weights.end() - c.reach_width, static_cast<std::size_t>(lead), 0.0f);
        c.kernels[c.kernel_count++] = {static_cast<int>(first),
                                       lead + c.reach_width,
                                       c.reach_height,
                                       -all.left - lead,
                                       -all.up,
                                       t.divisor,
                                       reciprocal,
                                       has_zeros && step.in.depth == Depth::f32};
    }
    return packed;
}

std::string why_not_factored(const ImageStep& step) {
    const auto& stage = step.stages.front();
    if (!has_weights(stage) && flat_weight(stage) != 0.0f)
        return "one by one it would round sums of so many samples too coarsely; box adds them in few steps";
    for (std::size_t k = 0; k < stage.kernels.size(); ++k)
        if (!separate(stage, k)) return "it takes only kernels that are one column times one row";
    return {};
}

double factor_taps(const ImageStep& step) {
    double taps = 0;
    for (const auto& kernel : step.stages.front().kernels) taps += kernel.width + kernel.height;
    return taps;
}

} // namespace kg::gpu
