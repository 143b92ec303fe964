#include "gpu/cuda/fourier.hpp"

#include "core/error.hpp"
#include "core/shared_library.hpp"

#include <algorithm>
#include <deque>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace kg::gpu {

namespace {

// cufftType of cufft.h.
constexpr int kRealToComplex = 0x2a, kComplexToReal = 0x2c, kDoubleToComplex = 0x6a, kComplexToDouble = 0x6c;

const SharedLibrary& library() {
    static const SharedLibrary cufft(
        "libcufft.so.12", "CUDA 13 (Debian's and Ubuntu's libcufft-13-0 of NVIDIA, PyPI's nvidia-cufft)");
    return cufft;
}

/// What of cuFFT's interface is used (cufft.h of CUDA 13; handles are numbers).
struct Functions {
    int (*create)(int* handle) = library().get<decltype(create)>("cufftCreate");
    int (*destroy)(int handle) = library().get<decltype(destroy)>("cufftDestroy");
    int (*make)(int handle, int rank, int* sizes, int* in_embed, int in_stride, int in_distance,
                int* out_embed, int out_stride, int out_distance, int type, int batch,
                std::size_t* work_bytes) = library().get<decltype(make)>("cufftMakePlanMany");
    int (*set_auto_allocation)(int handle, int on) =
        library().get<decltype(set_auto_allocation)>("cufftSetAutoAllocation");
    int (*set_stream)(int handle,
                      cudaStream_t stream) = library().get<decltype(set_stream)>("cufftSetStream");
    int (*set_work_area)(int handle, void* area) = library().get<decltype(set_work_area)>("cufftSetWorkArea");
    using Execute = int (*)(int handle, void* from, void* to);
    Execute float_to_complex = library().get<Execute>("cufftExecR2C");
    Execute complex_to_float = library().get<Execute>("cufftExecC2R");
    Execute double_to_complex = library().get<Execute>("cufftExecD2Z");
    Execute complex_to_double = library().get<Execute>("cufftExecZ2D");
};
const Functions& cufft() {
    static const Functions all;
    return all;
}

void check_fourier(int status) {
    if (status == 0) return;
    if (status == 2) throw std::bad_alloc();
    const char* words = status == 4    ? "a value is not one it knows"
                        : status == 6  ? "the GPU did not run it"
                        : status == 7  ? "the library did not start"
                        : status == 8  ? "it does not transform this size"
                        : status == 13 ? "it has no memory to work in"
                                       : "it failed inside";
    throw Error("cuFFT refused: " + std::string(words) + " (cufftResult " + std::to_string(status) +
                "); another algorithm does the same without it");
}

int type_of(const TransformShape& shape) {
    const bool forward = shape.direction == Direction::to_spectra;
    if (shape.precision == Precision::float32) return forward ? kRealToComplex : kComplexToReal;
    return forward ? kDoubleToComplex : kComplexToDouble;
}

/// Transforms that plans use, and the last few that plans used, in the order of use.
class SharedTransforms {
public:
    std::shared_ptr<const Transform> get(const TransformShape& shape) {
        const std::lock_guard lock(mutex_);
        std::erase_if(all_, [](const auto& known) { return known.second.expired(); });
        const auto known = std::ranges::find(all_, shape, &Known::first);
        auto transform = known != all_.end() ? known->second.lock() : nullptr;
        if (!transform) {
            transform = std::make_shared<const Transform>(shape);
            all_.emplace_back(shape, transform);
        }
        std::erase(recent_, transform);
        recent_.push_back(transform);
        if (recent_.size() > kRecent) recent_.pop_front();
        return transform;
    }

private:
    static constexpr std::size_t kRecent = 12; // of four plans
    using Known = std::pair<TransformShape, std::weak_ptr<const Transform>>;
    std::mutex mutex_;
    std::vector<Known> all_;
    std::deque<std::shared_ptr<const Transform>> recent_;
};

} // namespace

const std::string& why_no_cufft() { return library().absent(); }

Transform::Transform(const TransformShape& shape) : shape_(shape) {
    check_fourier(cufft().create(&handle_));
    try {
        check_fourier(cufft().set_auto_allocation(handle_, 0));
        const int row = spectrum_width(shape.width);
        int sizes[] = {shape.height, shape.width}, samples[] = {shape.height, 2 * row},
            numbers[] = {shape.height, row};
        const int distance = row * shape.height;
        const bool forward = shape.direction == Direction::to_spectra;
        check_fourier(cufft().make(handle_, 2, sizes, forward ? samples : numbers, 1,
                                   forward ? 2 * distance : distance, forward ? numbers : samples, 1,
                                   forward ? distance : 2 * distance, type_of(shape), shape.frames,
                                   &work_bytes_));
    } catch (...) {
        cufft().destroy(handle_);
        throw;
    }
}

Transform::~Transform() { cufft().destroy(handle_); }

void Transform::enqueue(cudaStream_t stream, std::byte* frames, std::byte* work) const {
    const auto& f = cufft();
    const bool forward = shape_.direction == Direction::to_spectra;
    const auto execute = shape_.precision == Precision::float32
                             ? (forward ? f.float_to_complex : f.complex_to_float)
                             : (forward ? f.double_to_complex : f.complex_to_double);
    const std::lock_guard lock(one_at_a_time_);
    check_fourier(f.set_stream(handle_, stream));
    if (work_bytes_ > 0) check_fourier(f.set_work_area(handle_, work));
    check_fourier(execute(handle_, frames, frames));
}

std::shared_ptr<const Transform> shared_transform(const TransformShape& shape) {
    // Never destroyed: at the program's end CUDA may be gone before it.
    static auto& all = *new SharedTransforms;
    return all.get(shape);
}

} // namespace kg::gpu
