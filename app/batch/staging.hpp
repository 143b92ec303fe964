#pragma once
// Host memory from which an engine transfers at once and without a copy, used again and again: to lock it in place takes longer
// than to fill it.

#include "core/engine.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace kg::batch {

/// Thread-safe. Outlives what it lends.
class StagingPool {
public:
    /// Of at most so many bytes, lent or free.
    StagingPool(Engine& engine, std::size_t most) : engine_(engine), most_(most) {}
    StagingPool(const StagingPool&) = delete;
    StagingPool& operator=(const StagingPool&) = delete;

    /// Comes back when the last copy of the pointer goes. Null where there is no more of it: the engine's own way of transfer then
    /// does, which is slower.
    std::shared_ptr<Buffer> lend(std::size_t bytes);
    std::size_t made() const; ///< buffers so far

private:
    std::shared_ptr<Buffer> find(std::size_t bytes);

    Engine& engine_;
    const std::size_t most_;
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<Buffer>> free_; ///< the last used behind
    std::size_t bytes_ = 0, made_ = 0;
};

} // namespace kg::batch
