#pragma once
// Cache of trial results, for the next plan of the same shape.

#include <map>
#include <mutex>
#include <optional>

namespace kg::peers {

/// Thread-safe. `Key` identifies everything that the value depends on.
template <class Key, class Value>
class Remembered {
public:
    std::optional<Value> find(const Key& key) const {
        const std::lock_guard lock(mutex_);
        const auto at = known_.find(key);
        return at == known_.end() ? std::nullopt : std::optional(at->second);
    }
    void keep(const Key& key, const Value& value) {
        const std::lock_guard lock(mutex_);
        known_.insert_or_assign(key, value);
    }

private:
    mutable std::mutex mutex_;
    std::map<Key, Value> known_;
};

} // namespace kg::peers
