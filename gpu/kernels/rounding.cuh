#pragma once
// From floats to integers of 8 and 16 bits, on the GPU.
//
// Rounding costs one multiplication: a float times 2^-149 is a subnormal number, whose bits are that float
// rounded to the nearest integer, ties to even. A negative one has the sign bit, and one that is too large
// has larger bits still, so that a saturating pack of the bits clamps both.

namespace kg::gpu {

/// An integer that pack_saturated() clamps to the rounded value (semantics 6). The value is a number.
__device__ __forceinline__ int to_saturate(float value) { return __float_as_int(value * 0x1p-149f); }

/// The same for any value: NaN becomes 0.
__device__ __forceinline__ int to_saturate_any(float value) { return to_saturate(fmaxf(value, 0.0f)); }

/// Four integers as bytes, the first lowest: below 0 becomes 0, above 255 becomes 255.
__device__ __forceinline__ unsigned pack_saturated(int first, int second, int third, int fourth) {
    unsigned high, all;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(high) : "r"(fourth), "r"(third));
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(all) : "r"(second), "r"(first), "r"(high));
    return all;
}

/// Two integers as 16 bits each, the first lowest: below 0 becomes 0, above 65535 becomes 65535.
__device__ __forceinline__ unsigned pack_saturated(int first, int second) {
    unsigned both;
    asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(both) : "r"(second), "r"(first));
    return both;
}

} // namespace kg::gpu
