#include "app/process/pool/staging.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

namespace kg::batch {

namespace {

/// So that pictures of nearly the same size take turns.
std::size_t rounded_up(std::size_t bytes) {
    constexpr std::size_t kPage = 4096, kStepsInAnOctave = 8;
    const auto step = std::max(kPage, std::bit_floor(bytes) / kStepsInAnOctave);
    return (bytes + step - 1) / step * step;
}

} // namespace

std::shared_ptr<std::byte> StagingPool::take(std::size_t bytes) {
    auto piece = find(bytes);
    if (!piece) piece = make(rounded_up(bytes));
    if (!piece) return nullptr;
    auto* const memory = piece->host();
    return {memory, [pool = weak_from_this(), piece = std::move(piece)](std::byte*) mutable {
                if (const auto own = pool.lock()) own->give(std::move(piece));
            }};
}

std::size_t StagingPool::made() const {
    const std::lock_guard lock(mutex_);
    return made_;
}

/// The smallest that will do.
StagingPool::Piece StagingPool::find(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto best = free_.end();
    for (auto each = free_.begin(); each != free_.end(); ++each)
        if ((*each)->size() >= bytes && (best == free_.end() || (*each)->size() <= (*best)->size()))
            best = each;
    if (best == free_.end()) return nullptr;
    auto piece = std::move(*best);
    free_.erase(best);
    free_bytes_ -= piece->size();
    return piece;
}

/// Without the mutex while memory is locked, so that others can bring back theirs.
StagingPool::Piece StagingPool::make(std::size_t bytes) {
    if (!make_room(bytes)) return nullptr;
    try {
        return engine_->allocate(bytes, BufferKind::staging);
    } catch (
        const std::exception&) { // there is no more, or the engine is lost, which whoever computes is told
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
    free_.reserve(++made_); // so that to take one back cannot fail
    bytes_ += bytes;
    return true;
}

void StagingPool::give(Piece piece) {
    const std::lock_guard lock(mutex_);
    free_bytes_ += piece->size();
    free_.push_back(std::move(piece));
}

} // namespace kg::batch
