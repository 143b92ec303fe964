// All GPU algorithms for signals, in order of preference at equal cost. Each has a declaration and an entry.

#include "gpu/engine.hpp"

#include <array>

namespace kg::gpu {

namespace signals {
extern const Algorithm kDirect, kFft, kTiledZones, kTiledUniform, kConstant, kBlockPartials, kNaive;
}

std::span<const Algorithm* const> signal_algorithms() {
    using namespace signals;
    static constexpr std::array list{&kDirect,   &kFft,           &kTiledZones, &kTiledUniform,
                                     &kConstant, &kBlockPartials, &kNaive};
    return list;
}

} // namespace kg::gpu
