// Several time steps in one pass through memory: a step follows the previous one a few slices behind, while
// these are still in cache. The bytes are those of single steps, as the rows are the same.
// Source: Wonnacott, "Using time skewing to eliminate idle time due to memory bandwidth and network
// limitations", IPDPS 2000; one dimension is skewed here, and the slices of a front are independent.

#include "cpu/engine.hpp"
#include "cpu/runtime/volume_plan.hpp"

#include <algorithm>

namespace kg::cpu::volumes {

namespace {

constexpr std::int64_t kMostStepsPerPass = 8;

/// How the steps of a pass share memory. Each but the last writes to a ring of slices.
struct Blocks {
    std::int64_t reach = 0;    ///< slices before and behind its own that an output reads
    std::int64_t ring = 0;     ///< slices that a step holds for the next ones
    std::int64_t per_pass = 1; ///< steps
    std::int64_t passes = 0;

    Blocks(const VolumeRequest& r, const VolumeRows& rows, std::size_t cache_bytes) {
        reach = rows.slice_reach();
        // A slice and those that the next step reads; the step after that subtracts one further behind.
        ring = 2 * reach + (r.second_order ? 3 : 2);
        const auto ring_bytes = static_cast<double>(ring * r.size.width * r.size.height) * sizeof(float);
        const auto rings = static_cast<std::int64_t>(
            std::min<double>(static_cast<double>(cache_bytes) / ring_bytes, kMostStepsPerPass));
        per_pass = std::min({rings + 1, kMostStepsPerPass, r.steps});
        passes = (r.steps + per_pass - 1) / per_pass;
    }
    std::int64_t ring_slices() const { return (per_pass - 1) * ring; }
};

class TimeBlocksPlan final : public VolumePlan {
public:
    TimeBlocksPlan(const VolumeRequest& request, VolumeRows rows, const Blocks& blocks)
        : VolumePlan(request,
                     blocks.ring_slices() + (blocks.passes > 1 ? tensor_slices(request) : std::int64_t{0})),
          rows_(std::move(rows)), blocks_(blocks) {}

private:
    /// Some steps from one volume, or two, to the next.
    struct Pass {
        std::int64_t steps;
        VolumeMemory from, to, rings;
    };
    /// A slice of a step: the first step is 1.
    struct Slice {
        std::int64_t step, z;
    };

    void compute(const Run& run) const override {
        const auto rings = run.scratch, held = run.scratch.from(blocks_.ring_slices());
        auto from = run.source;
        for (std::int64_t pass = 0; pass < blocks_.passes; ++pass) {
            const bool to_result = (blocks_.passes - 1 - pass) % 2 == 0;
            const auto to = to_result ? run.result : held;
            const auto begin = pass * blocks_.per_pass;
            run_pass(run.context, {std::min(blocks_.per_pass, request_.steps - begin), from, to, rings});
            from = to;
        }
    }

    void run_pass(const HostQueue::Context& context, const Pass& pass) const {
        const auto lag = blocks_.reach + 1; // slices of one front do not read each other
        const auto depth = request_.size.depth;
        if (request_.second_order && pass.steps == 1) copy(context, pass.from.from(depth), pass.to);
        const auto first = lag - extension(pass, 1), last = depth - 1 + pass.steps * lag;
        std::vector<Slice> front;
        for (auto position = first; position <= last; ++position) {
            front.clear();
            for (std::int64_t step = 1; step <= pass.steps; ++step)
                if (const auto z = position - step * lag, beyond = extension(pass, step);
                    z >= -beyond && z < depth + beyond)
                    front.push_back({step, z});
            for_rows(context, std::ssize(front), [&](std::int64_t y, std::int64_t index) {
                compute_row(pass, front[static_cast<std::size_t>(index)], y);
            });
        }
    }

    /// The slices beyond either end that later steps read. Under `wrap` they are computed twice instead of
    /// waiting for the other end; the others have nothing beyond.
    std::int64_t extension(const Pass& pass, std::int64_t step) const {
        return request_.border == Border::wrap ? (pass.steps - step) * blocks_.reach : 0;
    }

    void compute_row(const Pass& pass, Slice slice, std::int64_t y) const {
        const auto depth = request_.size.depth;
        const auto [step, z] = slice;
        const auto now = request_.second_order ? pass.from.from(depth) : pass.from;
        const float* before = nullptr;
        if (request_.second_order) {
            const auto in_volume = border_index(Border::wrap, z, depth);
            before = step == 1   ? pass.from.row(y, in_volume)
                     : step == 2 ? now.row(y, in_volume)
                                 : ring_row(pass, step - 2, y, z);
        }
        float* out = step == pass.steps ? result_row(pass, y, z) : ring_row(pass, step, y, z);
        const auto ring_at = [&](std::int64_t row, std::int64_t at) -> const float* {
            if (request_.border == Border::wrap)
                return ring_row(pass, step - 1, row, at); // also beyond the ends
            const auto held = border_index(request_.border, at, depth);
            return held < 0 ? nullptr : ring_row(pass, step - 1, row, held);
        };
        if (step == 1) rows_.compute(rows_of(now), y, z, before, out);
        else rows_.compute(ring_at, y, z, before, out);
        if (request_.second_order && step == pass.steps - 1 && z >= 0 && z < depth)
            std::copy_n(out, request_.size.width, pass.to.row(y, z));
    }

    float* ring_row(const Pass& pass, std::int64_t step, std::int64_t y, std::int64_t z) const {
        return pass.rings.row(y, (step - 1) * blocks_.ring + border_index(Border::wrap, z, blocks_.ring));
    }
    float* result_row(const Pass& pass, std::int64_t y, std::int64_t z) const {
        return pass.to.row(y, request_.second_order ? request_.size.depth + z : z);
    }

    VolumeRows rows_;
    Blocks blocks_;
};

VolumeRows rows_of_request(const VolumeRequest& request) {
    return {request, placed_taps(request), request.outside};
}

std::string why_not(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<VolumeRequest>(step);
    if (request.steps == 1) return "it combines time steps, and there is one";
    if (Blocks(request, rows_of_request(request), engine.device().strip_bytes).per_pass == 1)
        return "the slices that two steps share do not fit in the cache";
    return {};
}

Cost cost(const PlanStep& step, const Engine& engine) {
    const auto& request = std::get<VolumeRequest>(step);
    const auto rows = rows_of_request(request);
    const Blocks blocks(request, rows, engine.device().strip_bytes);
    const double steps = static_cast<double>(request.steps), passes = static_cast<double>(blocks.passes);
    const auto taps = static_cast<double>(rows.taps_per_output());
    return {steps * volume_microseconds(request, taps, passes / steps, engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    const auto& request = std::get<VolumeRequest>(step);
    auto rows = rows_of_request(request);
    const Blocks blocks(request, rows, engine.device().strip_bytes);
    return std::make_shared<TimeBlocksPlan>(request, std::move(rows), blocks);
}

} // namespace

extern const Algorithm kTimeBlocks{"time_blocks",
                                   "Time blocks",
                                   "Several time steps per pass, each a few slices behind the previous one",
                                   "Wonnacott 2000, skewed along slices",
                                   why_not,
                                   cost,
                                   plan};

} // namespace kg::cpu::volumes
