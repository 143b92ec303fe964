// im2col and a matrix product: the numbers under one tap of many outputs become a row of a matrix in memory,
// and the weights times this matrix are the outputs.
//
//   matrix    a row per product of a sum, a column per output; some columns at a time, which stay in the L2
//
// The product is the program's own (gpu/kernels/banks/bank_gemm.cuh). Sums are of chains of products, so that
// their error is that of semantics 16. Source: Chellapilla, Puri and Simard, "High performance convolutional
// neural networks for document processing", IWFHR 2006.

#include "gpu/kernels/banks/bank_chain.hpp"
#include "gpu/kernels/banks/bank_gemm.cuh"
#include "gpu/kernels/banks/bank_plan.hpp"
#include "gpu/kernels/banks/im2col.cuh"
#include "gpu/kernels/stage.hpp"

#include <algorithm>

namespace kg::gpu::banks {

namespace {

constexpr int kUnrollThreads = 256;
constexpr std::int64_t kColumns = 512; ///< columns of the matrix are multiples of this
constexpr std::int64_t kMatrixBytes = 16 << 20, kMostMatrixBytes = std::int64_t{1} << 30;

/// Columns of the matrix: some outputs of the item, in the order of its rows.
struct MatrixPart {
    float* numbers;
    std::int64_t of_item;      ///< floats from the matrix of an item to the next
    std::int64_t pitch;        ///< floats of a row
    std::int64_t first, count; ///< of the outputs
    std::int64_t first_filter; ///< of the group
};

//   blockIdx   x: 256 columns, y: some rows of taps of all channels, z: item
//
__global__ void __launch_bounds__(kUnrollThreads)
    unroll_matrix(const __grid_constant__ BankLaunch b, const __grid_constant__ MatrixPart m) {
    const auto column = std::int64_t{blockIdx.x} * kUnrollThreads + threadIdx.x;
    if (column >= m.pitch || b.stop.raised()) return;
    const bool is_output = column < m.count;
    unroll_column(b, first_channel(b, blockIdx.z, m.first_filter), is_output,
                  place_of_output(b, is_output ? m.first + column : 0),
                  m.numbers + blockIdx.z * m.of_item + column, m.pitch);
}

//   blockIdx   x: outputs, y: filters of the group, z: item
//
template <typename T>
__global__ void __launch_bounds__(kGemmThreads, 2)
    multiply(const __grid_constant__ BankLaunch b, const __grid_constant__ MatrixPart m,
             const __grid_constant__ GemmWeights g, std::int64_t first_block) {
    __shared__ GemmShared<T> shared;
    if (b.stop.raised_for_block()) return;
    const int thread = static_cast<int>(threadIdx.x), x = thread % T::kAcross, y = thread / T::kAcross;
    const auto column = std::int64_t{blockIdx.x} * T::kOutputs;
    const auto block = b.first_block + blockIdx.y;
    float totals[kGemmSide][kGemmSide] = {};
    multiply_block<T>(g, first_block + block,
                      {m.numbers + blockIdx.z * m.of_item + column, m.pitch, m.pitch - column}, shared,
                      totals);
#pragma unroll
    for (int j = 0; j < kGemmSide; ++j) {
        const auto output = column + gemm_place(j, x, T::kOutputs / 2);
        if (output >= m.count) continue;
        const auto [p, q] = place_of_output(b, m.first + output);
#pragma unroll
        for (int i = 0; i < kGemmSide; ++i) {
            const auto of_group = block * T::kFilters + gemm_place(i, y, T::kFilters / 2);
            if (of_group >= b.filters) continue;
            const auto filter = m.first_filter + of_group;
            write_output(b, filter, p, q, totals[i][j] + bias_of(b, filter));
        }
    }
}

/// Columns of the matrix of one item with so many outputs.
std::int64_t matrix_columns(const BankRequest& request, std::int64_t outputs) {
    const auto of_column = term_count(request) * static_cast<std::int64_t>(sizeof(float));
    const auto most = std::max<std::int64_t>(1, kMatrixBytes / of_column / kColumns);
    return std::min(parts_of(outputs, kColumns), most) * kColumns;
}

/// The weights in the order in which blocks read them.
template <typename T>
std::vector<float> sorted_weights(const BankRequest& r) {
    const auto terms = term_count(r), of_group = group_filters(r);
    std::vector<float> sorted;
    for (std::int64_t group = 0; group < r.filters; group += of_group)
        append_gemm_weights<T>(sorted, of_group, terms, [&](std::int64_t filter, std::int64_t term) {
            return r.weights[static_cast<std::size_t>((group + filter) * terms + term)];
        });
    return sorted;
}

class Im2colGemmPlan final : public BankPlan {
public:
    Im2colGemmPlan(const BankRequest& request, Engine& engine) : BankPlan(request, engine) {
        with_gemm_tile(request, [&]<typename T>(T) {
            const auto weights = sorted_weights<T>(request);
            weights_ = device_copy(std::span(weights), engine);
            chain_ = static_cast<int>(std::min<std::int64_t>(bank_chain(request, T::kRows), 1 << 30));
        });
    }

private:
    std::size_t scratch_bytes(const Rect& outputs) const override {
        return static_cast<std::size_t>(matrix_columns(request(), outputs.width * outputs.height) *
                                        term_count(request())) *
               sizeof(float);
    }

    void launch(CudaQueue& queue, BankLaunch& b, unsigned count, std::byte* scratch) const override {
        const auto outputs = b.outputs.width * b.outputs.height, pitch = matrix_columns(request(), outputs);
        MatrixPart part{reinterpret_cast<float*>(scratch), pitch * term_count(request()), pitch, 0, 0, 0};
        for (; part.first < outputs; part.first += pitch) {
            part.count = std::min(pitch, outputs - part.first);
            for (std::int64_t group = 0; group < request().groups; ++group) {
                if (queue.stop_requested()) return;
                part.first_filter = group * b.filters;
                unroll(queue, b, part, count);
                with_gemm_tile(request(),
                               [&]<typename T>(T) { multiply_by<T>(queue, b, part, group, count); });
            }
        }
    }

    static void unroll(CudaQueue& queue, BankLaunch& b, MatrixPart& part, unsigned count) {
        const auto across = parts_of(part.pitch, kUnrollThreads);
        void* arguments[] = {&b, &part};
        queue.launch(reinterpret_cast<const void*>(&unroll_matrix),
                     bank_grid(across, blocks_down(across * count, b.channels * b.kernel_height), count),
                     {kUnrollThreads}, 0, arguments);
    }

    template <typename T>
    void multiply_by(CudaQueue& queue, BankLaunch& b, MatrixPart& part, std::int64_t group,
                     unsigned count) const {
        const auto blocks = parts_of(b.filters, T::kFilters), terms = term_count(request());
        GemmWeights gemm{reinterpret_cast<const float*>(weights_->device_address()), terms,
                         static_cast<int>(parts_of(terms, T::kRows)), chain_};
        auto first_block = group * blocks;
        for_each_launch(blocks, [&](std::int64_t first, unsigned down) {
            b.first_block = first;
            void* arguments[] = {&b, &part, &gemm, &first_block};
            queue.launch(reinterpret_cast<const void*>(&multiply<T>),
                         bank_grid(parts_of(part.count, T::kOutputs), down, count), {kGemmThreads}, 0,
                         arguments);
        });
    }

    std::shared_ptr<CudaBuffer> weights_;
    int chain_ = 0;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& request = std::get<BankRequest>(step);
    if (term_count(request) > kMostMatrixBytes / (kColumns * static_cast<std::int64_t>(sizeof(float))))
        return "its matrix would have too many rows";
    return with_gemm_tile(request, [&]<typename T>(T) { return bank_chain(request, T::kRows) == 0; })
               ? "its sums of so many products would exceed the error of docs/semantics.md 16"
               : "";
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<BankRequest>(step);
    if (!why_not(step, engine).empty()) return {Cost::kOnlyWhenForced};
    constexpr double kProductsPerUs = 15e6, kUnrolledPerUs = 0.5e6, kLaunchUs = 8;
    const auto size = output_size(request);
    const double outputs = static_cast<double>(size.width) * static_cast<double>(size.height),
                 unrolled = outputs *
                            static_cast<double>(term_count(request) * request.groups * request.items),
                 launches = 2 * static_cast<double>(request.groups) *
                            std::ceil(outputs /
                                      static_cast<double>(matrix_columns(request, size.width * size.height)));
    return with_gemm_tile(request, [&]<typename T>(T) {
        const double blocks = static_cast<double>(parts_of(group_filters(request), T::kFilters)) *
                              std::ceil(outputs / T::kOutputs),
                     products = static_cast<double>(request.items * request.groups) * blocks * T::kFilters *
                                T::kOutputs * static_cast<double>(term_count(request));
        return Cost{bank_microseconds(request, products, kProductsPerUs) + unrolled / kUnrolledPerUs +
                    launches * kLaunchUs};
    });
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<Im2colGemmPlan>(std::get<BankRequest>(step), engine);
}

} // namespace

extern const Algorithm kIm2colGemm{
    "im2col_gemm",
    "im2col and GEMM",
    "The numbers under each tap become rows of a matrix, which the weights multiply",
    "Chellapilla, Puri and Simard, High performance convolutional neural networks, 2006",
    why_not,
    cost,
    plan};

} // namespace kg::gpu::banks
