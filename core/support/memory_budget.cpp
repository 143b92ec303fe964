#include "core/support/memory_budget.hpp"

#include <new>
#include <utility>

namespace kg {

MemoryShare::MemoryShare(std::shared_ptr<MemoryBudget> budget, std::size_t bytes)
    : budget_(std::move(budget)), bytes_(bytes) {
    const auto limit = budget_->limit_;
    auto used = budget_->used_.load();
    do {
        if (limit > 0 && (bytes > limit || used > limit - bytes)) throw std::bad_alloc();
    } while (!budget_->used_.compare_exchange_weak(used, used + bytes));
}

} // namespace kg
