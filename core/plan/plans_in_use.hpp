#pragma once
// Plans that somebody still holds, found by their requests: the workers of a batch plan a recipe for images
// of one size once, and a window that shows an unchanged recipe again does not plan it again.

#include "core/plan/step_costs.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace kg {

/// A plan with the estimated costs by which its algorithms were chosen; none if they were forced.
struct PlanAndCosts {
    std::shared_ptr<const Plan> plan;
    std::vector<StepCost> costs;
};

/// The plans of one engine. Keeps none of them, nor their memory, alive. Thread-safe.
class PlansInUse {
public:
    /// The plan of an equal request with the same forced algorithm, nullptr for an automatic choice.
    std::optional<PlanAndCosts> find(const Request& request, const Algorithm* forced);
    void add(const Request& request, const Algorithm* forced, const PlanAndCosts& made);

private:
    struct Entry {
        Request request;
        const Algorithm* forced;
        std::weak_ptr<const Plan> plan;
        std::vector<StepCost> costs;
    };
    void forget_unused();

    std::mutex mutex_;
    std::vector<Entry> entries_; ///< the latest last
};

} // namespace kg
