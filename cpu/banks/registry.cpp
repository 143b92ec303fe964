// All algorithms for filter banks on the CPU, in order of preference at equal cost. Each has a declaration
// and an entry.

#include "cpu/engine.hpp"

#include <array>

namespace kg::cpu {

namespace banks {
extern const Algorithm kDirect, kIm2colGemm, kWinograd, kWinograd4x4, kFft, kNaive, kReference;
}

std::span<const Algorithm* const> bank_algorithms() {
    using namespace banks;
    static constexpr std::array list{&kDirect, &kIm2colGemm, &kWinograd, &kWinograd4x4,
                                     &kFft,    &kNaive,      &kReference};
    return list;
}

} // namespace kg::cpu
