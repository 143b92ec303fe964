// For few channels: the sum as defined at the speed of multiply-adds, outputs and numbers in registers.
//
//   shared     a ring of stages; a stage: some channels | rows of numbers | and their weights
//   thread     8 columns of one row of outputs, in 1 to 8 filters
//              window   | 8 + taps - 1 numbers |       reads of 16 bytes
//              weights  of a run of taps, the same for all threads of the block
//
// For 8 x taps x filters multiply-adds a thread reads 8 + taps - 1 numbers and taps x filters weights. While
// a stage is summed, the next two are copied. Rows and columns pass the border once per block, in tables;
// stages only add their offsets. Strides and dilations become dense sums (gpu/kernels/banks/direct_bank.hpp).
// Products are summed in chains short enough for the error of semantics 16. Sums leave through shared memory,
// so that threads write next to each other whatever the layout.
//
// Banks without strides and dilation, whose kernels have up to eight rows and columns, have kernels of their
// own (dense_sum.cu).
//
// The texts that this comes from have one filter for all channels, lose the barrier between two channels, and
// read past the image where a size is no multiple of a tile (docs/seeds.md 000 and 001).

#include "gpu/kernels/banks/bank_chain.hpp"
#include "gpu/kernels/banks/dense_sum.hpp"
#include "gpu/kernels/banks/direct_run.cuh"
#include "gpu/kernels/banks/direct_tile.cuh"
#include "gpu/kernels/stage.hpp"
#include "gpu/runtime/device.hpp"

#include <utility>

namespace kg::gpu::banks {

namespace {

/// The sum of one output in the same order, without the empty taps at the end of a plane, through which
/// numbers that are not finite would leak. `weights` are those of its filter.
__device__ __noinline__ float sum_with_care(const BankLaunch& b, const DirectBank& bank,
                                            const std::byte* channel, const float* weights, std::int64_t p,
                                            std::int64_t q) {
    float sum = 0, total = 0;
    int left = bank.chain;
#pragma unroll 1
    for (std::int64_t c = 0; c < b.channels; ++c, channel += b.in.channel)
#pragma unroll 1
        for (std::int64_t i = 0; i < b.kernel_height; ++i) {
            const auto y = offset_of(b.rows, p * b.stride.rows - b.top + i * bank.unit_y, b.in.row);
#pragma unroll 1
            for (int plane = 0; plane < bank.planes; ++plane)
#pragma unroll 1
                for (int run = 0; run < bank.runs; ++run, weights += bank.run_weights)
#pragma unroll 1
                    for (int tap = 0; tap < bank.taps; ++tap) {
                        const auto j = plane + (run * bank.taps + tap) * bank.x.phases;
                        if (j >= b.kernel_width) break;
                        const auto x = offset_of(b.columns, q * b.stride.columns - b.left + j * bank.unit_x,
                                                 b.in.column);
                        const float number = x < 0 || y < 0
                                                 ? b.outside
                                                 : *reinterpret_cast<const float*>(channel + y + x);
                        sum = __fmaf_rn(weights[tap * bank.filters], number, sum);
                    }
            if (--left == 0) total += sum, sum = 0, left = bank.chain;
        }
    return total + sum;
}

/// As many as have the registers for sums and totals.
constexpr int blocks_per_multiprocessor(int filters) { return filters == 8 ? 3 : filters == 6 ? 4 : 5; }

template <int Filters, int Taps>
__global__ void __launch_bounds__(kDirectThreads, blocks_per_multiprocessor(Filters))
    sum_direct(const __grid_constant__ BankLaunch b, const __grid_constant__ DirectLaunch d) {
    extern __shared__ float4 shared[];
    const auto stop = b.stop.read_for_block();
    const auto& bank = d.bank;
    const auto tile = tile_of_block(b, bank, d.x, d.y);
    if (tile.rows == 0 || tile.columns == 0) return;
    const int thread = static_cast<int>(threadIdx.x), height = static_cast<int>(b.kernel_height);
    const int channel_weights = d.channel_weights;
    float* const ring = reinterpret_cast<float*>(shared);
    auto* const tables = reinterpret_cast<std::int64_t*>(ring + d.ring.tables);
    const auto filters = filters_of_block(b, d.blocks_of_group, Filters);
    const float* const weights = d.weights + filters.block * b.channels * channel_weights;
    const auto copy = begin_copies(b, bank, d.pieces, tile, filters.channel, tables);
    if (__syncthreads_or(b.stop.raised(stop))) return;

    const auto channels_of = [&](std::int64_t begin) {
        return static_cast<int>(b.channels - begin < bank.channels ? b.channels - begin : bank.channels);
    };
    DirectStages stages(ring, d.ring, [&](std::int64_t stage, float* to) {
        const auto begin = stage * bank.channels;
        const int count = channels_of(begin);
        copy_weights(weights + begin * channel_weights, count * channel_weights,
                     to + bank.channels * bank.tile());
        copy_channels(b, bank, d.pieces, copy, filters.channel, begin, count, to);
    });

    const int across = bank.across, lanes = across < 2 ? across : 2; // four threads of a warp in a row
    const int lane = thread & 31, warp = thread >> 5, warps_across = across - lanes;
    const int own_x = ((warp & ((1 << warps_across) - 1)) << lanes) + (lane & ((1 << lanes) - 1)),
              own_y = ((warp >> warps_across) << (5 - lanes)) + (lane >> lanes);
    const bool is_needed = own_y < tile.rows && own_x * kDirectColumns < tile.columns;
    float sums[Filters][kDirectColumns] = {}, totals[Filters][kDirectColumns] = {};
    int left = bank.chain;
    const bool is_one_run = bank.planes * bank.runs == 1;
#pragma unroll 1
    for (std::int64_t begin = 0; begin < b.channels; begin += bank.channels) {
        const float* const numbers = stages.next();
        if (!is_needed) continue;
        const int count = channels_of(begin);
        const float* row = numbers + own_y * bank.row_step * bank.pitch + own_x * kDirectColumns;
        const float* run_weights = numbers + bank.channels * bank.tile();
#pragma unroll 1
        for (int c = 0; c < count; ++c, row += bank.tile() - height * bank.pitch)
#pragma unroll 1
            for (int r = 0; r < height; ++r, row += bank.pitch) {
                if (is_one_run) {
                    add_run<Filters, Taps>(row, run_weights, sums);
                    run_weights += bank.run_weights;
                } else {
                    const float* own = row;
#pragma unroll 1
                    for (int plane = 0; plane < bank.planes; ++plane, own += bank.cells)
#pragma unroll 1
                        for (int run = 0; run < bank.runs; ++run, run_weights += bank.run_weights)
                            add_run<Filters, Taps>(own + run * Taps, run_weights, sums);
                }
                if (--left == 0) end_chain(sums, totals), left = bank.chain;
            }
    }
    end_chain(sums, totals);
    __syncthreads(); // the ring is free for the results
    store_results(totals, ring + own_y * bank.result_pitch() + own_x * kDirectColumns, bank.result_plane());
    __syncthreads();
    write_results(b, bank, tile, ring, filters.first, filters.count,
                  [&](int f, std::int64_t p, std::int64_t q) {
                      return sum_with_care(b, bank, filters.channel, weights + f, p, q);
                  });
}

template <int Filters, int Taps>
const void* address_of_kernel() {
    return reinterpret_cast<const void*>(&sum_direct<Filters, Taps>);
}

template <int Filters, std::size_t... Taps>
std::array<const void*, kMostDirectTaps> kernels_of(std::index_sequence<Taps...>) {
    return {address_of_kernel<Filters, static_cast<int>(Taps) + 1>()...};
}

/// The one place that maps numbers of filters and taps to kernels.
const void* kernel_of(const DirectBank& bank) {
    if (bank.dense) return dense_kernel(bank);
    if (bank.filters == 6) return bank.taps == 4 ? address_of_kernel<6, 4>() : address_of_kernel<6, 8>();
    constexpr auto kTaps = std::make_index_sequence<kMostDirectTaps>();
    static const auto of_eight = kernels_of<8>(kTaps), of_three = kernels_of<3>(kTaps),
                      of_one = kernels_of<1>(kTaps);
    const auto& all = bank.filters == 8 ? of_eight : bank.filters == 3 ? of_three : of_one;
    return all[static_cast<std::size_t>(bank.taps - 1)];
}

class DirectPlan final : public BankPlan {
public:
    DirectPlan(const BankRequest& request, const DirectBank& bank, Engine& engine)
        : BankPlan(request, engine), bank_(bank), shared_bytes_(bank.shared_bytes(request)),
          kernel_(kernel_of(bank)) {
        const auto weights = direct_weights(request, bank);
        weights_ = device_copy(std::span(weights), engine);
        allow_shared_memory(kernel_, engine);
        if (bank.dense)
            device_ = {can_copy_boxes(engine),
                       blocks_at_once(kernel_, kDirectThreads, shared_bytes_, engine)};
    }

private:
    void launch(CudaQueue& queue, BankLaunch& b, unsigned count, std::byte*) const override {
        auto blocks = direct_blocks(request(), bank_, {b.outputs.width, b.outputs.height});
        const auto pieces = direct_pieces(bank_, b, count, blocks);
        DirectLaunch d{bank_,
                       blocks.x,
                       blocks.y,
                       pieces,
                       direct_ring(request(), bank_, bank_.stage(request().kernel.height)),
                       bank_.weights_of_channel(request().kernel.height),
                       reinterpret_cast<const float*>(weights_->device_address()),
                       static_cast<unsigned>(blocks.filters / request().groups)};
        if (bank_.dense) {
            auto dense = dense_launch(d, b, request().channels, count, device_, blocks);
            launch_tiles(queue, kernel_, shared_bytes_, blocks, b, count, dense);
            return;
        }
        launch_tiles(queue, kernel_, shared_bytes_, blocks, b, count, d);
    }

    DirectBank bank_;
    std::size_t shared_bytes_;
    const void* kernel_;
    DenseDevice device_{};
    std::shared_ptr<CudaBuffer> weights_;
};

std::optional<DirectBank> bank_of(const PlanStep& step, const Engine& engine) {
    return direct_bank(std::get<BankRequest>(step), cuda_engine(engine).limits().shared_bytes_per_block);
}

std::string why_not(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<BankRequest>(step);
    if (bank_chain(request, request.kernel.width) == 0)
        return "its sums of so many products would exceed the error of docs/semantics.md 16";
    return bank_of(step, engine) ? "" : "the taps of one tile reach over too many rows or columns";
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<BankRequest>(step);
    const auto bank = bank_of(step, engine);
    if (!bank) return {Cost::kOnlyWhenForced};
    return {bank_microseconds(request,
                              static_cast<double>(request.items) * direct_instructions(request, *bank),
                              kDirectInstructionsPerUs)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<DirectPlan>(std::get<BankRequest>(step), *bank_of(step, engine), engine);
}

} // namespace

extern const Algorithm kDirect{"direct",
                               "Direct",
                               "Every product as it is written; outputs and numbers in registers",
                               "register tiles after Volkov and Demmel 2008",
                               why_not,
                               cost,
                               plan};

} // namespace kg::gpu::banks
