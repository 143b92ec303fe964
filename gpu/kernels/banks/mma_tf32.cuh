#pragma once
// Products of TF32 on tensor cores (mma.sync): floats whose last 13 bits the multiplier ignores. Operand
// layout: PTX ISA, "Matrix Fragments for mma.m16n8k8".
//
// Lane l of a warp has group g = l / 4 and place t = l % 4:
//   A (16 x 8):     register r: row g + 8 (r % 2), column t + 4 (r / 2)
//   B (8 x 8):      register r: row t + 4 r, column g
//   sums (16 x 8):  sum e: row g + 8 (e / 2), column 2 t + e % 2

#include <cuda_runtime.h>

namespace kg::gpu {

/// sums += a * b. Since compute capability 8.0; before it kernels are compiled and never launched.
__device__ __forceinline__ void multiply_tf32(float (&sums)[4], const float (&a)[4], float2 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b.x)), "r"(__float_as_uint(b.y)));
#endif
}

} // namespace kg::gpu
