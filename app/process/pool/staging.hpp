#pragma once
// Host memory from which an engine transfers at once and without a copy, for the pictures themselves, used again and again: to
// lock it in place takes longer than to fill it.

#include "core/plan/engine.hpp"
#include "core/image/image_memory.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace kg::batch {

/// Thread-safe. Lives in a shared pointer; what it lent may outlive it, and then goes to the engine.
class StagingPool final : public ImageMemorySource, public std::enable_shared_from_this<StagingPool> {
public:
    /// Of at most so many bytes, lent or free.
    StagingPool(std::shared_ptr<Engine> engine, std::size_t most) : engine_(std::move(engine)), most_(most) {}
    StagingPool(const StagingPool&) = delete;
    StagingPool& operator=(const StagingPool&) = delete;

    std::shared_ptr<std::byte> take(std::size_t bytes) override;
    std::size_t most() const { return most_; }
    std::size_t made() const; ///< pieces so far

private:
    using Piece = std::shared_ptr<Buffer>;
    Piece find(std::size_t bytes);
    Piece make(std::size_t bytes);
    bool make_room(std::size_t bytes);
    void give(Piece piece);

    const std::shared_ptr<Engine> engine_;
    const std::size_t most_;
    mutable std::mutex mutex_;
    std::vector<Piece> free_; ///< the last used behind
    std::size_t bytes_ = 0, free_bytes_ = 0, made_ = 0;
};

} // namespace kg::batch
