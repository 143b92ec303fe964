// All algorithms on the CPU, in order of preference at equal cost. Each has a declaration and an entry.

#include "cpu/engine.hpp"

#include <array>

namespace kg::cpu {

extern const Algorithm kDirect, kDot, kSeparable, kBox, kGradient, kRecursive, kFloat64, kReference, kConvert;

std::span<const Algorithm* const> algorithms() {
    static constexpr std::array list{&kDirect,    &kDot,     &kSeparable, &kBox,    &kGradient,
                                     &kRecursive, &kFloat64, &kReference, &kConvert};
    return list;
}

} // namespace kg::cpu
