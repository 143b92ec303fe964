#pragma once
// Cancellation that reaches into a running launch: every block reads a word on the device before it begins.

#include "gpu/runtime/owners.hpp"

#include <cstdint>
#include <stop_token>

namespace kg::gpu {

/// The stop flag passed to a kernel: its run is stopped while *word == run.
struct StopFlag {
    const volatile std::uint32_t* word = nullptr;
    std::uint32_t run = 0;

#ifdef __CUDACC__
    __device__ bool raised() const { return raised(read()); }
    /// The same, read by one thread for its block; all threads of the block call it. For short kernels of
    /// many warps, such as conversions: reads of one word by every warp queue up at the L2 slice that holds
    /// it. Kernels that do more per warp, such as gradients, lose more by the barrier.
    __device__ bool raised_for_block() const {
        return __syncthreads_or(threadIdx.x + threadIdx.y == 0 && raised());
    }
    /// The word as it is now, for raised(seen) later: a block whose other loads begin in between does not
    /// wait for this one.
    __device__ std::uint32_t read() const { return word ? *word : run + 1; }
    __device__ bool raised(std::uint32_t seen) const { return seen == run; }
    /// The word read by one thread for its block, for __syncthreads_or(raised(seen)) later.
    __device__ std::uint32_t read_for_block() const {
        return threadIdx.x + threadIdx.y == 0 ? read() : run + 1;
    }
#endif
};

/// The words of one queue. A run is identified by its number, so no word is ever reset, and a copy that
/// arrives late stops no other run.
class StopBoard : public std::enable_shared_from_this<StopBoard> {
public:
    explicit StopBoard(int device);
    ~StopBoard();
    StopBoard(const StopBoard&) = delete;
    StopBoard& operator=(const StopBoard&) = delete;

    struct Watch {
        StopFlag flag;
        std::shared_ptr<const void> listener; ///< must live until the run is over
    };
    /// A flag for one run, raised as soon as a stop is requested.
    Watch watch(const std::stop_token& stop);

private:
    static constexpr std::uint32_t kWords = 64; // runs in flight that can be stopped independently
    void raise(std::uint32_t run) noexcept;

    int device_;
    Stream stream_; // separate: the queue's stream is busy with the run to stop
    PinnedMemory host_;
    std::uint32_t* words_ = nullptr;
    std::uint32_t runs_ = 0;
};

} // namespace kg::gpu
