#include "gpu/kernels/signals/tiles.hpp"

#include "gpu/kernels/signals/line.cuh"
#include "gpu/kernels/signals/signal_plan.hpp"
#include "gpu/kernels/stage.hpp"

namespace kg::gpu {

namespace {

constexpr int kTileOutputs = 256; // one per thread

/// Fills body + halo cells with the samples from `first` on. Zone by zone, only a zone that meets an end of
/// the signal asks the border; a uniform tile is one zone, of which every cell does.
__device__ void load_tile(const SignalLine<float>& line, std::int64_t first, int body, int halo,
                          TileLoad load, float* tile) {
    const bool zones = load == TileLoad::zones;
    const int before = halo / 2;
    int begin = 0;
#pragma unroll 1
    for (int zone = zones ? 0 : 2; zone < 3; ++zone) {
        const int end = zone == 0 ? before : zone == 1 ? before + body : body + halo;
        const bool inside = zones && line.has(first + begin) && line.has(first + end - 1);
#pragma unroll 1
        for (int cell = begin + static_cast<int>(threadIdx.x); cell < end; cell += kTileOutputs)
            tile[cell] = inside ? line.stored(first + cell) : line.at(first + cell);
        begin = end;
    }
}

//   signal        ... x x x x x x x x x x x x ...
//   shared      | halo before | body | halo behind |       body: (256 - 1) * stride + 1 samples
//   outputs                   y y y y                      halo: those under the other taps
//
__global__ void __launch_bounds__(kTileOutputs)
    sum_tiles(const __grid_constant__ SignalLaunch s, const float* taps, TileLoad load) {
    extern __shared__ float tile[];
    if (s.stop.raised_for_block()) return;
    const auto begin = s.outputs.begin + std::int64_t{blockIdx.x} * kTileOutputs,
               left = s.outputs.end - begin;
    const int stride = static_cast<int>(s.stride), dilation = static_cast<int>(s.dilation),
              own = static_cast<int>(threadIdx.x),
              count = left < kTileOutputs ? static_cast<int>(left) : kTileOutputs;
    load_tile(SignalLine<float>(s), s.first + begin * s.stride, (count - 1) * stride + 1,
              static_cast<int>(s.span) - 1, load, tile);
    __syncthreads();
    if (own >= count) return;
    const float* window = tile + own * stride;
    float sum = 0;
#pragma unroll 4
    for (int j = 0; j < static_cast<int>(s.taps); ++j, window += dilation)
        if (const float weight = taps[j]; weight != 0) sum = added(sum, weight, *window); // a zero is no tap
    write_output(s, begin + own, sum);
}

class TilePlan final : public SignalPlan {
public:
    TilePlan(const SignalRequest& request, Engine& engine, TileLoad load)
        : SignalPlan(request), taps_(device_taps(request, engine)), load_(load),
          bytes_(static_cast<std::size_t>(tile_cells(request)) * sizeof(float)) {
        allow_shared_memory(kKernel, engine);
    }

private:
    inline static const void* const kKernel = reinterpret_cast<const void*>(&sum_tiles);

    void launch(CudaQueue& queue, SignalLaunch& s, unsigned rows) const override {
        const auto* taps = taps_->device_address();
        auto load = load_;
        void* arguments[] = {&s, &taps, &load};
        const auto tiles = (s.outputs.end - s.outputs.begin - 1) / kTileOutputs + 1;
        queue.launch(kKernel, signal_blocks(tiles, rows), {kTileOutputs}, bytes_, arguments);
    }

    std::shared_ptr<CudaBuffer> taps_;
    TileLoad load_;
    std::size_t bytes_; ///< of shared memory
};

} // namespace

std::int64_t tile_cells(const SignalRequest& request) {
    return (kTileOutputs - 1) * request.stride + tap_span(request);
}

std::string why_not_tiles(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<SignalRequest>(step);
    if (element(request) != Element::f32) return kOtherType;
    constexpr std::int64_t kMost = 1 << 20; // keeps the cells of a tile in 32 bits
    if (request.stride > kMost || tap_span(request) > kMost)
        return "its tile does not fit into shared memory";
    return why_not_shared(static_cast<std::size_t>(tile_cells(request)) * sizeof(float), engine);
}

Cost tile_cost(const PlanStep& step) {
    constexpr double kLoadUs = 4; // a block waits for its tile
    return {kLoadUs + signal_microseconds(std::get<SignalRequest>(step), 3.6e6, 0.03)};
}

std::shared_ptr<const Plan> tile_plan(const PlanStep& step, Engine& engine, TileLoad load) {
    return std::make_shared<TilePlan>(std::get<SignalRequest>(step), engine, load);
}

} // namespace kg::gpu
