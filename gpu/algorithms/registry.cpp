// All GPU algorithms, in order of preference at equal cost. Each has a declaration and an entry.

#include "gpu/engine.hpp"

#include <array>

namespace kg::gpu {

extern const Algorithm kSeparableBytes, kSeparableMarch, kSeparableTiles, kDecimated, kRunningSums, kBox,
    kSeparableFused, kGradient, kPatches, kMarch, kRegisters, kToeplitz, kTiled, kSeparable, kTiledUniform,
    kPadded, kTexture, kConstant, kTiledCachedHalo, kFourierFused, kFourier, kCufft, kNaive, kFloat64,
    kConvert;

std::span<const Algorithm* const> algorithms() {
    static constexpr std::array list{
        &kSeparableBytes,  &kSeparableMarch, &kSeparableTiles, &kDecimated, &kRunningSums, &kBox,
        &kSeparableFused,  &kGradient,       &kPatches,        &kMarch,     &kRegisters,   &kToeplitz,
        &kTiled,           &kSeparable,      &kTiledUniform,   &kPadded,    &kTexture,     &kConstant,
        &kTiledCachedHalo, &kFourierFused,   &kFourier,        &kCufft,     &kNaive,       &kFloat64,
        &kConvert};
    return list;
}

} // namespace kg::gpu
