#pragma once
// A way from results to a texture. Two exist: host_upload.cpp works with every engine, interop.cpp with CUDA.

#include "core/plan/engine.hpp"
#include "display/draw_timer.hpp"

#include <epoxy/gl.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace kg::display {

/// A picture on an engine, its pixels written once `ready` is.
struct Frame {
    std::shared_ptr<Engine> engine; ///< whose buffer it is
    BufferView pixels;
    Completion ready;
    std::uint64_t serial = 0; ///< the caller's stamp: swaps together with the texture
    /// Of a result that comes piece by piece: what is new with this frame, in the coordinates of pixels.covers. Only
    /// this is read, and must be written once `ready` is; elsewhere the texture keeps what it shows (zeros, if it is a
    /// new one). The pieces of one result are in one buffer, and their frames become ready in the order in which they are
    /// presented. Empty = all of it.
    std::vector<Rect> changed{};
    int every = 1; ///< `pixels` are every n-th pixel of every n-th row
    Extent size{}; ///< ... of a picture of this size; where n is 1 they are the picture
};

/// What `newer` must bring when nothing of `older` was read yet: of the same buffer, that one's pieces, too.
inline std::vector<Rect> changed_by_both(const std::shared_ptr<Buffer>& older_memory,
                                         const std::vector<Rect>& older, const Frame& newer) {
    if (newer.changed.empty() || older_memory != newer.pixels.memory) return newer.changed;
    if (older.empty()) return {};
    auto both = older;
    both.insert(both.end(), newer.changed.begin(), newer.changed.end());
    return both;
}

/// False for a result that was cancelled or failed: whoever computed it is told by its own fence. `ready` is past.
inline bool computed(const Frame& frame) {
    try {
        frame.ready.wait();
        return true;
    } catch (...) {
        return false;
    }
}

/// What the texture holds now.
struct Shown {
    std::uint64_t serial = 0;
    Extent size;         ///< of the picture, in pixels
    Extent texture_size; ///< smaller where the picture is over the texture limit
    int reduction = 1;   ///< every n-th pixel of every n-th row is a texel
    PixelFormat format;  ///< of the picture: the image pass needs its light and premultiplication
    int every = 1;       ///< as in the frame: what of the reduction is not for the texture limit
};

/// What a hand-off cost. The clocks are separate: these numbers are never summed.
struct HandOffTimes {
    std::uint64_t serial = 0;
    double device_us =
        0; ///< interop: from map to unmap on the GPU's clock; host upload: the download on the engine's
    double submit_us =
        0; ///< of the GL thread: interop: until all is submitted; host upload: into the texture
    /// What the two consist of. Interop: map, pack, unmap on both clocks, and before them register where the texture is a new
    /// one; host upload: download, and texture.
    std::vector<TimedSpan> device_parts{}, submit_parts{};
};

/// The oldest of those that are known and have not been taken.
inline std::optional<HandOffTimes> take_first(std::deque<HandOffTimes>& times) {
    if (times.empty()) return std::nullopt;
    auto first = std::move(times.front());
    times.pop_front();
    return first;
}

/// GL thread only. What throws leaves the texture as it is.
class HandOff {
public:
    virtual ~HandOff() = default;
    /// Does not wait. The newest result wins: one that has not begun yet is dropped.
    virtual void present(Frame frame) = 0;
    /// Moves things along without waiting and without showing anything: true if poll() would.
    virtual bool ready() = 0;
    /// Moves things along without waiting; true if the texture has just become that of a newer result.
    virtual bool poll() = 0;
    /// Nothing that was presented is wanted any more: drops it, and lets go of what finished hand-offs used. What the texture
    /// holds stays, to be written again. To be called now and then while another way shows the picture.
    virtual void rest() = 0;
    /// Gives the texture back: not while it is on the screen.
    virtual void release() = 0;
    virtual GLuint texture() const = 0; ///< 0 until the first result is shown
    virtual const Shown& shown() const = 0;
    /// Each hand-off's times once, as soon as they are known, in order.
    virtual std::optional<HandOffTimes> take_times() = 0;
    /// The same on OpenGL's clock, which has its own time of arrival. Interop: from before the mapping until OpenGL goes on after
    /// the unmapping, so with the way to CUDA, all that CUDA does meanwhile, and the way back; host upload: the upload.
    virtual std::optional<DrawTimer::Drawn> take_gl_time() = 0;
};

/// Works with every engine: the engine downloads into its staging memory, the GL thread uploads from there.
/// `wake` is called from any thread when poll() has something to do; it must not block or throw.
std::unique_ptr<HandOff> make_host_upload(std::int64_t texture_limit, std::function<void()> wake);

} // namespace kg::display
