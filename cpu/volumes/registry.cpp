// All algorithms for volumes on the CPU, in order of preference at equal cost. Each has a declaration and an
// entry.

#include "cpu/engine.hpp"

#include <array>

namespace kg::cpu {

namespace volumes {
extern const Algorithm kDirect, kSeparable, kTimeBlocks, kReference;
}

std::span<const Algorithm* const> volume_algorithms() {
    using namespace volumes;
    static constexpr std::array list{&kSeparable, &kTimeBlocks, &kDirect, &kReference};
    return list;
}

} // namespace kg::cpu
