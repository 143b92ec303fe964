#pragma once
// The memory that an engine may allocate. A limit makes any machine behave like a small one, for tests and
// for shared GPUs.

#include <atomic>
#include <cstddef>
#include <memory>

namespace kg {

/// Thread-safe.
class MemoryBudget {
public:
    /// 0 = no limit except the physical memory.
    explicit MemoryBudget(std::size_t limit = 0) : limit_(limit) {}
    std::size_t limit() const { return limit_; }
    std::size_t used() const { return used_; } ///< bytes allocated now

private:
    friend class MemoryShare;
    const std::size_t limit_;
    std::atomic<std::size_t> used_ = 0;
};

/// A share of a budget for its lifetime. Declare it before the memory itself, so that it is released last.
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
