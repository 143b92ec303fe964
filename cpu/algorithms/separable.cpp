// Columns first, then rows: width + height products instead of width * height.
//
// For kernels that are a product of two vectors: Gaussians, boxes, Sobel, and any kernel for which such
// factors are found. Blocks of four rows are summed down the columns directly from the image; their sums, in
// f32 and still in the nearest caches, are summed along the rows and written. Faster than `direct` from 3 x 3
// on unless memory bandwidth bounds both.

#include "core/image/weights.hpp"
#include "core/request/separate.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/block_plan.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

/// The sums of the columns as a kernel one column wide.
Taps column_of(const Taps& t, std::vector<float> weights) {
    return {1, t.height, 0, t.anchor_y, std::move(weights), 1};
}

LineTaps row_of(const Taps& t, const std::vector<float>& weights, int channels) {
    LineTaps line{{}, t.divisor};
    for (int j = 0; j < t.width; ++j)
        if (const float w = weights[static_cast<std::size_t>(j)]; w != 0.0f) // a zero weight is no tap
            line.taps.push_back({std::ptrdiff_t{j - t.anchor_x} * channels, w});
    return line;
}

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_blocks(step); !why.empty()) return why;
    const auto& stage = step.stages.front();
    if (!has_weights(stage) && flat_weight(stage) != 0.0f)
        return "one by one it would round sums of so many samples too coarsely; box adds them in few steps";
    for (std::size_t k = 0; k < stage.kernels.size(); ++k)
        if (!separate(stage, k)) return "it takes only kernels that are one column times one row";
    return {};
}

Cost cost(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    BlockProducts products;
    for (std::size_t k = 0; k < step.stages.front().kernels.size(); ++k) {
        const auto factors = separate(step.stages.front(), k);
        products.down += static_cast<double>(count_taps(factors->column));
        products.along += static_cast<double>(count_taps(factors->row));
    }
    return block_cost(step, products, engine);
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    const auto& stage = step.stages.front();
    const auto all = reach(stage);
    BlockWork work;
    work.sums_reach = {0, 0, all.up, all.down};
    work.line_reach = {all.left, all.right, 0, 0};
    work.finish.combine = stage.combine;
    for (std::size_t k = 0; k < stage.kernels.size(); ++k) {
        auto factors = *separate(stage, k);
        if (stage.kernels[k].flip) {
            std::ranges::reverse(factors.column);
            std::ranges::reverse(factors.row);
        }
        const auto t = taps(stage.kernels[k]);
        work.sums.push_back(block_taps(column_of(t, std::move(factors.column)), all.up, step.in.channels));
        work.finish.kernels.push_back(row_of(t, factors.row, step.in.channels));
    }
    return block_plan(step, std::move(work));
}

} // namespace

extern const Algorithm kSeparable{"separable",
                                  "Separable",
                                  "A column, then a row: width + height products instead of width * height",
                                  "Every kernel of rank 1 (core/request/separate.hpp)",
                                  why_not,
                                  cost,
                                  plan};

} // namespace kg::cpu
