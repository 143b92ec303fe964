#include "core/plan/planner.hpp"

#include "core/plan/bank_planner.hpp"
#include "core/plan/chain.hpp"
#include "core/plan/choice.hpp"
#include "core/plan/composed_plan.hpp"
#include "core/plan/cut.hpp"
#include "core/plan/filter_step.hpp"
#include "core/plan/frame.hpp"
#include "core/plan/signal_planner.hpp"
#include "core/plan/volume_planner.hpp"
#include "core/request/opaque.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

namespace kg {

namespace {

constexpr std::size_t kOneStrip = std::size_t{1} << 60;

std::span<const Algorithm* const> algorithms_for(const Engine& engine, const Request& request) {
    if (std::holds_alternative<SignalRequest>(request)) return engine.signal_algorithms();
    if (std::holds_alternative<VolumeRequest>(request)) return engine.volume_algorithms();
    return std::holds_alternative<BankRequest>(request) ? engine.bank_algorithms() : engine.algorithms();
}

const Algorithm* find(const Engine& engine, const Request& request, std::string_view id) {
    for (const auto* algorithm : algorithms_for(engine, request))
        if (algorithm->id == id) return algorithm;
    return nullptr;
}

PlanAndCosts planned(Engine& engine, const Request& request, const Algorithm* forced,
                     const PlanContext& context);

/// True if the algorithm would compute the request for an opaque image. Throws if the device is lost, if
/// memory is short, or when stopped.
bool does_if_opaque(Engine& engine, const ImageRequest& request, const Algorithm& forced,
                    const PlanContext& context) {
    const auto plain = for_opaque(request);
    if (plain.alpha == request.alpha) return false;
    try {
        planned(engine, plain, &forced, context);
        return true;
    } catch (const Unavailable&) {
        throw;
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        return false;
    }
}

[[noreturn]] void refuse(Engine& engine, const Request& request, std::string_view force,
                         const std::string& why, const Algorithm* forced = nullptr,
                         const PlanContext& context = {}) {
    std::string alternatives;
    for (const auto& answer : algorithm_answers(engine, request)) {
        if (!answer.why_not.empty()) continue;
        alternatives += std::string(alternatives.empty() ? " " : ", ") + std::string(answer.algorithm->id);
    }
    if (alternatives.empty()) alternatives = " none";
    const auto* image = std::get_if<ImageRequest>(&request);
    const bool if_opaque = forced && image && does_if_opaque(engine, *image, *forced, context);
    if (if_opaque)
        alternatives +=
            "; it does this where alpha is full everywhere, which is filtered without alpha weighting";
    throw Refused(force, why, alternatives, if_opaque);
}

/// The steps of a request without stages in which the formats are the same: a conversion to itself.
ChosenSteps copy_of(ImageRequest image) {
    image.alpha = AlphaMode::straight;
    ChosenStep copy;
    copy.step = ImageStep(std::move(image));
    return {std::move(copy)};
}

std::shared_ptr<Plan> chained(Engine& engine, ChosenSteps&& chosen, const PlanContext& context) {
    std::vector<ImageStep> steps;
    std::vector<std::shared_ptr<const Plan>> plans;
    std::string ids, reason;
    // Those in `reason`, which is long where there are thousands of steps.
    std::unordered_set<std::string> reasons;
    const auto append = [&](ImageStep&& part, const Algorithm& algorithm) {
        PlanStep wanted(std::move(part));
        plans.push_back(algorithm.plan(wanted, engine, context));
        steps.push_back(std::get<ImageStep>(std::move(wanted)));
        if (const auto& step = steps.back(); !step.filled.empty())
            plans.back() = filling_plan(engine, step, std::move(plans.back()));
        ids += (ids.empty() ? "" : " > ") + std::string(algorithm.id);
    };
    for (auto& [step, algorithm, formats, why, microseconds] : chosen) {
        if (!algorithm) {
            append(std::move(step), conversion(engine));
            continue;
        }
        for (auto& part : with_conversions(std::move(step), formats))
            append(std::move(part), is_conversion(part) ? conversion(engine) : *algorithm);
        if (reasons.insert(why).second) reason += (reason.empty() ? "" : "; ") + why;
    }
    const bool needs_strips = plans.size() > 1; // a single step has no intermediate results
    auto chain = std::make_shared<Chain>(std::move(steps), std::move(plans),
                                         needs_strips ? engine.device().strip_bytes : kOneStrip);
    chain->algorithm = std::move(ids);
    chain->reason = reason.empty() ? "conversion only" : std::move(reason);
    return chain;
}

/// Distinguishes the reasons of several filters. float64 between steps has one reason for all of them.
void number_reasons(ChosenSteps& steps) {
    if (std::ranges::count_if(steps, [](const ChosenStep& s) { return s.algorithm != nullptr; }) < 2) return;
    int number = 0;
    for (auto& step : steps) {
        if (!step.algorithm) continue;
        ++number;
        if (!has_float64(step.step)) step.reason = "step " + std::to_string(number) + ": " + step.reason;
    }
}

/// The request's filters as one; its own steps compute the outputs for which that would be another result.
std::shared_ptr<const Plan> composed_plan(Engine& engine, PlannerChoice choice, const ImageRequest& image,
                                          const PlanContext& context) {
    std::string reason;
    for (const auto& step : choice.composed)
        if (step.algorithm) {
            const auto& kernel = step.step.stages.front().kernels.front();
            reason = "its filters composed to one of " + std::to_string(kernel.width) + " x " +
                     std::to_string(kernel.height) + ": " + step.reason +
                     "; one after another they would take " + time_text(choice.steps_us);
        }
    auto plan = chained(engine, std::move(choice.composed), context);
    if (choice.exact != whole(image.size)) {
        const auto steps = chained(engine, std::move(choice.steps), context);
        reason += "; next to the border " + steps->algorithm;
        const auto ids = plan->algorithm;
        plan = std::make_shared<ComposedPlan>(std::move(plan), steps, choice.exact);
        plan->algorithm = ids;
    }
    plan->reason = std::move(reason);
    return plan;
}

PlanAndCosts made_plan(Engine& engine, const Request& request, const Algorithm* forced,
                       const PlanContext& context) {
    const auto on_tensors = [&](const auto& one_step, auto make) -> PlanAndCosts {
        validate(one_step);
        if (auto why = forced ? forced->why_not(one_step, engine) : std::string(); !why.empty())
            refuse(engine, request, forced->id, why);
        return {make(engine, one_step, forced, context), {}};
    };
    if (const auto* signal = std::get_if<SignalRequest>(&request)) return on_tensors(*signal, signal_plan);
    if (const auto* bank = std::get_if<BankRequest>(&request)) return on_tensors(*bank, bank_plan);
    if (const auto* volume = std::get_if<VolumeRequest>(&request)) return on_tensors(*volume, volume_plan);
    const auto& image = std::get<ImageRequest>(request);
    validate(image);
    if (forced && forced->whole_requests) {
        const PlanStep whole_request{ImageStep(image)};
        if (auto why = forced->why_not(whole_request, engine); !why.empty())
            refuse(engine, request, forced->id, why, forced, context);
        return {forced->plan(whole_request, engine, context), {}};
    }
    PlannerChoice choice;
    if (forced)
        choice.steps = choose_steps(engine, image, [&](FilterStep& step) {
            const auto fitted = step.fit(engine, *forced);
            if (!fitted.formats) refuse(engine, request, forced->id, fitted.why_not, forced, context);
            return ChosenStep{{}, forced, *fitted.formats, std::string(forced->id) + " as asked for"};
        });
    else choice = fastest(engine, image);
    auto costs = forced ? std::vector<StepCost>() : costs_of(choice);
    if (!choice.composed.empty())
        return {composed_plan(engine, std::move(choice), image, context), std::move(costs)};
    if (choice.steps.empty()) choice.steps = copy_of(image);
    if (!forced) number_reasons(choice.steps);
    std::shared_ptr<const Plan> plan = chained(engine, std::move(choice.steps), context);
    if (has_frame(image)) plan = plan_in_frame(std::move(plan), frame_of(image));
    return {std::move(plan), std::move(costs)};
}

/// `forced` nullptr = the algorithms predicted fastest.
PlanAndCosts planned(Engine& engine, const Request& request, const Algorithm* forced,
                     const PlanContext& context) {
    // Signals and filter banks may have millions of weights, which are better not copied and compared. A plan
    // made under a deadline is timed, and may be of few trials.
    if (!std::holds_alternative<ImageRequest>(request) || std::isfinite(context.end_us))
        return made_plan(engine, request, forced, context);
    auto& in_use = engine.plans_in_use();
    if (auto found = in_use.find(request, forced)) return *std::move(found);
    auto made = made_plan(engine, request, forced, context);
    in_use.add(request, forced, made);
    return made;
}

} // namespace

const Algorithm* inexact_algorithm(const Engine& engine, const Plan& plan) {
    for (const auto* algorithm : engine.algorithms())
        if (algorithm->error &&
            (" " + plan.algorithm + " ").find(" " + std::string(algorithm->id) + " ") != std::string::npos)
            return algorithm;
    return nullptr;
}

std::vector<AlgorithmAnswer> algorithm_answers(const Engine& engine, const Request& request) {
    if (const auto* signal = std::get_if<SignalRequest>(&request)) return signal_answers(engine, *signal);
    if (const auto* bank = std::get_if<BankRequest>(&request)) return bank_answers(engine, *bank);
    if (const auto* volume = std::get_if<VolumeRequest>(&request)) return volume_answers(engine, *volume);
    double conversions = 0;
    std::vector<FilterStep> filters;
    for (auto& step : join_alpha_weighting(cut_into_steps(std::get<ImageRequest>(request))))
        if (is_conversion(step)) conversions += conversion(engine).cost(step, engine).microseconds;
        else filters.emplace_back(std::move(step));
    std::vector<AlgorithmAnswer> all;
    for (const auto* algorithm : engine.algorithms()) {
        if (algorithm->id == kConvert) continue;
        AlgorithmAnswer answer{algorithm, {}, conversions, 0};
        if (algorithm->whole_requests) {
            const PlanStep whole_request{ImageStep(std::get<ImageRequest>(request))};
            answer.why_not = algorithm->why_not(whole_request, engine);
            answer.microseconds = algorithm->cost(whole_request, engine).microseconds;
        } else {
            for (auto& filter : filters) {
                auto fitted = filter.fit(engine, *algorithm);
                answer.microseconds += fitted.microseconds;
                answer.formula_us += fitted.formula_us;
                answer.why_not = std::move(fitted.why_not);
                if (!answer.why_not.empty()) break;
            }
        }
        all.push_back(std::move(answer));
    }
    return all;
}

std::shared_ptr<const Plan> plan(Engine& engine, const Request& request, std::string_view force,
                                 const PlanContext& context) {
    if (force.empty()) return planned(engine, request, nullptr, context).plan;
    const auto* forced = force == kConvert ? nullptr : find(engine, request, force);
    if (!forced)
        refuse(engine, request, force, "the engine " + engine.device().id + " has none of that name");
    return planned(engine, request, forced, context).plan;
}

PlanAndCosts plan_with_costs(Engine& engine, const ImageRequest& request, const PlanContext& context) {
    return planned(engine, request, nullptr, context);
}

std::shared_ptr<const Plan> plan(Engine& engine, const Request& request, const Algorithm& forced,
                                 const PlanContext& context) {
    return planned(engine, request, &forced, context).plan;
}

} // namespace kg
