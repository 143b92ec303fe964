#include "cpu/kernels/sampled_products.hpp"

#include "core/image/weights.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/block_plan.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

/// Columns, then rows. Empty if a kernel of the stage is not such a product, or needs more than float32 sums.
std::optional<std::vector<Factors>> factors_of(const Stage& stage) {
    if (!has_weights(stage) && flat_weight(stage) != 0.0f) return {};
    std::vector<Factors> all;
    for (std::size_t k = 0; k < stage.kernels.size(); ++k) {
        auto factors = separate(stage, k);
        if (!factors) return {};
        if (stage.kernels[k].flip) {
            std::ranges::reverse(factors->column);
            std::ranges::reverse(factors->row);
        }
        all.push_back(std::move(*factors));
    }
    return all;
}

SampledProducts products_of(const Stage& stage, const std::optional<std::vector<Factors>>& factors) {
    SampledProducts products;
    products.is_listed = has_weights(stage);
    products.is_separable = factors.has_value();
    products.listed = listed_products(stage);
    if (!factors) return products;
    for (const auto& [column, row] : *factors) {
        products.down += static_cast<double>(count_taps(column));
        products.along += static_cast<double>(count_taps(row));
    }
    return products;
}

} // namespace

SampledProducts sampled_products(const Stage& stage) { return products_of(stage, factors_of(stage)); }

std::optional<std::vector<Factors>> sampled_factors(const Stage& stage) {
    auto factors = factors_of(stage);
    if (!products_of(stage, factors).separates()) factors.reset();
    return factors;
}

Cost sampled_cost(const ImageStep& step, const SampledProducts& products, int every, Extent count,
                  const Engine& engine) {
    const auto all = reach(step.stages.front());
    const auto outputs = static_cast<double>(count.width) * static_cast<double>(count.height),
               channels = static_cast<double>(step.in.channels);
    // Rows of sums are laid out again, or otherwise the rows that each thread's outputs reach.
    const double between = std::min<double>(every, all.up + all.down + 1),
                 rows = products.separates() ? static_cast<double>(count.height)
                                             : static_cast<double>(count.height) * between +
                                                   threads_of(engine) * (all.up + all.down),
                 columns = static_cast<double>(count.width) * every + all.left + all.right;
    const CoreSpeed speed;
    constexpr double kSorting = 4;    // relative to widening a sample
    constexpr double kTapsPerUs = 40; // prepared by one thread
    const double tap_count = products.separates() ? products.down : products.listed;
    return {tap_count / kTapsPerUs + (outputs * channels * products.of(every) / speed.taps_per_us +
                                      outputs * channels / speed.samples_per_us +
                                      kSorting * rows * columns * channels / speed.samples_per_us) /
                                         threads_of(engine)};
}

} // namespace kg::cpu
