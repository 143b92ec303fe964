#pragma once
// Where the time goes between an edit and its pixels: one row for each stretch of the way, each on its own clock, so rows
// are never summed. docs/timing.md says what they hold.

#include "app/editor/worker/result.hpp"
#include "app/editor/timing/timing.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace kg {

enum class TimingRow : std::uint8_t { upload, filter, hand_off, submit, hand_off_gl, draw, frame, response };

inline constexpr std::array kTimingRows{TimingRow::upload, TimingRow::filter,      TimingRow::hand_off,
                                        TimingRow::submit, TimingRow::hand_off_gl, TimingRow::draw,
                                        TimingRow::frame,  TimingRow::response};

/// How a result reaches the screen's texture.
enum class DisplayWay : std::uint8_t { host, interop };

/// What the numbers are about. Runs of which this differs are not compared.
struct TimingSubject {
    std::shared_ptr<Engine> engine{};
    Extent size{};
    PixelFormat in{}, out{};
    std::string algorithm{}, kernels{}; ///< kernels: "13x13 > 3x3 + 3x3", stage by stage
    DisplayWay way = DisplayWay::host;
    bool in_parts = false; ///< computed through host memory, because the engine's was short

    static TimingSubject of(const Result& result, DisplayWay way);
    bool operator==(const TimingSubject&) const = default;
};

class Timings {
public:
    using Clock = std::chrono::steady_clock;

    /// An engine without work for this long counts as idle. Runs of a drag or a series follow each other faster, separate
    /// clicks slower; by then processors have lowered their clocks, and GPUs begin to.
    static constexpr std::chrono::milliseconds kRest{500};

    /// The result is on the screen. Again for the same one if it got there another way. Of a preview nothing is noted. Whoever adds
    /// to it names it by its stamp.
    void shown(const Result& result, DisplayWay way);
    /// What one stretch of that result's way took, known later. Of results that are not timed, and without a time, nothing
    /// is noted: a row that was not run has no number.
    void add(TimingRow row, std::uint64_t stamp, double microseconds);
    /// The frame that first shows it has been drawn, but for what the GPU still does of it.
    void drawn(std::uint64_t stamp, Clock::time_point when, double frame_us);
    /// What drawing costs depends on it: the view's size, mode or zoom. Results with a stamp below `first` were drawn before.
    void view_changed(std::uint64_t first);

    void reset();
    /// While it rests the numbers stay, whatever is computed. Afterwards they begin anew if they are of something else.
    void pause(bool paused);
    bool paused() const { return paused_; }

    const TimingStatistic& operator[](TimingRow row) const { return rows_[static_cast<std::size_t>(row)]; }
    const TimingSubject& subject() const { return subject_; }    ///< its engine is null before the first run
    bool is_of_screen() const { return subject_ == on_screen_; } ///< false only while paused
    bool from_rest() const { return from_rest_; }                ///< the latest run that is timed was

private:
    struct Run {
        std::uint64_t stamp = 0; ///< the result's
        Clock::time_point posted{};
        bool from_rest = false;
    };
    static constexpr std::size_t kRuns =
        16; ///< of which times may still come: more than display and drawing hold

    TimingStatistic& at(TimingRow row) { return rows_[static_cast<std::size_t>(row)]; }
    const Run* run(std::uint64_t stamp) const;
    bool begins_at_rest(const Result& result);
    void begin_anew();

    std::array<TimingStatistic, kTimingRows.size()> rows_;
    TimingSubject subject_, on_screen_;
    std::deque<Run> runs_;
    Run latest_;
    std::uint64_t drawn_from_ = 0;        ///< results before it were drawn for another view
    std::shared_ptr<Engine> busy_engine_; ///< that computed last,
    Clock::time_point busy_until_{};      ///< until then
    bool paused_ = false, from_rest_ = false;
};

} // namespace kg
