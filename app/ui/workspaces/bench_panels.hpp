#pragma once
// The panels of the Bench workspace. They draw reports and the state of the job, and post intents.

#include "app/bench/session/reports.hpp"
#include "app/bench/session/session.hpp"
#include "app/bench/session/session_text.hpp"
#include "app/editor/document/document.hpp"
#include "app/ui/widgets/thumbnails.hpp"

#include <functional>
#include <string>

namespace kg::ui {

/// Actions that the desk or the window performs for them.
struct BenchActions {
    std::function<void()> wake; ///< draws a frame; from any thread
    std::function<void()> measure, measure_sizes, pause, resume, stop;
    std::function<void()> open_report, save_report;
    /// Shows the details of the row and makes its algorithm the one that computes the image.
    std::function<void(const measure::ReportRow&)> choose;
    /// Compares the row's result with that of an algorithm of the same engine.
    std::function<void(const measure::ReportRow&, const std::string& algorithm)> compare;
    /// Shows a pixel of the image in Play.
    std::function<void(std::int64_t x, std::int64_t y)> show_pixel;
};

/// What the head shows of the job beside its text.
struct BenchJobState {
    BenchState::Phase phase = BenchState::Phase::none;
    bool waiting = false;  ///< it begins once the image is computed
    std::string why_not{}; ///< why nothing can be measured; empty = it can
};

/// Above the table: buttons, verdict, progress. With `details_shown` a button toggles the details.
void draw_bench_head(const BenchText& text, const BenchJobState& job, const BenchReports& reports,
                     const BenchActions& actions, bool* details_shown);
/// The left column below the recipe: engines and reports. `engines`: 0 = all, else the number of one, from 1.
void draw_bench_settings(const Document& document, BenchReports& reports, int& engines, bool stale,
                         const BenchActions& actions);
/// A row for each algorithm, from the fastest to the slowest, at most `height` high.
void draw_bench_table(const Document& document, const BenchReports& reports, const BenchActions& actions,
                      float height);
/// Time over kernel size of the chosen request's family.
void draw_bench_chart(const BenchReports& reports, float height);
/// The comparison of the chosen row's result with another one, and its difference map.
class BenchDifference {
public:
    void draw(const Document& document, const BenchReports& reports, const BenchState& state,
              const BenchActions& actions);

private:
    std::string with_; ///< the other algorithm
    Thumbnails thumbnails_;
};

/// The right column: the chosen row, the difference of its result, the limits of its device, the machine.
void draw_bench_details(const Document& document, const BenchReports& reports, const BenchState& state,
                        BenchDifference& difference, const BenchActions& actions);

} // namespace kg::ui
