#pragma once
// Products of bytes on tensor cores (mma.sync), and what surrounds them: bytes from interleaved to planar
// channels and back. Operand layouts: PTX ISA, "Matrix Fragments for mma.m16n8k16 / m16n8k32 with integer
// type".
//
// Lane l of a warp has group g = l / 4 and place t = l % 4. Bytes i of its registers, the lowest first:
//   A (16 x 32, k32): register r: row g + 8 (r % 2), columns 16 (r / 2) + 4 t + i
//   A (16 x 16, k16): register r: row g + 8 r, columns 4 t + i
//   B (32 x 8, k32):  register r: rows 16 r + 4 t + i, column g; k16 has one register
//   sums (16 x 8):    sum e: row g + 8 (e / 2), column 2 t + e % 2

#include "gpu/kernels/rounding.cuh"
#include "gpu/kernels/tensor/pixel_order.hpp"

#include <cstddef>
#include <cstdint>

namespace kg::gpu {

/// Whether the GPU that is compiled for has these products. Kernels for older ones are compiled too, and
/// never launched: they are empty.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr bool kMultipliesBytes = false;
#else
inline constexpr bool kMultipliesBytes = true;
#endif

/// sums = a * b + start. `A`: the type of operand A's bytes, int8_t or uint8_t; those of B are unsigned.
template <typename A>
__device__ __forceinline__ void multiply_k32(int (&sums)[4], const uint4& a, unsigned b0, unsigned b1,
                                             const int (&start)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (sizeof(A) == 1 && static_cast<A>(-1) < 0)
        asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 "
            "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
            : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
            : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1), "r"(start[0]), "r"(start[1]),
              "r"(start[2]), "r"(start[3]));
    else
        asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 "
            "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
            : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
            : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1), "r"(start[0]), "r"(start[1]),
              "r"(start[2]), "r"(start[3]));
#endif
}

/// The same with half the inner extent.
template <typename A>
__device__ __forceinline__ void multiply_k16(int (&sums)[4], const uint2& a, unsigned b,
                                             const int (&start)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (sizeof(A) == 1 && static_cast<A>(-1) < 0)
        asm("mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
            : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
            : "r"(a.x), "r"(a.y), "r"(b), "r"(start[0]), "r"(start[1]), "r"(start[2]), "r"(start[3]));
    else
        asm("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
            : "=r"(sums[0]), "=r"(sums[1]), "=r"(sums[2]), "=r"(sums[3])
            : "r"(a.x), "r"(a.y), "r"(b), "r"(start[0]), "r"(start[1]), "r"(start[2]), "r"(start[3]));
#endif
}

/// Operand A of a lane from a parameter of the launch. Its address differs among the lanes, for which
/// constant memory is slow: the generic address of a __grid_constant__ parameter is read by the path of
/// global memory.
__device__ __forceinline__ uint4 load_operand(const uint4* from) {
    uint4 v;
    asm volatile("ld.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from));
    return v;
}

/// sums += a * b.
template <typename A>
__device__ __forceinline__ void multiply_add_k32(int (&sums)[4], const uint4& a, unsigned b0, unsigned b1) {
    multiply_k32<A>(sums, a, b0, b1, sums);
}
template <typename A>
__device__ __forceinline__ void multiply_add_k16(int (&sums)[4], const uint2& a, unsigned b) {
    multiply_k16<A>(sums, a, b, sums);
}

/// sums += a * b with a sparse signed a of 16 x 64. Of every four neighbours in a row two are stored:
/// columns 4 n to 4 n + 3 are columns 2 n and 2 n + 1 of A's layout above. Register r of b has rows 16 r +
/// 4 t + i. Bits 4 n to 4 n + 3 of a lane's metadata are the places of those two among the four, lowest
/// first, in group n + 8 (t / 2) of row g + 8 (t % 2). PTX ISA, "Sparse matrix storage" and "Matrix
/// Fragments for sparse mma.m16n8k64 with .u8 / .s8 integer type".
__device__ __forceinline__ void multiply_add_sparse(int (&sums)[4], const uint4& a, const unsigned (&b)[4],
                                                    unsigned metadata) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.u8.s32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(metadata));
#endif
}

/// Loads four neighbouring pixels as they lie in a row of an image. `at` is a multiple of 16 bytes for four
/// channels, otherwise of 4.
template <int Channels>
__device__ __forceinline__ void load_pixels(const std::byte* at, unsigned (&words)[Channels]) {
    if constexpr (Channels == 4) {
        const uint4 v = __ldg(reinterpret_cast<const uint4*>(at));
        words[0] = v.x, words[1] = v.y, words[2] = v.z, words[3] = v.w;
    } else {
#pragma unroll
        for (int w = 0; w < Channels; ++w) words[w] = __ldg(reinterpret_cast<const unsigned*>(at) + w);
    }
}

/// Words of four neighbouring pixels, as they lie in a row of an image, to one word per channel; in place.
template <int Channels>
__device__ __forceinline__ void to_planar(unsigned (&words)[Channels],
                                          const PixelOrder<Channels>& order = {}) {
    const auto& last = order.selectors;
    if constexpr (Channels == 3) { // r g b r, g b r g, b r g b
        const unsigned x = words[0], y = words[1], z = words[2];
        words[0] = __byte_perm(__byte_perm(x, y, 0x0630), z, last[0]);
        words[1] = __byte_perm(__byte_perm(x, y, 0x0741), z, last[1]);
        words[2] = __byte_perm(__byte_perm(x, y, 0x0052), z, last[2]);
    } else if constexpr (Channels == 4) {
        const unsigned low01 = __byte_perm(words[0], words[1], 0x5140), // r r g g of two pixels
            low23 = __byte_perm(words[2], words[3], 0x5140),
                       high01 = __byte_perm(words[0], words[1], 0x7362), // b b a a
            high23 = __byte_perm(words[2], words[3], 0x7362);
        words[0] = __byte_perm(low01, low23, last[0]), words[1] = __byte_perm(low01, low23, last[1]);
        words[2] = __byte_perm(high01, high23, last[0]), words[3] = __byte_perm(high01, high23, last[1]);
    } else words[0] = __byte_perm(words[0], 0, last[0]);
}

/// The inverse.
template <int Channels>
__device__ __forceinline__ void to_interleaved(unsigned (&words)[Channels]) {
    if constexpr (Channels == 3) {
        const unsigned rg01 = __byte_perm(words[0], words[1], 0x5140), // r g r g
            rg23 = __byte_perm(words[0], words[1], 0x7362), blue = words[2];
        words[0] = __byte_perm(rg01, blue, 0x2410);
        words[1] = __byte_perm(__byte_perm(rg01, blue, 0x0053), rg23, 0x5410);
        words[2] = __byte_perm(rg23, blue, 0x7326);
    } else if constexpr (Channels == 4) to_planar<4>(words); // a transpose
    else static_assert(Channels == 1);
}

} // namespace kg::gpu
