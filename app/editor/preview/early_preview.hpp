#pragma once
// Exact pixels of a result that takes longer than a frame, before the whole of it: of one filter every n-th of every n-th row
// (sampled_preview.hpp), of a chain a part that grows from where the person looks. There every pixel has the bytes that the
// whole result will have, because a plan computes any rectangle of it so.

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

/// When there is a preview, and how much of it at a time.
struct PreviewPace {
    double slow_us = 16'000; ///< a result that is predicted to take longer has one: a frame
    double piece_us =
        9'000; ///< for the first exact pixels, and from one piece to the next: with hand-off and drawing, a frame
};

/// One preview in progress.
class EarlyPreview {
public:
    virtual ~EarlyPreview() = default;
    /// Who computes it: the job's engine, or that of the host's memory. Its are queue, source and pixels.
    virtual const std::shared_ptr<Engine>& engine() const = 0;
    /// Enqueues the next pixels and says what pixels() shows when they are there; empty when there is nothing more.
    virtual std::optional<Preview> next(Queue& queue, const BufferView& source,
                                        const std::stop_token& stop) = 0;
    /// How long what next() enqueued has taken.
    virtual void took(double microseconds) = 0;
    /// How long what next() enqueued may take; after that it had better be stopped, and smaller() begun with. Infinite where nothing
    /// smaller is much quicker.
    virtual double limit_us() const { return std::numeric_limits<double>::infinity(); }
    /// What next() enqueued was stopped after so long: the next is much less of it.
    virtual void smaller(double /*microseconds*/) {}
    virtual const BufferView& pixels() const = 0;
};

class Sampler;

/// Decides for one engine, and learns from what it takes.
class Previewer {
public:
    /// `host` computes on host memory; it may be the engine itself.
    Previewer(std::shared_ptr<Engine> engine, std::shared_ptr<Engine> host, PreviewPace pace);
    ~Previewer();

    /// Null for a result that is there within a frame, and for one of which no part can be computed sooner. `steps`: the costs of
    /// the way that is planned; none where they are not known. Throws std::bad_alloc.
    std::unique_ptr<EarlyPreview> begin(const Job& job, const std::shared_ptr<const Plan>& plan,
                                        std::vector<StepCost> steps);
    /// What the whole of the last begin() is predicted to take.
    double expected_us() const { return expected_us_; }
    /// What the whole of the last begin() has taken, so that the next prediction is nearer.
    void took(double microseconds);

private:
    std::shared_ptr<Engine> engine_;
    PreviewPace pace_;
    BufferPool pool_;
    std::unique_ptr<Sampler> sampler_;
    std::map<std::string, double> slower_,
        pieces_slower_; ///< by algorithm: how many times what its cost says take the whole, and pieces of it
    std::string last_algorithm_;
    double last_cost_us_ = 0, expected_us_ = 0;
};

/// A correction of predictions (how many times what the costs say) after one that said `expected_us`. Goes half of the way, because
/// a busy machine, or a thread that wakes late, says little of the next time.
double corrected(double slower, double expected_us, double measured_us);

/// The smallest rectangle around `part` (empty: around (x, y)) that is `enough`, or all of `bounds`: each side moves as far as the
/// others where it can. It begins and ends at multiples of (step_x, step_y), or where the bounds do.
Rect grown(const Rect& part, std::int64_t x, std::int64_t y, const Rect& bounds, std::int64_t step_x,
           std::int64_t step_y, const std::function<bool(const Rect&)>& enough);

/// What of `outer` is not in `inner`, which lies within it: at most four rectangles.
std::vector<Rect> around(const Rect& outer, const Rect& inner);

} // namespace kg
