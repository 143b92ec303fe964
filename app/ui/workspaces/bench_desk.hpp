#pragma once
// The Bench workspace: a session, its reports, its panels, and the order of measuring and computing: while it
// measures, the editor's worker computes nothing.

#include "app/bench/session/reports.hpp"
#include "app/bench/session/session.hpp"
#include "app/ui/panels/panel.hpp"
#include "app/ui/view/view_panel.hpp"
#include "app/ui/widgets/layout.hpp"
#include "app/ui/workspaces/bench_panels.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace kg::ui {

class BenchDesk {
public:
    /// The window provides wake, open_report, save_report and show_pixel of the `actions`; the desk provides
    /// the others.
    BenchDesk(Document& document, BenchActions actions);

    /// Once per frame, in every workspace: begins the job once the editor is still, pauses it for edits, and
    /// resumes it after them.
    void follow();
    /// In a narrow window the details overlay the table, if they are shown.
    void draw(ViewPanel& view, std::span<const std::unique_ptr<Panel>> panels, const LayoutRects& layout,
              bool& details_shown);
    void keys(); ///< Escape, which has other meanings elsewhere; the others are actions of the window

    void measure();
    void measure_sizes();
    /// Writes the report shown; the extension chooses the format. The outcome is reported as a message.
    void save(const std::filesystem::path& path);
    /// Opens a report that was written as JSON; a failure is reported as a message.
    void open(const std::filesystem::path& path);

    /// Applied to every job before it starts: tests measure in less time.
    void adjust_jobs(std::function<void(BenchJob&)> adjust) { adjust_ = std::move(adjust); }

    /// "Measuring 3 of 18"; empty while no job is running.
    std::string chip() const;
    /// Seconds until it wants to act without an event; else infinite.
    double next_change() const;
    /// Nothing changes without an event: no job runs, or a person paused it.
    bool settled() const;
    const BenchSession& session() const { return session_; }
    BenchReports& reports() { return reports_; }
    const BenchActions& actions() const { return actions_; }

    /// Why nothing can be measured now; empty if it can.
    std::string why_not() const;

    /// The own report is shown, and the recipe or the image has changed since.
    bool is_stale() const;

private:
    struct Measured {
        Recipe recipe;
        std::weak_ptr<const LoadedImage> image;
    };
    BenchSubject subject() const;
    void draw_toast(ViewPanel& view, const Box& sheet) const;
    void want(const std::function<void()>& start);
    void begin();
    void start(BenchJob job);
    void report_end(const BenchState& state, bool has_new_report);
    void follow_pause();
    void pause_for_edits(bool for_edits);
    void resume();
    void stop();
    void choose(const measure::ReportRow& row);
    void compare(const measure::ReportRow& row, const std::string& algorithm);
    std::shared_ptr<Engine> engine_of(const measure::ReportRow& row);

    Document& document_;
    BenchActions actions_;
    BenchReports reports_;
    BenchDifference difference_;
    std::function<void()> wanted_; ///< starts the session once the editor is still
    std::function<void(BenchJob&)> adjust_ = [](BenchJob&) {};
    int engines_ = 0;         ///< 0 = all, else the number of one, from 1
    bool unreported_ = false; ///< a job has begun whose end is not reported yet
    bool reported_ = false;   ///< the end of the job has been reported, and the head shows it
    bool for_edits_ = false;  ///< the pause ends by itself
    double asked_at_ = 0;     ///< ImGui's time at which the pause was asked for
    double busy_at_ = 0;      ///< ImGui's time at which the editor was last busy
    Measured begun_;          ///< by the last job
    Measured measured_;       ///< in the last report, to tell whether it is of what is shown

    BenchSession session_; ///< last: its thread ends first
};

} // namespace kg::ui
