#include "core/plan/plans_in_use.hpp"

#include <algorithm>

namespace kg {

namespace {
constexpr std::size_t kMostPlans = 16; // comparing with more would take as long as planning
} // namespace

std::optional<PlanAndCosts> PlansInUse::find(const Request& request, const Algorithm* forced) {
    std::lock_guard lock(mutex_);
    forget_unused();
    for (const auto& entry : entries_)
        if (entry.forced == forced && entry.request == request)
            if (auto plan = entry.plan.lock()) return PlanAndCosts{std::move(plan), entry.costs};
    return std::nullopt;
}

void PlansInUse::add(const Request& request, const Algorithm* forced, const PlanAndCosts& made) {
    std::lock_guard lock(mutex_);
    forget_unused();
    if (entries_.size() == kMostPlans) entries_.erase(entries_.begin());
    entries_.push_back({request, forced, made.plan, made.costs});
}

void PlansInUse::forget_unused() {
    std::erase_if(entries_, [](const Entry& entry) { return entry.plan.expired(); });
}

} // namespace kg
