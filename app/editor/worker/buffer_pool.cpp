#include "app/editor/worker/buffer_pool.hpp"

#include <mutex>
#include <vector>

namespace kg {

struct BufferPool::Shelf {
    /// Spare buffers: one is shown, one is being written, one waits for the display.
    static constexpr std::size_t kSpare = 2;

    std::shared_ptr<Engine> engine;
    std::mutex mutex;
    std::vector<std::shared_ptr<Buffer>> spare;

    void put(std::shared_ptr<Buffer> buffer) {
        std::lock_guard lock(mutex);
        if (spare.size() < kSpare) spare.push_back(std::move(buffer));
    }
};

BufferPool::BufferPool(std::shared_ptr<Engine> engine) : shelf_(std::make_shared<Shelf>()) {
    shelf_->engine = std::move(engine);
}

BufferView BufferPool::take(const PixelFormat& format, const Rect& covers) {
    const auto pitch = buffer_pitch(covers.width, format);
    const auto bytes = pitch * static_cast<std::size_t>(covers.height);
    std::shared_ptr<Buffer> buffer;
    {
        std::lock_guard lock(shelf_->mutex);
        auto& spare = shelf_->spare;
        for (auto i = spare.begin(); i != spare.end() && !buffer; ++i)
            if ((*i)->size() == bytes) {
                buffer = std::move(*i);
                spare.erase(i);
                break;
            }
        if (!buffer) spare.clear(); // other sizes: the image changed
    }
    if (!buffer) buffer = shelf_->engine->allocate(bytes);
    auto* raw = buffer.get();
    std::shared_ptr<Buffer> lent(
        raw, [shelf = shelf_, owner = std::move(buffer)](Buffer*) mutable { shelf->put(std::move(owner)); });
    return {std::move(lent), 0, pitch, format, covers};
}

} // namespace kg
