#pragma once
// The buffers in which all ways of a request are timed: the same for each, so that none has the better memory.

#include "core/engine.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace kg::measure {

/// A picture on an engine, and room for its result, as often as it takes that nothing lies in a cache by accident. The
/// next pair is always the one that was not used for longest, whoever asks.
class Rotation {
public:
    /// So many pairs of buffers that they hold `rotate_bytes`, but no more than a quarter of the engine's memory, nor more
    /// than can be had, and one at least (0 = one). Every source holds `picture`; every output has been written once, so
    /// that no run is the first to touch its memory. Throws what allocating throws.
    Rotation(std::shared_ptr<Engine> engine, const ImageRequest& request, const ConstImageView& picture,
             std::size_t rotate_bytes);

    const std::shared_ptr<Engine>& engine() const { return engine_; }
    std::size_t size() const { return items_.size(); }
    const Item& next();
    /// Host memory that the engine transfers from and to fastest: the picture, and room for a result.
    const BufferView& staged_picture() const { return staged_picture_; }
    const BufferView& staged_result() const { return staged_result_; }

private:
    std::shared_ptr<Engine> engine_;
    BufferView staged_picture_, staged_result_;
    std::vector<Item> items_;
    std::size_t next_ = 0;
};

/// The pixels of a staging buffer.
ImageView host_view(const BufferView& staging);

} // namespace kg::measure
