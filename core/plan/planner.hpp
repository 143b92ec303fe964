#pragma once
// Planner: cuts a request into steps (core/plan/cut.hpp), chooses an algorithm for each, and chains them
// strip by strip (core/plan/chain.hpp). Independent of devices.

#include "core/plan/engine.hpp"
#include "core/plan/plans_in_use.hpp"
#include "core/support/error.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg {

/// The requested algorithm does not support the request. The message also lists the algorithms that do; why()
/// has the reason alone.
class Refused : public Error {
public:
    Refused(std::string_view algorithm, std::string why, std::string_view alternatives,
            bool supported_if_opaque = false)
        : Error("algorithm-refused", "the algorithm {} cannot do this: {}. Algorithms that support it:{}",
                algorithm, why, alternatives),
          why_(std::move(why)), supported_if_opaque_(supported_if_opaque) {}
    const std::string& why() const { return why_; }
    /// True if the algorithm supports the request for an opaque image (core/request/opaque.hpp).
    bool supported_if_opaque() const { return supported_if_opaque_; }

private:
    std::string why_;
    bool supported_if_opaque_;
};

/// No algorithm of an engine supports the request. The message gives the reason of each. Another engine may
/// support it.
class NoAlgorithm : public Error {
public:
    using Error::Error;
};

/// Plans the request with the cheapest algorithms, or with the one that `force` names. Throws NoAlgorithm if
/// no algorithm of the engine supports the request, Refused if the forced one does not. `force` applies to
/// the filtering steps; conversions between them are always the engine's `convert`. While somebody holds the
/// plan of an equal request, that plan is returned, unless `context` has a deadline.
std::shared_ptr<const Plan> plan(Engine& engine, const Request& request, std::string_view force = {},
                                 const PlanContext& context = {});
/// The same with an algorithm that need not be one of the engine's own: such as another library's.
std::shared_ptr<const Plan> plan(Engine& engine, const Request& request, const Algorithm& forced,
                                 const PlanContext& context = {});

/// A plan as plan() makes it, with the costs it was chosen by: step_costs() without asking every algorithm
/// again.
PlanAndCosts plan_with_costs(Engine& engine, const ImageRequest& request, const PlanContext& context = {});

/// For verification: the algorithm of a plan (its `algorithm`) that states an error, nullptr if none does.
const Algorithm* inexact_algorithm(const Engine& engine, const Plan& plan);

/// The answer of one algorithm to a request, for lists and chips.
struct AlgorithmAnswer {
    const Algorithm* algorithm = nullptr;
    std::string why_not;     ///< empty = supported
    double microseconds = 0; ///< estimated for the whole request, conversions included
    double formula_us = 0;   ///< estimate of the algorithm's formula, without the engine's corrections
};
std::vector<AlgorithmAnswer> algorithm_answers(const Engine& engine, const Request& request);

} // namespace kg
