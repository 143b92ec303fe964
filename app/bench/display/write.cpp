// Ways in which CUDA could bring a result into a texture, beside the one that it takes: what the choice of that one rests on.

#include "app/bench/display/busy.hpp"
#include "app/bench/display/trial.hpp"
#include "display/texture_writer.hpp"

#include <array>
#include <optional>

namespace kg {

namespace {

using namespace display;

TextureWrite way_of(const DisplayRow& row) {
    if (row.way == "copy") return TextureWrite::copy;
    return row.way == "pixel-buffer" ? TextureWrite::pixel_buffer : TextureWrite::surface;
}

class WriteTrial final : public Trial {
public:
    /// As many as a window has under way, at most.
    static constexpr std::size_t kUnderWay = 3;

    WriteTrial(Screen& screen, const DisplayRow& row)
        : screen_(screen), setup_{way_of(row), row.mode == "stream-0", row.mode == "two" ? 2 : 1},
          busy_(row.mode == "busy"), waits_(row.mode != "unsynced"), size_(row.size),
          // a row more than is shown: the two pictures are one, a row apart
          picture_(screen.picture({row.size.width, row.size.height + 1}, row.format)), in_the_way_(screen) {}

    void begin() override {
        const auto both = screen_.on_engine(picture_);
        for (std::size_t i = 0; i < pixels_.size(); ++i) {
            pixels_[i] = both.crop(part(i));
            pixels_[i].covers = whole(size_);
        }
        writer_ = make_texture_writer(screen_.engine(), setup_, size_, picture_.format().depth);
        write();
        writer_->take_over();
        take_times();
        if (busy_) in_the_way_.calibrate(drawn());
    }

    void step(Samples& samples) override {
        if (!waits_) return step_after_step(samples);
        screen_.finish_drawing();
        if (busy_) in_the_way_.queue(drawn());
        const auto began = BenchClock::now();
        write();
        const bool has_more = setup_.way == TextureWrite::pixel_buffer;
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
        while (writer_->under_way() > 0) take_times();
        std::string text;
        for (int i = 0; i < setup_.textures && text.empty(); ++i)
            text = texture_difference(screen_, writer_->texture(i), picture_.view().crop(part(latest_)));
        return text;
    }

private:
    Rect part(std::size_t i) const { return {0, static_cast<std::int64_t>(i), size_.width, size_.height}; }

    void write() {
        latest_ = 1 - latest_;
        writer_->write(pixels_[latest_]);
    }

    /// As a window does: nothing waits until three are under way.
    void step_after_step(Samples& samples) {
        if (began_) samples.add("step", microseconds_since(*began_));
        began_ = BenchClock::now();
        write();
        writer_->take_over();
        if (writer_->under_way() >= kUnderWay) add(take_times(), samples);
    }

    HandOffTimes take_times() {
        std::optional<HandOffTimes> times;
        screen_.patience().until("a write into a texture",
                                 [&] { return bool(times = writer_->take_times()); });
        return std::move(*times);
    }

    static void add(const HandOffTimes& times, Samples& samples) {
        samples.add("hand_off", times.device_us);
        samples.add("hand_off_submit", times.submit_us);
        for (const auto& part : times.device_parts) samples.add(part.name, part.microseconds);
        for (const auto& part : times.submit_parts) samples.add(part.name + "_submit", part.microseconds);
    }

    PassImage drawn() {
        return {writer_->texture(0), screen_.next_serial(), size_, size_, 1, picture_.format()};
    }

    Screen& screen_;
    WriteSetup setup_;
    bool busy_, waits_;
    Extent size_;
    const Image& picture_;
    std::array<BufferView, 2> pixels_;
    BusyDrawing in_the_way_;
    std::unique_ptr<TextureWriter> writer_;
    std::size_t latest_ = 1;
    std::optional<BenchClock::time_point> began_; ///< the last step of those that do not wait
};

} // namespace

std::unique_ptr<Trial> make_write_trial(Screen& screen, const DisplayRow& row) {
    return std::make_unique<WriteTrial>(screen, row);
}

} // namespace kg
