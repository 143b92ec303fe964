// im2col and cuBLAS in float32 (gpu/kernels/banks/cublas_plan.hpp), with which `im2col_gemm`, whose product
// is the program's own, can be compared. On an H200 it is faster for few channels, at 15 x 15 weights five
// times, and slower for most layers of docs/seeds.md, at most twice.

#include "gpu/kernels/banks/cublas_plan.hpp"

namespace kg::gpu::banks {

extern const Algorithm kIm2colCublas;
const Algorithm kIm2colCublas = cublas_algorithm<false>(
    "im2col_cublas", "im2col and cuBLAS",
    "The numbers under each tap become rows of a matrix, which cuBLAS multiplies");

} // namespace kg::gpu::banks
