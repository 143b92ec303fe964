// Candidate paths of a CUDA result into a texture: the basis for the choice of the presentation path.

#include "app/bench/display/busy.hpp"
#include "app/bench/display/texture_writer.hpp"
#include "app/bench/display/trial.hpp"

#include <array>
#include <optional>

namespace kg {

namespace {

using namespace display;

TextureWrite algorithm_of(const DisplayRow& row) {
    if (row.path == "copy") return TextureWrite::copy;
    return row.path == "pixel-buffer" ? TextureWrite::pixel_buffer : TextureWrite::surface;
}

class WriteTrial final : public Trial {
public:
    /// Presentations that a window has in flight, at most.
    static constexpr std::size_t kInFlight = 3;

    WriteTrial(Screen& screen, const DisplayRow& row)
        : screen_(screen), setup_{algorithm_of(row), row.mode == "stream-0", row.mode == "two" ? 2 : 1},
          busy_(row.mode == "busy"), waits_(row.mode != "unsynced"), size_(row.size),
          // one row more than is shown: the two images are views of one buffer, a row apart
          image_(screen.image({row.size.width, row.size.height + 1}, row.format)), competing_(screen) {}

    void begin() override {
        const auto both = screen_.on_engine(image_);
        for (std::size_t i = 0; i < pixels_.size(); ++i) {
            pixels_[i] = both.crop(rect(i));
            pixels_[i].covers = whole(size_);
        }
        writer_ = make_texture_writer(screen_.engine(), setup_, size_, image_.format().depth);
        write();
        writer_->take_over();
        take_times();
        if (busy_) competing_.calibrate(drawn());
    }

    void step(Samples& samples) override {
        if (!waits_) return step_after_step(samples);
        screen_.finish_drawing();
        if (busy_) competing_.queue(drawn());
        const auto began = BenchClock::now();
        write();
        const bool has_more = setup_.path == TextureWrite::pixel_buffer;
        double take_over_us = 0;
        if (has_more)
            screen_.queue_timed([&] {
                const auto taking_over = BenchClock::now();
                writer_->take_over();
                take_over_us = microseconds_since(taking_over);
            });
        screen_.finish_drawing();
        const auto shown = microseconds_since(began);
        if (!busy_) samples.add("shown", shown);
        add(take_times(), samples);
        const auto us = screen_.finish_timed();
        if (has_more) samples.add("take_over_submit", take_over_us);
        if ((has_more || busy_) && us > 0) samples.add(has_more ? "take_over" : "busy", us);
    }

    std::string wrong() override {
        while (writer_->in_flight() > 0) take_times();
        std::string text;
        for (int i = 0; i < setup_.textures && text.empty(); ++i)
            text = texture_difference(screen_, writer_->texture(i), image_.view().crop(rect(latest_)));
        return text;
    }

private:
    Rect rect(std::size_t i) const { return {0, static_cast<std::int64_t>(i), size_.width, size_.height}; }

    void write() {
        latest_ = 1 - latest_;
        writer_->write(pixels_[latest_]);
    }

    /// Like a window: no wait until three writes are in flight.
    void step_after_step(Samples& samples) {
        if (began_) samples.add("step", microseconds_since(*began_));
        began_ = BenchClock::now();
        write();
        writer_->take_over();
        if (writer_->in_flight() >= kInFlight) add(take_times(), samples);
    }

    PresentationTimes take_times() {
        std::optional<PresentationTimes> times;
        screen_.timeout().until("a write into a texture",
                                [&] { return bool(times = writer_->take_times()); });
        return std::move(*times);
    }

    static void add(const PresentationTimes& times, Samples& samples) {
        samples.add("presentation", times.device_us);
        samples.add("presentation_submit", times.submit_us);
        for (const auto& part : times.device_parts) samples.add(part.name, part.microseconds);
        for (const auto& part : times.submit_parts) samples.add(part.name + "_submit", part.microseconds);
    }

    PassImage drawn() {
        return {writer_->texture(0), screen_.next_serial(), size_, size_, 1, image_.format()};
    }

    Screen& screen_;
    WriteSetup setup_;
    bool busy_, waits_;
    Extent size_;
    const Image& image_;
    std::array<BufferView, 2> pixels_;
    BusyDrawing competing_;
    std::unique_ptr<TextureWriter> writer_;
    std::size_t latest_ = 1;
    std::optional<BenchClock::time_point> began_; ///< the previous step, in mode "unsynced"
};

} // namespace

std::unique_ptr<Trial> make_write_trial(Screen& screen, const DisplayRow& row) {
    return std::make_unique<WriteTrial>(screen, row);
}

} // namespace kg
