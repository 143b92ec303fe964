// The matrix product of im2col without its matrix, in TF32 on tensor cores: the tile of `direct` in shared
// memory, in which the number of a product lies at an offset that depends on the product alone.
//
//   product   16 outputs of a row x 8 terms  times  8 terms x 8 filters; a term is a tap of a channel
//   numbers   as they lie in the tile: a lane reads that of its output and term
//   weights   in the order of the fragments, 8 bytes a lane
//   warp      16 times 16 outputs of 8 or 16 filters in registers
//
// Kernels of 5 to 8 rows and columns with up to 8 filters are summed by rows: the numbers of a row of the
// tile, read once, are multiplied with the weights of all rows of taps, for the outputs of as many rows:
//
//   row of the tile   0    1    2    3 ...
//   outputs of row 0  w0   w1   w2   w3 ...     w: the weights of a row of taps, 8 terms with zeros
//   outputs of row 1       w0   w1   w2 ...
//
// A number keeps 10 bits behind the point, so that it is used under a tolerance alone. Outputs that are not
// finite are computed by the definition. Source of the operands' layout: PTX ISA, mma.m16n8k8.

#include "gpu/kernels/banks/direct_launch.hpp"
#include "gpu/kernels/banks/direct_tile.cuh"
#include "gpu/kernels/banks/mma_tf32.cuh"
#include "gpu/kernels/banks/tensor_bank.hpp"
#include "gpu/kernels/stage.hpp"
#include "gpu/runtime/device.hpp"

#include <algorithm>
#include <utility>

namespace kg::gpu::banks {

namespace {

constexpr int kWarps = kDirectThreads / 32;
constexpr int kOfWarp = kDirectThreads * kDirectColumns / kTensorOutputs / kWarps; ///< times 16 outputs

struct TensorLaunch {
    TensorBank bank;
    DirectAxis x, y;
    DirectPieces pieces;
    DirectRing ring;
    const float* weights;     ///< in the order of the fragments
    const float* plain;       ///< in that of the request
    const int* offsets;       ///< of the terms of a stage
    unsigned blocks_of_group; ///< of filters
};

/// Adds the products of a term after the other: of so many `terms` of a stage, eight at a time.
template <int Groups, int Rows, int InRow>
__device__ __forceinline__ void add_terms(const float* numbers, const int* offsets, int terms,
                                          int to_next_row, const float2* weights,
                                          float (&sums)[Rows][InRow][Groups][4]) {
#pragma unroll 1
    for (int term = static_cast<int>(threadIdx.x & 3); term < terms; term += kTensorTerms) {
        const float *low = numbers + offsets[term], *high = numbers + offsets[term + kTensorTerms / 2];
        float2 w[Groups];
#pragma unroll
        for (int g = 0; g < Groups; ++g, weights += 32) w[g] = *weights;
#pragma unroll
        for (int row = 0; row < Rows; ++row, low += to_next_row, high += to_next_row)
#pragma unroll
            for (int n = 0; n < InRow; ++n) {
                constexpr int kHalf = kTensorOutputs / 2;
                const int at = n * kTensorOutputs;
                const float a[4] = {low[at], low[at + kHalf], high[at], high[at + kHalf]};
#pragma unroll
                for (int g = 0; g < Groups; ++g) multiply_tf32(sums[row][n][g], a, w[g]);
            }
    }
}

/// Adds the products of a row of the tile after the other, for `Height` rows of taps in each of the channels.
template <int Height, int Rows, int InRow>
__device__ __forceinline__ void add_rows(const float* numbers, int channels, int to_next_row,
                                         int to_next_channel, const float2* weights,
                                         float (&sums)[Rows][InRow][1][4]) {
    numbers += threadIdx.x & 3;
#pragma unroll 1
    for (int c = 0; c < channels; ++c, numbers += to_next_channel) {
        float2 w[Height];
#pragma unroll
        for (int i = 0; i < Height; ++i, weights += 32) w[i] = *weights;
        const float* own = numbers;
#pragma unroll
        for (int row = 0; row < Rows + Height - 1; ++row, own += to_next_row)
#pragma unroll
            for (int n = 0; n < InRow; ++n) {
                const int at = n * kTensorOutputs;
                const float a[4] = {own[at], own[at + 8], own[at + 4], own[at + 12]};
#pragma unroll
                for (int i = 0; i < Height; ++i)
                    if (row - i >= 0 && row - i < Rows) multiply_tf32(sums[row - i][n][0], a, w[i]);
            }
    }
}

/// `InRow` times 16 outputs are in a row of the tile. By rows: `Height` of taps.
template <int Groups, int InRow, int Height = 0>
__global__ void __launch_bounds__(kDirectThreads, Groups == 1 ? 3 : 2)
    multiply_tiles(const __grid_constant__ BankLaunch b, const __grid_constant__ TensorLaunch d) {
    extern __shared__ float4 shared[];
    const auto stop = b.stop.read_for_block();
    const auto& bank = d.bank.tile;
    const auto tile = tile_of_block(b, bank, d.x, d.y);
    if (tile.rows == 0 || tile.columns == 0) return;
    const int thread = static_cast<int>(threadIdx.x), terms = d.bank.steps * kTensorTerms,
              pitch = bank.result_pitch();
    float* const ring = reinterpret_cast<float*>(shared);
    auto* const tables = reinterpret_cast<std::int64_t*>(ring + d.ring.tables);
    auto* const offsets = reinterpret_cast<int*>(tables + bank.rows + bank.planes * bank.cells);
    const auto filters = filters_of_block(b, d.blocks_of_group, Groups * kTensorFilters);
    const float* const weights = d.weights + filters.block * d.ring.stages * d.bank.weights;
    if constexpr (Height == 0)
        for (int i = thread; i < terms; i += kDirectThreads) offsets[i] = d.offsets[i];
    const auto copy = begin_copies(b, bank, d.pieces, tile, filters.channel, tables);
    if (__syncthreads_or(b.stop.raised(stop))) return;

    DirectStages stages(ring, d.ring, [&](std::int64_t stage, float* to) {
        const auto begin = stage * bank.channels, left = b.channels - begin;
        const int count = static_cast<int>(left < bank.channels ? left : bank.channels);
        copy_weights(weights + stage * d.bank.weights, d.bank.weights, to + bank.channels * bank.tile());
        copy_channels(b, bank, d.pieces, copy, filters.channel, begin, count, to);
        // A weight of zero times what is there must be zero.
        for (int i = count * bank.tile() + thread; i < bank.channels * bank.tile(); i += kDirectThreads)
            to[i] = 0;
    });

    const int lane = thread & 31, warp = thread >> 5, place = lane & 3, group = lane >> 2;
    constexpr int kRowsOfWarp = kOfWarp / InRow;
    const int to_next_row = bank.row_step * bank.pitch, first = warp * kRowsOfWarp * to_next_row + group;
    float sums[kRowsOfWarp][InRow][Groups][4] = {};
#pragma unroll 1
    for (std::int64_t stage = 0; stage < d.ring.stages; ++stage) {
        const float* const numbers = stages.next();
        const auto* own_weights = reinterpret_cast<const float2*>(numbers + bank.channels * bank.tile()) +
                                  lane;
        if constexpr (Height == 0) add_terms(numbers + first, offsets, terms, to_next_row, own_weights, sums);
        else add_rows<Height>(numbers + first, bank.channels, to_next_row, bank.tile(), own_weights, sums);
    }
    __syncthreads(); // the ring is free for the results
#pragma unroll
    for (int row = 0; row < kRowsOfWarp; ++row)
#pragma unroll
        for (int n = 0; n < InRow; ++n)
#pragma unroll
            for (int g = 0; g < Groups; ++g)
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const int filter = g * kTensorFilters + 2 * place + e % 2,
                              column = n * kTensorOutputs + group + e / 2 * 8;
                    ring[filter * bank.result_plane() + (warp * kRowsOfWarp + row) * pitch + column] =
                        sums[row][n][g][e];
                }
    __syncthreads();
    write_results(b, bank, tile, ring, filters.first, filters.count,
                  [&](int f, std::int64_t p, std::int64_t q) {
                      return sum_of_output(b, blockIdx.z, d.plain, filters.first + f, p, q);
                  });
}

template <int... Heights>
const void* kernel_by_rows(int height, std::integer_sequence<int, Heights...>) {
    constexpr int kLeast = kTensorTerms / 2 + 1, kInRow = kColumnsByRows / kTensorOutputs;
    const void* kernel = nullptr;
    ((height == kLeast + Heights
          ? void(kernel = reinterpret_cast<const void*>(&multiply_tiles<1, kInRow, kLeast + Heights>))
          : void()),
     ...);
    return kernel;
}

template <int Groups>
const void* kernel_of(const TensorBank& bank) {
    if (bank.by_rows)
        return kernel_by_rows(bank.by_rows, std::make_integer_sequence<int, kTensorTerms / 2>());
    switch (bank.tile.columns_out() / kTensorOutputs) {
    case 4: return reinterpret_cast<const void*>(&multiply_tiles<Groups, 4>);
    case 2: return reinterpret_cast<const void*>(&multiply_tiles<Groups, 2>);
    default: return reinterpret_cast<const void*>(&multiply_tiles<Groups, 1>);
    }
}

class ImplicitGemmPlan final : public BankPlan {
public:
    ImplicitGemmPlan(const BankRequest& request, const TensorBank& bank, Engine& engine)
        : BankPlan(request, engine), bank_(bank), shared_bytes_(bank.shared_bytes()),
          kernel_(bank.groups == 1 ? kernel_of<1>(bank) : kernel_of<2>(bank)),
          plain_(device_copy(std::span(request.weights), engine)) {
        const auto weights = tensor_weights(request, bank);
        weights_ = device_copy(std::span(weights), engine);
        const auto offsets = tensor_offsets(request, bank);
        offsets_ = device_copy(std::as_bytes(std::span(offsets)), engine);
        allow_shared_memory(kernel_, engine);
    }

private:
    void launch(CudaQueue& queue, BankLaunch& b, unsigned count, std::byte*) const override {
        auto blocks = direct_blocks(request(), bank_.tile, {b.outputs.width, b.outputs.height});
        const auto pieces = direct_pieces(bank_.tile, b, count, blocks);
        const auto floats = [](const auto& buffer) {
            return reinterpret_cast<const float*>(buffer->device_address());
        };
        TensorLaunch d{bank_,
                       blocks.x,
                       blocks.y,
                       pieces,
                       direct_ring(request(), bank_.tile, bank_.stage()),
                       floats(weights_),
                       floats(plain_),
                       reinterpret_cast<const int*>(offsets_->device_address()),
                       static_cast<unsigned>(blocks.filters / request().groups)};
        launch_tiles(queue, kernel_, shared_bytes_, blocks, b, count, d);
    }

    TensorBank bank_;
    std::size_t shared_bytes_;
    const void* kernel_;
    std::shared_ptr<CudaBuffer> plain_, weights_, offsets_;
};

std::optional<TensorBank> bank_of(const PlanStep& step, const Engine& engine) {
    return tensor_bank(std::get<BankRequest>(step), cuda_engine(engine).limits().shared_bytes_per_block);
}

double error(const PlanStep& step) { return tensor_error(std::get<BankRequest>(step)); }

std::string why_not(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<BankRequest>(step);
    if (auto why = why_not_tf32(engine, request, error(step)); !why.empty()) return why;
    return bank_of(step, engine) ? "" : "the taps of one tile reach over too many rows or columns";
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<BankRequest>(step);
    const auto bank = bank_of(step, engine);
    if (!bank) return {Cost::kOnlyWhenForced};
    constexpr double kOfProduct = 0.5, kByRows = 0.09; // instructions
    constexpr double kOfBlockPerUs = 120e3; // of a multiprocessor's 170e3, which few blocks do not share
    const auto blocks = direct_blocks(request, bank->tile, output_size(request));
    const double count = static_cast<double>(blocks.across) * static_cast<double>(blocks.down) *
                         static_cast<double>(blocks.filters),
                 stages = std::ceil(static_cast<double>(group_channels(request)) / bank->tile.channels),
                 products = count * kDirectThreads * kDirectColumns * bank->tile.filters * stages *
                            bank->steps * kTensorTerms;
    const double instructions = (bank->by_rows ? kByRows : kOfProduct) * products +
                                direct_overhead(request, bank->tile);
    return {std::max(bank_microseconds(request, static_cast<double>(request.items) * instructions,
                                       kDirectInstructionsPerUs),
                     bank_microseconds(request, instructions / count, kOfBlockPerUs))};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<ImplicitGemmPlan>(std::get<BankRequest>(step), *bank_of(step, engine), engine);
}

} // namespace

extern const Algorithm kImplicitGemm{
    "implicit_gemm",
    "Implicit GEMM, TF32",
    "The matrix product of im2col on tensor cores, without its matrix; TF32, under a tolerance",
    "CUTLASS, implicit GEMM convolution; PTX ISA, mma.m16n8k8",
    why_not,
    cost,
    plan,
    false,
    error};

} // namespace kg::gpu::banks
