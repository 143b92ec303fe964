#pragma once
// The threads of a CPU engine. Work is split among them; they sleep while there is none.

#include <cstdint>
#include <functional>
#include <memory>

namespace kg::cpu {

/// Thread-safe. One object serves all queues of an engine, because starting threads for every strip of a
/// chain would cost more than the strip.
class Workers {
public:
    explicit Workers(int count);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    int count() const { return count_; }

    using Chunk = std::function<void(std::int64_t begin, std::int64_t end)>;
    /// Calls `chunk` for the chunks of [0, rows) of `grain` rows, the last possibly shorter, some
    /// concurrently. Rethrows an exception of a chunk.
    void spread(std::int64_t rows, std::int64_t grain, const Chunk& chunk);

private:
    struct Arena;
    int count_;
    std::unique_ptr<Arena> arena_;
};

} // namespace kg::cpu
