#include "gpu/runtime/cublas_library.hpp"

#include "core/support/error.hpp"
#include "core/support/shared_library.hpp"

#include <new>

namespace kg::gpu {

namespace {

const SharedLibrary& cublas_library() {
    static const SharedLibrary cublas(
        "libcublas.so.13", "CUDA 13 (Debian's and Ubuntu's libcublas-13-0 of NVIDIA, PyPI's nvidia-cublas)");
    return cublas;
}

constexpr int kAsStored = 0;     // CUBLAS_OP_N
constexpr int kPedanticMath = 2; // CUBLAS_PEDANTIC_MATH: float32 throughout
constexpr int kTf32Math = 3;     // CUBLAS_TF32_TENSOR_OP_MATH

/// The functions of cuBLAS in use (cublas_v2.h of CUDA 13).
struct CublasFunctions {
    int (*create)(void** handle) = cublas_library().get<decltype(create)>("cublasCreate_v2");
    int (*destroy)(void* handle) = cublas_library().get<decltype(destroy)>("cublasDestroy_v2");
    int (*set_math)(void* handle, int mode) = cublas_library().get<decltype(set_math)>("cublasSetMathMode");
    int (*set_stream)(void* handle,
                      void* stream) = cublas_library().get<decltype(set_stream)>("cublasSetStream_v2");
    int (*set_work)(void* handle, void* work,
                    std::size_t bytes) = cublas_library().get<decltype(set_work)>("cublasSetWorkspace_v2");
    int (*multiply)(void* handle, int left, int right, int rows, int columns, int terms, const float* alpha,
                    const float* a, int a_pitch, const float* b, int b_pitch, const float* beta, float* c,
                    int c_pitch) = cublas_library().get<decltype(multiply)>("cublasSgemm_v2");
};
const CublasFunctions& cublas() {
    static const CublasFunctions all;
    return all;
}

void check_cublas(int status) {
    if (status == 0) return;
    if (status == 3) throw std::bad_alloc();
    const char* cause = status == 1    ? "the library did not start"
                        : status == 7  ? "an argument is invalid"
                        : status == 8  ? "it has no code for this GPU"
                        : status == 13 ? "the GPU did not run it"
                                       : "it failed inside";
    throw Error("cublas-failed",
                "cuBLAS failed: {} (cublasStatus {}); another algorithm does the same without it", cause,
                status);
}

} // namespace

const std::string& why_no_cublas() { return cublas_library().absent(); }

CublasHandle::CublasHandle() { check_cublas(cublas().create(&handle_)); }

CublasHandle::~CublasHandle() { cublas().destroy(handle_); }

void CublasHandle::enqueue(void* stream, void* work, const MatrixProduct& p) const {
    check_cublas(cublas().set_stream(handle_, stream)); // which forgets the memory to work in
    check_cublas(cublas().set_work(handle_, work, kWorkBytes));
    check_cublas(cublas().set_math(handle_, p.tf32 ? kTf32Math : kPedanticMath));
    // cuBLAS stores matrices column by column: these are the transposed ones, whose product is that of the
    // factors in reverse order.
    const float one = 1, so_far = p.adds ? 1 : 0;
    check_cublas(cublas().multiply(handle_, kAsStored, kAsStored, p.columns, p.rows, p.terms, &one, p.right,
                                   p.right_pitch, p.left, p.left_pitch, &so_far, p.sums, p.sums_pitch));
}

} // namespace kg::gpu
