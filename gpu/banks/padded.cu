// A pass of its own copies the numbers with their border; a thread per output then reads the copy and knows
// nothing of borders (explicit padding). The copy costs memory and a pass, and each number that is read
// saves the comparisons of its row and column: it pays for large kernels and many filters. For teaching.

#include "gpu/kernels/banks/number_copy.cuh"
#include "gpu/kernels/stage.hpp"

namespace kg::gpu::banks {

namespace {

//   blockIdx   x: 256 outputs of a channel in rows, y: filter
//
__global__ void __launch_bounds__(kOutputsPerBlock)
    sum_padded(const __grid_constant__ BankLaunch b, const __grid_constant__ NumberCopy n, unsigned item,
               const float* weights) {
    const auto index = std::int64_t{blockIdx.x} * kOutputsPerBlock + threadIdx.x;
    const auto row_of_outputs = index / b.outputs.width;
    if (row_of_outputs >= b.outputs.height || b.stop.raised()) return;
    const auto k = b.first_block + blockIdx.y, p = b.outputs.y + row_of_outputs,
               q = b.outputs.x + (index - row_of_outputs * b.outputs.width);
    const float* const first = n.numbers + k / b.filters * b.channels * n.plane - n.covers.y * n.pitch -
                               n.covers.x;
    const float sum = sum_terms(b, weights, k, p, q, [&](std::int64_t c, std::int64_t row) {
        return
            [numbers = first + c * n.plane + row * n.pitch](std::int64_t column) { return numbers[column]; };
    });
    *output_place(b, item, k, p, q) = sum + bias_of(b, k);
}

class PaddedPlan final : public BankPlan {
public:
    PaddedPlan(const BankRequest& request, Engine& engine)
        : BankPlan(request, engine), weights_(device_copy(std::span(request.weights), engine)) {}

private:
    std::size_t scratch_bytes(const Rect& outputs) const override {
        const auto read = numbers_read(request(), outputs);
        return static_cast<std::size_t>(read.width * read.height * request().channels) * sizeof(float);
    }

    void launch(CudaQueue& queue, BankLaunch& b, unsigned count, std::byte* scratch) const override {
        const auto* weights = weights_->device_address();
        const auto read = numbers_read(request(), b.outputs);
        NumberCopy copy{reinterpret_cast<float*>(scratch), read, read.width, read.width * read.height,
                        request().channels};
        sum_copies(queue, b, copy, count, request().filters, [&](unsigned item, dim3 grid) {
            void* arguments[] = {&b, &copy, &item, &weights};
            queue.launch(reinterpret_cast<const void*>(&sum_padded), grid, {kOutputsPerBlock}, 0, arguments);
        });
    }

    std::shared_ptr<CudaBuffer> weights_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    constexpr double kMostBytes = 1 << 30;
    const auto& r = std::get<BankRequest>(step);
    const auto read = numbers_read(r, whole(output_size(r)));
    if (static_cast<double>(read.width) * static_cast<double>(read.height) * static_cast<double>(r.channels) *
            sizeof(float) >
        kMostBytes)
        return "the numbers of an item with their border take more than 1 GiB";
    return {};
}

Cost cost(const PlanStep& step, const Engine& engine) {
    constexpr double kProductsPerUs = 1.2e6, kCopyUs = 5;
    const auto& request = std::get<BankRequest>(step);
    if (!why_not(step, engine).empty()) return {Cost::kOnlyWhenForced};
    return {static_cast<double>(request.items) * kCopyUs +
            bank_microseconds(request, bank_products(request), kProductsPerUs)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<PaddedPlan>(std::get<BankRequest>(step), engine);
}

} // namespace

extern const Algorithm kPadded{
    "padded",
    "Padded copy",
    "A copy of the numbers with their border, then a thread per output without borders",
    "the definition (docs/semantics.md 16)",
    why_not,
    cost,
    plan};

} // namespace kg::gpu::banks
