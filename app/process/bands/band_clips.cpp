#include "app/process/bands/band_clips.hpp"

#include "app/process/clipping/clip_sample.hpp"
#include "app/process/clipping/clipping.hpp"
#include "core/plan/planner.hpp"
#include "core/plan/wrapped_image.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace kg {

BandClips::BandClips(std::shared_ptr<Engine> engine, const ImageRequest& request)
    : engine_(std::move(engine)), request_(request) {
    if (!engine_) return;
    sum_.emplace();
    const auto size = request.size;
    if (!may_clip(request)) {
        sum_->pixels = size.width * size.height;
        return;
    }
    try {
        constexpr std::size_t kChunkBytes = 1 << 20;
        const auto numbers = unclamped(request);
        plan_ = plan(*engine_, numbers);
        strips_ = clip_strips(request, *plan_);
        quantum_ = plan_->needs({0, 0, size.width, 1}).row_quantum;
        const auto row = aligned_pitch(size.width, numbers.out);
        const auto quanta = static_cast<std::int64_t>(kChunkBytes / row) / quantum_;
        chunk_rows_ = std::min(std::max<std::int64_t>(quanta, 1) * quantum_, size.height);
        for (const auto& strip : strips_)
            memory_ = std::max(
                memory_, plan_->needs(intersect(strip, {0, strip.y, size.width, chunk_rows_})).scratch_bytes);
        memory_ += row * static_cast<std::size_t>(chunk_rows_);
    } catch (const std::exception&) {
        give_up();
    }
}

Rect BandClips::needs(const Rect& outputs) const {
    Rect all;
    for (const auto& strip : strips_) {
        const auto region = intersect(strip, outputs);
        if (region.empty()) continue;
        const auto rows = plan_->needs(region).source;
        const auto end = std::max(all.bottom(), rows.bottom());
        all.y = all.height > 0 ? std::min(all.y, rows.y) : rows.y;
        all.height = end - all.y;
    }
    all.width = outputs.width;
    return all;
}

void BandClips::count_band(const ConstImageView& source, const Rect& covers, const Rect& outputs) try {
    for (const auto& strip : strips_) {
        const auto region = intersect(strip, outputs);
        for (auto y = region.y; y < region.bottom(); y += chunk_rows_)
            count(source, covers, intersect(region, {0, y, region.width, chunk_rows_}));
    }
} catch (const std::exception&) {
    give_up();
}

void BandClips::count(const ConstImageView& source, const Rect& covers, const Rect& region) {
    if (numbers_.empty()) numbers_ = Image({region.width, chunk_rows_}, unclamped(request_).out);
    if (!queue_) queue_ = engine_->queue();
    const auto numbers = std::as_const(numbers_).view().crop({0, 0, region.width, region.height});
    const Item item{wrap_image(source, covers), wrap_image(numbers, region)};
    queue_->run(plan_, {&item, 1});
    queue_->fence().wait();
    count_clipped(request_, numbers, *sum_);
}

void BandClips::give_up() {
    sum_.reset();
    strips_.clear();
    memory_ = 0;
    quantum_ = 1;
}

} // namespace kg
