#pragma once
// What a benchmark of a slider's drags found, as one value.

#include "core/image/geometry.hpp"
#include "core/image/pixel.hpp"
#include "measure/report/report.hpp"
#include "measure/statistics.hpp"

#include <string>
#include <vector>

namespace kg {

struct SliderFigure {
    std::string name; ///< slider_meanings() says what it stands for
    measure::Summary us;
    double longest_us = 0;
};

/// One drag.
struct SliderRow {
    std::string name;        ///< "dense 15x15", "gaussian:sigma=10"
    std::string reason{};    ///< why it has no figures; empty = all that was shown was right
    std::string algorithm{}; ///< that the whole results were planned with
    double predicted_us = 0; ///< of the whole result, by the engine's costs alone
    bool stopped = false;    ///< its turn did not come, or its end: that is the reason
    std::size_t edits = 0, shown = 0,
                previews = 0; ///< pictures that were shown, and those of them that were no whole results
    std::size_t proved =
        0; ///< those whose texels were compared: of the others there was no time to read them between edits
    int finest = 0,
        coarsest = 0; ///< previews: every n-th pixel of every n-th row; 1 = a part; 0 = there was none
    std::vector<SliderFigure> figures{};
};

struct SliderReport {
    static constexpr int kSchema = 2;
    static constexpr double kPeriodMicroseconds = 16'000; ///< from edit to edit
    std::string version, date, host;                      ///< as in measure::Report
    bool complete = true;
    double seconds = 0;
    measure::ReportDevice device;
    Extent size;
    PixelFormat format;
    std::string context, renderer, way; ///< who draws; "interop" or "host upload"
    std::vector<SliderRow> rows;
    std::string stuck{}; ///< as in DisplayReport
};

struct SliderMeaning {
    std::string_view name, is;
};
std::vector<SliderMeaning> slider_meanings();

/// kernelglass-slider/2 (docs/json.md).
std::string to_json(const SliderReport& report);
/// A line a row.
std::string to_words(const SliderReport& report);

} // namespace kg
