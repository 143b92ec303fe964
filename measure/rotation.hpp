#pragma once
// The buffers in which all ways of a request are timed: the same for each, so that none has the better memory.

#include "core/plan/engine.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
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

/// The buffers of a benchmark's requests, kept from one to the next: to fill them takes longer than to time what is fast.
class Rotations {
public:
    /// The last one of this engine if it is for the same picture, formats and bytes, else a new one in its place. `picture`
    /// lives, unchanged, as long as this does or until one with another size or format is asked for.
    const std::shared_ptr<Rotation>& of(const std::shared_ptr<Engine>& engine, const ImageRequest& request,
                                        const ConstImageView& picture, std::size_t rotate_bytes);

private:
    struct Kept {
        PixelFormat in, out;
        Extent size;
        const std::byte* picture = nullptr;
        std::size_t bytes = 0;
        bool operator==(const Kept&) const = default;
    };
    std::map<const Engine*, std::pair<Kept, std::shared_ptr<Rotation>>> kept_;
};

/// The pixels of a staging buffer.
ImageView host_view(const BufferView& staging);

} // namespace kg::measure
