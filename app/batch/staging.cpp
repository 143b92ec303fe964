#include "app/batch/staging.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace kg::batch {

std::shared_ptr<Buffer> StagingPool::lend(std::size_t bytes) {
    auto buffer = find(bytes);
    if (!buffer) return nullptr;
    auto* raw = buffer.get();
    return {raw, [this, owned = std::move(buffer)](Buffer*) {
                const std::lock_guard lock(mutex_);
                free_.push_back(owned);
            }};
}

std::size_t StagingPool::made() const {
    const std::lock_guard lock(mutex_);
    return made_;
}

std::shared_ptr<Buffer> StagingPool::find(std::size_t bytes) {
    const std::lock_guard lock(
        mutex_); // also while it is made: locking memory goes one after the other anyway
    const auto fits = std::ranges::find_if(free_,
                                           [&](const auto& buffer) { return buffer->size() >= bytes; });
    if (fits != free_.end()) {
        auto buffer = std::move(*fits);
        free_.erase(fits);
        return buffer;
    }
    while (bytes_ + bytes > most_ && !free_.empty()) {
        bytes_ -= free_.front()->size();
        free_.erase(free_.begin());
    }
    if (bytes_ + bytes > most_) return nullptr;
    try {
        auto buffer = engine_.allocate(bytes, BufferKind::staging);
        free_.reserve(++made_); // so that to take one back cannot fail
        bytes_ += buffer->size();
        return buffer;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

} // namespace kg::batch
