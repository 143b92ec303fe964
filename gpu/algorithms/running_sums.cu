// Box filter of integers, whatever the radius: sums of columns that run down the image, and prefix sums along
// the rows.
//
// A pixel enters and leaves the sum of its column once, and a window along a row is the difference of two
// prefix sums: the work per output does not depend on the window. Integer sums are exact, so nothing remains
// of what was subtracted. (Floats would keep the rounding errors of every sample that ever was in the window,
// so they go to `box`.)
//
//   image       thread 0   thread 1   ...        a thread owns 8 neighbouring pixels, grey: 16
//             +----------+----------+----
//   leaving   |  - row   |          |            column sums, in registers, for all channels:
//             |  of      |          |            sum += entering - leaving
//   entering  |  + row   |          |
//             +----------+----------+----
//   prefix      0  s0  s0+s1  ...                sums of all column sums before a pixel, within the thread
//                                                block: in the thread, then over the warp, then over warps
//   output      prefix[x + width] - prefix[x]    through shared memory, as the two lie in other threads
//
// A thread block covers a strip of the image, as wide as its threads' pixels, of which the last `width` have
// no window of their own, and some rows, before which it sums a window's height of rows. How wide and how
// high: gpu/kernels/running_sums.cpp.
//
// On an H200 with 4096 x 4096 RGBA8 pixels a box of 101 x 101 takes 130 us, where the summing of every sample
// took 1241 (docs/optimisations.md).

#include "core/request/separate.hpp"
#include "core/request/step.hpp"
#include "gpu/kernels/running_sums.cuh"
#include "gpu/runtime/device.hpp"

#include <cmath>

namespace kg::gpu {

namespace {

/// What sums of samples are divided by: the divisor over the weight.
double divisor_of(const ImageStep& step) {
    const auto& stage = step.stages.front();
    return static_cast<double>(stage.kernels.front().divisor) / static_cast<double>(flat_weight(stage));
}

/// The window, and the last operations of an output.
RunningGrid window_of(const ImageStep& step) {
    const auto all = reach(step.stages.front());
    RunningGrid grid{};
    grid.width = all.left + all.right + 1, grid.height = all.up + all.down + 1;
    const auto divisor = divisor_of(step);
    const SumResult result{step.out.depth, offset_in(step.stages.front(), step.in), false, false};
    grid.finish = sum_finish({}, static_cast<float>(divisor), result);
    const bool all_channels = computed_channels(step) == (1u << step.in.channels) - 1u;
    grid.averages = all_channels && result.offset == 0 &&
                    divisor >= static_cast<double>(grid.width) * static_cast<double>(grid.height);
    return grid;
}

RunningWork work_for(const ImageStep& step, const DeviceLimits& limits) {
    return {step.size.width,
            step.size.height,
            step.in.channels,
            kg::bytes(step.in.depth),
            1,
            limits.multiprocessors,
            limits.shared_bytes_per_block};
}

class RunningSumsPlan final : public StagePlan {
public:
    RunningSumsPlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, {common_of(step), {}}), window_(window_of(step)),
          limits_(cuda_engine(engine).limits()) {
        const auto choose = [&]<typename In>(In) {
            if (step.in.channels == 1) return reinterpret_cast<const void*>(&filter_running_sums<In, 1>);
            if (step.in.channels == 3) return reinterpret_cast<const void*>(&filter_running_sums<In, 3>);
            return reinterpret_cast<const void*>(&filter_running_sums<In, 4>);
        };
        kernel_ = step.in.depth == Depth::u8 ? choose(std::uint8_t{}) : choose(std::uint16_t{});
        allow_shared_memory(kernel_, engine);
    }

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte*) const override {
        auto& c = parameters.common;
        auto work = work_for(step(), limits_);
        work.width = c.dst_width, work.height = c.dst_height, work.count = count;
        const auto bytes = work.bytes_per_sample;
        auto grid = running_grid(work, window_);
        const int pixels = running_pixels(c.channels);
        const int alignment = c.channels == 3 && bytes == 1 ? 8 : 16;
        int lead = 0;
        const auto aligned = [&] {
            const std::int64_t first = std::int64_t{c.dst_x} - c.left - lead - c.src_x;
            return sources_aligned(c, count, first * static_cast<std::int64_t>(bytes), alignment);
        };
        while (lead < pixels && !aligned()) ++lead;
        grid.wide_loads = lead < pixels;
        set_lead(grid, grid.wide_loads ? lead : 0, c.channels);
        grid.averages &= c.floats || c.wide_stores;
        const auto blocks = std::int64_t{grid.across} * ((c.dst_height + grid.rows - 1) / grid.rows);
        void* arguments[] = {&c, &grid};
        queue.launch(kernel_, {static_cast<unsigned>(blocks), 1, count},
                     {static_cast<unsigned>(grid.threads)}, running_bytes(grid, c.channels, bytes),
                     arguments);
    }

    RunningGrid window_;
    DeviceLimits limits_;
    const void* kernel_;
};

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    if (step.in.depth == Depth::f32)
        return "running sums of floats would keep the errors of all that was in them";
    if (step.in.channels == 2) return "it handles images of 1, 3 and 4 channels";
    if (auto why = why_not_box(step); !why.empty()) return why;
    const auto window = window_of(step);
    if (static_cast<double>(window.width) * window.height * full_scale(step.in) >= 0x1p31)
        return "sums of so many integers do not fit 32 bits";
    const double divisor = divisor_of(step);
    if (!(std::fabs(divisor) >= 0x1p-40 && std::fabs(divisor) <= 0x1p40))
        return "its divisor is beyond 2^-40 to 2^40";
    // One more rounding is too much for exact sums, and for the smallest windows of 16 bits (semantics 11).
    const auto& stage = step.stages.front();
    const bool exactly = step.in.depth == Depth::u16 || sums_exactly(stage, full_scale(step.in));
    if (exactly &&
        static_cast<double>(static_cast<float>(divisor)) * static_cast<double>(flat_weight(stage)) !=
            static_cast<double>(stage.kernels.front().divisor))
        return "its divisor is no multiple of its weight, and the quotient of the two would be rounded";
    if (auto why = why_not_launch(step); !why.empty()) return why;
    const auto grid = running_grid(work_for(step, cuda_engine(engine).limits()), window);
    return grid.threads > 0 ? "" : "no thread block has the pixels or the shared memory for its window";
}

Cost cost(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    const auto work = work_for(step, cuda_engine(engine).limits());
    return {running_microseconds(work, running_grid(work, window_of(step)))};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<RunningSumsPlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kRunningSums{"running_sums",
                                    "Running sums",
                                    "Column sums run down the image, windows are differences of prefix sums",
                                    "docs/semantics.md 9 and 11; Crow 1984, summed-area tables",
                                    why_not,
                                    cost,
                                    plan};

} // namespace kg::gpu
