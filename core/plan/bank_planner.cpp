#include "core/plan/bank_planner.hpp"

#include "core/plan/tensor_planner.hpp"

namespace kg {

const Algorithm* inexact_bank_algorithm(const Engine& engine, const Plan& plan) {
    return inexact_tensor_algorithm(engine.bank_algorithms(), plan);
}

std::vector<AlgorithmAnswer> bank_answers(const Engine& engine, const BankRequest& request) {
    return tensor_answers(engine, engine.bank_algorithms(), request);
}

std::optional<BankTiling> bank_tiling(Engine& engine, const BankRequest& request, const Plan& plan) {
    for (const auto* algorithm : engine.bank_algorithms())
        if (algorithm->id == plan.algorithm) {
            const auto own = algorithm->plan(request, engine, {}); // without the planner's checks around it
            if (const auto* tiled = dynamic_cast<const TiledBankPlan*>(own.get())) return tiled->tiling();
        }
    return std::nullopt;
}

std::shared_ptr<const Plan> bank_plan(Engine& engine, const BankRequest& request, const Algorithm* forced,
                                      const PlanContext& context) {
    return tensor_plan(
        engine, engine.bank_algorithms(), request,
        {"items", Element::f32, request.channels, request.filters, whole(output_size(request))}, forced,
        context);
}

} // namespace kg
