#pragma once
// The functions of cuDNN in use (cudnn_graph.h, cudnn_ops.h, cudnn_cnn.h of cuDNN 9), loaded at run time.

#include "core/support/error.hpp"
#include "core/support/shared_library.hpp"

#include <cstddef>
#include <memory>

namespace kg::peers::cudnn {

inline constexpr int kFloat = 0;                     // cudnnDataType_t
inline constexpr int kNchw = 0;                      // cudnnTensorFormat_t
inline constexpr int kCorrelation = 1;               // cudnnConvolutionMode_t
inline constexpr int kDefaultMath = 0, kFmaMath = 3; // cudnnMathType_t; the default allows TF32, not less
inline constexpr int kDeterministic = 1;             // cudnnDeterminism_t
inline constexpr int kImplicitGemm = 0, kImplicitPrecompGemm = 1, kFftTiling = 5; // cudnnConvolutionFwdAlgo_t

/// cudnnConvolutionFwdAlgoPerf_t
struct Ranked {
    int algorithm, status;
    float milliseconds;
    std::size_t memory;
    int determinism, math;
    int reserved[3];
};
static_assert(sizeof(Ranked) == 48);

const SharedLibrary& library();

struct Functions {
    std::size_t (*version)() = library().get<decltype(version)>("cudnnGetVersion");
    const char* (*error_text)(int) = library().get<decltype(error_text)>("cudnnGetErrorString");
    int (*set_stream)(void*, void* stream) = library().get<decltype(set_stream)>("cudnnSetStream");
    int (*set_tensor)(void*, int format, int type, int n, int c, int h,
                      int w) = library().get<decltype(set_tensor)>("cudnnSetTensor4dDescriptor");
    int (*set_filter)(void*, int type, int format, int k, int c, int h,
                      int w) = library().get<decltype(set_filter)>("cudnnSetFilter4dDescriptor");
    int (*set_convolution)(void*, int pad_h, int pad_w, int step_v, int step_h, int dilation_h,
                           int dilation_w, int mode, int type) =
        library().get<decltype(set_convolution)>("cudnnSetConvolution2dDescriptor");
    int (*set_groups)(void*,
                      int groups) = library().get<decltype(set_groups)>("cudnnSetConvolutionGroupCount");
    int (*set_math)(void*, int math) = library().get<decltype(set_math)>("cudnnSetConvolutionMathType");
    int (*rank)(void*, void* x_shape, void* w_shape, void* convolution, void* y_shape, int asked, int* got,
                Ranked*) = library().get<decltype(rank)>("cudnnGetConvolutionForwardAlgorithm_v7");
    int (*find)(void*, void* x_shape, const void* x, void* w_shape, const void* w, void* convolution,
                void* y_shape, void* y, int asked, int* got, Ranked*, void* work, std::size_t work_bytes) =
        library().get<decltype(find)>("cudnnFindConvolutionForwardAlgorithmEx");
    int (*add)(void*, const void* alpha, void* a_shape, const void* a, const void* beta, void* c_shape,
               void* c) = library().get<decltype(add)>("cudnnAddTensor");
    int (*work_bytes)(void*, void* x_shape, void* w_shape, void* convolution, void* y_shape, int algorithm,
                      std::size_t* bytes) =
        library().get<decltype(work_bytes)>("cudnnGetConvolutionForwardWorkspaceSize");
    int (*forward)(void*, const void* alpha, void* x_shape, const void* x, void* w_shape, const void* w,
                   void* convolution, int algorithm, void* work, std::size_t work_bytes, const void* beta,
                   void* y_shape, void* y) = library().get<decltype(forward)>("cudnnConvolutionForward");
};
/// Throws Error if the library, or one of its functions, is absent.
const Functions& calls();

class Refusal : public Error {
public:
    using Error::Error;
};
/// Throws Refusal for a cuDNN error.
void check(int status);

/// Owns a handle or descriptor, created and destroyed by the functions of these names.
class Object {
public:
    Object(const char* create, const char* destroy);
    void* get() const { return object_.get(); }

private:
    std::unique_ptr<void, int (*)(void*)> object_;
};

} // namespace kg::peers::cudnn
