#include "app/bench/tensor_cases.hpp"

#include "filters/volume_filter.hpp"
#include "measure/volume_work.hpp"

namespace kg {

namespace {

measure::VolumeCase volume_case(std::string_view preset, std::int64_t extent, std::int64_t steps,
                                std::string title) {
    const auto [filter, values] = parse_volume_filter(preset);
    const auto design = filter->build(values);
    measure::VolumeCase made{{}, std::move(title)};
    made.request.size = {extent, extent, extent};
    made.request.kernel = design.kernel;
    made.request.border = design.border;
    made.request.second_order = design.second_order;
    made.request.steps = steps;
    return made;
}

} // namespace

// Of few samples, because the reference computes all of them.
std::vector<measure::TensorWorks> volume_cases() {
    constexpr std::int64_t kStencil = 120, kVolume = 64, kSteps = 10;
    const auto stencil = [](std::string_view preset, std::int64_t steps) {
        return tensor_work(volume_case(preset, kStencil, steps, std::string(preset)));
    };
    measure::TensorWorks stencils{"stencils",
                                  {stencil("heat:points=7", 1), stencil("heat:points=7", kSteps),
                                   stencil("heat:points=27", 1), stencil("wave", kSteps)}};
    measure::TensorWorks kernels{"kernels", {}};
    for (const auto* preset : {"gaussian:sigma=1", "box:size=5", "laplacian"})
        kernels.works.push_back(tensor_work(volume_case(preset, kVolume, 1, preset)));
    return {stencils, kernels};
}

} // namespace kg
