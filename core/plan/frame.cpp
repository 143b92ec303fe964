#include "core/plan/frame.hpp"

#include "core/reference/reference.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace kg {

namespace {

std::int64_t rounded_up(std::int64_t length, std::int64_t multiple) {
    return (length + multiple - 1) / multiple * multiple;
}

Rect moved(const Rect& rect, std::int64_t x, std::int64_t y) {
    return {rect.x + x, rect.y + y, rect.width, rect.height};
}

/// The regions of `rect` above, below, left and right of `hole`.
std::array<Rect, 4> around(const Rect& rect, const Rect& hole) {
    const auto beyond = [&](const Rect& side) { return intersect(rect, side); };
    const auto left = std::min(rect.x, hole.x), right = std::max(rect.right(), hole.right()),
               top = std::min(rect.y, hole.y), bottom = std::max(rect.bottom(), hole.bottom());
    return {beyond({left, top, right - left, hole.y - top}),
            beyond({left, hole.bottom(), right - left, bottom - hole.bottom()}),
            beyond({left, hole.y, hole.x - left, hole.height}),
            beyond({hole.right(), hole.y, right - hole.right(), hole.height})};
}

/// A row of `width` equal pixels in the engine's memory.
BufferView row_of(Engine& engine, const PixelFormat& format, const std::array<double, kMaxChannels>& pixel,
                  std::int64_t width) {
    Image row({width, 1}, format);
    for (std::int64_t x = 0; x < width; ++x)
        for (int c = 0; c < format.channels; ++c)
            store(row.view(), x, 0, c, pixel[static_cast<std::size_t>(c)]);
    auto buffer = allocate_view(engine, format, {0, 0, width, 1});
    const auto queue = engine.queue();
    queue->upload(row.view(), buffer);
    queue->fence().wait();
    return buffer;
}

class FillingPlan final : public Plan {
public:
    FillingPlan(const ImageStep& step, std::shared_ptr<const Plan> conversion, BufferView row)
        : filled_(step.filled), conversion_(std::move(conversion)), row_(std::move(row)) {
        algorithm = conversion_->algorithm;
    }

    Needs needs(const Rect& output) const override { return {intersect(output, filled_), 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        const auto covers = items.front().dst.covers;
        convert(queue, items, intersect(covers, filled_), scratch, false);
        for (const auto& part : around(covers, filled_)) convert(queue, items, part, scratch, true);
    }

private:
    /// Converts a region of the items, or fills it: then every row of it comes from the row of the pixel.
    void convert(Queue& queue, std::span<const Item> items, const Rect& part, const BufferView& scratch,
                 bool filling) const {
        if (part.empty()) return;
        std::vector<Item> parts;
        for (const auto& item : items) {
            auto from = filling ? row_ : item.src.crop(part);
            if (filling) from.covers = part, from.pitch = 0;
            parts.push_back({std::move(from), item.dst.crop(part)});
        }
        conversion_->record(queue, parts, scratch);
    }

    Rect filled_;
    std::shared_ptr<const Plan> conversion_;
    BufferView row_;
};

class PlanInFrame final : public Plan {
public:
    PlanInFrame(std::shared_ptr<const Plan> steps, const BorderFrame& frame)
        : steps_(std::move(steps)), image_(frame.image) {
        algorithm = steps_->algorithm, reason = steps_->reason;
    }

    Needs needs(const Rect& output) const override {
        auto needs = steps_->needs(moved(output, image_.x, image_.y));
        needs.source = moved(needs.source, -image_.x, -image_.y);
        // Strips of the image begin where strips of the frame do, or there is only one.
        if (image_.y % needs.row_quantum != 0) needs.row_quantum = image_.height;
        return needs;
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        // The steps accept all outputs in the frame.
        if (!Rect{0, 0, image_.width, image_.height}.contains(items.front().dst.covers))
            throw Error("outputs-outside-image", "the requested outputs must lie inside the image");
        std::vector<Item> inside(items.begin(), items.end());
        for (auto& item : inside)
            for (auto* view : {&item.src, &item.dst}) view->covers = moved(view->covers, image_.x, image_.y);
        steps_->record(queue, inside, scratch);
    }

private:
    std::shared_ptr<const Plan> steps_;
    Rect image_;
};

} // namespace

bool has_frame(const ImageRequest& request) {
    return request.border == Border::constant && !request.stages.empty();
}

BorderFrame frame_of(const ImageRequest& request) {
    constexpr std::int64_t kColumns = 32, kRows = 64;
    Reach most;
    for (const auto& stage : request.stages) {
        const auto r = reach(stage);
        most = {std::max(most.left, r.left), std::max(most.right, r.right), std::max(most.up, r.up),
                std::max(most.down, r.down)};
    }
    const Rect image{rounded_up(most.left, kColumns), rounded_up(most.up, kRows), request.size.width,
                     request.size.height};
    return {{image.right() + most.right, image.bottom() + most.down}, image};
}

std::shared_ptr<const Plan> filling_plan(Engine& engine, const ImageStep& step,
                                         std::shared_ptr<const Plan> conversion) {
    return std::make_shared<FillingPlan>(step, std::move(conversion),
                                         row_of(engine, step.in, step.filling, step.size.width));
}

std::shared_ptr<Plan> plan_in_frame(std::shared_ptr<const Plan> steps, const BorderFrame& frame) {
    return std::make_shared<PlanInFrame>(std::move(steps), frame);
}

} // namespace kg
