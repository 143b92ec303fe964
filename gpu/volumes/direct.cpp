// The sums as defined, one step after another, each of which reads and writes the whole volume. Kernels of
// the 27 neighbours march along the slices (gpu/kernels/volumes/stencil_march.hpp); larger ones sum from
// shared memory (gpu/kernels/volumes/dense_tile.hpp). On an H200 it is the fastest of all stencils.

#include "gpu/kernels/volumes/volume_plan.hpp"
#include "gpu/kernels/volumes/volume_step.hpp"

#include <algorithm>

namespace kg::gpu::volumes {

namespace {

class DirectPlan final : public VolumePlan {
public:
    DirectPlan(const VolumeRequest& request, Engine& engine)
        : VolumePlan(request, VolumeStates::needs_scratch(request) ? request.size.depth : 0),
          step_(request, placed_taps(request), request.outside, engine) {}

private:
    void compute(const Run& run) const override {
        compute_steps(run, run.scratch, [&](const auto& from, const auto& before, const auto& to) {
            step_.launch(run.queue, from, before, to);
        });
    }

    VolumeStep step_;
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }

/// Instructions per sample. Those of larger kernels include loads from shared memory.
double instructions(const VolumeRequest& request) {
    const auto& [width, height, depth] = request.kernel.size;
    if (std::max({width, height, depth}) <= 3) return stencil_instructions(request);
    constexpr double kPerTap = 2;
    const auto [taps, runs] = dense_runs(static_cast<int>(width));
    return kPerTap * taps * runs * static_cast<double>(height) * static_cast<double>(depth);
}

Cost cost(const PlanStep& step, const Engine&) {
    const auto& request = std::get<VolumeRequest>(step);
    return {static_cast<double>(request.steps) * volume_step_microseconds(request, instructions(request), 1)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<DirectPlan>(std::get<VolumeRequest>(step), engine);
}

} // namespace

extern const Algorithm kDirect;
const Algorithm kDirect{"direct",
                        "Direct",
                        "Every tap as it is written, along the slices, step after step",
                        "Micikevicius 2009 for stencils; the definition (docs/semantics.md 17)",
                        why_not,
                        cost,
                        plan};

} // namespace kg::gpu::volumes
