// im2col and a matrix product by cuBLAS, with which `im2col_gemm`, whose product is the program's own, can be
// compared. On an H200 it is 7 % faster for two layers of stride 2 and 16 % for six channels, and slower for
// the other layers of docs/seeds.md, at most 1.8 times.
//
//   matrix    a row per product of a sum, a column per output of all items; some columns at a time
//   sums      a row per filter, from which outputs are copied with their bias
//
// cuBLAS sums all products of a call in an order of its own, in float32. Calls have as many terms as a chain
// of semantics 16 and add to the sums so far. All calls have one shape, whatever the rectangle and the number
// of items, and no memory to divide sums of products in: so an output has the same bytes whatever is computed
// beside it.

#include "gpu/kernels/banks/bank_chain.hpp"
#include "gpu/kernels/banks/bank_plan.hpp"
#include "gpu/kernels/banks/cublas_gemm.hpp"
#include "gpu/kernels/banks/direct_bank.hpp"
#include "gpu/kernels/banks/im2col.cuh"
#include "gpu/kernels/stage.hpp"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <cmath>

namespace kg::gpu::banks {

namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kColumns = 512; ///< columns of the matrix are multiples of this
constexpr std::int64_t kTerms = 16;    ///< and the terms of a call, but for the last
/// Columns for so many whole items, if they fit: fewer would leave multiprocessors idle.
constexpr std::int64_t kItemsAtOnce = 8;
constexpr std::int64_t kScratchBytes = 16 << 20, kMostScratchBytes = std::int64_t{1} << 30;

struct CublasPart {
    float* numbers;            ///< a row per term
    float* sums;               ///< a row per filter of the group
    std::int64_t pitch;        ///< floats of a row
    std::int64_t first, count; ///< of the outputs of all items, item by item
    std::int64_t first_filter; ///< of the group
};

/// The item and the output of a column.
struct ColumnPlace {
    unsigned item;
    BankOutputPlace at;
};
__device__ inline ColumnPlace place_of_column(const BankLaunch& b, const CublasPart& m, std::int64_t column) {
    const auto outputs = b.outputs.width * b.outputs.height, output = m.first + column,
               item = output / outputs;
    return {static_cast<unsigned>(item), place_of_output(b, output - item * outputs)};
}

//   blockIdx   x: 256 columns, y: some rows of taps of all channels
//
__global__ void __launch_bounds__(kThreads)
    unroll_items(const __grid_constant__ BankLaunch b, const __grid_constant__ CublasPart m) {
    const auto column = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (column >= m.pitch || b.stop.raised()) return;
    const bool is_output = column < m.count;
    const auto place = place_of_column(b, m, is_output ? column : 0);
    unroll_column(b, first_channel(b, place.item, m.first_filter), is_output, place.at, m.numbers + column,
                  m.pitch);
}

//   blockIdx   x: 256 columns, y: some filters of the group
//
__global__ void __launch_bounds__(kThreads)
    write_sums(const __grid_constant__ BankLaunch b, const __grid_constant__ CublasPart m) {
    const auto column = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (column >= m.count || b.stop.raised()) return;
    const auto [item, at] = place_of_column(b, m, column);
#pragma unroll 1
    for (std::int64_t k = blockIdx.y; k < b.filters; k += gridDim.y) {
        const auto filter = m.first_filter + k;
        *output_place(b, item, filter, at.p, at.q) = m.sums[k * m.pitch + column] + bias_of(b, filter);
    }
}

/// Bytes of a column of the matrix and of the sums.
std::int64_t column_bytes(const BankRequest& request) {
    return (term_count(request) + group_filters(request)) * static_cast<std::int64_t>(sizeof(float));
}

/// Columns of every product of a request.
std::int64_t product_columns(const BankRequest& request) {
    const auto size = output_size(request);
    const auto most = std::max<std::int64_t>(1, kScratchBytes / column_bytes(request) / kColumns);
    return std::min(parts_of(kItemsAtOnce * size.width * size.height, kColumns), most) * kColumns;
}

/// Terms of a call: all calls but the last have as many.
std::int64_t call_terms(const BankRequest& request) {
    const auto terms = term_count(request), calls = parts_of(terms, bank_chain(request, kTerms) * kTerms);
    return parts_of(parts_of(terms, calls), kTerms) * kTerms;
}

class Im2colCublasPlan final : public BankPlan {
public:
    Im2colCublasPlan(const BankRequest& request, Engine& engine)
        : BankPlan(request, engine), weights_(device_copy(std::span(request.weights), engine)),
          cublas_(shared_cublas(cuda_engine(engine).index())) {}

private:
    std::size_t scratch_bytes(const Rect&) const override {
        return CublasHandle::kWorkBytes +
               static_cast<std::size_t>(product_columns(request()) * column_bytes(request()));
    }

    /// In the scratch of the first item alone.
    void launch(CudaQueue& queue, BankLaunch& b, unsigned count, std::byte* scratch) const override {
        const auto outputs = b.outputs.width * b.outputs.height * count, pitch = product_columns(request());
        auto* const numbers = reinterpret_cast<float*>(scratch + CublasHandle::kWorkBytes);
        CublasPart part{numbers, numbers + pitch * term_count(request()), pitch, 0, 0, 0};
        for (; part.first < outputs; part.first += pitch) {
            part.count = std::min(pitch, outputs - part.first);
            for (std::int64_t group = 0; group < request().groups; ++group) {
                if (queue.stop_requested()) return;
                part.first_filter = group * b.filters;
                over_columns(queue, reinterpret_cast<const void*>(&unroll_items), pitch,
                             b.channels * b.kernel_height, b, part);
                multiply(queue, b, part, scratch);
                over_columns(queue, reinterpret_cast<const void*>(&write_sums), part.count, b.filters, b,
                             part);
            }
        }
    }

    static void over_columns(CudaQueue& queue, const void* kernel, std::int64_t columns, std::int64_t rows,
                             BankLaunch& b, CublasPart& part) {
        constexpr std::int64_t kMostDown = 1024;
        void* arguments[] = {&b, &part};
        queue.launch(
            kernel,
            bank_grid(parts_of(columns, kThreads), static_cast<unsigned>(std::min(rows, kMostDown)), 1),
            {kThreads}, 0, arguments);
    }

    void multiply(CudaQueue& queue, const BankLaunch& b, const CublasPart& part, std::byte* work) const {
        const auto terms = term_count(request()), step = call_terms(request());
        const auto* const weights = reinterpret_cast<const float*>(weights_->device_address()) +
                                    part.first_filter * terms;
        for (std::int64_t first = 0; first < terms; first += step)
            cublas_.enqueue(queue.stream(), work,
                            {static_cast<int>(b.filters), static_cast<int>(part.pitch),
                             static_cast<int>(std::min(step, terms - first)), weights + first,
                             static_cast<int>(terms), part.numbers + first * part.pitch,
                             static_cast<int>(part.pitch), part.sums, static_cast<int>(part.pitch),
                             first > 0});
    }

    std::shared_ptr<CudaBuffer> weights_;
    const CublasGemm& cublas_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& request = std::get<BankRequest>(step);
    if (column_bytes(request) > kMostScratchBytes / kColumns) return "its matrix would have too many rows";
    if (bank_chain(request, kTerms) == 0)
        return "its sums of so many products would exceed the error of docs/semantics.md 16";
    return why_no_cublas();
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<BankRequest>(step);
    if (!why_not(step, engine).empty()) return {Cost::kOnlyWhenForced};
    constexpr double kProductsPerUs = 10e6, kMovedPerUs = 0.35e6, kLaunchUs = 8;
    const auto size = output_size(request);
    const auto columns = static_cast<double>(product_columns(request)),
               groups = static_cast<double>(request.groups), terms = static_cast<double>(term_count(request));
    const double outputs = static_cast<double>(size.width) * static_cast<double>(size.height),
                 parts = std::ceil(outputs / columns),
                 moved = outputs * (terms * groups + static_cast<double>(request.filters)),
                 calls = std::ceil(terms / static_cast<double>(call_terms(request))),
                 products = parts * columns * static_cast<double>(request.filters) * terms;
    return {bank_microseconds(request, products, kProductsPerUs) + moved / kMovedPerUs +
            (2 + calls) * parts * groups * kLaunchUs};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<Im2colCublasPlan>(std::get<BankRequest>(step), engine);
}

} // namespace

extern const Algorithm kIm2colCublas{
    "im2col_cublas",
    "im2col and cuBLAS",
    "The numbers under each tap become rows of a matrix, which cuBLAS multiplies",
    "Chellapilla, Puri and Simard, High performance convolutional neural networks, 2006; NVIDIA cuBLAS 13",
    why_not,
    cost,
    plan};

} // namespace kg::gpu::banks
