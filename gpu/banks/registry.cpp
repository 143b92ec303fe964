// All GPU algorithms for filter banks, in order of preference at equal cost. Each has a declaration and an
// entry.

#include "gpu/engine.hpp"

#include <array>

namespace kg::gpu {

namespace banks {
extern const Algorithm kDirect, kIm2colGemm, kIm2colCublas, kIm2colTf32, kImplicitGemm, kWinograd,
    kWinograd4x4, kFft, kPadded, kTexture, kSpatial, kNaive;
}

std::span<const Algorithm* const> bank_algorithms() {
    using namespace banks;
    static constexpr std::array list{&kDirect,       &kIm2colGemm, &kIm2colCublas, &kIm2colTf32,
                                     &kImplicitGemm, &kWinograd,   &kWinograd4x4,  &kFft,
                                     &kPadded,       &kTexture,    &kSpatial,      &kNaive};
    return list;
}

} // namespace kg::gpu
