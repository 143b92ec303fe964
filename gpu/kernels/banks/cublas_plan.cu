// im2col and a matrix product by cuBLAS:
//
//   matrix    a row per product of a sum, a column per output of all items; some columns at a time
//   sums      a row per filter, from which outputs are copied with their bias
//
// cuBLAS sums all products of a call in an order of its own, in float32. Calls have as many terms as a chain
// of semantics 16 and add to the sums so far. Under a tolerance that allows TF32 there is one call for all
// terms, on tensor cores: `im2col_tf32`. All calls have one shape, whatever the rectangle and the number
// of items, and no memory to divide sums of products in: so an output has the same bytes whatever is computed
// beside it.

#include "gpu/kernels/banks/cublas_plan.hpp"

#include "gpu/kernels/banks/bank_chain.hpp"
#include "gpu/kernels/banks/bank_plan.hpp"
#include "gpu/kernels/banks/cublas_gemm.hpp"
#include "gpu/kernels/banks/direct_bank.hpp"
#include "gpu/kernels/banks/im2col.cuh"
#include "gpu/kernels/banks/tensor_bank.hpp"
#include "gpu/kernels/stage.hpp"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <cmath>

namespace kg::gpu {

namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kColumns = 512; ///< columns of the matrix are multiples of this
constexpr std::int64_t kTerms = 16;    ///< and the terms of a call, but for the last
/// Columns for so many whole items, if they fit: fewer would leave multiprocessors idle.
constexpr std::int64_t kItemsAtOnce = 8;
constexpr std::int64_t kScratchBytes = 32 << 20, kMostScratchBytes = std::int64_t{1} << 30;

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
    const auto first = m.first_filter + blockIdx.y, end = m.first_filter + b.filters;
    auto* to = reinterpret_cast<std::byte*>(output_place(b, item, first, at.p, at.q));
    const float* from = m.sums + blockIdx.y * m.pitch + column;
#pragma unroll 4
    for (auto filter = first; filter < end;
         filter += gridDim.y, to += gridDim.y * b.out.channel, from += gridDim.y * m.pitch)
        *reinterpret_cast<float*>(to) = __ldg(from) + bias_of(b, filter);
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
std::int64_t call_terms(const BankRequest& request, bool tf32) {
    if (tf32) return term_count(request);
    const auto terms = term_count(request), calls = parts_of(terms, bank_chain(request, kTerms) * kTerms);
    return parts_of(parts_of(terms, calls), kTerms) * kTerms;
}

class CublasPlan final : public BankPlan {
public:
    CublasPlan(const BankRequest& request, bool tf32, Engine& engine)
        : BankPlan(request, engine), tf32_(tf32), cublas_(shared_cublas(cuda_engine(engine).index())) {
        auto weights = request.weights;
        if (tf32) std::ranges::transform(weights, weights.begin(), gpu::tf32);
        weights_ = device_copy(std::span(weights), engine);
    }

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
        const auto across = parts_of(columns, kThreads);
        void* arguments[] = {&b, &part};
        queue.launch(kernel, bank_grid(across, blocks_down(across, rows), 1), {kThreads}, 0, arguments);
    }

    void multiply(CudaQueue& queue, const BankLaunch& b, const CublasPart& part, std::byte* work) const {
        const auto terms = term_count(request()), step = call_terms(request(), tf32_);
        const auto* const weights = reinterpret_cast<const float*>(weights_->device_address()) +
                                    part.first_filter * terms;
        for (std::int64_t first = 0; first < terms; first += step)
            cublas_.enqueue(queue.stream(), work,
                            {static_cast<int>(b.filters), static_cast<int>(part.pitch),
                             static_cast<int>(std::min(step, terms - first)), weights + first,
                             static_cast<int>(terms), part.numbers + first * part.pitch,
                             static_cast<int>(part.pitch), part.sums, static_cast<int>(part.pitch), first > 0,
                             tf32_});
    }

    bool tf32_;
    std::shared_ptr<CudaBuffer> weights_;
    const CublasGemm& cublas_;
};

} // namespace

std::string why_not_cublas_plan(const BankRequest& request, bool tf32, const Engine& engine) {
    if (tf32)
        if (auto why = why_not_tf32(engine, request, tf32_error(request)); !why.empty()) return why;
    if (!tf32 && bank_chain(request, kTerms) == 0)
        return "its sums of so many products would exceed the error of docs/semantics.md 16";
    if (column_bytes(request) > kMostScratchBytes / kColumns) return "its matrix would have too many rows";
    return why_no_cublas();
}

Cost cublas_cost(const BankRequest& request, bool tf32, const Engine& engine) {
    if (!why_not_cublas_plan(request, tf32, engine).empty()) return {Cost::kOnlyWhenForced};
    constexpr double kMovedPerUs = 0.5e6, kLaunchUs = 8;
    const double products_per_us = tf32 ? 40e6 : 10e6;
    const auto size = output_size(request);
    const auto columns = static_cast<double>(product_columns(request)),
               groups = static_cast<double>(request.groups), terms = static_cast<double>(term_count(request));
    const double outputs = static_cast<double>(request.items) * static_cast<double>(size.width) *
                           static_cast<double>(size.height),
                 parts = std::ceil(outputs / columns),
                 moved = outputs * (terms * groups + static_cast<double>(request.filters)),
                 calls = std::ceil(terms / static_cast<double>(call_terms(request, tf32))),
                 products = parts * columns * static_cast<double>(request.filters) * terms;
    return {bank_microseconds(request, products, products_per_us) + moved / kMovedPerUs +
            (2 + calls) * parts * groups * kLaunchUs};
}

std::shared_ptr<const Plan> cublas_plan(const BankRequest& request, bool tf32, Engine& engine) {
    return std::make_shared<CublasPlan>(request, tf32, engine);
}

} // namespace kg::gpu
