#pragma once
// Device and staging memory as the contract's buffers.

#include "core/plan/engine.hpp"
#include "core/support/memory_budget.hpp"
#include "gpu/runtime/guard.hpp"
#include "gpu/runtime/owners.hpp"

namespace kg::gpu {

/// Device memory, cached for reuse by CUDA's own pool. Thread-safe.
class MemoryPool {
public:
    MemoryPool(int device, std::size_t limit); ///< limit 0 = all device memory
    ~MemoryPool();
    MemoryPool(const MemoryPool&) = delete;
    MemoryPool& operator=(const MemoryPool&) = delete;

    /// Ready for use by any stream. Throws std::bad_alloc.
    void* take(std::size_t bytes);
    /// No work may still use it (queues keep the buffers of work in flight).
    void give(void* memory) noexcept;

    const std::shared_ptr<MemoryBudget>& budget() const { return budget_; }
    /// Null unless this is a guard build.
    RedZones* guard() { return guard_.get(); }
    /// Why the device is lost; empty while it is usable.
    std::string why_lost() const;

private:
    int device_;
    std::shared_ptr<MemoryBudget> budget_;
    Stream stream_;
    cudaMemPool_t pool_ = nullptr;
    std::unique_ptr<RedZones> guard_;
};

/// Base of both kinds of buffer of this engine: an address the device can use.
class CudaBuffer : public Buffer {
public:
    virtual std::byte* device_address() = 0;
};

class DeviceBuffer final : public CudaBuffer {
public:
    DeviceBuffer(std::shared_ptr<MemoryPool> pool, std::size_t bytes)
        : pool_(std::move(pool)), share_(pool_->budget(), bytes), size_(bytes),
          memory_(static_cast<std::byte*>(pool_->take(bytes))) {}
    ~DeviceBuffer() override { pool_->give(memory_); }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    std::size_t size() const override { return size_; }
    std::byte* host() override { return nullptr; }
    std::byte* device_address() override { return memory_; }

private:
    std::shared_ptr<MemoryPool> pool_;
    MemoryShare share_;
    std::size_t size_;
    std::byte* memory_;
};

class StagingBuffer final : public CudaBuffer {
public:
    explicit StagingBuffer(std::size_t bytes) : memory_(bytes) {}
    std::size_t size() const override { return memory_.size(); }
    std::byte* host() override { return memory_.data(); }
    std::byte* device_address() override {
        return memory_.data();
    } // unified addressing: the same address on host and device

private:
    PinnedMemory memory_;
};

/// The first byte of a view. Throws Error if the memory is another engine's, or if pixels of 2 and 4 channels
/// are not aligned to their size, which the kernels' vector loads need (allocate_view() and crop() guarantee
/// it).
std::byte* address_of(const BufferView& view);

} // namespace kg::gpu
