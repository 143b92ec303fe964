#include "measure/report/row_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kg::measure {

namespace {

struct Unit {
    double microseconds;
    const char* name;
};

Unit unit_of(double microseconds) {
    if (microseconds < 999.5) return {1, " us"};
    if (microseconds < 999.5e3) return {1e3, " ms"};
    return {1e6, " s"};
}

std::string fixed(double value, int decimals) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", std::clamp(decimals, 0, 9), value);
    return text;
}

int digits_before_point(double value) {
    return value < 1 ? 1 : static_cast<int>(std::floor(std::log10(value))) + 1;
}

} // namespace

std::string short_time(double microseconds) {
    const auto unit = unit_of(microseconds);
    const auto value = microseconds / unit.microseconds;
    return fixed(value, 3 - digits_before_point(value)) + unit.name;
}

TimeText time_text(const Summary& summary) {
    const auto unit = unit_of(summary.median);
    const auto value = summary.median / unit.microseconds;

    // The nearer end of the interval determines the certain digits.
    auto distance = std::min(summary.median - summary.ci_low, summary.ci_high - summary.median);
    if (distance <= 0) distance = (summary.ci_high - summary.ci_low) / 2;
    distance /= unit.microseconds;
    const auto before = digits_before_point(value);
    const auto certain = distance > 0 ? static_cast<int>(std::ceil(-std::log10(distance))) : 4;
    const auto most = summary.too_few ? 3 : 4;
    const auto decimals = std::clamp(certain, std::max(0, 2 - before), std::max(0, most - before));
    return {fixed(value, decimals) + unit.name,
            "(" + fixed(summary.ci_low / unit.microseconds, decimals) + "-" +
                fixed(summary.ci_high / unit.microseconds, decimals) + ")"};
}

std::string count_text(std::int64_t count) {
    const auto value = static_cast<double>(count);
    for (const auto& [size, name] : {std::pair{1e9, " G"}, std::pair{1e6, " M"}, std::pair{1e3, " k"}})
        if (value >= size) return fixed(value / size, value / size < 9.95 ? 1 : 0) + name;
    return std::to_string(count);
}

std::string ratio_text(double ratio) { return fixed(ratio, ratio < 9.995 ? 2 : 0) + "x"; }

std::string times_text(double ratio) {
    const auto text = ratio_text(ratio);
    return text.substr(0, text.size() - 1) + " times";
}

std::string times_as_long(double ratio) { return times_text(ratio) + " as long"; }

std::string percent(double fraction) {
    return fraction > 0 && std::isfinite(fraction) ? fixed(fraction * 100, fraction < 0.0995 ? 1 : 0) + " %"
                                                   : "";
}

std::string counted(std::size_t count, const std::string& thing) {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& items, const char* last) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : i + 1 == items.size() ? last : ", ") + items[i];
    return text;
}

std::string state_text(const ReportRow& row) {
    return row.verdict == Verdict::right ? "no time" : std::string(name(row.verdict));
}

std::string difference_text(std::int64_t differing, std::int64_t checked, std::int64_t all) {
    if (checked == 0) return {};
    return count_text(differing) + " of " + count_text(checked) + (checked < all ? " sampled" : "") +
           (differing == 1 && checked == 1 ? " value differs" : " values differ");
}

std::int64_t samples_of(const ReportRow& row) {
    return row.outputs > 0 ? row.outputs : row.width * row.height * row.channels;
}

std::string device_text(const ReportDevice& device) {
    std::vector<std::string> facts{device.name, device.description};
    if (!device.driver.empty()) facts.push_back("driver " + device.driver);
    if (device.clock_mhz > 0)
        facts.push_back(std::to_string(std::lround(device.clock_mhz)) + " MHz at the end");
    if (device.most_mhz > 0)
        facts.push_back("at most " + std::to_string(std::lround(device.most_mhz)) + " MHz");
    if (device.limits.copy_gb_per_s > 0)
        facts.push_back("a copy moves " + std::to_string(std::lround(device.limits.copy_gb_per_s)) + " GB/s");
    if (device.limits.multiply_adds_g_per_s > 0)
        facts.push_back(std::to_string(std::lround(device.limits.multiply_adds_g_per_s)) +
                        " G multiply-adds/s" +
                        (device.limits.multiply_adds_steady ? "" : " (not steady: it may do more)"));
    std::erase(facts, "");
    return joined(facts, ", ");
}

std::vector<std::string> remarks(const ReportRow& row, bool ties) {
    std::vector<std::string> all;
    if (!row.times) return all;
    const auto& run = row.times->run;
    if (row.chosen) all.emplace_back("auto takes it");
    if (ties) all.emplace_back("tie");
    if (is_partly_warm(row)) all.emplace_back("partly warm");
    if (row.alone_us > 0) all.push_back("holds conversions, " + short_time(row.alone_us) + " without");
    else if (row.includes != "filter" && !row.includes.empty()) all.push_back("holds " + row.includes);
    for (auto& doubt : doubts(row)) all.push_back(std::move(doubt));
    if (run.outliers > 0) all.push_back(counted(run.outliers, "outlier"));
    return all;
}

std::vector<std::string> doubts(const ReportRow& row) {
    std::vector<std::string> all;
    if (!row.times) return all;
    const auto& run = row.times->run;
    if (run.too_few) all.push_back("only " + counted(run.samples, "sample"));
    if (run.drift > 0) all.emplace_back("became slower");
    if (run.drift < 0) all.emplace_back("became faster");
    if (!row.throttled.empty()) all.push_back("throttled: " + row.throttled);
    return all;
}

bool is_doubtful(const ReportRow& row) { return !doubts(row).empty(); }

} // namespace kg::measure
