#include "core/plan/planner.hpp"

#include "core/plan/chain.hpp"
#include "core/plan/cut.hpp"
#include "core/support/error.hpp"
#include "core/plan/filter_step.hpp"
#include "core/image/opaque.hpp"
#include "core/request/rounding.hpp"
#include "core/plan/step_costs.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

namespace kg {

namespace {

constexpr std::size_t kOneStrip = std::size_t{1} << 60;

const Algorithm* find(const Engine& engine, std::string_view id) {
    for (const auto* algorithm : engine.algorithms())
        if (algorithm->id == id) return algorithm;
    return nullptr;
}

struct Choice {
    const Algorithm* algorithm = nullptr;
    FilterFormats formats{};
    std::string reason;
    double microseconds = 0; ///< estimated, conversions included
};

Choice cheapest(const Engine& engine, FilterStep& step) {
    Choice best;
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
            best = {algorithm, *candidate.formats, {}, us};
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

std::shared_ptr<const Plan> planned(Engine& engine, const Request& request, const Algorithm* forced,
                                    const PlanContext& context, std::vector<StepCost>* costs = nullptr);

/// True if the algorithm would compute the request for an opaque image.
bool does_if_opaque(Engine& engine, const ImageRequest& request, const Algorithm& forced) {
    const auto plain = for_opaque(request);
    if (plain.alpha == request.alpha) return false;
    try {
        planned(engine, plain, &forced, {});
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

[[noreturn]] void refuse(Engine& engine, const Request& request, std::string_view force,
                         const std::string& why, const Algorithm* forced = nullptr) {
    std::string alternatives;
    for (const auto& candidate : candidates(engine, request)) {
        if (!candidate.why_not.empty()) continue;
        alternatives += std::string(alternatives.empty() ? " " : ", ") + std::string(candidate.algorithm->id);
    }
    if (alternatives.empty()) alternatives = " none";
    if (forced && does_if_opaque(engine, std::get<ImageRequest>(request), *forced))
        alternatives +=
            "; it does this where alpha is full everywhere, which is filtered without alpha weighting";
    throw Refused(force, why, alternatives);
}

/// The step of a request without stages in which the formats are the same: a conversion to itself.
ImageStep copy_of(ImageRequest image) {
    image.alpha = AlphaMode::straight;
    return ImageStep(std::move(image));
}

/// `forced` nullptr = the cheapest algorithms, whose costs are appended to `costs` if it is given.
std::shared_ptr<const Plan> planned(Engine& engine, const Request& request, const Algorithm* forced,
                                    const PlanContext& context, std::vector<StepCost>* costs) {
    const auto& image = std::get<ImageRequest>(request);
    validate(image);
    if (forced && forced->whole_requests) {
        const PlanStep whole_request{ImageStep(image)};
        if (auto why = forced->why_not(whole_request, engine); !why.empty())
            refuse(engine, request, forced->id, why, forced);
        return forced->plan(whole_request, engine, context);
    }

    auto steps = join_alpha_weighting(cut_into_steps(image));
    if (steps.empty()) steps.push_back(copy_of(image)), costs = nullptr; // it is no step of the request
    std::vector<ImageStep> chain_steps;
    std::vector<std::shared_ptr<const Plan>> plans;
    std::string ids, reason;
    std::unordered_set<std::string>
        reasons; // those in `reason`, which is long where there are thousands of steps
    const auto append = [&](ImageStep&& part, const Algorithm& algorithm) {
        PlanStep wanted(std::move(part));
        plans.push_back(algorithm.plan(wanted, engine, context));
        chain_steps.push_back(std::get<ImageStep>(std::move(wanted)));
        ids += (ids.empty() ? "" : " > ") + std::string(algorithm.id);
    };
    const auto filtering = std::ranges::count_if(steps, std::not_fn(is_conversion));
    int number = 0; // of a filtering step; distinguishes the reasons of several steps
    for (auto& step : steps) {
        if (is_conversion(step)) {
            const auto& convert = conversion(engine);
            if (costs) costs->push_back({step, convert.cost(step, engine).microseconds});
            append(std::move(step), convert);
            continue;
        }
        FilterStep filter(std::move(step));
        Choice choice;
        if (forced) {
            const auto fitted = filter.fit(engine, *forced);
            if (!fitted.formats) refuse(engine, request, forced->id, fitted.why_not, forced);
            choice = {forced, *fitted.formats, std::string(forced->id) + " as asked for"};
        } else {
            choice = cheapest(engine, filter);
        }
        auto whole_step = filter.take();
        if (costs) add_costs(*costs, whole_step, choice.microseconds);
        ++number;
        if (!forced && filtering > 1 && !has_float64(whole_step)) // which has one reason for all steps
            choice.reason = "step " + std::to_string(number) + ": " + choice.reason;
        for (auto& part : with_conversions(std::move(whole_step), choice.formats))
            append(std::move(part), is_conversion(part) ? conversion(engine) : *choice.algorithm);
        if (reasons.insert(choice.reason).second) reason += (reason.empty() ? "" : "; ") + choice.reason;
    }
    const bool needs_strips = plans.size() > 1; // a single step has no intermediate results
    auto chain = std::make_shared<Chain>(std::move(chain_steps), std::move(plans),
                                         needs_strips ? engine.device().strip_bytes : kOneStrip);
    chain->algorithm = std::move(ids);
    chain->reason = reason.empty() ? "conversion only" : std::move(reason);
    return chain;
}

} // namespace

const Algorithm* inexact_algorithm(const Engine& engine, const Plan& plan) {
    for (const auto* algorithm : engine.algorithms())
        if (algorithm->error &&
            (" " + plan.algorithm + " ").find(" " + std::string(algorithm->id) + " ") != std::string::npos)
            return algorithm;
    return nullptr;
}

std::vector<Candidate> candidates(const Engine& engine, const Request& request) {
    double conversions = 0;
    std::vector<FilterStep> filters;
    for (auto& step : join_alpha_weighting(cut_into_steps(std::get<ImageRequest>(request))))
        if (is_conversion(step)) conversions += conversion(engine).cost(step, engine).microseconds;
        else filters.emplace_back(std::move(step));
    std::vector<Candidate> all;
    for (const auto* algorithm : engine.algorithms()) {
        if (algorithm->id == kConvert) continue;
        Candidate candidate{algorithm, {}, conversions, 0};
        if (algorithm->whole_requests) {
            const PlanStep whole_request{ImageStep(std::get<ImageRequest>(request))};
            candidate.why_not = algorithm->why_not(whole_request, engine);
            candidate.microseconds = algorithm->cost(whole_request, engine).microseconds;
        } else {
            for (auto& filter : filters) {
                auto fitted = filter.fit(engine, *algorithm);
                candidate.microseconds += fitted.microseconds;
                candidate.formula_us += fitted.formula_us;
                candidate.why_not = std::move(fitted.why_not);
                if (!candidate.why_not.empty()) break;
            }
        }
        all.push_back(std::move(candidate));
    }
    return all;
}

std::shared_ptr<const Plan> plan(Engine& engine, const Request& request, std::string_view force,
                                 const PlanContext& context) {
    if (force.empty()) return planned(engine, request, nullptr, context);
    const auto* forced = force == kConvert ? nullptr : find(engine, force);
    if (!forced)
        refuse(engine, request, force, "the engine " + engine.device().id + " has none of that name");
    return planned(engine, request, forced, context);
}

PlanAndCosts plan_with_costs(Engine& engine, const ImageRequest& request) {
    PlanAndCosts all;
    all.plan = planned(engine, request, nullptr, {}, &all.costs);
    return all;
}

std::shared_ptr<const Plan> plan(Engine& engine, const Request& request, const Algorithm& forced,
                                 const PlanContext& context) {
    return planned(engine, request, &forced, context);
}

} // namespace kg
