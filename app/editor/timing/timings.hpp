#pragma once
// Time between an edit and its pixels: one row per stage, each on its own clock, so rows are never summed.
// docs/timing.md defines them.

#include "app/editor/timing/timing.hpp"
#include "app/editor/worker/result.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace kg {

enum class TimingRow : std::uint8_t {
    upload,
    filter,
    presentation,
    submit,
    presentation_gl,
    draw,
    frame,
    response
};

inline constexpr std::array kTimingRows{
    TimingRow::upload,          TimingRow::filter, TimingRow::presentation, TimingRow::submit,
    TimingRow::presentation_gl, TimingRow::draw,   TimingRow::frame,        TimingRow::response};

/// How a result reaches the screen's texture.
enum class PresentationPath : std::uint8_t { host, interop };

/// Identifies what was measured. Runs with different subjects are not compared.
struct TimingSubject {
    std::shared_ptr<Engine> engine{};
    Extent size{};
    PixelFormat in{}, out{};
    std::string algorithm{}, kernels{}; ///< kernels: "13x13 > 3x3 + 3x3", stage by stage
    PresentationPath path = PresentationPath::host;
    bool in_parts = false; ///< computed out of core, because the engine's memory was short

    static TimingSubject of(const Result& result, PresentationPath path);
    bool operator==(const TimingSubject&) const = default;
};

class Timings {
public:
    using Clock = std::chrono::steady_clock;

    /// An engine without work for this long counts as idle. Runs of a drag or a series follow each other
    /// faster, separate clicks slower; after it processors have lowered their clocks, and GPUs begin to.
    static constexpr std::chrono::milliseconds kRest{500};

    /// The result is on the screen; called again for the same one if its presentation path changed. Previews
    /// are ignored. Rows are added to it under its stamp.
    void shown(const Result& result, PresentationPath path);
    /// Adds the time of one row of that result, known later. Ignored for results that are not timed and where
    /// the time is 0: a row that did not run has no number.
    void add(TimingRow row, std::uint64_t stamp, double microseconds);
    /// The first frame that shows the result has been drawn; GPU work may still be in flight.
    void drawn(std::uint64_t stamp, Clock::time_point when, double frame_us);
    /// The view's size, mode or zoom changed, which changes the drawing time. Results with a stamp below
    /// `first` were drawn before.
    void view_changed(std::uint64_t first);

    void reset();
    /// While paused the numbers stay, whatever is computed. Afterwards they are cleared if the subject
    /// changed.
    void pause(bool paused);
    bool paused() const { return paused_; }

    const TimingStatistic& operator[](TimingRow row) const { return rows_[static_cast<std::size_t>(row)]; }
    const TimingSubject& subject() const { return subject_; }    ///< engine is null before the first run
    bool is_of_screen() const { return subject_ == on_screen_; } ///< false only while paused
    bool from_rest() const { return from_rest_; }                ///< the latest timed run began at rest

private:
    struct Run {
        std::uint64_t stamp = 0; ///< stamp of the result
        Clock::time_point posted{};
        bool from_rest = false;
    };
    /// Runs whose times may still arrive: more than display and drawing hold.
    static constexpr std::size_t kRuns = 16;

    TimingStatistic& at(TimingRow row) { return rows_[static_cast<std::size_t>(row)]; }
    const Run* run(std::uint64_t stamp) const;
    bool begins_at_rest(const Result& result);
    void begin_anew();

    std::array<TimingStatistic, kTimingRows.size()> rows_;
    TimingSubject subject_, on_screen_;
    std::deque<Run> runs_;
    Run latest_;
    std::uint64_t drawn_from_ = 0;        ///< results before it were drawn for another view
    std::shared_ptr<Engine> busy_engine_; ///< engine that computed last
    Clock::time_point busy_until_{};      ///< end of its last work
    bool paused_ = false, from_rest_ = false;
};

} // namespace kg
