#pragma once
// Buffers of one engine that come back when nobody holds them: a slider makes a result per frame, and the system takes
// longer to hand out fresh pages for a large picture than many a filter takes.

#include "core/plan/engine.hpp"

#include <memory>

namespace kg {

class BufferPool {
public:
    explicit BufferPool(std::shared_ptr<Engine> engine);
    /// A view of memory nobody else holds. Throws std::bad_alloc. Its last holder, in any thread, gives it back.
    BufferView take(const PixelFormat& format, const Rect& covers);

private:
    struct Shelf;
    std::shared_ptr<Shelf> shelf_;
};

} // namespace kg
