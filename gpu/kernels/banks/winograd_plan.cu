#include "gpu/kernels/banks/winograd_plan.hpp"

#include "gpu/kernels/banks/bank_gemm.cuh"
#include "gpu/kernels/banks/bank_item.cuh"
#include "gpu/kernels/banks/bank_plan.hpp"
#include "gpu/kernels/banks/winograd_bank.hpp"
#include "gpu/kernels/banks/winograd_tile.hpp"
#include "gpu/kernels/stage.hpp"

#include <algorithm>
#include <cmath>

namespace kg::gpu {

namespace {

/// A block of threads of a transform: tiles next to each other, whose numbers of one point are, too; and
/// channels or filters, which are next to each other in NHWC.
constexpr int kTilesOfBlock = 32, kRowsOfBlock = 8, kTransformThreads = kTilesOfBlock * kRowsOfBlock;

struct WinogradLaunch {
    WinogradTiles tiles;
    WinogradPart part;
    float* points; ///< matrices of channels x columns, one for each point
    float* sums;   ///< of filters x columns
    Extent all;    ///< outputs of the whole request
    std::int64_t first_filter;
    const float* weights; ///< in the order of the request
    bool wide_stores;     ///< rows of outputs of a tile lie at multiples of their size
};

//   blockIdx   x: kTilesOfBlock columns, y: kRowsOfBlock channels, and all that follow at this distance
//
template <int Side>
__global__ void __launch_bounds__(kTransformThreads, 2)
    transform_numbers(const __grid_constant__ BankLaunch b, const __grid_constant__ WinogradLaunch w) {
    constexpr int kEdge = Side + 2;
    if (b.stop.raised_for_block()) return;
    const auto column = std::int64_t{blockIdx.x} * kTilesOfBlock + threadIdx.x;
    if (column >= w.part.pitch) return;
    const bool is_tile = column < w.part.columns; // the others are zeros
    const auto at = winograd_place(w.tiles, w.part, Side, is_tile ? column : 0);
    const auto y = at.p - b.top, x = at.q - b.left;
    const bool inside = is_tile && y >= 0 && y + kEdge <= b.rows.samples && x >= 0 &&
                        x + kEdge <= b.columns.samples;
    // Numbers that belong to no output of the request are zeros: they need not be in memory.
    std::int64_t rows[kEdge], columns[kEdge];
#pragma unroll
    for (int i = 0; i < kEdge; ++i) {
        rows[i] = is_tile && at.p + i < w.all.height + 2 ? offset_of(b.rows, y + i, b.in.row) : kNone;
        columns[i] = at.q + i < w.all.width + 2 ? offset_of(b.columns, x + i, b.in.column) : kNone;
    }
    const auto* const first = first_channel(b, at.item, w.first_filter);
    const auto to_next = b.channels * w.part.pitch;
#pragma unroll 1
    for (auto c = std::int64_t{blockIdx.y} * kRowsOfBlock + threadIdx.y; c < b.channels;
         c += std::int64_t{gridDim.y} * kRowsOfBlock) {
        const auto* const channel = first + c * b.in.channel;
        float tile[kEdge * kEdge];
        if (inside) {
#pragma unroll
            for (int i = 0; i < kEdge; ++i)
#pragma unroll
                for (int j = 0; j < kEdge; ++j)
                    tile[kEdge * i + j] = *reinterpret_cast<const float*>(channel + rows[i] + columns[j]);
        } else {
#pragma unroll
            for (int i = 0; i < kEdge; ++i)
#pragma unroll
                for (int j = 0; j < kEdge; ++j) {
                    float number = 0;
                    if (rows[i] != kNone && columns[j] != kNone)
                        number = rows[i] < 0 || columns[j] < 0
                                     ? b.outside
                                     : *reinterpret_cast<const float*>(channel + rows[i] + columns[j]);
                    tile[kEdge * i + j] = number;
                }
        }
        transform_winograd_numbers<Side>(tile);
        float* to = w.points + c * w.part.pitch + column;
#pragma unroll
        for (int point = 0; point < kEdge * kEdge; ++point, to += to_next) *to = tile[point];
    }
}

//   blockIdx   x: columns, y: filters of the group, z: point
//
template <typename T>
__global__ void __launch_bounds__(kGemmThreads, 2)
    multiply_points(const __grid_constant__ BankLaunch b, const __grid_constant__ WinogradLaunch w,
                    const __grid_constant__ GemmWeights g, std::int64_t first_block,
                    std::int64_t blocks_of_point) {
    __shared__ GemmShared<T> shared;
    if (b.stop.raised_for_block()) return;
    const int thread = static_cast<int>(threadIdx.x), x = thread % T::kAcross, y = thread / T::kAcross;
    const auto pitch = w.part.pitch, column = std::int64_t{blockIdx.x} * T::kOutputs,
               block = b.first_block + blockIdx.y;
    float totals[kGemmSide][kGemmSide] = {};
    multiply_block<T>(g, first_block + blockIdx.z * blocks_of_point + block,
                      {w.points + blockIdx.z * b.channels * pitch + column, pitch, pitch - column}, shared,
                      totals);
    float* const sums = w.sums + blockIdx.z * b.filters * pitch + column;
#pragma unroll
    for (int i = 0; i < kGemmSide; ++i) {
        const auto filter = block * T::kFilters + gemm_place(i, y, T::kFilters / 2);
        if (filter >= b.filters) continue;
#pragma unroll
        for (int j = 0; j < kGemmSide; j += kGemmHalf) { // columns and pitch are multiples of four
            const int output = gemm_place(j, x, T::kOutputs / 2);
            if (column + output < pitch)
                *reinterpret_cast<float4*>(sums + filter * pitch + output) = float4{
                    totals[i][j], totals[i][j + 1], totals[i][j + 2], totals[i][j + 3]};
        }
    }
}

/// Writes a row of the outputs of a tile, which is at a multiple of its size.
__device__ inline void write_row(float* to, const float (&row)[2]) {
    *reinterpret_cast<float2*>(to) = float2{row[0], row[1]};
}
__device__ inline void write_row(float* to, const float (&row)[4]) {
    *reinterpret_cast<float4*>(to) = float4{row[0], row[1], row[2], row[3]};
}

//   blockIdx   x: kTilesOfBlock columns, y: kRowsOfBlock filters, and all that follow at this distance
//
template <int Side>
__global__ void __launch_bounds__(kTransformThreads)
    transform_sums(const __grid_constant__ BankLaunch b, const __grid_constant__ WinogradLaunch w) {
    constexpr int kEdge = Side + 2;
    if (b.stop.raised_for_block()) return;
    const auto column = std::int64_t{blockIdx.x} * kTilesOfBlock + threadIdx.x;
    if (column >= w.part.columns) return;
    const auto at = winograd_place(w.tiles, w.part, Side, column);
    const bool is_whole = is_requested(b, at.p, at.q) && is_requested(b, at.p + Side - 1, at.q + Side - 1);
    const auto to_next = b.filters * w.part.pitch;
#pragma unroll 1
    for (auto k = std::int64_t{blockIdx.y} * kRowsOfBlock + threadIdx.y; k < b.filters;
         k += std::int64_t{gridDim.y} * kRowsOfBlock) {
        float sums[kEdge * kEdge], outputs[Side * Side];
        const float* from = w.sums + k * w.part.pitch + column;
#pragma unroll
        for (int point = 0; point < kEdge * kEdge; ++point, from += to_next) sums[point] = *from;
        transform_winograd_sums<Side>(sums, outputs);
        const auto filter = w.first_filter + k;
        const float bias = bias_of(b, filter);
        float zero = 0;
#pragma unroll
        for (int i = 0; i < Side; ++i) {
            float row[Side];
#pragma unroll
            for (int j = 0; j < Side; ++j) {
                row[j] = outputs[Side * i + j];
                // The float next to 1/9 gives the ninth of a multiple of 9 exactly.
                if constexpr (Side == 4) row[j] *= 1.0f / 9;
                row[j] += bias;
                zero = __fmaf_rn(row[j], 0.0f, zero);
            }
            if (is_whole && w.wide_stores) {
                write_row(output_place(b, at.item, filter, at.p + i, at.q), row);
            } else {
#pragma unroll
                for (int j = 0; j < Side; ++j)
                    if (is_requested(b, at.p + i, at.q + j))
                        *output_place(b, at.item, filter, at.p + i, at.q + j) = row[j];
            }
        }
        if (zero == 0) continue; // otherwise it is NaN: some output is not finite
#pragma unroll 1
        for (int i = 0; i < Side * Side; ++i) {
            const auto p = at.p + i / Side, q = at.q + i % Side;
            if (!is_requested(b, p, q)) continue;
            float* const to = output_place(b, at.item, filter, p, q);
            if (const float own = *to; !(own - own == 0))
                *to = sum_of_output(b, at.item, w.weights, filter, p, q) + bias;
        }
    }
}

/// Whether rows of `side` outputs from a multiple of it on lie at multiples of their size.
bool has_wide_rows(const BankLaunch& b, unsigned count, int side) {
    const auto bytes = static_cast<std::int64_t>(sizeof(float)) * side;
    return b.out.column == sizeof(float) && b.out.row % bytes == 0 && b.out.channel % bytes == 0 &&
           std::all_of(b.items, b.items + count, [&](const BankItem& item) {
               return reinterpret_cast<std::uintptr_t>(item.dst) % static_cast<std::uintptr_t>(bytes) == 0;
           });
}

template <int Side>
class WinogradPlan final : public BankPlan {
public:
    WinogradPlan(const WinogradMethod& method, const BankRequest& request, Engine& engine)
        : BankPlan(request, engine, {Side, Side}), plain_(device_copy(std::span(request.weights), engine)) {
        const auto points = winograd_weights(method, request);
        const auto channels = group_channels(request), of_group = group_filters(request);
        std::vector<float> sorted;
        with_gemm_tile(request, [&]<typename T>(T) {
            for (std::int64_t group = 0; group < request.filters; group += of_group)
                for (const auto& weights : points)
                    append_gemm_weights<T>(
                        sorted, of_group, channels, [&](std::int64_t filter, std::int64_t channel) {
                            return weights[static_cast<std::size_t>((group + filter) * channels + channel)];
                        });
        });
        weights_ = device_copy(std::span(sorted), engine);
    }

private:
    static constexpr int kPoints = (Side + 2) * (Side + 2);

    std::int64_t at_once(const Rect& outputs) const {
        return winograd_tiles_at_once(request(), Side, winograd_tiles(outputs, Side).count);
    }
    std::size_t scratch_bytes(const Rect& outputs) const override {
        return static_cast<std::size_t>(at_once(outputs) * winograd_floats(request(), Side)) * sizeof(float);
    }

    void launch(CudaQueue& queue, BankLaunch& b, unsigned count, std::byte* scratch) const override {
        const auto tiles = winograd_tiles(b.outputs, Side);
        const auto step = at_once(b.outputs);
        auto* const points = reinterpret_cast<float*>(scratch);
        for (std::int64_t first = 0; first < tiles.count; first += step) {
            const auto part = winograd_part(first, std::min(step, tiles.count - first), count);
            WinogradLaunch w{tiles,
                             part,
                             points,
                             points + kPoints * b.channels * part.pitch,
                             output_size(request()),
                             0,
                             reinterpret_cast<const float*>(plain_->device_address()),
                             has_wide_rows(b, count, Side)};
            for (std::int64_t group = 0; group < request().groups; ++group) {
                if (queue.stop_requested()) return;
                w.first_filter = group * b.filters;
                transform(queue, reinterpret_cast<const void*>(&transform_numbers<Side>), part.pitch,
                          b.channels, b, w);
                with_gemm_tile(request(), [&]<typename T>(T) { multiply_by<T>(queue, b, w, group); });
                transform(queue, reinterpret_cast<const void*>(&transform_sums<Side>), part.columns,
                          b.filters, b, w);
            }
        }
    }

    static void transform(CudaQueue& queue, const void* kernel, std::int64_t columns, std::int64_t rows,
                          BankLaunch& b, WinogradLaunch& w) {
        constexpr std::int64_t kMostDown = 65535;
        void* arguments[] = {&b, &w};
        queue.launch(kernel,
                     bank_grid(parts_of(columns, kTilesOfBlock),
                               static_cast<unsigned>(std::min(parts_of(rows, kRowsOfBlock), kMostDown)), 1),
                     {kTilesOfBlock, kRowsOfBlock}, 0, arguments);
    }

    template <typename T>
    void multiply_by(CudaQueue& queue, BankLaunch& b, WinogradLaunch& w, std::int64_t group) const {
        static_assert(kWinogradChain % T::kRows == 0);
        GemmWeights gemm{reinterpret_cast<const float*>(weights_->device_address()), b.channels,
                         static_cast<int>(parts_of(b.channels, T::kRows)), kWinogradChain / T::kRows};
        auto blocks = parts_of(b.filters, T::kFilters), first_block = group * kPoints * blocks;
        for_each_launch(blocks, [&](std::int64_t first, unsigned down) {
            b.first_block = first;
            void* arguments[] = {&b, &w, &gemm, &first_block, &blocks};
            queue.launch(reinterpret_cast<const void*>(&multiply_points<T>),
                         bank_grid(parts_of(w.part.columns, T::kOutputs), down, kPoints), {kGemmThreads}, 0,
                         arguments);
        });
    }

    std::shared_ptr<CudaBuffer> plain_, weights_;
};

} // namespace

std::string why_not_winograd_plan(const WinogradMethod& method, const BankRequest& request) {
    if (!winograd_fits(request, static_cast<int>(method.side)))
        return "its tiles would have too many channels and filters";
    return why_not_winograd(method, request);
}

Cost winograd_cost(const WinogradMethod& method, const BankRequest& r) {
    constexpr double kProductsPerUs = 15e6, kMovedPerUs = 0.42e6, kLaunchUs = 2;
    const int side = static_cast<int>(method.side);
    const auto count = winograd_tiles(whole(output_size(r)), side).count;
    const double tiles = static_cast<double>(r.items * count),
                 points = static_cast<double>((side + 2) * (side + 2)),
                 parts = std::ceil(static_cast<double>(count) /
                                   static_cast<double>(winograd_tiles_at_once(r, side, count))),
                 moved = points * tiles * static_cast<double>(r.channels + r.filters),
                 launches = 3 * parts * static_cast<double>(r.groups);
    const auto filters = with_gemm_tile(
        r, [&]<typename T>(T) { return parts_of(group_filters(r), T::kFilters) * T::kFilters * r.groups; });
    const double products = points * tiles * static_cast<double>(filters * group_channels(r));
    return {bank_microseconds(r, products, kProductsPerUs) + moved / kMovedPerUs + launches * kLaunchUs};
}

std::shared_ptr<const Plan> winograd_plan(const WinogradMethod& method, const BankRequest& request,
                                          Engine& engine) {
    if (method.side == 2) return std::make_shared<WinogradPlan<2>>(method, request, engine);
    return std::make_shared<WinogradPlan<4>>(method, request, engine);
}

} // namespace kg::gpu
