// All algorithms for signals on the CPU, in order of preference at equal cost. Each has a declaration and an
// entry.

#include "cpu/engine.hpp"

#include <array>

namespace kg::cpu {

namespace signals {
extern const Algorithm kDirect, kFft, kTiledZones, kTiledUniform, kBlockPartials, kNaive, kReference;
}

std::span<const Algorithm* const> signal_algorithms() {
    using namespace signals;
    static constexpr std::array list{&kDirect,        &kFft,   &kTiledZones, &kTiledUniform,
                                     &kBlockPartials, &kNaive, &kReference};
    return list;
}

} // namespace kg::cpu
