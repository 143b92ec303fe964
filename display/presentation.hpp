#pragma once
// A presentation path from results to a texture. Two exist: host_upload.cpp works with every engine,
// interop.cpp with CUDA.

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

/// An image on an engine; its pixels are valid once `ready` is.
struct Frame {
    std::shared_ptr<Engine> engine; ///< owner of the buffer
    BufferView pixels;
    Completion ready;
    std::uint64_t serial = 0; ///< the caller's stamp: changes together with the texture
    /// For a result presented in regions: the regions that are new in this frame, in the coordinates of
    /// pixels.covers. Only these are read, and must be written once `ready` is; elsewhere the texture keeps
    /// its content (zeros, if it is new). All regions of a result are in one buffer, and their frames become
    /// ready in the order in which they are presented. Empty = all of it.
    std::vector<Rect> changed{};
    int every = 1; ///< `pixels` are every n-th pixel of every n-th row
    Extent size{}; ///< ... of an image of this size; for n = 1 they are the image
};

/// The regions that `newer` must update when nothing of `older` was read yet: with the same buffer, both
/// frames' regions.
inline std::vector<Rect> changed_by_both(const std::shared_ptr<Buffer>& older_memory,
                                         const std::vector<Rect>& older, const Frame& newer) {
    if (newer.changed.empty() || older_memory != newer.pixels.memory) return newer.changed;
    if (older.empty()) return {};
    auto both = older;
    both.insert(both.end(), newer.changed.begin(), newer.changed.end());
    return both;
}

/// False for a result that was cancelled or failed: its own fence reports that to whoever computed it.
/// `ready` has passed.
inline bool computed(const Frame& frame) {
    try {
        frame.ready.wait();
        return true;
    } catch (...) {
        return false;
    }
}

/// Content of the texture.
struct Shown {
    std::uint64_t serial = 0;
    Extent size;         ///< size of the image, in pixels
    Extent texture_size; ///< smaller where the image exceeds the texture limit
    int reduction = 1;   ///< every n-th pixel of every n-th row is a texel
    PixelFormat format;  ///< format of the image: the image pass needs its light and premultiplication
    int every = 1;       ///< as in the frame: the share of the reduction that is not due to the texture limit
};

/// Cost of a presentation. The clocks are separate: these numbers are never summed.
struct PresentationTimes {
    std::uint64_t serial = 0;
    /// Interop: from map to unmap on the GPU's clock; host upload: the download on the engine's clock.
    double device_us = 0;
    /// Time of the GL thread. Interop: until all is submitted; host upload: into the texture.
    double submit_us = 0;
    /// Spans of the two times. Interop: map, pack, unmap on both clocks, preceded by register for a new
    /// texture. Host upload: download, and texture.
    std::vector<TimedSpan> device_parts{}, submit_parts{};
};

/// The oldest known times that have not been taken.
inline std::optional<PresentationTimes> take_first(std::deque<PresentationTimes>& times) {
    if (times.empty()) return std::nullopt;
    auto first = std::move(times.front());
    times.pop_front();
    return first;
}

/// GL thread only. An exception leaves the texture as it is.
class Presentation {
public:
    virtual ~Presentation() = default;
    /// Does not wait. The newest result wins: one that has not begun yet is dropped.
    virtual void present(Frame frame) = 0;
    /// Makes progress without waiting and without showing anything: true if poll() would show a result.
    virtual bool ready() = 0;
    /// Makes progress without waiting; true if the texture has just become that of a newer result.
    virtual bool poll() = 0;
    /// Drops everything presented so far and releases the resources of finished presentations. The texture's
    /// content stays, to be written again. To be called now and then while another path shows the image.
    virtual void rest() = 0;
    /// Releases the texture; not while it is on the screen.
    virtual void release() = 0;
    virtual GLuint texture() const = 0; ///< 0 until the first result is shown
    virtual const Shown& shown() const = 0;
    /// Each presentation's times, returned once, as soon as they are known, in order.
    virtual std::optional<PresentationTimes> take_times() = 0;
    /// The same on OpenGL's clock, which arrives separately. Interop: from before the mapping until OpenGL
    /// continues after the unmapping, so including the switch to CUDA, all CUDA work meanwhile, and the
    /// switch back. Host upload: the upload.
    virtual std::optional<DrawTimer::Drawn> take_gl_time() = 0;
};

/// Works with every engine: the engine downloads into its staging memory, the GL thread uploads from there.
/// `wake` is called from any thread when poll() has work; it must not block or throw.
std::unique_ptr<Presentation> make_host_upload(std::int64_t texture_limit, std::function<void()> wake);

} // namespace kg::display
