// Architectures that this program has code for, as passed to the compiler.

#include "gpu/runtime/device.hpp"

#include <algorithm>

namespace kg::gpu {

int oldest_architecture() {
    constexpr int built_for[] = {__CUDA_ARCH_LIST__}; // 750, 900, ...
    return *std::min_element(std::begin(built_for), std::end(built_for)) / 10;
}

} // namespace kg::gpu
