#include "python/module/plan_cache.hpp"

#include <algorithm>

namespace kg::python {

std::shared_ptr<PreparedRequest> PlanCache::find(std::string_view key) {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(entries_.rbegin(), entries_.rend(),
                                 [&](const Entry& entry) { return entry.first == key; });
    if (at == entries_.rend()) return nullptr;
    std::rotate(at.base() - 1, at.base(), entries_.end());
    return entries_.back().second;
}

void PlanCache::add(std::string key, std::shared_ptr<PreparedRequest> prepared) {
    Entry oldest; // destroyed after the lock: plans may be large
    const std::lock_guard lock(mutex_);
    if (entries_.size() == kMost) {
        oldest = std::move(entries_.front());
        entries_.erase(entries_.begin());
    }
    entries_.emplace_back(std::move(key), std::move(prepared));
}

} // namespace kg::python
