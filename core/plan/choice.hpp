#pragma once
// The planner's choice of algorithms, before anything is planned.

#include "core/plan/filter_step.hpp"
#include "core/plan/step_costs.hpp"

#include <functional>
#include <string>
#include <vector>

namespace kg {

/// A step of a request with the algorithm that computes it.
struct ChosenStep {
    ImageStep step;
    const Algorithm* algorithm = nullptr; ///< nullptr: a conversion of the request itself
    FilterFormats formats{};              ///< in which the algorithm computes it
    std::string reason;                   ///< why it was chosen; empty for conversions
    double microseconds = 0;              ///< estimated, conversions included
};
using ChosenSteps = std::vector<ChosenStep>;

/// What a filtering step is computed with: every member but `step`.
using ChooseAlgorithm = std::function<ChosenStep(FilterStep&)>;

/// The request as cut, with the choice for each filtering step. Times are estimated for outputs of the extent
/// `timed`, by default for the whole image.
ChosenSteps choose_steps(const Engine& engine, const ImageRequest& request, const ChooseAlgorithm& choose,
                         std::optional<Extent> timed = {});

/// The algorithms predicted fastest.
struct PlannerChoice {
    ChosenSteps steps;
    double steps_us = 0; ///< one after another, estimated for the whole image
    /// Where that is predicted faster: the request with its filters composed to one
    /// (core/request/compose.hpp), which computes the outputs in `exact`. `steps` compute those around it, by
    /// the exactness rules 11 and 12 whatever the tolerance, with the algorithms predicted fastest for narrow
    /// rectangles.
    ChosenSteps composed;
    Rect exact;
    double composed_us = 0; ///< estimated, the outputs around included
};

/// Throws NoAlgorithm if no algorithm of the engine supports a step.
PlannerChoice fastest(const Engine& engine, const ImageRequest& request);

/// The costs that a choice was made by. Where filters are composed to one, that is the step, and its time
/// includes that of the outputs around.
std::vector<StepCost> costs_of(const PlannerChoice& choice);
std::vector<StepCost> costs_of(const ChosenSteps& steps);

} // namespace kg
