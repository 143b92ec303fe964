#pragma once
// Values of a row and of a device as text, the same in every format.

#include "measure/report/report.hpp"
#include "measure/report/row_kind.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kg::measure {

/// "41.2 us", "1.23 ms", "12 s": three digits.
std::string short_time(double microseconds);

/// A median and its interval in one unit, with as many digits as the interval leaves certain, two to four.
struct TimeText {
    std::string median;   ///< "41 us"
    std::string interval; ///< "(40-42)"
    std::string text() const { return median + " " + interval; }
};
TimeText time_text(const Summary& summary);

/// "8.3 M", "12 k", "999"
std::string count_text(std::int64_t count);
/// "1.37 times"
std::string times_text(double ratio);
/// "1.37 times as long"
std::string times_as_long(double ratio);
/// "1.37x"
std::string ratio_text(double ratio);
/// "62 %"; empty for unknown values.
std::string percent(double fraction);
/// "1 row", "2 rows"
std::string counted(std::size_t count, const std::string& thing);
/// "a, b and c"
std::string joined(const std::vector<std::string>& words, const char* last = " and ");

/// Why a row has no time: "wrong", "refused"; "no time" for a right one.
std::string state_text(const ReportRow& row);
/// "0 of 8.3 M values differ", or "sampled values" where more than these were computed; empty if nothing was
/// checked.
std::string difference_text(std::int64_t differing, std::int64_t checked, std::int64_t all = 0);
/// The samples of the row's result.
std::int64_t samples_of(const ReportRow& row);

/// A device and its capability: name, driver, clocks and limits.
std::string device_text(const ReportDevice& device);
/// Remarks on a row's times: chosen by auto, partly warm buffers, conversions, too few samples, drift,
/// outliers, throttling, and the tie with the fastest.
std::vector<std::string> remarks(const ReportRow& row, bool ties);
/// Those of the remarks that cast doubt on the times: too few samples, drift, throttling.
std::vector<std::string> doubts(const ReportRow& row);
bool is_doubtful(const ReportRow& row);

} // namespace kg::measure
