#include "core/plan/signal_planner.hpp"

#include "core/plan/tensor_planner.hpp"

namespace kg {

const Algorithm* inexact_signal_algorithm(const Engine& engine, const Plan& plan) {
    return inexact_tensor_algorithm(engine.signal_algorithms(), plan);
}

Rect whole_output(const SignalRequest& request) { return {0, 0, output_count(request), request.signals}; }

std::vector<AlgorithmAnswer> signal_answers(const Engine& engine, const SignalRequest& request) {
    return tensor_answers(engine, engine.signal_algorithms(), request);
}

std::shared_ptr<const Plan> signal_plan(Engine& engine, const SignalRequest& request, const Algorithm* forced,
                                        const PlanContext& context) {
    return tensor_plan(engine, engine.signal_algorithms(), request,
                       {"signals", element(request), 1, 1, whole_output(request)}, forced, context);
}

} // namespace kg
