#include "gpu/runtime/cufft_library.hpp"

#include "core/support/error.hpp"
#include "core/support/shared_library.hpp"

#include <cstdint>
#include <new>
#include <utility>

namespace kg::gpu {

namespace {

const SharedLibrary& library() {
    static const SharedLibrary cufft(
        "libcufft.so.12", "CUDA 13 (Debian's and Ubuntu's libcufft-13-0 of NVIDIA, PyPI's nvidia-cufft)");
    return cufft;
}

/// The functions of cuFFT in use (cufft.h of CUDA 13; handles are numbers).
struct Functions {
    int (*create)(int* handle) = library().get<decltype(create)>("cufftCreate");
    int (*destroy)(int handle) = library().get<decltype(destroy)>("cufftDestroy");
    int (*make)(int handle, int rank, int* sizes, int* in_embed, int in_stride, int in_distance,
                int* out_embed, int out_stride, int out_distance, int type, int batch,
                std::size_t* work_bytes) = library().get<decltype(make)>("cufftMakePlanMany");
    int (*set_auto_allocation)(int handle, int on) =
        library().get<decltype(set_auto_allocation)>("cufftSetAutoAllocation");
    int (*set_stream)(int handle, void* stream) = library().get<decltype(set_stream)>("cufftSetStream");
    int (*set_work_area)(int handle, void* area) = library().get<decltype(set_work_area)>("cufftSetWorkArea");
    int (*version)(int* version) = library().get<decltype(version)>("cufftGetVersion");
    using Execute = int (*)(int handle, void* from, void* to);
    Execute float_to_complex = library().get<Execute>("cufftExecR2C");
    Execute complex_to_float = library().get<Execute>("cufftExecC2R");
    Execute double_to_complex = library().get<Execute>("cufftExecD2Z");
    Execute complex_to_double = library().get<Execute>("cufftExecZ2D");

    Execute execute(FourierType type) const {
        switch (type) {
        case FourierType::float_to_complex: return float_to_complex;
        case FourierType::complex_to_float: return complex_to_float;
        case FourierType::double_to_complex: return double_to_complex;
        case FourierType::complex_to_double: return complex_to_double;
        }
        return nullptr;
    }
};
const Functions& cufft() {
    static const Functions all;
    return all;
}

constexpr int kNotExecuted = 6; // CUFFT_EXEC_FAILED

void check(int status) {
    if (status == 0) return;
    if (status == 2) throw std::bad_alloc();
    const char* cause = status == 4              ? "an argument is invalid"
                        : status == kNotExecuted ? "the GPU did not run it"
                        : status == 7            ? "the library did not start"
                        : status == 8            ? "it does not transform this size"
                        : status == 13           ? "it has no memory to work in"
                                                 : "it failed inside";
    throw Error("cufft-failed",
                "cuFFT failed: {} (cufftResult {}); another algorithm does the same without it", cause,
                status);
}

/// The driver's status, 0 for success.
int synchronize_default_stream() {
    static const SharedLibrary driver("libcuda.so.1", "NVIDIA's driver");
    static const auto synchronize = driver.get<int (*)(void*)>("cuStreamSynchronize");
    return synchronize(reinterpret_cast<void*>(std::uintptr_t{1})); // CU_STREAM_LEGACY of cuda.h
}

bool makes_spectra(FourierType type) {
    return type == FourierType::float_to_complex || type == FourierType::double_to_complex;
}

} // namespace

const std::string& why_no_cufft() { return library().absent(); }

int smooth_length(int least, int step, int prime) {
    for (int n = (least + step - 1) / step * step;; n += step) {
        int rest = n;
        for (const int p : {2, 3, 5, 7, 11})
            while (p <= prime && rest % p == 0) rest /= p;
        if (rest == 1) return n;
    }
}

std::string cufft_version() {
    int number = 0;
    check(cufft().version(&number));
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 100) + "." +
           std::to_string(number % 100);
}

FourierHandle::FourierHandle(FourierType type, int width, int height, int frames) : type_(type) {
    check(cufft().create(&handle_));
    try {
        check(cufft().set_auto_allocation(handle_, 0));
        const int row = spectrum_width(width), numbers = row * height;
        int sizes[] = {height, width}, samples_embed[] = {height, 2 * row}, numbers_embed[] = {height, row};
        const bool there = makes_spectra(type);
        check(cufft().make(handle_, 2, sizes, there ? samples_embed : numbers_embed, 1,
                           there ? 2 * numbers : numbers, there ? numbers_embed : samples_embed, 1,
                           there ? numbers : 2 * numbers, static_cast<int>(type), frames, &work_bytes_));
        // cuFFT copies tables and their addresses from pageable memory on the default stream, and returns
        // before the copies are made. Streams that do not wait for that stream would read what was there
        // before.
        if (synchronize_default_stream() != 0) check(kNotExecuted);
    } catch (...) {
        cufft().destroy(handle_);
        throw;
    }
    owned_ = true;
}

FourierHandle::~FourierHandle() {
    if (owned_) cufft().destroy(handle_);
}

FourierHandle::FourierHandle(FourierHandle&& other) noexcept
    : type_(other.type_), handle_(other.handle_), owned_(std::exchange(other.owned_, false)),
      work_bytes_(other.work_bytes_) {}

void FourierHandle::enqueue(void* stream, void* frames, void* work) const {
    check(cufft().set_stream(handle_, stream));
    if (work_bytes_ > 0) check(cufft().set_work_area(handle_, work));
    check(cufft().execute(type_)(handle_, frames, frames));
}

} // namespace kg::gpu
