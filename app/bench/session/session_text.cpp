#include "app/bench/session/session_text.hpp"

#include "measure/report/row_text.hpp"
#include "measure/report/with_transfers.hpp"

#include <algorithm>
#include <cmath>

namespace kg {

namespace {

using Phase = BenchState::Phase;

/// Comparisons count where there are several, else the steps of the only one.
std::string count_text(const measure::BenchStep& step) {
    const auto of = [](std::size_t place, std::size_t all) {
        return " " + std::to_string(std::min(place + 1, all)) + " of " + std::to_string(all);
    };
    if (step.all > 1) return of(static_cast<std::size_t>(step.done), static_cast<std::size_t>(step.all));
    return step.steps > 0 ? of(step.step, step.steps) : "";
}

/// "Doubtful: only 4 samples. ", of the fastest algorithm's time; empty without doubts.
std::string doubts_text(const std::vector<measure::Standing>& standings) {
    if (standings.size() != 1 || standings.front().timed.empty()) return {};
    const auto doubts = measure::doubts(*standings.front().timed.front());
    return doubts.empty() ? "" : "Doubtful: " + measure::joined(doubts) + ". ";
}

} // namespace

BenchText bench_text(const BenchState& state, const RankedReport* shown) {
    BenchText text;
    const auto measuring = state.comparing ? "Comparing results" : "Measuring" + count_text(state.step);
    text.progress = state.step.all > 0 ? std::clamp(state.step.done / state.step.all, 0.0, 1.0) : 0;
    switch (state.phase) {
    case Phase::running: text.chip = text.verdict = measuring; break;
    case Phase::pausing: text.chip = text.verdict = measuring + ", pausing"; break;
    case Phase::paused: text.chip = text.verdict = measuring + ", paused"; break;
    case Phase::stopping: text.chip = text.verdict = measuring + ", stopping"; break;
    case Phase::none:
    case Phase::finished: break;
    }
    if (!text.chip.empty()) {
        text.detail = state.step.what.empty() ? state.title : state.title + ": " + state.step.what;
        return text;
    }
    if (state.failure && !state.comparing) {
        text.verdict = "Not measured";
        text.detail = state.failure->what();
        text.warns = true;
    } else if (shown) {
        text.verdict = measure::verdict(shown->report, shown->standings);
        text.detail = shown->standings.size() == 1 ? measure::transfers_verdict(shown->standings.front())
                                                   : shown->report.title;
        if (text.detail.empty()) text.detail = shown->report.title;
        text.detail = doubts_text(shown->standings) + text.detail;
    } else {
        text.verdict = "Which algorithm is fastest here, and is it right?";
        text.detail =
            "Measure verifies every algorithm and library on this image and recipe, then times them.";
    }
    return text;
}

} // namespace kg
