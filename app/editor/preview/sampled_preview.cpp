#include "app/editor/preview/sampled_preview.hpp"

#include "core/plan/cut.hpp"
#include "core/plan/filter_step.hpp"
#include "core/plan/planner.hpp"
#include "cpu/kernels/sampled_products.hpp"
#include "cpu/runtime/sampled_plan.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

namespace kg {

namespace {

constexpr std::size_t kMostConverted = std::size_t{1} /// Largest image in bytes that is converted as a whole.
                                       << 28;
/// Fraction of the time step; shorter runs mostly measure the waking of threads.
constexpr double kEnough = 0.5;
constexpr double kLongestFirst = 4; ///< longest first preview, in multiples of its time step
/// Limit of the correction factor: beyond it a coarser grid is hardly quicker.
constexpr double kMostSlow = 3;
constexpr int kCoarsest = 24;

/// The only step of a request with a neighbourhood, if at most a conversion precedes it.
std::optional<std::size_t> only_filter(const std::vector<StepCost>& steps) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto& step = steps[i].step;
        if (is_conversion(step)) continue;
        const auto all = reach(step.stages.front());
        const bool has_neighbourhood = all.left + all.right + all.up + all.down > 0;
        if (found && has_neighbourhood) return {};
        if (!found) found = i;
    }
    return found && *found <= 1 ? found : std::nullopt;
}

const Algorithm* find_algorithm(const Engine& engine, std::string_view id) {
    for (const auto* algorithm : engine.algorithms())
        if (algorithm->id == id) return algorithm;
    return nullptr;
}

/// The plan of a pointwise step for an image of another size.
std::shared_ptr<const Plan> pointwise_plan(Engine& engine, ImageStep step, Extent size) {
    step.size = size;
    const auto* algorithm = find_algorithm(engine, is_conversion(step) ? kConvert : "direct");
    return algorithm && algorithm->why_not(step, engine).empty() ? algorithm->plan(step, engine, {})
                                                                 : nullptr;
}

/// The samples whose cells cover this region of an image of this size. A sample lies in the middle of its
/// cell.
Rect samples_in(const Rect& region, Extent size, int every) {
    const std::int64_t n = every;
    const auto first = [n](std::int64_t v) { return (2 * v + n - 1) / (2 * n); };
    const auto end = [n](std::int64_t v) { return (2 * v + 3 * n - 2) / (2 * n); };
    const auto u = first(region.x), v = first(region.y);
    return intersect(whole(cpu::sampled_size(size, every)),
                     {u, v, end(region.right()) - u, end(region.bottom()) - v});
}

} // namespace

class SampledPreviewer::Samples final : public EarlyPreview {
public:
    struct Step {
        std::shared_ptr<const Plan> plan;
        ImageRequest request;
    };

    Samples(SampledPreviewer& previewer, const ScreenJob& job, int every, const Rect& samples,
            std::vector<Step> steps, double cost_us, double step_us, bool reads_converted)
        : previewer_(previewer), every_(every), samples_(samples), size_(job.request.size),
          steps_(std::move(steps)), cost_us_(cost_us), step_us_(step_us), reads_converted_(reads_converted) {
        for (const auto& step : steps_)
            between_.push_back(
                allocate_view(*previewer.engine_, step.request.out, whole(cpu::sampled_size(size_, every))));
    }

    const std::shared_ptr<Engine>& engine() const override { return previewer_.engine_; }
    std::optional<Preview> next(Queue& queue, const BufferView& source,
                                const std::stop_token& stop) override {
        if (std::exchange(is_done_, true)) return {};
        auto from = reads_converted_ ? previewer_.converted_.pixels : source;
        if (reads_converted_ && !previewer_.converted_.is_done) {
            const Item item{source, from};
            queue.run(convert_, {&item, 1}, {}); // never stopped: the next edit needs it as well
            previewer_.converted_.is_done = true;
        }
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            from.format = steps_[i].request.in;
            const Item item{i == 0 ? from : from.crop(samples_), between_[i].crop(samples_)};
            queue.run(steps_[i].plan, {&item, 1}, stop);
            from = between_[i];
        }
        const auto n = static_cast<std::int64_t>(every_);
        return Preview{every_,
                       intersect(whole(size_),
                                 {samples_.x * n, samples_.y * n, samples_.width * n, samples_.height * n}),
                       {samples_}};
    }

    void took(double microseconds) override {
        const double expected_us = std::max(previewer_.slower_ * cost_us_, kEnough * step_us_);
        if (!convert_ && microseconds >= kEnough * step_us_ / 2)
            previewer_.slower_ = std::min(kMostSlow,
                                          corrected(previewer_.slower_, expected_us, microseconds));
    }
    const BufferView& pixels() const override { return between_.back(); }

    /// The conversion of the image to the first step's format.
    void convert_first(std::shared_ptr<const Plan> plan) { convert_ = std::move(plan); }

private:
    SampledPreviewer& previewer_;
    int every_;
    Rect samples_; ///< in samples
    Extent size_;
    std::vector<Step> steps_;
    double cost_us_, step_us_;
    bool reads_converted_, is_done_ = false;
    std::shared_ptr<const Plan> convert_;
    std::vector<BufferView> between_; ///< output of each step
};

void SampledPreviewer::convert_later(const ScreenJob& job, const ImageRequest& step) {
    if (converted_.image == job.image && converted_.step == step) return;
    converted_ = {};
    converted_ = {job.image, step, allocate_view(*engine_, step.out, whole(step.size)), false};
}

std::unique_ptr<EarlyPreview> SampledPreviewer::begin(const ScreenJob& job,
                                                      const std::vector<StepCost>& steps, double step_us) {
    const auto place = only_filter(steps);
    if (!place || !cpu::why_not_sampled(steps[*place].step).empty()) return nullptr;
    const auto& filter = steps[*place].step;
    const auto& size = job.request.size;
    if (filter.size != size) return nullptr; // it runs in the frame of a border (core/plan/frame.hpp)
    const bool converts = *place == 1;
    if (converts &&
        static_cast<std::size_t>(size.height) * buffer_pitch(size.width, filter.in) > kMostConverted)
        return nullptr;

    // A finer grid than the screen shows nothing more; a coarser one shows little and takes hardly less time.
    auto every = static_cast<int>(std::clamp(std::floor(1 / job.focus->zoom), 1.0, 4096.0));
    const auto coarsest = std::max(every, kCoarsest);
    const auto products = cpu::sampled_products(filter.stages.front());
    Rect samples;
    double cost_us = 0;
    for (;; ++every) {
        samples = samples_in(job.focus->visible, size, every);
        cost_us = cpu::sampled_cost(filter, products, every, {samples.width, samples.height}, *engine_)
                      .microseconds;
        if (every >= coarsest || slower_ * cost_us <= step_us) break;
    }
    if (slower_ * cost_us > kLongestFirst * step_us) return nullptr;
    if (every == 1 || samples.empty()) return nullptr;

    std::vector<Samples::Step> chain{{cpu::sampled_plan(filter, every, *engine_), filter}};
    for (auto i = *place + 1; i < steps.size(); ++i) {
        auto plan = pointwise_plan(*engine_, steps[i].step, cpu::sampled_size(size, every));
        if (!plan) return nullptr;
        chain.push_back({std::move(plan), steps[i].step});
    }
    if (converts) convert_later(job, steps.front().step);
    auto made = std::make_unique<Samples>(*this, job, every, samples, std::move(chain), cost_us, step_us,
                                          converts);
    if (converts && !converted_.is_done)
        made->convert_first(pointwise_plan(*engine_, steps.front().step, size));
    return made;
}

} // namespace kg
