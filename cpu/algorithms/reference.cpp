// The float64 reference as a selectable algorithm: slow, and the standard for all others. It executes whole
// requests, so it is independent of the planner. All threads compute parts of the rows, each at least as high
// as what is read around it, so that together they hold at most three times the whole.

#include "core/reference/reference.hpp"
#include "core/image/copy_pixels.hpp"
#include "core/reference/reference_part.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

class ReferencePlan final : public Plan {
public:
    explicit ReferencePlan(ImageRequest request) : request_(std::move(request)) {
        algorithm = kReferenceId;
        reason = "reference as asked for";
    }

    Needs needs(const Rect&) const override { return {whole(request_.size), 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([&host, request = request_, item](const HostQueue::Context& context) {
                const auto source = host.image(item.src), result = host.image(item.dst);
                const Rect all = item.dst.covers;
                const auto compute = [&](std::int64_t begin, std::int64_t end) {
                    const auto part = reference_part(
                        request, source, {all.x, all.y + begin, all.width, end - begin}, context.stop);
                    copy_pixels(part.view(), result.crop({0, begin, all.width, end - begin}));
                };
                const auto around = rows_around_part(request);
                parallel_rows(context, all.height, std::max(around, efficient_part_height(request)), compute,
                              std::max<std::int64_t>(1, around));
            });
    }

private:
    ImageRequest request_;
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }
Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }
std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    return std::make_shared<ReferencePlan>(std::get<ImageStep>(request));
}

} // namespace

extern const Algorithm kReference{kReferenceId,
                                  "Reference",
                                  "Direct sums in float64 over the whole image: correct, never fast",
                                  "docs/semantics.md, definition by definition",
                                  why_not,
                                  cost,
                                  plan,
                                  true};

} // namespace kg::cpu
