// A thread per output, whose column, row, and filter and item are the three axes of a launch:
//
//   blockIdx   x: 32 columns, y: 8 rows, z: filters of all items
//
// `naive` has the outputs of a channel in one axis, so that no thread is idle at the end of a row; `direct`
// has tiles of outputs. Neighbours in both directions share what they read in the cache. Every number goes
// through the border (implicit padding). For teaching.

#include "core/support/parts_of.hpp"
#include "gpu/kernels/banks/bank_item.cuh"
#include "gpu/kernels/banks/bank_plan.hpp"
#include "gpu/kernels/stage.hpp"

#include <algorithm>

namespace kg::gpu::banks {

namespace {

constexpr int kColumns = 32, kRows = 8;

__global__ void __launch_bounds__(kColumns* kRows)
    sum_spatial(const __grid_constant__ BankLaunch b, const float* weights, std::int64_t filters) {
    const auto item = static_cast<unsigned>((b.first_block + blockIdx.z) / filters);
    const auto k = (b.first_block + blockIdx.z) % filters,
               q = b.outputs.x + std::int64_t{blockIdx.x} * kColumns + threadIdx.x;
    auto p = b.outputs.y + std::int64_t{blockIdx.y} * kRows + threadIdx.y;
    if (q >= b.outputs.x + b.outputs.width || b.stop.raised()) return;
    for (; p < b.outputs.y + b.outputs.height; p += std::int64_t{gridDim.y} * kRows)
        *output_place(b, item, k, p, q) = sum_of_output(b, item, weights, k, p, q) + bias_of(b, k);
}

class SpatialPlan final : public BankPlan {
public:
    SpatialPlan(const BankRequest& request, Engine& engine)
        : BankPlan(request, engine), weights_(device_copy(std::span(request.weights), engine)) {}

private:
    void launch(CudaQueue& queue, BankLaunch& b, unsigned count, std::byte*) const override {
        const auto* weights = weights_->device_address();
        auto filters = request().filters;
        constexpr std::int64_t kMostDown = 65535; // blocks in the second dimension
        const auto down = static_cast<unsigned>(std::min(parts_of(b.outputs.height, kRows), kMostDown));
        for_each_launch(filters * count, [&](std::int64_t first, unsigned deep) {
            b.first_block = first;
            void* arguments[] = {&b, &weights, &filters};
            queue.launch(reinterpret_cast<const void*>(&sum_spatial),
                         bank_grid(parts_of(b.outputs.width, kColumns), down, deep), {kColumns, kRows}, 0,
                         arguments);
        });
    }

    std::shared_ptr<CudaBuffer> weights_;
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }

Cost cost(const PlanStep& step, const Engine&) {
    const auto& request = std::get<BankRequest>(step);
    return {bank_microseconds(request, bank_products(request), 0.65e6)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<SpatialPlan>(std::get<BankRequest>(step), engine);
}

} // namespace

extern const Algorithm kSpatial{
    "spatial",
    "Naive, columns and rows",
    "A thread per output; blocks of columns and rows, every number through the border",
    "the definition (docs/semantics.md 16)",
    why_not,
    cost,
    plan};

} // namespace kg::gpu::banks
