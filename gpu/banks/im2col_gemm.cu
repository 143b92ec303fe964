// im2col and a matrix product: the numbers under one tap of many outputs become a row of a matrix in memory,
// and the weights times this matrix are the outputs.
//
//   matrix    a row per product of a sum, a column per output; some columns at a time, which stay in the L2
//   block     8 x threads down filters, 8 x threads across outputs; some rows of both factors in shared
//             memory, and the next ones being copied
//   thread    8 x 8 outputs in registers
//
// The product is the program's own. Sums are of chains of products, so that their error is that of semantics
// 16. Source: Chellapilla, Puri and Simard, "High performance convolutional neural networks for document
// processing", IWFHR 2006; register tiles after Volkov and Demmel, "Benchmarking GPUs to tune dense linear
// algebra", SC 2008.

#include "gpu/kernels/banks/bank_chain.hpp"
#include "gpu/kernels/banks/bank_item.cuh"
#include "gpu/kernels/banks/bank_plan.hpp"
#include "gpu/kernels/march/async_copy.cuh"
#include "gpu/kernels/stage.hpp"

#include <algorithm>

namespace kg::gpu::banks {

namespace {

constexpr int kThreads = 128, kSide = 8, kHalf = kSide / 2; // 8 x 8 outputs of a thread, in halves of 4
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

__device__ void place_of(const BankLaunch& b, std::int64_t output, std::int64_t& p, std::int64_t& q) {
    const auto row = output / b.outputs.width;
    p = b.outputs.y + row;
    q = b.outputs.x + (output - row * b.outputs.width);
}

//   blockIdx   x: 256 columns, y: some rows of taps of all channels, z: item
//
__global__ void __launch_bounds__(kUnrollThreads)
    unroll_matrix(const __grid_constant__ BankLaunch b, const __grid_constant__ MatrixPart m) {
    const auto column = std::int64_t{blockIdx.x} * kUnrollThreads + threadIdx.x;
    if (column >= m.pitch || b.stop.raised()) return;
    const bool is_output = column < m.count;
    std::int64_t p = 0, q = 0;
    if (is_output) place_of(b, m.first + column, p, q);
    const auto* const first = first_channel(b, m.first_filter);
    float* const matrix = m.numbers + blockIdx.z * m.of_item + column;
#pragma unroll 1
    for (std::int64_t line = blockIdx.y; line < b.channels * b.kernel_height; line += gridDim.y) {
        const auto c = line / b.kernel_height, i = line - c * b.kernel_height;
        const auto* const channel = first + c * b.in.channel;
        const auto y = bank_index(b.rows, p * b.stride.rows - b.top + i * b.dilation.rows);
        float* to = matrix + line * b.kernel_width * m.pitch;
        auto at = q * b.stride.columns - b.left;
#pragma unroll 4
        for (std::int64_t j = 0; j < b.kernel_width; ++j, at += b.dilation.columns, to += m.pitch) {
            const auto x = is_output ? bank_index(b.columns, at) : 0;
            *to = !is_output ? 0.0f : x < 0 || y < 0 ? b.outside : *bank_place(b, channel, x, y);
        }
    }
}

struct GemmLaunch {
    const float* weights; ///< of blocks of filters, row by row; zeros where there is no filter or row
    std::int64_t terms;
    int stages, chain;        ///< of rows, and those of a chain
    std::int64_t first_block; ///< of filters of all groups
};

/// `Down` threads down filters; a stage has `Rows` rows.
template <int Down, int Rows>
struct Tile {
    static constexpr int kRows = Rows, kAcross = kThreads / Down, kFilters = kSide * Down,
                         kOutputs = kSide * kAcross;
};

__device__ __forceinline__ void read_side(const float* from, int half, float (&to)[kSide]) {
    const auto low = *reinterpret_cast<const float4*>(from),
               high = *reinterpret_cast<const float4*>(from + half);
    to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
    to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
}

//   blockIdx   x: outputs, y: filters of the group, z: item
//
template <typename T>
__global__ void __launch_bounds__(kThreads, 2)
    multiply(const __grid_constant__ BankLaunch b, const __grid_constant__ MatrixPart m,
             const __grid_constant__ GemmLaunch g) {
    __shared__ alignas(16) float weights[2][T::kRows * T::kFilters];
    __shared__ alignas(16) float numbers[2][T::kRows * T::kOutputs];
    if (b.stop.raised_for_block()) return;
    const int thread = static_cast<int>(threadIdx.x), x = thread % T::kAcross, y = thread / T::kAcross;
    const auto column = std::int64_t{blockIdx.x} * T::kOutputs;
    const auto block = b.first_block + blockIdx.y;
    const float* const own_weights = g.weights + (g.first_block + block) * g.stages * T::kRows * T::kFilters;
    const float* const matrix = m.numbers + blockIdx.z * m.of_item + column;
    const auto load = [&](int stage) {
        if (stage < g.stages) {
            const float* const from = own_weights + std::int64_t{stage} * T::kRows * T::kFilters;
#pragma unroll 1
            for (int i = thread * 4; i < T::kRows * T::kFilters; i += kThreads * 4)
                copy_async<16>(&weights[stage & 1][i], from + i, true);
#pragma unroll 1
            for (int i = thread * 4; i < T::kRows * T::kOutputs; i += kThreads * 4) {
                const auto row = std::int64_t{stage} * T::kRows + i / T::kOutputs;
                const int at = i % T::kOutputs;
                const bool is_there = row < g.terms && column + at < m.pitch;
                copy_async<16>(&numbers[stage & 1][i], is_there ? matrix + row * m.pitch + at : m.numbers,
                               is_there);
            }
        }
        end_copies();
    };
    float sums[kSide][kSide] = {}, totals[kSide][kSide] = {};
    const auto end_chain = [&] {
#pragma unroll
        for (int i = 0; i < kSide; ++i)
#pragma unroll
            for (int j = 0; j < kSide; ++j) totals[i][j] += sums[i][j], sums[i][j] = 0;
    };
    int left = g.chain;
    load(0);
#pragma unroll 1
    for (int stage = 0; stage < g.stages; ++stage) {
        wait_for_copies<0>();
        __syncthreads(); // this stage is there, and the one before is free
        load(stage + 1);
#pragma unroll 2
        for (int row = 0; row < T::kRows; ++row) {
            float w[kSide], n[kSide];
            read_side(&weights[stage & 1][row * T::kFilters + y * kHalf], T::kFilters / 2, w);
            read_side(&numbers[stage & 1][row * T::kOutputs + x * kHalf], T::kOutputs / 2, n);
#pragma unroll
            for (int i = 0; i < kSide; ++i)
#pragma unroll
                for (int j = 0; j < kSide; ++j) sums[i][j] = __fmaf_rn(w[i], n[j], sums[i][j]);
        }
        if (--left == 0) end_chain(), left = g.chain;
    }
    end_chain();
    const auto of_side = [](int i, int own, int half) {
        return i < kHalf ? own * kHalf + i : half + own * kHalf + i - kHalf;
    };
#pragma unroll
    for (int j = 0; j < kSide; ++j) {
        const auto output = column + of_side(j, x, T::kOutputs / 2);
        if (output >= m.count) continue;
        std::int64_t p = 0, q = 0;
        place_of(b, m.first + output, p, q);
#pragma unroll
        for (int i = 0; i < kSide; ++i) {
            const auto of_group = block * T::kFilters + of_side(i, y, T::kFilters / 2);
            if (of_group >= b.filters) continue;
            const auto filter = m.first_filter + of_group;
            write_output(b, filter, p, q, totals[i][j] + bias_of(b, filter));
        }
    }
}

using Few = Tile<2, 8>;   // 16 filters and 512 outputs
using Many = Tile<8, 16>; // 64 filters and 128 outputs

std::int64_t parts_of(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

/// Calls body(T{}) with the tile of a request: the one place that chooses it.
template <typename Body>
auto with_tile(const BankRequest& request, Body body) {
    return group_filters(request) <= 2 * Few::kFilters ? body(Few{}) : body(Many{});
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
    const auto terms = term_count(r), of_group = group_filters(r),
               rows = parts_of(terms, T::kRows) * T::kRows;
    std::vector<float> sorted;
    for (std::int64_t group = 0; group < r.filters; group += of_group)
        for (std::int64_t block = 0; block < of_group; block += T::kFilters)
            for (std::int64_t t = 0; t < rows; ++t)
                for (auto f = block; f < block + T::kFilters; ++f)
                    sorted.push_back(f < of_group && t < terms
                                         ? r.weights[static_cast<std::size_t>((group + f) * terms + t)]
                                         : 0.0f);
    return sorted;
}

class Im2colGemmPlan final : public BankPlan {
public:
    Im2colGemmPlan(const BankRequest& request, Engine& engine) : BankPlan(request, engine) {
        with_tile(request, [&]<typename T>(T) {
            const auto weights = sorted_weights<T>(request);
            weights_ = device_copy(std::span(weights), engine);
            chain_ = static_cast<int>(std::min<std::int64_t>(bank_chain(request, T::kRows), 1 << 30));
        });
    }

private:
    std::size_t scratch_bytes(Extent outputs) const override {
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
                with_tile(request(), [&]<typename T>(T) { multiply_by<T>(queue, b, part, group, count); });
            }
        }
    }

    static void unroll(CudaQueue& queue, BankLaunch& b, MatrixPart& part, unsigned count) {
        constexpr std::int64_t kMostDown = 1024;
        void* arguments[] = {&b, &part};
        queue.launch(reinterpret_cast<const void*>(&unroll_matrix),
                     bank_grid(parts_of(part.pitch, kUnrollThreads),
                               static_cast<unsigned>(std::min(b.channels * b.kernel_height, kMostDown)),
                               count),
                     {kUnrollThreads}, 0, arguments);
    }

    template <typename T>
    void multiply_by(CudaQueue& queue, BankLaunch& b, MatrixPart& part, std::int64_t group,
                     unsigned count) const {
        const auto blocks = parts_of(b.filters, T::kFilters), terms = term_count(request());
        GemmLaunch gemm{reinterpret_cast<const float*>(weights_->device_address()), terms,
                        static_cast<int>(parts_of(terms, T::kRows)), chain_, group * blocks};
        for_each_launch(blocks, [&](std::int64_t first, unsigned down) {
            b.first_block = first;
            void* arguments[] = {&b, &part, &gemm};
            queue.launch(reinterpret_cast<const void*>(&multiply<T>),
                         bank_grid(parts_of(part.count, T::kOutputs), down, count), {kThreads}, 0, arguments);
        });
    }

    std::shared_ptr<CudaBuffer> weights_;
    int chain_ = 0;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& request = std::get<BankRequest>(step);
    if (term_count(request) > kMostMatrixBytes / (kColumns * static_cast<std::int64_t>(sizeof(float))))
        return "its matrix would have too many rows";
    return with_tile(request, [&]<typename T>(T) { return bank_chain(request, T::kRows) == 0; })
               ? "its sums of so many products would exceed the error of docs/semantics.md 16"
               : "";
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<BankRequest>(step);
    if (!why_not(step, engine).empty()) return {Cost::kOnlyWhenForced};
    constexpr double kProductsPerUs = 15e6, kUnrolledPerUs = 0.35e6, kLaunchUs = 8;
    const auto size = output_size(request);
    const double outputs = static_cast<double>(size.width) * static_cast<double>(size.height),
                 unrolled = outputs * static_cast<double>(term_count(request) * request.groups),
                 launches = 2 * static_cast<double>(request.groups) *
                            std::ceil(outputs /
                                      static_cast<double>(matrix_columns(request, size.width * size.height)));
    return with_tile(request, [&]<typename T>(T) {
        const double blocks = static_cast<double>(parts_of(group_filters(request), T::kFilters)) *
                              std::ceil(outputs / T::kOutputs),
                     products = static_cast<double>(request.groups) * blocks * T::kFilters * T::kOutputs *
                                static_cast<double>(term_count(request));
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
