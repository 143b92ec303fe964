#include "core/plan/choice.hpp"

#include "core/plan/composed_plan.hpp"
#include "core/plan/planner.hpp"
#include "core/request/compose.hpp"
#include "core/request/rounding.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

bool filters_steps(const Algorithm& algorithm) {
    return algorithm.id != kConvert && !algorithm.whole_requests;
}

std::string refusals(const Engine& engine, FilterStep& step) {
    std::string all;
    for (const auto* algorithm : engine.algorithms())
        if (filters_steps(*algorithm))
            if (const auto fit = step.fit(engine, *algorithm); !fit.formats)
                all += "\n  " + std::string(algorithm->id) + ": " + fit.why_not;
    return all;
}

ChosenStep cheapest(const Engine& engine, FilterStep& step) {
    ChosenStep best;
    const Algorithm* second = nullptr;
    double second_us = 0;
    for (const auto* algorithm : engine.algorithms()) {
        if (!filters_steps(*algorithm)) continue;
        const auto candidate = step.fit(engine, *algorithm);
        if (!candidate.formats) continue;
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
                          refusals(engine, step));
    best.reason = std::string(best.algorithm->id) +
                  (second ? " is predicted fastest: " + time_text(best.microseconds) + ", then " +
                                std::string(second->id) + " with " + time_text(second_us)
                          : " is the only one that fits");
    if (step.step().float64_sums) best.reason += ": " + why_float64(step.step());
    return best;
}

double area(const auto& extent) {
    return static_cast<double>(extent.width) * static_cast<double>(extent.height);
}

/// The request's own steps for the outputs that its composed filter does not compute.
struct StepsAround {
    ChosenSteps steps;
    double microseconds = 0; ///< for all rectangles, which run at the same time
};

StepsAround steps_around(const Engine& engine, ImageRequest request, const Rect& exact,
                         const ChooseAlgorithm& choose) {
    // Algorithms compute whole tiles: a narrower rectangle takes as long.
    constexpr std::int64_t kTileSide = 32;
    Extent timed;
    double outputs = 0;
    for (const auto& [part, composed] : divided(whole(request.size), exact, 1)) {
        if (composed) continue;
        outputs += area(part);
        if (area(part) > area(timed)) timed = {part.width, part.height};
    }
    timed = {std::max(timed.width, kTileSide), std::max(timed.height, kTileSide)};
    request.tolerance = 0;
    StepsAround around{choose_steps(engine, request, choose, timed)};
    const auto costs = costs_of(around.steps);
    around.microseconds = std::max(cost_us(costs) * outputs / area(timed),
                                   engine.device().small_step_us * static_cast<double>(costs.size()));
    return around;
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

ChosenSteps choose_steps(const Engine& engine, const ImageRequest& request, const ChooseAlgorithm& choose,
                         std::optional<Extent> timed) {
    ChosenSteps all;
    for (auto& step : join_alpha_weighting(cut_into_steps(request))) {
        if (is_conversion(step)) {
            const auto size = std::exchange(step.size, timed.value_or(step.size));
            ChosenStep conversion_step;
            conversion_step.microseconds = conversion(engine).cost(step, engine).microseconds;
            step.size = size;
            conversion_step.step = std::move(step);
            all.push_back(std::move(conversion_step));
        } else {
            FilterStep filter(std::move(step), timed);
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
    auto steps = choose_steps(engine, *one, choose);
    double us = cost_us(costs_of(steps));
    StepsAround around;
    if (exact != whole(request.size)) around = steps_around(engine, request, exact, choose);
    us += around.microseconds;
    if (us < choice.steps_us) {
        choice.steps = std::move(around.steps);
        choice.composed = std::move(steps);
        choice.exact = exact;
        choice.composed_us = us;
    }
    return choice;
}

} // namespace kg
