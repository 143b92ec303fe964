#include "app/bench/tensor_cases.hpp"

#include "filters/volume_filter.hpp"
#include "measure/volume_work.hpp"

#include <utility>

namespace kg {

namespace {

constexpr VolumeExtent kStencil{120, 120, 120}, kVolume{64, 64, 64}, kLarge{256, 256, 128};

measure::VolumeCase volume_case(std::string_view preset, const VolumeExtent& size, std::int64_t steps,
                                std::string title) {
    const auto [filter, values] = parse_volume_filter(preset);
    const auto design = filter->build(values);
    measure::VolumeCase made{{}, std::move(title)};
    made.request.size = size;
    made.request.kernel = design.kernel;
    made.request.border = design.border;
    made.request.second_order = design.second_order;
    made.request.steps = steps;
    return made;
}

} // namespace

// Of few samples, because the reference computes all of them. Only the large ones exceed a GPU's cache.
std::vector<measure::TensorWorks> volume_cases() {
    constexpr std::int64_t kSteps = 10, kFewSteps = 4;
    const auto stencil = [](std::string_view preset, std::int64_t steps) {
        return tensor_work(volume_case(preset, kStencil, steps, std::string(preset)));
    };
    measure::TensorWorks stencils{"stencils",
                                  {stencil("heat:points=7", 1), stencil("heat:points=7", kSteps),
                                   stencil("heat:points=27", 1), stencil("wave", kSteps)}};
    measure::TensorWorks kernels{"kernels", {}};
    for (const auto* preset : {"gaussian:sigma=1", "box:size=5", "laplacian"})
        kernels.works.push_back(tensor_work(volume_case(preset, kVolume, 1, preset)));
    measure::TensorWorks large{"large", {}};
    constexpr std::pair<const char*, std::int64_t> kOfLarge[] = {
        {"heat:points=7", 1}, {"heat:points=7", kFewSteps}, {"wave", kFewSteps}};
    for (const auto& [preset, steps] : kOfLarge)
        large.works.push_back(tensor_work(volume_case(preset, kLarge, steps, preset)));
    return {stencils, kernels, large};
}

} // namespace kg
