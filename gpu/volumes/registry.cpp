// All GPU algorithms for volumes, in order of preference at equal cost. Each has a declaration and an entry.

#include "gpu/engine.hpp"

#include <array>

namespace kg::gpu {

namespace volumes {
extern const Algorithm kDirect, kSeparable, kTimeBlocks;
}

std::span<const Algorithm* const> volume_algorithms() {
    using namespace volumes;
    static constexpr std::array list{&kSeparable, &kTimeBlocks, &kDirect};
    return list;
}

} // namespace kg::gpu
