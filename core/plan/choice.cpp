#include "core/plan/choice.hpp"

#include "core/plan/composed_plan.hpp"
#include "core/plan/planner.hpp"
#include "core/request/compose.hpp"
#include "core/request/rounding.hpp"
#include "core/support/quantity_text.hpp"

#include <utility>

namespace kg {

namespace {

ChosenStep cheapest(const Engine& engine, FilterStep& step) {
    ChosenStep best;
    const Algorithm* second = nullptr;
    double second_us = 0;
    std::string refusals;
    for (const auto* algorithm : engine.algorithms()) {
        if (algorithm->id == kConvert || algorithm->whole_requests) continue;
        const auto candidate = step.fit(engine, *algorithm);
        if (!candidate.formats) {
            refusals += "\n  " + std::string(algorithm->id) + ": " + candidate.why_not;
            continue;
        }
        const double us = candidate.microseconds;
        if (us == Cost::kOnlyWhenForced) continue;
        if (!best.algorithm || us < best.microseconds) {
            second = best.algorithm, second_us = best.microseconds;
            best.algorithm = algorithm, best.formats = *candidate.formats, best.microseconds = us;
        } else if (!second || us < second_us) {
            second = algorithm, second_us = us;
        }
    }
    if (!best.algorithm)
        throw NoAlgorithm("no-algorithm", "no algorithm of the engine {} can do this:{}", engine.device().id,
                          refusals);
    best.reason = std::string(best.algorithm->id) +
                  (second ? " is predicted fastest: " + time_text(best.microseconds) + ", then " +
                                std::string(second->id) + " with " + time_text(second_us)
                          : " is the only one that fits");
    if (step.step().float64_sums) best.reason += ": " + why_float64(step.step());
    return best;
}

/// The time for the outputs that the composed filter does not compute, by the request's own steps, which run
/// at the same time in all rectangles.
double around_us(const Engine& engine, const ChosenSteps& steps, const Rect& exact) {
    const auto costs = costs_of(steps);
    const Rect all = whole(steps.front().step.size);
    double sum = 0;
    for (const auto& [part, composed] : divided(all, exact, 1))
        if (!composed) sum += cost_us(costs, part);
    return sum > 0 ? sum + engine.device().small_step_us * static_cast<double>(costs.size()) : 0;
}

} // namespace

std::vector<StepCost> costs_of(const ChosenSteps& steps) {
    std::vector<StepCost> costs;
    for (const auto& chosen : steps) {
        if (chosen.algorithm) add_costs(costs, chosen.step, chosen.microseconds);
        else costs.push_back({chosen.step, chosen.microseconds});
    }
    return costs;
}

std::vector<StepCost> costs_of(const PlannerChoice& choice) {
    if (choice.composed.empty()) return costs_of(choice.steps);
    auto costs = costs_of(choice.composed);
    const double scale = choice.composed_us / cost_us(costs);
    for (auto& cost : costs) cost.microseconds *= scale;
    return costs;
}

ChosenSteps choose_steps(const Engine& engine, const ImageRequest& request, const ChooseAlgorithm& choose) {
    ChosenSteps all;
    for (auto& step : join_alpha_weighting(cut_into_steps(request))) {
        if (is_conversion(step)) {
            ChosenStep conversion_step;
            conversion_step.microseconds = conversion(engine).cost(step, engine).microseconds;
            conversion_step.step = std::move(step);
            all.push_back(std::move(conversion_step));
        } else {
            FilterStep filter(std::move(step));
            auto chosen = choose(filter);
            chosen.step = filter.take();
            all.push_back(std::move(chosen));
        }
    }
    return all;
}

PlannerChoice fastest(const Engine& engine, const ImageRequest& request) {
    const auto choose = [&](FilterStep& step) { return cheapest(engine, step); };
    PlannerChoice choice;
    choice.steps = choose_steps(engine, request, choose);
    choice.steps_us = cost_us(costs_of(choice.steps));
    const auto one = composed(request);
    if (!one) return choice;
    const auto exact = composed_outputs(request);
    if (exact.empty()) return choice;
    auto around = choice.steps;
    if (request.tolerance > 0) {
        auto without = request;
        without.tolerance = 0;
        around = choose_steps(engine, without, choose);
    }
    auto steps = choose_steps(engine, *one, choose);
    const double us = cost_us(costs_of(steps)) + around_us(engine, around, exact);
    if (us < choice.steps_us) {
        choice.steps = std::move(around);
        choice.composed = std::move(steps);
        choice.exact = exact;
        choice.composed_us = us;
    }
    return choice;
}

} // namespace kg
