#include "gpu/runtime/architectures.hpp"

#include "gpu/runtime/device.hpp"

#include <algorithm>

namespace kg::gpu {

namespace {
constexpr int kBuiltFor[] = {__CUDA_ARCH_LIST__}; // 750, 900, ...
}

int oldest_architecture() { return *std::min_element(std::begin(kBuiltFor), std::end(kBuiltFor)) / 10; }

int newest_architecture_for(int capability) {
    int newest = 0;
    for (const int each : kBuiltFor)
        if (each / 10 <= capability) newest = std::max(newest, each / 10);
    return newest;
}

} // namespace kg::gpu
