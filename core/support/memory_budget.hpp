#pragma once
// How much memory an engine may hand out. A limit makes every machine behave like a small one, in tests and where a GPU
// is shared.

#include <atomic>
#include <cstddef>
#include <memory>

namespace kg {

/// Thread-safe.
class MemoryBudget {
public:
    /// 0 = no limit but the memory's own.
    explicit MemoryBudget(std::size_t limit = 0) : limit_(limit) {}
    std::size_t limit() const { return limit_; }
    std::size_t used() const { return used_; } ///< bytes handed out now

private:
    friend class MemoryShare;
    const std::size_t limit_;
    std::atomic<std::size_t> used_ = 0;
};

/// A part of a budget for as long as it lives. Hold it before the memory itself, so that it outlives that.
class MemoryShare {
public:
    /// Throws std::bad_alloc if the budget would be exceeded.
    MemoryShare(std::shared_ptr<MemoryBudget> budget, std::size_t bytes);
    ~MemoryShare() { budget_->used_ -= bytes_; }
    MemoryShare(const MemoryShare&) = delete;
    MemoryShare& operator=(const MemoryShare&) = delete;

private:
    std::shared_ptr<MemoryBudget> budget_;
    std::size_t bytes_;
};

} // namespace kg
