// The sums as defined, a vector of columns at a time, all rows in parallel, one step after another. Every
// step reads and writes the whole volume: fastest for one step of a dense kernel, and where slices are larger
// than the cache.

#include "cpu/engine.hpp"
#include "cpu/runtime/volume_plan.hpp"

namespace kg::cpu::volumes {

namespace {

class DirectPlan final : public VolumePlan {
public:
    explicit DirectPlan(const VolumeRequest& request)
        : VolumePlan(request, VolumeStates::needs_scratch(request) ? request.size.depth : 0),
          rows_(request, placed_taps(request), request.outside) {}

private:
    void compute(const Run& run) const override {
        const VolumeStates states(request_, run.source, run.result, run.scratch);
        for (std::int64_t step = 1; step <= request_.steps; ++step) {
            const auto to = states.after(step), before = states.after(step - 2);
            const auto row_at = rows_of(states.after(step - 1));
            for_rows(run.context, request_.size.depth, [&](std::int64_t y, std::int64_t z) {
                rows_.compute(row_at, y, z, request_.second_order ? before.row(y, z) : nullptr, to.row(y, z));
            });
        }
        if (request_.second_order && request_.steps == 1) copy(run.context, states.after(0), run.result);
    }

    VolumeRows rows_;
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<VolumeRequest>(step);
    const auto taps = static_cast<double>(placed_taps(request).size());
    return {static_cast<double>(request.steps) * volume_microseconds(request, taps, 1, engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return std::make_shared<DirectPlan>(std::get<VolumeRequest>(step));
}

} // namespace

extern const Algorithm kDirect{"direct",
                               "Direct",
                               "Every tap as it is written, a vector of columns at a time, step after step",
                               "the definition (docs/semantics.md 17)",
                               why_not,
                               cost,
                               plan};

} // namespace kg::cpu::volumes
