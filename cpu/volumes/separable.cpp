// A factor along each axis: the sum of the kernel's extents instead of their product. Columns and rows of a
// slice follow each other in cache, then the slices.

#include "core/request/volume_factors.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/volume_plan.hpp"

namespace kg::cpu::volumes {

namespace {

class SeparablePlan final : public VolumePlan {
public:
    explicit SeparablePlan(const VolumeRequest& request)
        : VolumePlan(request, (VolumeStates::needs_scratch(request) ? 2 : 1) * request.size.depth),
          columns_(rows_along(request, 0)), rows_(rows_along(request, 1)), slices_(rows_along(request, 2)) {}

private:
    static VolumeRows rows_along(const VolumeRequest& request, int axis) {
        return {request, placed_factor_taps(request, axis),
                outside_of_passes(request)[static_cast<std::size_t>(axis)]};
    }

    void compute(const Run& run) const override {
        const auto depth = request_.size.depth;
        const VolumeStates states(request_, run.source, run.result, run.scratch.from(depth));
        for (std::int64_t step = 1; step <= request_.steps; ++step) {
            filter_slices(run, states.after(step - 1));
            const auto to = states.after(step), before = states.after(step - 2);
            const auto row_at = rows_of(run.scratch);
            for_rows(run.context, depth, [&](std::int64_t y, std::int64_t z) {
                slices_.compute(row_at, y, z, request_.second_order ? before.row(y, z) : nullptr,
                                to.row(y, z));
            });
        }
        if (request_.second_order && request_.steps == 1) copy(run.context, states.after(0), run.result);
    }

    /// Columns, then rows of each slice, into the scratch.
    void filter_slices(const Run& run, const VolumeMemory& from) const {
        const auto& [width, height, depth] = request_.size;
        parallel_rows(run.context, depth, 1, [&](std::int64_t begin, std::int64_t end) {
            std::vector<float> slice(static_cast<std::size_t>(width * height));
            const auto slice_row = [&](std::int64_t y) { return slice.data() + y * width; };
            const auto row_at = rows_of(from);
            for (auto z = begin; z < end; ++z) {
                for (std::int64_t y = 0; y < height; ++y)
                    columns_.compute(row_at, y, z, nullptr, slice_row(y));
                const auto filtered = [&](std::int64_t y, std::int64_t) { return slice_row(y); };
                for (std::int64_t y = 0; y < height; ++y)
                    rows_.compute(filtered, y, z, nullptr, run.scratch.row(y, z));
            }
        });
    }

    VolumeRows columns_, rows_, slices_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    return why_not_passes(std::get<VolumeRequest>(step));
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<VolumeRequest>(step);
    const auto& size = request.kernel.size;
    const auto taps = static_cast<double>(size.width + size.height + size.depth);
    return {static_cast<double>(request.steps) * volume_microseconds(request, taps, 2, engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return std::make_shared<SeparablePlan>(std::get<VolumeRequest>(step));
}

} // namespace

extern const Algorithm kSeparable{"separable",
                                  "Separable",
                                  "A factor along columns, rows and slices, one after another",
                                  "products of three factors (docs/semantics.md 17)",
                                  why_not,
                                  cost,
                                  plan};

} // namespace kg::cpu::volumes
