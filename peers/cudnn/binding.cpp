#include "peers/cudnn/binding.hpp"

#include <string>

namespace kg::peers::cudnn {

const SharedLibrary& library() {
    static const SharedLibrary cudnn(
        "libcudnn.so.9", "cuDNN 9 for CUDA 13 (NVIDIA's libcudnn9-cuda-13, PyPI's nvidia-cudnn-cu13)");
    return cudnn;
}

const Functions& calls() {
    static const Functions all;
    return all;
}

void check(int status) {
    if (status == 0) return;
    throw Refusal("cudnn-refused", "cuDNN refused: {} (cudnnStatus {})", calls().error_text(status), status);
}

Object::Object(const char* create, const char* destroy)
    : object_(nullptr, library().get<int (*)(void*)>(destroy)) {
    void* made = nullptr;
    check(library().get<int (*)(void**)>(create)(&made));
    object_.reset(made);
}

} // namespace kg::peers::cudnn
