#include "gpu/runtime/stop.hpp"

#include <functional>

namespace kg::gpu {

StopBoard::StopBoard(int device) : device_(device), stream_(true), host_(kWords * sizeof(std::uint32_t)) {
    check(cudaMalloc(&words_, kWords * sizeof(std::uint32_t)));
    check(cudaMemsetAsync(words_, 0, kWords * sizeof(std::uint32_t), stream_.get()));
    check(cudaStreamSynchronize(stream_.get()));
}

StopBoard::~StopBoard() {
    cudaStreamSynchronize(stream_.get());
    cudaFree(words_);
}

StopBoard::Watch StopBoard::watch(const std::stop_token& stop) {
    if (++runs_ == 0) ++runs_; // 0 is the words' initial value
    const auto run = runs_;
    using Listener = std::stop_callback<std::function<void()>>;
    return {{words_ + run % kWords, run},
            std::make_shared<const Listener>(stop, [board = shared_from_this(), run] { board->raise(run); })};
}

void StopBoard::raise(std::uint32_t run) noexcept {
    auto* from = reinterpret_cast<std::uint32_t*>(host_.data()) + run % kWords;
    *from = run;
    // A copy, not a memset: copies have an engine of their own, so this one does not wait for a free
    // multiprocessor. If it fails, the run merely completes.
    if (cudaSetDevice(device_) != cudaSuccess ||
        cudaMemcpyAsync(words_ + run % kWords, from, sizeof *from, cudaMemcpyHostToDevice, stream_.get()) !=
            cudaSuccess)
        cudaGetLastError();
}

} // namespace kg::gpu
