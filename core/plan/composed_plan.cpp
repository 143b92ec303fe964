#include "core/plan/composed_plan.hpp"

#include "core/plan/chain.hpp"

#include <algorithm>
#include <functional>
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
        all.scratch_bytes += aligned_scratch(needs.scratch_bytes); // parts may run at the same time
    }
    return all;
}

void ComposedPlan::record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const {
    if (items.empty()) return;
    auto parts = divided(items.front().dst.covers, exact_, quantum_);
    std::ranges::reverse(parts); // the large one last, so that it does not delay the others
    std::vector<std::function<void()>> pieces;
    auto own = scratch;
    for (const auto& part : parts) {
        std::vector<Item> part_items;
        for (const auto& item : items) part_items.push_back({item.src, item.dst.crop(part.outputs)});
        const auto& plan = plan_of(part);
        const auto bytes = items.size() * aligned_scratch(plan.needs(part.outputs).scratch_bytes);
        pieces.push_back([&queue, &plan, part_items = std::move(part_items), own] {
            plan.record(queue, part_items, own);
        });
        own.offset += bytes;
    }
    queue.record_independent(pieces);
}

} // namespace kg
