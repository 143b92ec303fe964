#pragma once
// The CUDA engine as its own folder sees it.

#include "gpu/runtime/queue.hpp"

namespace kg::gpu {

struct DeviceLimits {
    int multiprocessors = 0;
    int threads_per_multiprocessor = 0;
    std::size_t shared_bytes_per_block = 0; ///< the most a block may request
    std::size_t cache_bytes = 0;            ///< shared by all multiprocessors
};

class CudaEngine final : public Engine {
public:
    CudaEngine(int device, std::size_t memory_limit);
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override;
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override;
    std::unique_ptr<Queue> queue(Priority priority) override;
    std::span<const Algorithm* const> algorithms() const override;
    std::span<const Algorithm* const> signal_algorithms() const override;
    std::span<const Algorithm* const> bank_algorithms() const override;
    std::span<const Algorithm* const> volume_algorithms() const override;
    const CostCorrections& cost_corrections() const override { return costs_; }

    int index() const { return index_; }
    const DeviceLimits& limits() const { return limits_; }
    std::shared_ptr<DeviceResources> resources(); ///< created on first use; throws Unavailable

private:
    int index_;
    DeviceInfo info_{"cuda", "none", "no usable GPU", 0, 0};
    DeviceLimits limits_;
    CostCorrections costs_;
    std::string why_unusable_; // set by the constructor
    mutable std::mutex mutex_; // guards the next member
    std::shared_ptr<DeviceResources> resources_;
};

/// Throws Error for another kind of engine.
const CudaEngine& cuda_engine(const Engine& engine);

/// A copy of host memory in the engine's, complete on return. Throws std::bad_alloc.
std::shared_ptr<CudaBuffer> device_copy(std::span<const std::byte> bytes, Engine& engine);

/// Times ten; 0 without a GPU.
int capability_of(const Engine& engine);

/// The oldest compute capability this program has code for, times ten.
int oldest_architecture();

} // namespace kg::gpu
