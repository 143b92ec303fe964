#pragma once
// What a benchmark of the way to the screen found, as one value: what is written to a file and shown.

#include "core/image/pixel.hpp"
#include "core/image/geometry.hpp"
#include "measure/report/report.hpp"
#include "measure/statistics.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// A picture that follows a slider is drawn anew so often: 60 times a second.
inline constexpr double kFrameMicroseconds = 1e6 / 60;

/// Timings of one thing. figure_meanings() says what each name stands for.
struct DisplayFigure {
    std::string name;
    measure::Summary us;
};

struct DisplayRow {
    enum class What {
        hand_off, ///< a result that is there already, to a texture
        write,    ///< the same by one of several ways, to choose one
        draw,     ///< a texture into the view
        drag,     ///< a changed kernel, all the way to the view
    };

    What what = What::hand_off;
    std::string
        way; ///< "interop" or "host upload"; of a write "surface", "copy", "pixel-buffer"; empty where it plays no part
    Extent size;             ///< of the picture
    PixelFormat format;      ///< of the picture
    Extent kernel{0, 0};     ///< drag only
    std::string mode;        ///< idle, busy, resized, stream-0, two, unsynced; fit, actual; unpaced, paced
    std::string algorithm{}; ///< drag only: what the engine chose for the last kernel

    std::string reason{}; ///< why it has no figures; empty = its pixels were right, before and after
    bool stopped = false; ///< its turn did not come: that is the reason
    double clock_mhz = 0; ///< of the device after it; 0 = not known
    std::string throttled{};
    double within_frame = 0; ///< drag only: the part of the samples that took no longer than a frame
    std::vector<DisplayFigure> figures{};
};

/// "drag/interop/4096x4096/u8x4/k31x31/paced"; formats with coverage are called u8x4a.
std::string name(const DisplayRow& row);
std::string_view name(DisplayRow::What what);

struct DisplayReport {
    static constexpr int kSchema = 2;
    std::string version, date, host; ///< as in measure::Report
    bool complete = true;
    double seconds = 0;
    measure::ReportDevice device;
    std::string context, vendor, renderer; ///< who draws
    Extent view;                           ///< that is drawn into
    std::string no_interop;                ///< why no row has that way; empty = some have
    std::vector<DisplayRow> rows;
    /// What was given up waiting for, so that no more could be measured; empty = nothing. It may still be under way: drivers
    /// would wait for it at the program's end.
    std::string stuck{};
};

struct FigureMeaning {
    std::string_view name, is;
};
std::vector<FigureMeaning> figure_meanings();

/// kernelglass-display/2 (docs/json.md).
std::string to_json(const DisplayReport& report);
/// A line a row, the verdict first.
std::string to_words(const DisplayReport& report);

} // namespace kg
