#pragma once
// Reusable buffers of one engine: a slider makes a result per frame, and the system takes longer to allocate
// fresh pages for a large image than many a filter takes.

#include "core/plan/engine.hpp"

#include <memory>

namespace kg {

class BufferPool {
public:
    explicit BufferPool(std::shared_ptr<Engine> engine);
    /// A view of exclusively owned memory. Throws std::bad_alloc. The last holder, in any thread, returns it
    /// to the pool.
    BufferView take(const PixelFormat& format, const Rect& covers);

private:
    struct Shelf;
    std::shared_ptr<Shelf> shelf_;
};

} // namespace kg
