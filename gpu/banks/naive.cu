// The definition: a thread per output, every number through the border, weights and numbers from global
// memory.
//
// Any layout, stride, dilation, padding and number of groups, with indices of 64 bits. Its sums are nested as
// the error of semantics 16 is, so it supports every request.

#include "gpu/kernels/banks/bank_item.cuh"
#include "gpu/kernels/banks/bank_plan.hpp"
#include "gpu/kernels/stage.hpp"

namespace kg::gpu::banks {

namespace {

constexpr int kOutputsPerBlock = 256;

//   blockIdx   x: 256 outputs of a channel in rows, y: filter, z: item
//
__global__ void __launch_bounds__(kOutputsPerBlock)
    sum_naive(const __grid_constant__ BankLaunch b, const float* weights) {
    const auto index = std::int64_t{blockIdx.x} * kOutputsPerBlock + threadIdx.x;
    const auto row = index / b.outputs.width;
    if (row >= b.outputs.height || b.stop.raised()) return;
    const auto k = b.first_block + blockIdx.y, p = b.outputs.y + row,
               q = b.outputs.x + (index - row * b.outputs.width);
    write_output(b, k, p, q, sum_of_output(b, blockIdx.z, weights, k, p, q) + bias_of(b, k));
}

class NaivePlan final : public BankPlan {
public:
    NaivePlan(const BankRequest& request, Engine& engine)
        : BankPlan(request, engine), weights_(device_copy(std::span(request.weights), engine)) {}

private:
    void launch(CudaQueue& queue, BankLaunch& b, unsigned count, std::byte*) const override {
        const auto* weights = weights_->device_address();
        const auto blocks = (b.outputs.width * b.outputs.height - 1) / kOutputsPerBlock + 1;
        for_each_launch(request().filters, [&](std::int64_t first, unsigned filters) {
            b.first_block = first;
            void* arguments[] = {&b, &weights};
            queue.launch(reinterpret_cast<const void*>(&sum_naive), bank_grid(blocks, filters, count),
                         {kOutputsPerBlock}, 0, arguments);
        });
    }

    std::shared_ptr<CudaBuffer> weights_;
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }

Cost cost(const PlanStep& step, const Engine&) {
    const auto& request = std::get<BankRequest>(step);
    return {bank_microseconds(request, bank_products(request), 0.7e6)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<NaivePlan>(std::get<BankRequest>(step), engine);
}

} // namespace

extern const Algorithm kNaive{"naive",
                              "Naive",
                              "A thread per output, every number through the border",
                              "the definition (docs/semantics.md 16)",
                              why_not,
                              cost,
                              plan};

} // namespace kg::gpu::banks
