#pragma once
// Drawing time on OpenGL's own clock: time stamps around the drawing of a frame, read some frames later, once
// available. Nothing ever waits for them. This clock and CUDA's are unrelated: never subtract one from the
// other.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace kg::display {

/// Source of time stamps: OpenGL, or a test. Slots are numbered from 0 and reused.
class StampClock {
public:
    virtual ~StampClock() = default;
    virtual int bits() const = 0; ///< width of a stamp before it wraps around; 0 = no such clock
    virtual void stamp(std::size_t place) = 0;
    virtual bool ready(std::size_t place) = 0;                ///< does not wait
    virtual std::uint64_t nanoseconds(std::size_t place) = 0; ///< only once ready
};

/// GL_TIMESTAMP queries of the current context, one per slot.
std::unique_ptr<StampClock> make_gl_stamp_clock(std::size_t places);

/// GL thread only, like all drawing.
class DrawTimer {
public:
    static constexpr std::size_t kRing = 8;  ///< frames in flight; further ones are not timed
    static constexpr std::size_t kSpans = 2; ///< spans of drawing in a frame; further ones are not timed
    static constexpr std::size_t kPlaces = kRing * kSpans * 2;

    explicit DrawTimer(std::unique_ptr<StampClock> clock = make_gl_stamp_clock(kPlaces));

    /// Starts timing the frame being drawn, under this serial. A second call in the same frame changes its
    /// serial.
    void start(std::uint64_t serial);
    /// A span of drawing, from here to the end of the scope. Processor work between two spans is not drawing.
    class Span {
    public:
        explicit Span(DrawTimer& timer) : timer_(timer) { timer_.open_span(); }
        Span(const Span&) = delete;
        Span& operator=(const Span&) = delete;
        ~Span() { timer_.close_span(); }

    private:
        DrawTimer& timer_;
    };
    /// Completes the frame: later drawing is not timed until the next start().
    void end();
    /// Times a frame that consists of this one span. If `draw` throws, it is not timed.
    template <typename Draw>
    void time(std::uint64_t serial, Draw draw) {
        start(serial);
        try {
            const Span span(*this);
            draw();
        } catch (...) {
            timing_ = false;
            throw;
        }
        end();
    }

    struct Drawn {
        std::uint64_t serial = 0;
        double microseconds = 0; ///< sum of all its spans
    };
    /// The oldest frame whose stamps have all arrived; each is returned once, in order.
    std::optional<Drawn> take();

private:
    struct Frame {
        std::uint64_t serial = 0;
        std::size_t spans = 0;
    };
    std::size_t place(std::size_t slot, std::size_t stamp) const { return slot * kSpans * 2 + stamp; }
    void open_span();
    void close_span();
    std::optional<double> microseconds(std::size_t slot);

    std::unique_ptr<StampClock> clock_;
    std::uint64_t mask_;
    std::array<Frame, kRing> frames_;
    std::size_t first_ = 0, in_flight_ = 0; ///< complete frames whose stamps are pending
    bool timing_ = false, in_span_ = false;
};

} // namespace kg::display
