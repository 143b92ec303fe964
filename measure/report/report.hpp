#pragma once
// The result of a benchmark as one value: written to files, read back, compared and shown.

#include "measure/comparison.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kg::measure {

/// One algorithm on one request.
struct ReportRow {
    /// Unique name, the same for the same work on any machine:
    /// image/tiled/u8x4/3840x2160/k7x7/reflect101/dense/cuda, followed by /warm where the buffers did
    /// not rotate, and by kPartlyWarm where the time to fill them was over.
    std::string name;
    /// As in Row; `algorithm` includes conversions, joined by " > ".
    std::string engine, algorithm, peer;
    std::string filter;                 ///< the recipe in text form
    std::int64_t width = 0, height = 0; ///< size of the image
    int kernel_width = 0, kernel_height = 0;
    std::string depth, border;
    int channels = 0;
    std::int64_t outputs = 0;    ///< numbers of the result; 0 = as many as the image has samples
    bool alpha_weighted = false; ///< colour is weighted by alpha; the name then has u8x4a
    double tolerance = 0;        ///< tolerance of the request, as a fraction of full scale; 0 = none
    bool separable = false, cold = true;
    /// content of the median: "filter", or "filter, conversion" where an algorithm needs one
    std::string includes;

    Verdict verdict = Verdict::refused;
    std::string reason;                    ///< why it has no times, or why the engine chose it
    std::string code{};                    ///< as in Row; empty also in reports of older programs
    bool chosen = false;                   ///< auto chooses it
    std::int64_t checked = 0;              ///< samples compared with the reference
    std::int64_t differing = 0;            ///< samples among them that differ from the rounded reference
    double max_error = 0, error_bound = 0; ///< in units of the result

    std::optional<Times> times; ///< microseconds; empty unless the verdict is right
    /// Median of another library's own work, and its interval; 0 = no conversions, or not measured
    /// separately.
    double alone_us = 0, alone_ci_low_us = 0, alone_ci_high_us = 0;
    /// Microseconds of processor time of all threads per run, user and system; 0 = unknown: only for engines
    /// that compute on the processor.
    double processor_us = 0;
    /// algorithms of the same request whose intervals overlap with this one's
    std::vector<std::string> tie_with;

    /// Limits of this machine for the request, by the loops measured in the same run: 0 = unknown. A copy
    /// that reads and writes the same bytes, and as many multiply-adds as the request has (kw + kh per sample
    /// where the kernel is separable).
    double copy_us = 0, arithmetic_us = 0;
    /// The larger of the two as a fraction of the median; above 1 for algorithms that need fewer products. 0
    /// = unknown.
    double of_limit = 0;

    /// Estimate of the algorithm's formula (Algorithm::cost) without corrections; 0 = none.
    double formula_us = 0;

    double clock_mhz = 0;  ///< clock of the device during the runs; 0 = unknown
    std::string throttled; ///< why the device throttled during the runs; empty = it did not, or unknown
};

/// The machine's limits, measured by dedicated loops; 0 = not measured.
struct ReportLimits {
    double copy_gb_per_s = 0;         ///< bytes read and written by a large copy, 1e9 per second
    double multiply_adds_g_per_s = 0; ///< float32 multiply-adds, 1e9 per second
    bool multiply_adds_steady = true; ///< false: their rate still changed, and the device may reach more
};

struct ReportDevice {
    std::string engine, name, description, driver;
    double clock_mhz = 0, most_mhz = 0; ///< at the end; 0 = unknown
    ReportLimits limits;
};

struct BenchReport {
    static constexpr int kSchema = 1;
    /// The program's version, ISO 8601 in UTC, processor and system as text.
    std::string version, date, host;
    std::string title;    ///< what was measured, in one line
    bool complete = true; ///< false: stopped early, or there was no time for some rows
    double seconds = 0;   ///< duration
    std::vector<ReportDevice> devices;
    std::vector<std::string> absent; ///< unavailable engines and libraries: "npp: libnppif.so was not found"
    std::vector<ReportRow> rows;     ///< rows of one request are contiguous
};

/// The end of the names of rows whose buffers could not be filled in time, and of the reasons of those that
/// have times. Such rows are not `cold`.
inline constexpr const char* kPartlyWarm = "/partly-warm";
inline constexpr const char* kPartlyWarmNote =
    "; partly warm: there was no time to fill enough buffers, so that a run may find its data in a cache";
/// A request's row has such a name.
bool is_partly_warm(const ReportRow& row);
/// Sets ReportRow::of_limit from the row's limits and times.
void relate_to_limits(ReportRow& row);
/// The common part of the names of a request's rows: without the algorithm and the engine.
std::string request_name(const ReportRow& row);
/// The algorithm as typed on the command line, the second component of the row's name: "tiled",
/// "opencv:filter2D".
std::string algorithm_name(const ReportRow& row);
/// Names in each row of one request those of the same engine that it ties with.
void mark_ties(std::span<ReportRow> rows);
/// The device of an engine; null if the report has none.
const ReportDevice* device_of(const BenchReport& report, const std::string& engine);

} // namespace kg::measure
