#include "app/bench/report_file.hpp"

#include "app/io/files/files.hpp"
#include "cpu/engine.hpp"
#include "measure/report/formats.hpp"

#include <array>
#include <cstdint>
#include <ctime>
#include <string_view>

#include <sys/utsname.h>

namespace kg {

namespace {

struct ReportFormat {
    std::string_view extension;
    std::string (*write)(const measure::BenchReport&);
};
constexpr std::array kFormats{ReportFormat{".json", measure::to_json}, ReportFormat{".csv", measure::to_csv},
                              ReportFormat{".md", measure::to_markdown},
                              ReportFormat{".html", measure::to_html}};

const ReportFormat* format_of_report(const std::string& file) {
    for (const auto& format : kFormats)
        if (file.ends_with(format.extension)) return &format;
    return nullptr;
}

} // namespace

void sign(measure::BenchReport& report) {
    report.version = KG_VERSION;
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    report.date = text.data();
    report.host = cpu::make_engine(0)->device().name;
    utsname system{};
    if (uname(&system) == 0)
        report.host += std::string(", ") + system.sysname + " " + system.machine; // without its version
}

bool is_report_name(const std::filesystem::path& file) { return format_of_report(file.string()) != nullptr; }

Error bad_report_name(const std::filesystem::path& file) {
    return {"bad-extension", "the extension of a report must be .json, .csv, .md or .html, not that of {}",
            quoted(file)};
}

std::string report_as(const std::filesystem::path& file, const measure::BenchReport& report) {
    if (const auto* format = format_of_report(file.string())) return format->write(report);
    throw bad_report_name(file);
}

measure::BenchReport read_report(const std::filesystem::path& file) {
    const ReadLimits limits{
        .most_bytes = std::uint64_t{64} << 20, .of = "a benchmark report", .of_file = "a benchmark report"};
    return measure::from_json(read_file(file, limits), safe_name(file));
}

} // namespace kg
