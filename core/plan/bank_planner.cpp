#include "core/plan/bank_planner.hpp"

#include "core/plan/tensor_planner.hpp"

namespace kg {

const Algorithm* inexact_bank_algorithm(const Engine& engine, const Plan& plan) {
    return inexact_tensor_algorithm(engine.bank_algorithms(), plan);
}

std::vector<AlgorithmAnswer> bank_answers(const Engine& engine, const BankRequest& request) {
    return tensor_answers(engine, engine.bank_algorithms(), request);
}

std::shared_ptr<const Plan> bank_plan(Engine& engine, const BankRequest& request, const Algorithm* forced,
                                      const PlanContext& context) {
    return tensor_plan(
        engine, engine.bank_algorithms(), request,
        {"items", Element::f32, request.channels, request.filters, whole(output_size(request))}, forced,
        context);
}

} // namespace kg
