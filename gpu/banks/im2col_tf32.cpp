// im2col and cuBLAS in TF32 (gpu/kernels/banks/cublas_plan.hpp).

#include "gpu/kernels/banks/cublas_plan.hpp"
#include "gpu/kernels/banks/tensor_bank.hpp"

namespace kg::gpu::banks {

extern const Algorithm kIm2colTf32;
const Algorithm kIm2colTf32 = cublas_algorithm<true>(
    "im2col_tf32", "im2col and cuBLAS, TF32",
    "The same matrix, which cuBLAS multiplies in TF32 on tensor cores; under a tolerance",
    [](const PlanStep& step) { return tf32_error(std::get<BankRequest>(step)); });

} // namespace kg::gpu::banks
