#pragma once
// A picture whose results take turns between the two ways to the screen: samples that the processor makes of a GPU's result go
// through host memory, the whole of it does not. Each way keeps its texture while the other one's is shown, so that a
// change registers, allocates and waits for nothing.

#include "display/hand_off.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace kg::display {

enum class Way : std::uint8_t { host, interop };

class TwoWays {
public:
    using Make = std::function<std::unique_ptr<HandOff>()>;

    /// Does not wait; the newest result wins, whichever way it takes. Of a result that comes piece by piece `so_far` is all
    /// that has changed, for a texture that has missed some of it; empty = all of the picture. `make` is called for a way that is not there
    /// yet.
    void present(Frame frame, const std::vector<Rect>& so_far, Way way, const Make& make);
    bool ready(); ///< as HandOff
    bool poll();  ///< as HandOff
    /// What was presented and is not shown yet is not wanted any more.
    void give_up();
    /// This way is not taken any more: it ends once it is not on the screen.
    void close(Way way) { lane(way).is_closed = true; }

    /// Whose texture is on the screen; null before the first.
    const HandOff* current() const { return current_ ? lane(*current_).hand_off.get() : nullptr; }
    bool is_interop() const { return current_ == Way::interop; }
    /// Of either way, each in its order.
    std::optional<HandOffTimes> take_times();
    std::optional<DrawTimer::Drawn> take_gl_time();

private:
    struct Lane {
        std::unique_ptr<HandOff> hand_off;
        bool is_behind = true; ///< pieces of a result may have passed it by
        bool is_closed = false;
        void rest();
    };
    const Lane& lane(Way way) const { return lanes_[static_cast<std::size_t>(way)]; }
    Lane& lane(Way way) { return lanes_[static_cast<std::size_t>(way)]; }
    HandOff* active();
    void tidy();

    std::array<Lane, 2> lanes_;
    std::optional<Way> current_, incoming_; ///< incoming_ becomes current_ with its next texture
};

} // namespace kg::display
