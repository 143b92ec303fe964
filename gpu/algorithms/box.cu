// Box filter of floats, whatever the radius, in one launch: sums down the columns, and then along the rows,
// of groups of samples that many windows have in common. Nothing is subtracted.
//
//   a column            the sum of the window of output i of step s
//   +--------+
//   |   s    | 8 rows   suffix sum from row i on        read a second time, from a cache
//   +--------+
//   |  s + 1 |
//   :        : groups   one element of a queue of two stacks: suffix sums of the groups up to its last turn,
//   |        |          and the sum of the groups since
//   +--------+
//   |        | rest     rows that all eight windows have in common
//   |        | 8 rows   prefix sum up to row i          read for the first time
//   +--------+
//
//   8 rows of column sums, in shared memory, in runs of 16 pixels
//   [ suffix ][ whole ][ whole ] ... [ whole ][ rest, prefix ]     16 outputs of a lane, staged and stored
//
// A thread block marches down a strip. Its first warps sum columns, a lane for each sample, and read 16 rows
// ahead; the others sum rows, one warp for each of a step's eight, and store them. Column sums have several
// buffers where they fit, so that the two kinds work at the same time and meet once in one or two steps; with
// one buffer they take turns.
//
// Every sum contains samples of its own windows alone: NaN, infinities and the rounding errors of a large
// sample reach no other window (semantics 10 and 12). Groups, runs and turns of the queue are counted from
// the image's corner, and a strip that begins between two turns fills its queue in the same order: any
// rectangle has the bytes of the whole. Windows of up to 8 rows or 16 pixels are summed sample by sample.
//
// A queue that does not fit into shared memory is in scratch memory, which the second-level cache holds up to
// some 257 x 257. The division of a launch: gpu/kernels/box_grid.cpp.

#include "core/request/separate.hpp"
#include "core/request/step.hpp"
#include "gpu/kernels/box.cuh"
#include "gpu/kernels/march/march.hpp"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

BoxWindow window_of(const ImageStep& step) {
    const auto& stage = step.stages.front();
    const auto t = taps(stage.kernels.front());
    return {box_span(t.height, kBoxRows), box_span(t.width, kBoxRun), flat_weight(stage), t.divisor,
            1.0f / t.divisor};
}

BoxWork work_for(const ImageStep& step, const Rect& outputs, unsigned count, const DeviceLimits& limits) {
    const auto& kernel = step.stages.front().kernels.front();
    return {
        outputs.x,    outputs.y,     outputs.width, outputs.height,         step.in.channels,
        kernel.width, kernel.height, count,         limits.multiprocessors, limits.shared_bytes_per_block};
}

BoxWork work_for(const ImageStep& step, const Engine& engine) {
    return work_for(step, whole(step.size), 1, cuda_engine(engine).limits());
}

class BoxPlan final : public StagePlan {
public:
    BoxPlan(const ImageStep& step, const Engine& engine)
        : StagePlan(step, {common_of(step), {}}), window_(window_of(step)),
          limits_(cuda_engine(engine).limits()) {
        kernel_ = with_channels(step.in.channels, [](auto channels) {
            return reinterpret_cast<const void*>(&filter_box<decltype(channels)::value>);
        });
        allow_shared_memory(kernel_, engine);
    }

    Needs needs(const Rect& output) const override {
        auto needs = StagePlan::needs(output);
        needs.scratch_bytes = box_scratch_bytes(box_grid(work_for(step(), output, 1, limits_)));
        return needs;
    }

private:
    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte* scratch) const override {
        auto& c = parameters.common;
        const Rect outputs{c.dst_x, c.dst_y, c.dst_width, c.dst_height};
        const auto work = work_for(step(), outputs, count, limits_);
        auto grid = box_grid(work);
        auto window = window_;
        void* arguments[] = {&c, &window, &grid, &scratch};
        queue.launch(kernel_, {static_cast<unsigned>(grid.blocks), 1, count},
                     {static_cast<unsigned>(grid.threads())}, box_bytes(work, grid), arguments);
    }

    BoxWindow window_;
    DeviceLimits limits_;
    const void* kernel_;
};

std::string why_not(const PlanStep& request, const Engine& engine) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_stored_stage(step); !why.empty()) return why;
    if (auto why = why_not_box(step); !why.empty()) return why;
    if (step.in.depth != Depth::f32) return "it sums floats; integers go to `running_sums`";
    if (auto why = why_not_launch(step); !why.empty()) return why;
    if (auto why = why_not_divided(step); !why.empty()) return why;
    const auto grid = box_grid(work_for(step, engine));
    if (grid.width == 0) return "no thread block has the shared memory for so wide a window";
    return grid.groups <= kMostBoxGroups ? ""
                                         : "it keeps the sums of at most " + std::to_string(kMostBoxGroups) +
                                               " groups of " + std::to_string(kBoxRows) + " rows";
}

Cost cost(const PlanStep& request, const Engine& engine) {
    const auto work = work_for(std::get<ImageStep>(request), engine);
    return {box_microseconds(work, box_grid(work))};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<BoxPlan>(std::get<ImageStep>(request), engine);
}

} // namespace

extern const Algorithm kBox{"box",
                            "Box",
                            "Windows of floats from suffix and prefix sums of groups; nothing is subtracted",
                            "docs/semantics.md 9, 10 and 12; van Herk 1992; Brent and Kung 1982, prefix sums",
                            why_not,
                            cost,
                            plan};

} // namespace kg::gpu
