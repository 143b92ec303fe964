// The float64 reference as a selectable algorithm: slow, and the standard for all others. It executes whole
// requests, so it is independent of the planner.

#include "core/plan/reference.hpp"
#include "core/image/copy_pixels.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"

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
                const auto all = reference_image(request, host.image(item.src), context.stop);
                copy_pixels(all.view().crop(item.dst.covers), host.image(item.dst));
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
