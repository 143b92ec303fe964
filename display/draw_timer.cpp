#include "display/draw_timer.hpp"

#include "display/gl_objects.hpp"
#include "display/renderer.hpp"

#include <vector>

namespace kg::display {

namespace {

class GlStampClock final : public StampClock {
public:
    explicit GlStampClock(std::size_t places) {
        glGetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits_);
        for (std::size_t i = 0; i < places; ++i) queries_.emplace_back(GL_TIMESTAMP);
    }
    int bits() const override { return bits_; }
    void stamp(std::size_t place) override {
        if (in_tiles_) glFlush();
        glQueryCounter(queries_[place].id(), GL_TIMESTAMP);
        if (in_tiles_) glFlush();
    }
    bool ready(std::size_t place) override {
        GLuint available = GL_FALSE;
        glGetQueryObjectuiv(queries_[place].id(), GL_QUERY_RESULT_AVAILABLE, &available);
        return available == GL_TRUE;
    }
    std::uint64_t nanoseconds(std::size_t place) override {
        GLuint64 time = 0;
        glGetQueryObjectui64v(queries_[place].id(), GL_QUERY_RESULT, &time);
        return time;
    }

private:
    std::vector<Query> queries_;
    GLint bits_ = 0;
    /// Software rendering draws all unflushed commands tile by tile, stamps included: a stamp then gives the
    /// time when the last tile reached it. A batch of its own has its true time.
    const bool in_tiles_ = Renderer::current().is_software();
};

} // namespace

std::unique_ptr<StampClock> make_gl_stamp_clock(std::size_t places) {
    return std::make_unique<GlStampClock>(places);
}

DrawTimer::DrawTimer(std::unique_ptr<StampClock> clock)
    : clock_(std::move(clock)),
      mask_(clock_->bits() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << clock_->bits()) - 1) {}

void DrawTimer::start(std::uint64_t serial) {
    if (clock_->bits() <= 0 || in_flight_ == kRing) return;
    auto& frame = frames_[(first_ + in_flight_) % kRing];
    frame = {serial, timing_ ? frame.spans : 0};
    timing_ = true;
}

void DrawTimer::open_span() {
    const auto slot = (first_ + in_flight_) % kRing;
    if (!timing_ || frames_[slot].spans == kSpans) return;
    clock_->stamp(place(slot, 2 * frames_[slot].spans));
    in_span_ = true;
}

void DrawTimer::close_span() {
    if (!in_span_) return;
    const auto slot = (first_ + in_flight_) % kRing;
    clock_->stamp(place(slot, 2 * frames_[slot].spans + 1));
    ++frames_[slot].spans;
    in_span_ = false;
}

void DrawTimer::end() {
    if (timing_ && frames_[(first_ + in_flight_) % kRing].spans > 0) ++in_flight_;
    timing_ = false;
}

std::optional<DrawTimer::Drawn> DrawTimer::take() {
    while (in_flight_ > 0) {
        const auto slot = first_;
        const auto& frame = frames_[slot];
        for (std::size_t i = 0; i < 2 * frame.spans; ++i)
            if (!clock_->ready(place(slot, i))) return std::nullopt;
        first_ = (first_ + 1) % kRing;
        --in_flight_;
        if (const auto time = microseconds(slot)) return Drawn{frame.serial, *time};
    }
    return std::nullopt;
}

/// Empty if the clock was set back: a difference of more than half of its range.
std::optional<double> DrawTimer::microseconds(std::size_t slot) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < frames_[slot].spans; ++i) {
        const auto begin = clock_->nanoseconds(place(slot, 2 * i)),
                   end = clock_->nanoseconds(place(slot, 2 * i + 1));
        const auto passed = (end - begin) & mask_;
        if (passed > mask_ / 2) return std::nullopt;
        sum += passed;
    }
    return static_cast<double>(sum) / 1e3;
}

} // namespace kg::display
