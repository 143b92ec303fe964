#include "app/editor/preview/early_preview.hpp"

#include "app/editor/preview/sampled_preview.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kg {

namespace {

constexpr std::int64_t kGrain = 16; ///< the region's edges are multiples of so many pixels
/// Largest share of the whole result's predicted time that a growing region may take.
constexpr double kShare = 0.25;
/// Largest predicted time of the first region, in multiples of its time step.
constexpr double kMostFirst = 4;
constexpr double kLimit = 2;     ///< the first region is stopped after this multiple of its time step
constexpr double kSmaller = 4;   ///< reduction of the next region after a stop
constexpr double kMostWrong = 8; ///< limit of the correction factor

std::int64_t up(std::int64_t v, std::int64_t step) { return (v + step - 1) / step * step; }
std::int64_t down(std::int64_t v, std::int64_t step) { return v / step * step; }

double cost_of_all(const std::vector<StepCost>& steps, const std::vector<Rect>& rects) {
    double sum = 0;
    for (const auto& rect : rects) sum += cost_us(steps, rect);
    return sum;
}

/// A region that grows around the focus until it covers everything in view.
class GrowingRegion final : public EarlyPreview {
public:
    /// `slower`: correction factor (measured time over predicted cost) of regions, updated for later edits,
    /// too.
    GrowingRegion(std::shared_ptr<Engine> engine, const ScreenJob& job, std::shared_ptr<const Plan> plan,
                  std::vector<StepCost> steps, double& slower, const PreviewPace& pace)
        : engine_(std::move(engine)), plan_(std::move(plan)), steps_(std::move(steps)), slower_(slower),
          focus_(*job.focus), step_y_(up(kGrain, plan_->needs(whole(job.request.size)).row_quantum)),
          step_us_(pace.step_us), left_us_(std::max(2 * pace.step_us, kShare * slower * cost_us(steps_))) {
        const auto& seen = focus_.visible;
        const auto x = down(seen.x, kGrain), y = down(seen.y, step_y_);
        bounds_ = intersect(whole(job.request.size),
                            {x, y, up(seen.right(), kGrain) - x, up(seen.bottom(), step_y_) - y});
    }

    /// False where even the first region takes much too long: a large kernel before others needs a large
    /// neighbourhood.
    bool is_quick() const { return slower_ * cost_us(steps_, next_region()) < kMostFirst * step_us_; }
    void compute_in(BufferView pixels) { pixels_ = std::move(pixels); }
    const std::shared_ptr<Engine>& engine() const override { return engine_; }

    std::optional<Preview> next(Queue& queue, const BufferView& source,
                                const std::stop_token& stop) override {
        if (region_ == bounds_ || left_us_ <= 0) return {};
        const auto wider = next_region();
        auto changed = around(wider, region_);
        cost_us_ = cost_of_all(steps_, changed);
        for (const auto& rect : changed) {
            const Item item{source, pixels_.crop(rect)};
            queue.run(plan_, {&item, 1}, stop);
        }
        before_ = std::exchange(region_, wider);
        return Preview{1, region_, std::move(changed)};
    }

    void took(double microseconds) override {
        left_us_ -= microseconds;
        slower_ = corrected(slower_, slower_ * cost_us_, microseconds);
    }
    double limit_us() const override {
        const auto least = next_region(before_, step_us_ / kSmaller);
        const bool is_less = kLimit * cost_of_all(steps_, around(least, before_)) < cost_us_;
        return before_.empty() && is_less && !was_stopped_ ? kLimit * step_us_
                                                           : std::numeric_limits<double>::infinity();
    }
    void smaller(double microseconds) override {
        slower_ = corrected(slower_, slower_ * cost_us_, microseconds); // a lower bound
        region_ = before_;
        step_us_ /= kSmaller;
        was_stopped_ = true;
    }
    const BufferView& pixels() const override { return pixels_; }

private:
    Rect next_region() const { return next_region(region_, step_us_); }
    Rect next_region(const Rect& region, double step_us) const {
        return grown(region, focus_.x, focus_.y, bounds_, kGrain, step_y_, [&](const Rect& wider) {
            return slower_ * cost_of_all(steps_, around(wider, region)) >= step_us;
        });
    }

    std::shared_ptr<Engine> engine_;
    std::shared_ptr<const Plan> plan_;
    std::vector<StepCost> steps_;
    double& slower_;
    Focus focus_;
    std::int64_t step_y_;
    double step_us_, left_us_;
    BufferView pixels_;
    Rect bounds_, region_, before_; ///< before_: before the latest next()
    bool was_stopped_ = false;
    double cost_us_ = 0; ///< cost of the latest next()
};

} // namespace

double corrected(double slower, double expected_us, double measured_us) {
    if (expected_us <= 0 || measured_us <= 0) return slower;
    return std::clamp(slower * std::sqrt(measured_us / expected_us), 1 / kMostWrong, kMostWrong);
}

Rect grown(const Rect& region, std::int64_t x, std::int64_t y, const Rect& bounds, std::int64_t step_x,
           std::int64_t step_y, const std::function<bool(const Rect&)>& enough) {
    x = std::clamp(x, bounds.x, bounds.right() - 1);
    y = std::clamp(y, bounds.y, bounds.bottom() - 1);
    const Rect from = region.empty() ? Rect{down(x, step_x), down(y, step_y), 0, 0} : region;
    for (std::int64_t by = 1;; ++by) {
        const auto dx = by * step_x, dy = up(by * step_x, step_y);
        const auto next = intersect(bounds,
                                    {from.x - dx, from.y - dy, from.width + 2 * dx, from.height + 2 * dy});
        if (next == bounds || enough(next)) return next;
    }
}

std::vector<Rect> around(const Rect& outer, const Rect& inner) {
    if (inner.empty()) return {outer};
    std::vector<Rect> all;
    const auto add = [&](const Rect& r) {
        if (!r.empty()) all.push_back(r);
    };
    add({outer.x, outer.y, outer.width, inner.y - outer.y});
    add({outer.x, inner.y, inner.x - outer.x, inner.height});
    add({inner.right(), inner.y, outer.right() - inner.right(), inner.height});
    add({outer.x, inner.bottom(), outer.width, outer.bottom() - inner.bottom()});
    return all;
}

Previewer::Previewer(std::shared_ptr<Engine> engine, std::shared_ptr<Engine> host, PreviewPace pace)
    : engine_(std::move(engine)), pace_(pace), pool_(engine_),
      sampled_(std::make_unique<SampledPreviewer>(std::move(host))) {}

Previewer::~Previewer() = default;

void Previewer::took(double microseconds) {
    if (!std::isfinite(last_cost_us_) || last_cost_us_ <= 0) return;
    const double measured = std::clamp(microseconds / last_cost_us_, 1 / kMostWrong, kMostWrong);
    const auto [known, is_first] = slower_.try_emplace(last_algorithm_, measured);
    if (!is_first) known->second = corrected(known->second, known->second * last_cost_us_, microseconds);
}

std::unique_ptr<EarlyPreview> Previewer::begin(const ScreenJob& job, const std::shared_ptr<const Plan>& plan,
                                               std::vector<StepCost> steps) {
    last_algorithm_ = plan->algorithm;
    last_cost_us_ = cost_us(steps);
    const auto known = slower_.find(last_algorithm_);
    const double slower = known == slower_.end() ? 1 : known->second;
    expected_us_ = slower * last_cost_us_;
    if (!job.focus || expected_us_ <= pace_.slow_us) return nullptr;
    // A preview must not make a moderately slow result slow.
    auto pace = pace_;
    pace.step_us = std::clamp(expected_us_ / 3, pace_.step_us / 3, pace_.step_us);
    if (auto samples = sampled_->begin(job, steps, pace.step_us)) return samples;
    // Algorithms without a cost run only on request and compute the whole result at once.
    if (!std::isfinite(last_cost_us_)) return nullptr;
    auto& regions_slower = regions_slower_[last_algorithm_];
    // A region that is too large is late; one that is too small is harmless.
    regions_slower = std::max(regions_slower, slower);
    auto growing = std::make_unique<GrowingRegion>(engine_, job, plan, std::move(steps), regions_slower,
                                                   pace);
    if (!growing->is_quick()) return nullptr;
    growing->compute_in(pool_.take(job.request.out, whole(job.request.size)));
    return growing;
}

} // namespace kg
