#pragma once
// Report of a benchmark of slider drags, as one value.

#include "core/image/geometry.hpp"
#include "core/image/pixel.hpp"
#include "measure/report/report.hpp"
#include "measure/statistics.hpp"

#include <string>
#include <vector>

namespace kg {

struct SliderFigure {
    std::string name; ///< explained by slider_meanings()
    measure::Summary us;
    double longest_us = 0;
};

/// One drag.
struct SliderRow {
    std::string name;        ///< "dense 15x15", "gaussian:sigma=10"
    std::string reason{};    ///< why it has no figures; empty = all that was shown was right
    std::string algorithm{}; ///< planned for the whole results
    double predicted_us = 0; ///< estimate for the whole result, by the engine's cost model alone
    bool stopped = false;    ///< it did not run, or did not finish: that is the reason
    /// `shown` counts images, `previews` those of them that are not whole results.
    std::size_t edits = 0, shown = 0, previews = 0;
    /// Images whose texels were compared; the others could not be read between two edits.
    std::size_t verified = 0;
    /// Previews: every n-th pixel of every n-th row; 1 = a region; 0 = no previews.
    int finest = 0, coarsest = 0;
    std::vector<SliderFigure> figures{};
};

struct SliderReport {
    static constexpr int kSchema = 3;
    static constexpr double kPeriodMicroseconds = 16'000; ///< from edit to edit
    std::string version, date, host;                      ///< as in measure::BenchReport
    bool complete = true;
    double seconds = 0;
    measure::ReportDevice device;
    Extent size;
    PixelFormat format;
    std::string context, renderer, path; ///< the renderer; "interop" or "host upload"
    std::vector<SliderRow> rows;
    std::string stuck{}; ///< as in DisplayReport
};

struct SliderMeaning {
    std::string_view name, is;
};
std::vector<SliderMeaning> slider_meanings();

/// kernelglass-slider/3 (docs/json.md).
std::string to_json(const SliderReport& report);
/// One line per row.
std::string to_text(const SliderReport& report);

} // namespace kg
