#include "core/plan/composed_plan.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace kg {

namespace {

/// The smallest rectangle that contains both.
Rect united(const Rect& a, const Rect& b) {
    if (a.empty()) return b;
    const auto x = std::min(a.x, b.x), y = std::min(a.y, b.y);
    return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

std::int64_t quantum_of(const Plan& plan) { return plan.needs({0, 0, 1, 1}).row_quantum; }

} // namespace

std::vector<ComposedPart> divided(const Rect& outputs, const Rect& exact, std::int64_t quantum) {
    auto inner = intersect(outputs, exact);
    const auto top = inner.y == outputs.y ? inner.y : (inner.y + quantum - 1) / quantum * quantum;
    const auto bottom = inner.bottom() == outputs.bottom() ? inner.bottom()
                                                           : inner.bottom() / quantum * quantum;
    inner.y = top, inner.height = bottom - top;
    if (inner.empty()) return {{outputs, false}};
    std::vector<ComposedPart> parts{{inner, true}};
    const Rect around[] = {
        {outputs.x, outputs.y, outputs.width, inner.y - outputs.y},
        {outputs.x, inner.y, inner.x - outputs.x, inner.height},
        {inner.right(), inner.y, outputs.right() - inner.right(), inner.height},
        {outputs.x, inner.bottom(), outputs.width, outputs.bottom() - inner.bottom()},
    };
    for (const auto& part : around)
        if (!part.empty()) parts.push_back({part, false});
    return parts;
}

ComposedPlan::ComposedPlan(std::shared_ptr<const Plan> composed, std::shared_ptr<const Plan> steps,
                           const Rect& exact)
    : composed_(std::move(composed)), steps_(std::move(steps)), exact_(exact),
      quantum_(std::lcm(quantum_of(*composed_), quantum_of(*steps_))) {}

Needs ComposedPlan::needs(const Rect& output) const {
    Needs all{{}, 0, quantum_};
    for (const auto& part : divided(output, exact_, quantum_)) {
        const auto needs = plan_of(part).needs(part.outputs);
        all.source = united(all.source, needs.source);
        all.scratch_bytes = std::max(all.scratch_bytes, needs.scratch_bytes);
    }
    return all;
}

void ComposedPlan::record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const {
    if (items.empty()) return;
    std::vector<Item> parts_of_items;
    for (const auto& part : divided(items.front().dst.covers, exact_, quantum_)) {
        parts_of_items.clear();
        for (const auto& item : items) parts_of_items.push_back({item.src, item.dst.crop(part.outputs)});
        plan_of(part).record(queue, parts_of_items, scratch);
    }
}

} // namespace kg
