#include "core/plan/composed_plan.hpp"

#include "core/plan/chain.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

namespace kg {

namespace {

/// The smallest rectangle that contains both.
Rect united(const Rect& a, const Rect& b) {
    if (a.empty()) return b;
    const auto x = std::min(a.x, b.x), y = std::min(a.y, b.y);
    return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

/// Pixels of which algorithms load whole words: next to other columns they gather bytes.
constexpr std::int64_t kColumns = 16;

std::int64_t quantum_of(const Plan& plan) { return plan.needs({0, 0, 1, 1}).row_quantum; }

} // namespace

std::vector<ComposedPart> divided(const Rect& outputs, const Rect& exact, std::int64_t quantum) {
    const auto inner_range = [](std::int64_t from, std::int64_t to, std::int64_t least, std::int64_t most,
                                std::int64_t unit) {
        const auto begin = least == from ? from : (least + unit - 1) / unit * unit;
        const auto end = most == to ? to : most / unit * unit;
        return std::pair(begin, end - begin);
    };
    auto inner = intersect(outputs, exact);
    std::tie(inner.x, inner.width) = inner_range(outputs.x, outputs.right(), inner.x, inner.right(),
                                                 kColumns);
    std::tie(inner.y, inner.height) = inner_range(outputs.y, outputs.bottom(), inner.y, inner.bottom(),
                                                  quantum);
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

ComposedPlan::Parts ComposedPlan::parts_of(const Rect& output) const {
    // Transforms request as much scratch for a narrow rectangle as for a large one.
    constexpr std::size_t kMostApart = std::size_t{256} << 20;
    Parts parts{divided(output, exact_, quantum_), {}, {}, false};
    std::size_t sum = 0, most = 0;
    for (const auto& part : parts.all) {
        const auto needs = plan_of(part).needs(part.outputs);
        parts.source = united(parts.source, needs.source);
        parts.scratch.push_back(aligned_scratch(needs.scratch_bytes));
        sum += parts.scratch.back();
        most = std::max(most, parts.scratch.back());
    }
    parts.apart = sum <= kMostApart;
    parts.scratch_bytes = parts.apart ? sum : most;
    return parts;
}

Needs ComposedPlan::needs(const Rect& output) const {
    const auto parts = parts_of(output);
    return {parts.source, parts.scratch_bytes, quantum_};
}

void ComposedPlan::record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const {
    if (items.empty()) return;
    const auto parts = parts_of(items.front().dst.covers);
    std::vector<std::function<void()>> branches;
    auto own = scratch;
    for (auto i = parts.all.size(); i-- > 0;) { // the large one last, so that it does not delay the others
        const auto& part = parts.all[i];
        std::vector<Item> part_items;
        for (const auto& item : items) part_items.push_back({item.src, item.dst.crop(part.outputs)});
        const auto& plan = plan_of(part);
        branches.push_back([&queue, &plan, part_items = std::move(part_items), own] {
            plan.record(queue, part_items, own);
        });
        if (parts.apart) own.offset += items.size() * parts.scratch[i];
    }
    if (parts.apart) queue.record_independent(branches);
    else
        for (const auto& branch : branches) branch();
}

} // namespace kg
