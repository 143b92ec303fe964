#include "core/plan/volume_planner.hpp"

#include "core/plan/tensor_planner.hpp"

namespace kg {

std::vector<AlgorithmAnswer> volume_answers(const Engine& engine, const VolumeRequest& request) {
    return tensor_answers(engine, engine.volume_algorithms(), request);
}

std::shared_ptr<const Plan> volume_plan(Engine& engine, const VolumeRequest& request, const Algorithm* forced,
                                        const PlanContext& context) {
    const auto slices = tensor_slices(request);
    return tensor_plan(
        engine, engine.volume_algorithms(), request,
        {"volumes", Element::f32, slices, slices, {0, 0, request.size.width, request.size.height}}, forced,
        context);
}

} // namespace kg
