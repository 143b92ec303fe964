#pragma once
// What each step of a request is predicted to take.

#include "core/plan/engine.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace kg {

/// A step of a request, and the time that the engine's costs say for the whole picture: infinite for ways that only a person
/// chooses.
struct StepCost {
    ImageRequest step;
    double microseconds = 0;
};

/// Of the cheapest ways, or of the one called `force`. Empty where nothing is known (another library's way).
std::vector<StepCost> step_costs(const Engine& engine, const ImageRequest& request, std::string_view force);

/// The time for the whole result.
double cost_us(const std::vector<StepCost>& steps);
/// The time for `part` of the result alone: earlier steps compute what later ones reach around it, too.
double cost_us(const std::vector<StepCost>& steps, const Rect& part);

/// Adds those of one filtering step, which if it is joined (join_coverage() in core/plan/cut.hpp) is three.
void add_costs(std::vector<StepCost>& costs, const ImageRequest& step, double microseconds);

/// As plan() makes it, and what it was chosen by: step_costs() without asking every way again.
struct PlanAndCosts {
    std::shared_ptr<const Plan> plan;
    std::vector<StepCost> costs;
};
PlanAndCosts plan_with_costs(Engine& engine, const ImageRequest& request);

} // namespace kg
