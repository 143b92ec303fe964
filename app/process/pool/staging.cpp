#include "app/process/pool/staging.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

namespace kg {

namespace {

/// Rounds up, so that images of nearly the same size share buffers.
std::size_t rounded_up(std::size_t bytes) {
    constexpr std::size_t kPage = 4096, kStepsInAnOctave = 8;
    const auto step = std::max(kPage, std::bit_floor(bytes) / kStepsInAnOctave);
    return (bytes + step - 1) / step * step;
}

} // namespace

std::shared_ptr<std::byte> StagingPool::take(std::size_t bytes) {
    auto buffer = find(bytes);
    if (!buffer) buffer = make(rounded_up(bytes));
    if (!buffer) return nullptr;
    auto* const memory = buffer->host();
    return {memory, [pool = weak_from_this(), buffer = std::move(buffer)](std::byte*) mutable {
                if (const auto own = pool.lock()) own->give(std::move(buffer));
            }};
}

std::size_t StagingPool::made() const {
    const std::lock_guard lock(mutex_);
    return made_;
}

/// The smallest buffer that suffices.
StagingPool::SharedBuffer StagingPool::find(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto best = free_.end();
    for (auto each = free_.begin(); each != free_.end(); ++each)
        if ((*each)->size() >= bytes && (best == free_.end() || (*each)->size() <= (*best)->size()))
            best = each;
    if (best == free_.end()) return nullptr;
    auto buffer = std::move(*best);
    free_.erase(best);
    free_bytes_ -= buffer->size();
    return buffer;
}

/// Pins memory without holding the mutex, so that other threads can return theirs.
StagingPool::SharedBuffer StagingPool::make(std::size_t bytes) {
    if (!make_room(bytes)) return nullptr;
    try {
        return engine_->allocate(bytes, BufferKind::staging);
    } catch (const std::exception&) {
        // Out of memory, or the engine is lost, which its user reports.
        const std::lock_guard lock(mutex_);
        bytes_ -= bytes;
        --made_;
        return nullptr;
    }
}

bool StagingPool::make_room(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto lent = bytes_ - free_bytes_;
    if (bytes > most_ || lent > most_ - bytes) return false;
    while (bytes_ > most_ - bytes) {
        bytes_ -= free_.front()->size();
        free_bytes_ -= free_.front()->size();
        free_.erase(free_.begin());
    }
    free_.reserve(++made_); // reserved, so that taking a buffer back cannot fail
    bytes_ += bytes;
    return true;
}

void StagingPool::give(SharedBuffer buffer) {
    const std::lock_guard lock(mutex_);
    free_bytes_ += buffer->size();
    free_.push_back(std::move(buffer));
}

} // namespace kg
