#pragma once
// Report of a benchmark of the presentation path, as one value: written to a file and shown.

#include "core/image/geometry.hpp"
#include "core/image/pixel.hpp"
#include "measure/report/report.hpp"
#include "measure/statistics.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// Frame time at 60 Hz, the rate at which an image follows a slider.
inline constexpr double kFrameMicroseconds = 1e6 / 60;

/// Timings of one figure. figure_meanings() explains each name.
struct DisplayFigure {
    std::string name;
    measure::Summary us;
};

struct DisplayRow {
    enum class What {
        presentation, ///< a finished result, to a texture
        write,        ///< the same by one of several algorithms, to choose one
        draw,         ///< a texture into the view
        drag,         ///< from a changed kernel to the view
    };

    What what = What::presentation;
    /// "interop" or "host upload"; for a write "surface", "copy", "pixel-buffer"; empty where it does not
    /// apply.
    std::string path;
    Extent size;         ///< size of the image
    PixelFormat format;  ///< format of the image
    Extent kernel{0, 0}; ///< drag only
    std::string mode;    ///< idle, busy, resized, stream-0, two, unsynced; fit, actual, zoom; unpaced, paced
    std::string algorithm{}; ///< drag only: the engine's choice for the last kernel

    /// Why it has no figures; empty = its pixels were right, before and after.
    std::string reason{};
    bool stopped = false; ///< it did not run: that is the reason
    double clock_mhz = 0; ///< device clock after it; 0 = unknown
    std::string throttled{};
    double within_frame = 0; ///< drag only: fraction of samples within one frame
    std::vector<DisplayFigure> figures{};
};

/// "drag/interop/4096x4096/u8x4/k31x31/paced"; formats with alpha are named u8x4a.
std::string name(const DisplayRow& row);
std::string_view name(DisplayRow::What what);

struct DisplayReport {
    static constexpr int kSchema = 4;
    std::string version, date, host; ///< as in measure::BenchReport
    bool complete = true;
    double seconds = 0;
    measure::ReportDevice device;
    std::string context, vendor, renderer; ///< the renderer
    Extent view;                           ///< size of the view
    std::string no_interop;                ///< why no row uses interop; empty = some do
    std::vector<DisplayRow> rows;
    /// The wait that was given up, so that no more could be measured; empty = none. Its work may still be in
    /// flight: drivers would wait for it at the program's end.
    std::string stuck{};
};

struct FigureMeaning {
    std::string_view name, is;
};
std::vector<FigureMeaning> figure_meanings();

/// kernelglass-display/4 (docs/json.md).
std::string to_json(const DisplayReport& report);
/// One line per row, the verdict first.
std::string to_text(const DisplayReport& report);

} // namespace kg
