#include "core/planner.hpp"

#include "core/chain.hpp"
#include "core/cut.hpp"
#include "core/error.hpp"
#include "core/rounding.hpp"
#include "core/words.hpp"

#include <algorithm>
#include <functional>

namespace kg {

namespace {

constexpr std::string_view kConvert = "convert";
constexpr std::size_t kOneStrip = std::size_t{1} << 60;

const Algorithm* find(const Engine& engine, std::string_view id) {
    for (const auto* algorithm : engine.algorithms())
        if (algorithm->id == id) return algorithm;
    return nullptr;
}

const Algorithm& conversion(const Engine& engine) {
    const auto* convert = find(engine, kConvert);
    if (!convert) throw Error("the engine " + engine.device().id + " has no way to convert pixel formats");
    return *convert;
}

/// Who does one part of a way that `algorithm` takes.
const Algorithm& doer(const Engine& engine, const Algorithm& algorithm, const ImageRequest& part) {
    return is_conversion(part) ? conversion(engine) : algorithm;
}

/// The most direct way around in which an algorithm can do a step.
struct Fit {
    std::vector<ImageRequest> way;
    std::string why_not;     ///< of the most direct way, if there is none
    double microseconds = 0; ///< predicted, conversions included
};
Fit fit(const Engine& engine, const Algorithm& algorithm, const ImageRequest& step) {
    Fit result;
    for (auto& way : ways_around(step)) {
        auto why = algorithm.why_not(*std::ranges::find_if_not(way, is_conversion), engine);
        if (why.empty()) {
            double us = 0;
            for (const auto& part : way) us += doer(engine, algorithm, part).cost(part, engine).microseconds;
            return {std::move(way), {}, us};
        }
        if (result.why_not.empty()) result.why_not = std::move(why);
    }
    return result;
}

struct Choice {
    const Algorithm* algorithm = nullptr;
    std::vector<ImageRequest> way;
    std::string reason;
};

Choice cheapest(const Engine& engine, const ImageRequest& step) {
    Choice best;
    const Algorithm* second = nullptr;
    double best_us = 0, second_us = 0;
    std::string refusals;
    for (const auto* algorithm : engine.algorithms()) {
        if (algorithm->id == kConvert || algorithm->whole_requests) continue;
        auto candidate = fit(engine, *algorithm, step);
        if (candidate.way.empty()) {
            refusals += "\n  " + std::string(algorithm->id) + ": " + candidate.why_not;
            continue;
        }
        const double us = candidate.microseconds;
        if (us == Cost::kOnlyWhenForced) continue;
        if (!best.algorithm || us < best_us) {
            second = best.algorithm, second_us = best_us;
            best = {algorithm, std::move(candidate.way), {}}, best_us = us;
        } else if (!second || us < second_us) {
            second = algorithm, second_us = us;
        }
    }
    if (!best.algorithm)
        throw NoWay("no algorithm of the engine " + engine.device().id + " can do this:" + refusals);
    best.reason = std::string(best.algorithm->id) +
                  (second ? " is predicted fastest: " + time_text(best_us) + ", then " +
                                std::string(second->id) + " with " + time_text(second_us)
                          : " is the only one that fits");
    if (step.float64_sums) best.reason += ": " + why_float64(step.stages.front());
    return best;
}

[[noreturn]] void refuse(const Engine& engine, const Request& request, std::string_view force,
                         const std::string& why) {
    std::string message = "the algorithm " + std::string(force) + " cannot do this: " + why +
                          ". What would do:";
    bool any = false;
    for (const auto& candidate : candidates(engine, request)) {
        if (!candidate.why_not.empty()) continue;
        message += std::string(any ? ", " : " ") + std::string(candidate.algorithm->id);
        any = true;
    }
    throw Refused(message + (any ? "" : " none"), why);
}

/// `forced` nullptr = the cheapest.
std::shared_ptr<const Plan> planned(Engine& engine, const Request& request, const Algorithm* forced) {
    const auto& picture = std::get<ImageRequest>(request);
    validate(picture);
    if (forced && forced->whole_requests) {
        if (auto why = forced->why_not(request, engine); !why.empty())
            refuse(engine, request, forced->id, why);
        return forced->plan(request, engine);
    }

    auto steps = cut_into_steps(picture);
    if (steps.empty()) { // same format, no stages: a copy is a conversion to itself
        auto copy = picture;
        copy.alpha = AlphaMode::straight;
        steps.push_back(std::move(copy));
    }
    std::vector<ImageRequest> parts;
    std::vector<std::shared_ptr<const Plan>> plans;
    std::string ids, reason;
    const auto append = [&](const ImageRequest& part, const Algorithm& algorithm) {
        plans.push_back(algorithm.plan(part, engine));
        parts.push_back(part);
        ids += (ids.empty() ? "" : " > ") + std::string(algorithm.id);
    };
    const auto filtering = std::ranges::count_if(steps, std::not_fn(is_conversion));
    int number = 0; // of a filtering step, in reasons that tell several apart
    for (const auto& step : steps) {
        if (is_conversion(step)) {
            append(step, conversion(engine));
            continue;
        }
        Choice choice;
        if (forced) {
            auto fitted = fit(engine, *forced, step);
            if (fitted.way.empty()) refuse(engine, request, forced->id, fitted.why_not);
            choice = {forced, std::move(fitted.way), std::string(forced->id) + " as asked for"};
        } else {
            choice = cheapest(engine, step);
        }
        for (const auto& part : choice.way) append(part, doer(engine, *choice.algorithm, part));
        if (!forced && filtering > 1)
            choice.reason = "step " + std::to_string(++number) + ": " + choice.reason;
        if (reason.find(choice.reason) == std::string::npos)
            reason += (reason.empty() ? "" : "; ") + choice.reason;
    }
    const bool needs_strips = plans.size() > 1; // one step has nothing between steps to keep in cache
    auto chain = std::make_shared<Chain>(std::move(parts), std::move(plans),
                                         needs_strips ? engine.device().strip_bytes : kOneStrip);
    chain->algorithm = std::move(ids);
    chain->reason = reason.empty() ? "conversion only" : std::move(reason);
    return chain;
}

} // namespace

const Algorithm* inexact_way(const Engine& engine, const Plan& plan) {
    for (const auto* algorithm : engine.algorithms())
        if (algorithm->error &&
            (" " + plan.algorithm + " ").find(" " + std::string(algorithm->id) + " ") != std::string::npos)
            return algorithm;
    return nullptr;
}

std::vector<Candidate> candidates(const Engine& engine, const Request& request) {
    const auto steps = cut_into_steps(std::get<ImageRequest>(request));
    std::vector<Candidate> all;
    for (const auto* algorithm : engine.algorithms()) {
        if (algorithm->id == kConvert) continue;
        Candidate candidate{algorithm, {}, 0};
        if (algorithm->whole_requests) {
            candidate.why_not = algorithm->why_not(request, engine);
            candidate.microseconds = algorithm->cost(request, engine).microseconds;
        } else {
            for (const auto& step : steps) {
                if (is_conversion(step)) {
                    candidate.microseconds += conversion(engine).cost(step, engine).microseconds;
                    continue;
                }
                auto fitted = fit(engine, *algorithm, step);
                candidate.microseconds += fitted.microseconds;
                candidate.why_not = std::move(fitted.why_not);
                if (!candidate.why_not.empty()) break;
            }
        }
        all.push_back(std::move(candidate));
    }
    return all;
}

std::shared_ptr<const Plan> plan(Engine& engine, const Request& request, std::string_view force) {
    if (force.empty()) return planned(engine, request, nullptr);
    const auto* forced = force == kConvert ? nullptr : find(engine, force);
    if (!forced)
        refuse(engine, request, force, "the engine " + engine.device().id + " has none of that name");
    return planned(engine, request, forced);
}

std::shared_ptr<const Plan> plan(Engine& engine, const Request& request, const Algorithm& forced) {
    return planned(engine, request, &forced);
}

} // namespace kg
