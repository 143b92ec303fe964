#pragma once
// What a benchmark found, as one value: what is written to files, read back, compared and shown.

#include "measure/contest.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kg::measure {

/// One way on one request.
struct ReportRow {
    /// Names the row, and is the same for the same work on any machine: image/tiled/u8x4/3840x2160/k7x7/reflect101/dense/cuda,
    /// with /warm behind it where the buffers did not rotate.
    std::string name;
    std::string engine, algorithm,
        peer;           ///< as in Row; algorithm is what ran, with conversions joined by " > "
    std::string filter; ///< the recipe in text form
    std::int64_t width = 0, height = 0; ///< of the picture
    int kernel_width = 0, kernel_height = 0;
    std::string depth, border;
    int channels = 0;
    double tolerance = 0; ///< of the request, a part of full scale; 0 = none
    bool separable = false, cold = true;
    std::string includes; ///< what the median holds: "filter", or "filter, conversion" where a way needs some

    Verdict verdict = Verdict::refused;
    std::string reason;                    ///< why it has no times, or why the engine chose it
    bool chosen = false;                   ///< it is what auto takes
    std::int64_t checked = 0;              ///< samples that were held against the reference
    std::int64_t differing = 0;            ///< of these, samples that are not the reference's rounded ones
    double max_error = 0, error_bound = 0; ///< in units of the result

    std::optional<Times> times; ///< microseconds; nothing unless the verdict is right
    /// Of the median, another library's own work, and its interval; 0 = it converts nothing, or that was not measured apart.
    double alone_us = 0, alone_ci_low_us = 0, alone_ci_high_us = 0;
    /// Microseconds that all threads of the program took for a run, user and system; 0 = not known: only of engines that compute
    /// on the processor.
    double processor_us = 0;
    std::vector<std::string> tie_with; ///< ways of the same request whose intervals overlap with this one's

    /// What this machine could do at best, by the loops measured in the same run: 0 = not known. A copy that reads and writes
    /// the same bytes, and as many multiply-adds as the request has (kw + kh a sample where the kernel is separable).
    double copy_us = 0, arithmetic_us = 0;
    /// The larger of the two as a part of the median; above 1 for ways that need fewer products. 0 = not known.
    double of_limit = 0;

    double clock_mhz = 0;  ///< of the device while it ran; 0 = not known
    std::string throttled; ///< why the device held back while it ran; empty = it did not, or one cannot know
};

/// The machine's best, measured by loops that do nothing else; 0 = not measured.
struct ReportLimits {
    double copy_gb_per_s = 0;         ///< bytes read and written by a large copy, 1e9 a second
    double multiply_adds_g_per_s = 0; ///< float32 multiply-adds, 1e9 a second
    bool multiply_adds_steady = true; ///< false: their rate still changed, and the device may do more
};

struct ReportDevice {
    std::string engine, name, description, driver;
    double clock_mhz = 0, most_mhz = 0; ///< at the start; 0 = not known
    ReportLimits limits;
};

struct Report {
    static constexpr int kSchema = 1;
    std::string version, date,
        host;             ///< the program's version, ISO 8601 in UTC, processor and system in words
    std::string title;    ///< what was measured, in a line
    bool complete = true; ///< false: stopped before its end, or there was no time for some rows
    double seconds = 0;   ///< it took
    std::vector<ReportDevice> devices;
    std::vector<std::string>
        absent; ///< engines and libraries that could not take part: "npp: libnppif.so was not found"
    std::vector<ReportRow> rows; ///< those of one request stand together
};

/// What the rows of a request have in common: their names without the way and the engine.
std::string request_name(const ReportRow& row);
/// The way as one types it, the second part of the row's name: "tiled", "opencv:filter2D".
std::string way_name(const ReportRow& row);

} // namespace kg::measure
