#pragma once
// The estimated time of each step of a request.

#include "core/plan/engine.hpp"

#include <string_view>
#include <vector>

namespace kg {

/// A step of a request and its time for the whole image by the engine's cost estimates; infinity for
/// algorithms that are never chosen automatically.
struct StepCost {
    ImageStep step;
    double microseconds = 0;
};

/// The steps with the cheapest algorithms, or with the one named `force`. Empty if no estimate exists (an
/// algorithm of another library).
std::vector<StepCost> step_costs(const Engine& engine, const ImageRequest& request, std::string_view force);

/// The time for the whole result.
double cost_us(const std::vector<StepCost>& steps);
/// The time for `part` of the result alone. Earlier steps also compute the halo that later steps read.
double cost_us(const std::vector<StepCost>& steps, const Rect& part);

/// Adds the costs of one filtering step: three entries for a joined step (join_alpha_weighting() in
/// core/plan/cut.hpp), one for any other.
void add_costs(std::vector<StepCost>& costs, const ImageStep& step, double microseconds);

} // namespace kg
