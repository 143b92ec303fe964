#pragma once
// An image whose results alternate between the two presentation paths: samples that the processor computes of
// a GPU's result go through host memory, the whole image does not. Each path keeps its texture while the
// other's is shown, so that a change registers, allocates and waits for nothing.

#include "display/presentation.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace kg::display {

enum class Path : std::uint8_t { host, interop };

class TwoPaths {
public:
    using Make = std::function<std::unique_ptr<Presentation>()>;

    /// Does not wait; the newest result wins, whichever path it takes. For a result presented in regions,
    /// `so_far` holds all regions that have changed, for a texture that has missed some of them; empty = all
    /// of the image. `make` creates a path that does not exist yet.
    void present(Frame frame, const std::vector<Rect>& so_far, Path path, const Make& make);
    bool ready(); ///< as Presentation
    bool poll();  ///< as Presentation
    /// Drops results that were presented but not shown yet.
    void give_up();
    /// This path is not used any more: it is destroyed once it is not on the screen.
    void close(Path path) { lane(path).is_closed = true; }

    /// The path whose texture is on the screen; null before the first.
    const Presentation* current() const { return current_ ? lane(*current_).presentation.get() : nullptr; }
    bool is_interop() const { return current_ == Path::interop; }
    /// Times of either path, each in its order.
    std::optional<PresentationTimes> take_times();
    std::optional<DrawTimer::Drawn> take_gl_time();

private:
    struct Lane {
        std::unique_ptr<Presentation> presentation;
        bool is_behind = true; ///< it may have missed regions of a result
        bool is_closed = false;
        void rest();
    };
    const Lane& lane(Path path) const { return lanes_[static_cast<std::size_t>(path)]; }
    Lane& lane(Path path) { return lanes_[static_cast<std::size_t>(path)]; }
    Presentation* active();
    void tidy();

    std::array<Lane, 2> lanes_;
    std::optional<Path> current_, incoming_; ///< incoming_ becomes current_ with its next texture
};

} // namespace kg::display
