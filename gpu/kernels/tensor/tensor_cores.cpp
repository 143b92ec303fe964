#include "gpu/kernels/tensor/tensor_cores.hpp"

#include "gpu/runtime/architectures.hpp"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

std::string why_not_tensor_cores(const Engine& engine, std::string_view what) {
    constexpr int kFirst = 80;
    const auto it = "it multiplies " + std::string(what) + " on tensor cores";
    const int capability = capability_of(engine);
    if (capability < kFirst) return it + ", which GPUs have since compute capability 8.0";
    if (newest_architecture_for(capability) < kFirst)
        return it + ", and this program was built for older GPUs";
    return {};
}

} // namespace kg::gpu
