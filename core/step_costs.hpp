#pragma once
// What each step of a request is predicted to take.

#include "core/engine.hpp"

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

} // namespace kg
