#pragma once
// The prepared requests of recent calls.

#include "app/process/engine/prepared_request.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg::python {

/// Keeps those used last. Thread-safe.
class PlanCache {
public:
    std::shared_ptr<PreparedRequest> find(std::string_view key);
    void add(std::string key, std::shared_ptr<PreparedRequest> prepared);

private:
    static constexpr std::size_t kMost = 32;
    using Entry = std::pair<std::string, std::shared_ptr<PreparedRequest>>;

    std::mutex mutex_;
    std::vector<Entry> entries_; ///< the one used last at the end
};

} // namespace kg::python
