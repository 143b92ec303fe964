#include "gpu/kernels/banks/cublas_gemm.hpp"

#include "gpu/runtime/owners.hpp"
#include "gpu/runtime/unless_lost.hpp"

#include <map>

namespace kg::gpu {

CublasGemm::CublasGemm(int device) {
    make_current(device);
    handle_ = unless_lost([] { return std::make_unique<const CublasHandle>(); });
}

void CublasGemm::enqueue(cudaStream_t stream, std::byte* work, const MatrixProduct& product) const {
    const std::lock_guard lock(one_at_a_time_);
    unless_lost([&] { handle_->enqueue(stream, work, product); });
}

const CublasGemm& shared_cublas(int device) {
    static std::mutex mutex;
    // Never destroyed: at exit CUDA may be unloaded first.
    static auto& all = *new std::map<int, CublasGemm>;
    const std::lock_guard lock(mutex);
    return all.try_emplace(device, device).first->second;
}

} // namespace kg::gpu
