#pragma once
// The buffers in which all algorithms of a request are timed: the same for each, so that memory placement
// favours none.

#include "core/plan/engine.hpp"
#include "core/support/time_limit.hpp"

#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace kg::measure {

/// The largest share of a comparison's time in which its buffers are filled: where memory is slow and a cache
/// large, filling all of them would leave no time to measure.
inline constexpr double kFilling = 0.25;

/// An image on an engine, and room for its result, in as many copies as it takes to defeat the caches. The
/// next pair is always the least recently used one, whoever uses it.
class Rotation {
public:
    /// As many pairs of buffers as hold `rotate_bytes`, but no more than a quarter of the engine's memory,
    /// nor more than can be allocated, and at least one (0 = one). Every source holds `image`; every output
    /// has been written once, so that no run is the first to touch its memory. Throws what allocation throws.
    /// `filling` is the time for that: pairs beyond it are left out, never those of the first 16 MiB.
    Rotation(std::shared_ptr<Engine> engine, const ImageRequest& request, const ConstImageView& image,
             std::size_t rotate_bytes,
             const TimeLimit& filling = {steady_time(), std::numeric_limits<double>::infinity()});

    const std::shared_ptr<Engine>& engine() const { return engine_; }
    std::size_t size() const { return items_.size(); }
    /// Fills pairs that an earlier limit left out.
    void fill(const TimeLimit& filling);
    bool is_filled() const { return items_.size() == pairs_; }
    const Item& next();
    /// Host memory with the engine's fastest transfers: the image, and room for a result.
    const BufferView& staged_image() const { return staged_image_; }
    const BufferView& staged_result() const { return staged_result_; }

private:
    std::shared_ptr<Engine> engine_;
    BufferView staged_image_, staged_result_;
    std::shared_ptr<Buffer> sources_, results_; ///< one allocation each: thousands take longer than timing
    std::size_t pairs_ = 0;                     ///< that fit in them
    std::vector<Item> items_;                   ///< those that are filled
    std::size_t next_ = 0;
};

/// The buffers of a benchmark's requests, kept from one to the next: filling them takes longer than timing a
/// fast algorithm.
class Rotations {
public:
    /// The last rotation of this engine if it is for the same image, formats and bytes, else a new one in its
    /// place; filled within the limit. `image` must live, unchanged, as long as this object or until a
    /// rotation with another size or format is requested.
    const std::shared_ptr<Rotation>& of(const std::shared_ptr<Engine>& engine, const ImageRequest& request,
                                        const ConstImageView& image, std::size_t rotate_bytes,
                                        const TimeLimit& filling = {steady_time(),
                                                                    std::numeric_limits<double>::infinity()});

private:
    struct Kept {
        PixelFormat in, out;
        Extent size;
        const std::byte* image = nullptr;
        std::size_t bytes = 0;
        bool operator==(const Kept&) const = default;
    };
    std::map<const Engine*, std::pair<Kept, std::shared_ptr<Rotation>>> kept_;
};

/// The pixels of a staging buffer.
ImageView host_view(const BufferView& staging);

} // namespace kg::measure
