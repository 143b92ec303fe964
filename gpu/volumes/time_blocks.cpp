// Two time steps of a stencil in one pass through memory (gpu/kernels/volumes/time_tile.hpp). The bytes are
// those of single steps. On an H200 it takes twice the time of single steps.

#include "gpu/kernels/volumes/time_step.hpp"
#include "gpu/kernels/volumes/volume_plan.hpp"
#include "gpu/kernels/volumes/volume_step.hpp"
#include "gpu/runtime/device.hpp"

namespace kg::gpu::volumes {

namespace {

constexpr std::int64_t kStepsPerPass = 2;

std::int64_t passes_of(const VolumeRequest& request) {
    return (request.steps + kStepsPerPass - 1) / kStepsPerPass;
}

class TimeBlocksPlan final : public VolumePlan {
public:
    TimeBlocksPlan(const VolumeRequest& request, Engine& engine)
        : VolumePlan(request, passes_of(request) > 1 ? tensor_slices(request) : 0), two_(request, engine),
          one_(request, placed_taps(request), request.outside, engine) {}

private:
    /// From one volume, or two, to the next: those of the last pass are the result.
    void compute(const Run& run) const override {
        const auto passes = passes_of(request());
        auto from = run.source;
        for (std::int64_t pass = 0; pass < passes; ++pass) {
            if (run.queue.stop_requested()) return;
            const auto to = (passes - 1 - pass) % 2 == 0 ? run.result : run.scratch;
            const bool is_single = pass == 0 && request().steps % kStepsPerPass == 1;
            if (is_single) step_once(run.queue, from, to);
            else step_twice(run.queue, from, to);
            from = to;
        }
    }

    void step_once(CudaQueue& queue, const VolumeMemory& from, const VolumeMemory& to) const {
        if (!request().second_order) return one_.launch(queue, from, {}, to);
        const auto now = from.from(request().size.depth);
        one_.launch(queue, now, from, to.from(request().size.depth));
        copy(queue, now, to);
    }

    void step_twice(CudaQueue& queue, const VolumeMemory& from, const VolumeMemory& to) const {
        if (!request().second_order) return two_.launch(queue, from, {}, {}, to);
        const auto depth = request().size.depth;
        two_.launch(queue, from.from(depth), from, to, to.from(depth));
    }

    TimeStep two_;
    VolumeStep one_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& request = std::get<VolumeRequest>(step);
    if (request.steps == 1) return "it combines time steps, and there is one";
    return is_stencil(request) ? "" : "it is for stencils, whose taps are at most one sample from the output";
}

/// Samples that blocks compute for each sample of the volume.
double overlap(const VolumeExtent& size, const Engine& engine) {
    const auto [grid, blocks] = time_blocks(size, cuda_engine(engine).limits().multiprocessors);
    const auto share = [](double computed, std::int64_t samples) {
        return computed / static_cast<double>(samples);
    };
    return share(static_cast<double>(blocks.across * grid.tile.columns()), size.width) *
           share(static_cast<double>(blocks.down * grid.tile.rows()), size.height) *
           share(static_cast<double>(blocks.deep * (grid.chunk + 2)), size.depth);
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<VolumeRequest>(step);
    // A pass has the traffic of a step, and under second order it writes both volumes. Samples between the
    // steps pass through shared memory.
    constexpr double kOfTile = 25;
    const double instructions = kStepsPerPass * (stencil_instructions(request) + kOfTile) *
                                overlap(request.size, engine);
    return {static_cast<double>(passes_of(request)) *
            volume_step_microseconds(request, instructions, request.second_order ? 1.5 : 1)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<TimeBlocksPlan>(std::get<VolumeRequest>(step), engine);
}

} // namespace

extern const Algorithm kTimeBlocks;
const Algorithm kTimeBlocks{"time_blocks",
                            "Time blocks",
                            "Two time steps per pass, the first of which stays in shared memory",
                            "overlapped tiles after Krishnamoorthy et al. 2007",
                            why_not,
                            cost,
                            plan};

} // namespace kg::gpu::volumes
