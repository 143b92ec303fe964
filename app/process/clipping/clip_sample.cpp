#include "app/process/clipping/clip_sample.hpp"

#include "app/process/clipping/clipping.hpp"
#include "core/plan/planner.hpp"
#include "core/plan/wrapped_image.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

constexpr std::size_t kPlans = 16;
/// Rows in the sample: one out of kOneOf, but at least kLeastRows, and at most kMostPixels pixels.
constexpr std::int64_t kOneOf = 16, kLeastRows = 32, kMostPixels = 256 * 1024;
constexpr std::int64_t kStrips = 8, kStripRows = 16;

/// True for averages, whose results stay within the range of their inputs.
bool is_average(const Stage& stage) {
    constexpr double kRounding = 1e-6;
    const auto gain = absolute_gain(stage);
    return stage.combine == Combine::single && offset(stage) == 0 && gain <= 1 + kRounding &&
           dc_gain(stage) >= gain - kRounding;
}

std::int64_t up_to(std::int64_t quantum, std::int64_t rows) {
    return (rows + quantum - 1) / quantum * quantum;
}

} // namespace

std::vector<Rect> clip_strips(const ImageRequest& request, const Plan& plan) {
    const auto [width, height] = request.size;
    const auto quantum = plan.needs(whole(request.size)).row_quantum;
    std::int64_t around = 0; // halo rows, computed again for every strip
    for (const auto& stage : request.stages) around += reach(stage).up + reach(stage).down;
    const auto wanted = std::max(std::min(height / kOneOf, kMostPixels / width), kLeastRows);
    if (wanted >= height) return {whole(request.size)};
    const auto least = up_to(quantum, std::max(kStripRows, around));
    const auto count = std::clamp<std::int64_t>(wanted / least, 1, kStrips);
    const auto rows = up_to(quantum, std::max(wanted / count, least));
    if (count * rows >= height) return {whole(request.size)};
    std::vector<Rect> strips;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto first = ((2 * i + 1) * height / count - rows) / 2 / quantum * quantum;
        strips.push_back({0, first, width, std::min(rows, height - first)});
    }
    return strips;
}

bool may_clip(const ImageRequest& request) {
    if (!is_integer(request.in.depth)) return true; // floats may have any value
    if (!is_integer(request.out.depth)) return false;
    return !std::ranges::all_of(request.stages, [&](const Stage& stage) {
        return is_average(stage) && (filters_alpha(stage) || !is_alpha_weighted(request));
    });
}

std::optional<Clipping> ClipSample::count(const ImageRequest& request, const ConstImageView& image) try {
    Clipping sum;
    if (!may_clip(request)) {
        sum.pixels = request.size.width * request.size.height;
        return sum;
    }
    const auto plan = plan_of(request);
    const auto strips = clip_strips(request, *plan);
    const auto rows = strips.front().height;
    const Image numbers({request.size.width, rows * static_cast<std::int64_t>(strips.size())},
                        unclamped(request).out);
    std::vector<ConstImageView> views;
    auto queue = take_queue();
    for (const auto& strip : strips) {
        const auto above = rows * static_cast<std::int64_t>(views.size());
        views.push_back(numbers.view().crop({0, above, strip.width, strip.height}));
        const Item item{wrap_image(image, whole(image.size)), wrap_image(views.back(), strip)};
        queue->run(plan, {&item, 1});
    }
    queue->fence().wait();
    give_back(std::move(queue));
    for (const auto& view : views) count_clipped(request, view, sum);
    return sum;
} catch (const std::exception&) { // the image itself is done; an unknown count is no failure
    return {};
}

std::unique_ptr<Queue> ClipSample::take_queue() {
    {
        const std::lock_guard lock(mutex_);
        if (!queues_.empty()) {
            auto queue = std::move(queues_.back());
            queues_.pop_back();
            return queue;
        }
    }
    return engine_->queue();
}

void ClipSample::give_back(std::unique_ptr<Queue> queue) {
    const std::lock_guard lock(mutex_);
    queues_.push_back(std::move(queue));
}

std::shared_ptr<const Plan> ClipSample::plan_of(const ImageRequest& request) {
    {
        const std::lock_guard lock(mutex_);
        const auto known = std::ranges::find(plans_, request, &Planned::request);
        if (known != plans_.end()) {
            std::rotate(known, known + 1, plans_.end());
            return plans_.back().plan;
        }
    }
    auto made = kg::plan(*engine_, unclamped(request));
    const std::lock_guard lock(mutex_);
    if (plans_.size() >= kPlans) plans_.erase(plans_.begin());
    plans_.push_back({request, made});
    return made;
}

} // namespace kg
