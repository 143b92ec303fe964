#pragma once
// Exact pixels of a result that takes longer than a frame, before the whole result: for one filter every n-th
// pixel of every n-th row (sampled_preview.hpp), for a chain a region that grows from the focus. Every pixel
// has the bytes of the whole result, because a plan computes any rectangle exactly.

#include "app/editor/worker/buffer_pool.hpp"
#include "app/editor/worker/result.hpp"
#include "core/plan/step_costs.hpp"

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// When a preview is made, and its time per step.
struct PreviewPace {
    double slow_us = 16'000; ///< a result with a longer predicted time has a preview: one frame
    /// Time for the first exact pixels and for every further region: with presentation and drawing, one
    /// frame.
    double step_us = 9'000;
};

/// One preview in progress.
class EarlyPreview {
public:
    virtual ~EarlyPreview() = default;
    /// The engine that computes it: the job's, or a host engine. It owns the queue, source and pixels.
    virtual const std::shared_ptr<Engine>& engine() const = 0;
    /// Enqueues the next pixels and returns what pixels() shows once they are done; empty when none remain.
    virtual std::optional<Preview> next(Queue& queue, const BufferView& source,
                                        const std::stop_token& stop) = 0;
    /// Reports the time of the work that next() enqueued.
    virtual void took(double microseconds) = 0;
    /// Longest useful time of the work that next() enqueued; beyond it the work is better stopped and
    /// smaller() called. Infinite where a smaller step is hardly quicker.
    virtual double limit_us() const { return std::numeric_limits<double>::infinity(); }
    /// The work of next() was stopped after this time: the next step is much smaller.
    virtual void smaller(double /*microseconds*/) {}
    virtual const BufferView& pixels() const = 0;
};

class SampledPreviewer;

/// Decides for one engine, and corrects its predictions by measured times.
class Previewer {
public:
    /// `host` computes on host memory; it may be the engine itself.
    Previewer(std::shared_ptr<Engine> engine, std::shared_ptr<Engine> host, PreviewPace pace);
    ~Previewer();

    /// Null for a result that is done within a frame, and where no region can be computed sooner. `steps`:
    /// costs of the planned algorithm; empty where unknown. Throws std::bad_alloc.
    std::unique_ptr<EarlyPreview> begin(const ScreenJob& job, const std::shared_ptr<const Plan>& plan,
                                        std::vector<StepCost> steps);
    /// Predicted time of the whole result of the last begin().
    double expected_us() const { return expected_us_; }
    /// Reports the measured time of the whole result of the last begin(), which corrects later predictions.
    void took(double microseconds);

private:
    std::shared_ptr<Engine> engine_;
    PreviewPace pace_;
    BufferPool pool_;
    std::unique_ptr<SampledPreviewer> sampled_;
    /// By algorithm: measured time over predicted cost, of the whole result and of regions.
    std::map<std::string, double> slower_, regions_slower_;
    std::string last_algorithm_;
    double last_cost_us_ = 0, expected_us_ = 0;
};

/// Updates a correction factor (measured time over predicted cost) after a prediction of `expected_us`. Moves
/// half of the distance, because one measurement on a busy machine, or with a thread that wakes late, is
/// unreliable.
double corrected(double slower, double expected_us, double measured_us);

/// The smallest rectangle around `region` (empty: around (x, y)) that is `enough`, or all of `bounds`. Every
/// edge moves as far as the others where it can. Edges are multiples of (step_x, step_y) or of the bounds.
Rect grown(const Rect& region, std::int64_t x, std::int64_t y, const Rect& bounds, std::int64_t step_x,
           std::int64_t step_y, const std::function<bool(const Rect&)>& enough);

/// The area of `outer` outside `inner`, which lies within it: at most four rectangles.
std::vector<Rect> around(const Rect& outer, const Rect& inner);

} // namespace kg
