#pragma once
// From a result to a texture. The window sees a GL texture, its content and a badge; the presentation path of
// the pixels is visible nowhere else. Each path keeps its texture while the other's is shown, because an
// image's results may alternate: samples that the processor computes of a GPU's result go through host
// memory, the whole image does not. A change of path then registers, allocates and waits for nothing. GL
// thread only, context current.

#include "display/display_route.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace kg::display {

/// One image on the screen.
class DisplayImage {
public:
    explicit DisplayImage(std::shared_ptr<DisplayRoute> route, DisplayOptions options = {});

    /// Does not wait: until the result is ready, texture and shown() stay as they are. The newest result
    /// wins, whichever path it takes. A serial that is shown or in flight is not transferred again.
    void present(Frame frame);
    /// Makes progress without showing anything: true if poll() would show a result.
    bool ready();
    /// Called once per frame. True if texture() and shown() have just changed, together. If interop fails,
    /// the same result is presented by host upload; if that fails too (graphics or pinned memory is
    /// exhausted), throws Error or std::bad_alloc and the old image stays.
    bool poll();
    /// Drops results that were presented but not shown yet.
    void drop();

    /// 0 until the first result is shown.
    GLuint texture() const { return current_ ? lane(*current_).presentation->texture() : 0; }
    Shown shown() const { return current_ ? lane(*current_).presentation->shown() : Shown{}; }
    bool busy() const { return latest_.has_value(); } ///< a result is still in flight
    /// Whether the current texture came by interop.
    bool is_interop() const { return current_ == Path::interop; }
    /// Times of each presentation, returned once, as soon as they are known, for each path in its order.
    /// OpenGL's times arrive separately.
    std::optional<PresentationTimes> take_times();
    std::optional<DrawTimer::Drawn> take_gl_time();
    Badge badge() const;

private:
    /// A presentation path with its texture.
    struct Lane {
        std::unique_ptr<Presentation> presentation; ///< null until the first result that takes this path
        bool is_behind = true;                      ///< its texture may have missed regions of a result
        bool is_closed = false;                     ///< not used any more: ends once it is not on the screen
        void rest();
    };
    /// For a result presented in regions: all regions so far, for a texture that has missed some of them.
    struct Regions {
        std::shared_ptr<Buffer> memory; // keeps the address from being reused for another result
        std::vector<Rect> changed;
    };

    template <typename Step>
    bool attempt(Step step);
    void forward(Frame frame);
    Presentation* active();
    void tidy();
    const Lane& lane(Path path) const { return lanes_[static_cast<std::size_t>(path)]; }
    Lane& lane(Path path) { return lanes_[static_cast<std::size_t>(path)]; }

    std::shared_ptr<DisplayRoute> route_;
    DisplayOptions options_;
    std::optional<Frame> latest_; // presented, not shown yet: kept to be presented again on the other path
    Regions so_far_;
    std::shared_ptr<Engine> engine_; // engine of the latest result
    std::array<Lane, 2> lanes_;
    std::optional<Path> current_, incoming_; // incoming_ becomes current_ with its next texture
};

// --- a result and its original, shown beside each other: both textures change in the same frame

/// Presents a result; `original_frame` is set when the result belongs to another image than the previous one.
/// If it throws, neither is shown, nor is anything that was presented earlier and is not shown yet.
void present_together(DisplayImage& original, DisplayImage& result, Frame frame,
                      std::optional<Frame> original_frame);
/// True if `result` has just changed, and `original` with it. If it throws, earlier presentations are
/// dropped.
bool poll_together(DisplayImage& original, DisplayImage& result);

} // namespace kg::display
