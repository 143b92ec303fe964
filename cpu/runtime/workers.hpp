#pragma once
// The threads of a CPU engine: a piece of work is split among them, and they rest between two.

#include <cstdint>
#include <functional>
#include <memory>

namespace kg::cpu {

/// Thread-safe. One for all queues of an engine: making threads ready anew for every strip of a chain would cost more
/// than the strip.
class Workers {
public:
    explicit Workers(int count);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    int count() const { return count_; }

    using Chunk = std::function<void(std::int64_t begin, std::int64_t end)>;
    /// Calls chunk for pieces of [0, rows) of `grain` rows, the last perhaps shorter, some at the same time; rethrows what one throws.
    void spread(std::int64_t rows, std::int64_t grain, const Chunk& chunk);

private:
    struct Arena;
    int count_;
    std::unique_ptr<Arena> arena_;
};

} // namespace kg::cpu
