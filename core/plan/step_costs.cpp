#include "core/plan/step_costs.hpp"

#include "core/plan/choice.hpp"
#include "core/plan/filter_step.hpp"
#include "core/plan/planner.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace kg {

std::vector<StepCost> step_costs(const Engine& engine, const ImageRequest& request, std::string_view force) {
    if (force.empty()) try {
            return costs_of(fastest(engine, request));
        } catch (const NoAlgorithm&) {
            return {};
        }
    std::vector<StepCost> costs;
    for (auto& step : join_alpha_weighting(cut_into_steps(request))) {
        if (is_conversion(step)) {
            const double us = conversion(engine).cost(step, engine).microseconds;
            costs.push_back({std::move(step), us});
            continue;
        }
        FilterStep filter(std::move(step));
        std::optional<double> least;
        for (const auto* algorithm : engine.algorithms()) {
            if (algorithm->id == kConvert || algorithm->id != force) continue;
            const auto fit = filter.fit(engine, *algorithm);
            if (fit.formats) least = std::min(least.value_or(fit.microseconds), fit.microseconds);
        }
        if (!least) return {};
        add_costs(costs, filter.take(), *least);
    }
    return costs;
}

double cost_us(const std::vector<StepCost>& steps) {
    double sum = 0;
    for (const auto& step : steps) sum += step.microseconds;
    return sum;
}

double cost_us(const std::vector<StepCost>& steps, const Rect& part) {
    const auto area = [](const auto& r) {
        return static_cast<double>(r.width) * static_cast<double>(r.height);
    };
    double sum = 0;
    auto rect = part;
    for (auto i = steps.rbegin(); i != steps.rend(); ++i) {
        sum += i->microseconds * area(rect) / area(i->step.size);
        for (const auto& stage : i->step.stages)
            rect = source_rect(stage, i->step.border, i->step.size, rect);
    }
    return sum;
}

void add_costs(std::vector<StepCost>& costs, const ImageStep& step, double microseconds) {
    if (!is_alpha_weighted(step)) return costs.push_back({step, microseconds});
    for (auto& part : with_conversions(step, formats_around(step).back())) {
        const double own = is_conversion(part) ? 0 : microseconds;
        costs.push_back({std::move(part), own});
    }
}

} // namespace kg
