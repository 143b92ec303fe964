#pragma once
// How long OpenGL draws, on its own clock: time stamps around the drawing of a frame, read some frames later, once they
// are there. Nothing ever waits for them. This clock and CUDA's have nothing to do with each other: never subtract one
// from the other.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace kg::display {

/// Where time stamps come from: OpenGL, or a test. Places are numbered from 0 and used again.
class StampClock {
public:
    virtual ~StampClock() = default;
    virtual int bits() const = 0; ///< of a stamp before it wraps round; 0 = there is no such clock
    virtual void stamp(std::size_t place) = 0;
    virtual bool ready(std::size_t place) = 0;                ///< does not wait
    virtual std::uint64_t nanoseconds(std::size_t place) = 0; ///< only once ready
};

/// GL_TIMESTAMP queries of the current context, as many as there are places.
std::unique_ptr<StampClock> make_gl_stamp_clock(std::size_t places);

/// GL thread only, as is everything that draws.
class DrawTimer {
public:
    static constexpr std::size_t kRing = 8;  ///< frames under way; more are not timed
    static constexpr std::size_t kSpans = 2; ///< stretches of drawing in a frame; further ones are not timed
    static constexpr std::size_t kPlaces = kRing * kSpans * 2;

    explicit DrawTimer(std::unique_ptr<StampClock> clock = make_gl_stamp_clock(kPlaces));

    /// The frame that is being drawn is to be timed, under this name. Called again in the same frame it renames it.
    void start(std::uint64_t serial);
    /// A stretch of drawing, from here to the end of the scope. What the processor does between two of them is no drawing.
    class Span {
    public:
        explicit Span(DrawTimer& timer) : timer_(timer) { timer_.open_span(); }
        Span(const Span&) = delete;
        Span& operator=(const Span&) = delete;
        ~Span() { timer_.close_span(); }

    private:
        DrawTimer& timer_;
    };
    /// The frame is complete: what is drawn until the next start() is not timed.
    void end();
    /// A frame of this one stretch. If it throws, it is not timed.
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
        double microseconds = 0; ///< of all its spans
    };
    /// The oldest frame whose stamps have all arrived; each once, in order.
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
    std::size_t first_ = 0, under_way_ = 0; ///< complete frames whose stamps are awaited
    bool timing_ = false, in_span_ = false;
};

} // namespace kg::display
