#pragma once
// A pool of pinned host memory for images, from which an engine transfers directly. Buffers are reused,
// because pinning memory takes longer than filling it.

#include "core/image/image_memory.hpp"
#include "core/plan/engine.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace kg {

/// Thread-safe. Owned by a shared_ptr; memory that outlives the pool is returned to the engine.
class StagingPool final : public ImageMemorySource, public std::enable_shared_from_this<StagingPool> {
public:
    /// Holds at most this many bytes, in use or free.
    StagingPool(std::shared_ptr<Engine> engine, std::size_t most) : engine_(std::move(engine)), most_(most) {}
    StagingPool(const StagingPool&) = delete;
    StagingPool& operator=(const StagingPool&) = delete;

    std::shared_ptr<std::byte> take(std::size_t bytes) override;
    std::size_t most() const { return most_; }
    std::size_t made() const; ///< buffers so far

private:
    using SharedBuffer = std::shared_ptr<Buffer>;
    SharedBuffer find(std::size_t bytes);
    SharedBuffer make(std::size_t bytes);
    bool make_room(std::size_t bytes);
    void give(SharedBuffer buffer);

    const std::shared_ptr<Engine> engine_;
    const std::size_t most_;
    mutable std::mutex mutex_;
    std::vector<SharedBuffer> free_; ///< most recently used last
    std::size_t bytes_ = 0, free_bytes_ = 0, made_ = 0;
};

} // namespace kg
