#include "tests/measure/support/sample_report.hpp"

#include <algorithm>

namespace kg::measure {

namespace {

constexpr std::int64_t kSamples = 1920LL * 1080 * 4;

ReportRow row_of(const std::string& algorithm, int k, const std::string& peer) {
    ReportRow row;
    const auto size = std::to_string(k);
    row.name = "image/" + algorithm + "/u8x4/1920x1080/k" + size + "x" + size + "/reflect101/dense/cpu";
    row.engine = "cpu";
    row.algorithm = algorithm;
    row.peer = peer;
    row.filter = "gaussian:size=" + size;
    row.width = 1920;
    row.height = 1080;
    row.kernel_width = row.kernel_height = k;
    row.depth = "u8";
    row.border = "reflect101";
    row.channels = 4;
    row.separable = true;
    row.includes = "filter";
    row.copy_us = 20;
    row.arithmetic_us = 2.0 * k;
    return row;
}

Summary summary_of(double median, std::size_t samples) {
    Summary summary;
    summary.samples = samples;
    summary.median = median;
    summary.p5 = median * 0.98;
    summary.p95 = median * 1.04;
    summary.ci_low = median * 0.99;
    summary.ci_high = median * 1.01;
    return summary;
}

} // namespace

ReportRow timed_row(const std::string& algorithm, int k, double median_us, const std::string& peer) {
    auto row = row_of(algorithm, k, peer);
    row.verdict = Verdict::right;
    row.reason = "as asked";
    row.checked = kSamples;
    row.error_bound = 0.5;
    row.times = Times{
        summary_of(median_us, 36), summary_of(300.1, 36), summary_of(310.7, 36), {12.5, 900.25}, 25};
    row.of_limit = std::max(row.copy_us, row.arithmetic_us) / median_us;
    row.clock_mhz = 3100;
    return row;
}

ReportRow untimed_row(const std::string& algorithm, int k, Verdict verdict, const std::string& reason) {
    auto row = row_of(algorithm, k, {});
    row.verdict = verdict;
    row.reason = reason;
    return row;
}

BenchReport empty_report() {
    BenchReport report;
    report.version = "0.2.0";
    report.date = "2026-11-21T18:00:00Z";
    report.host = "AMD EPYC, Linux 6.1";
    report.title = "kernelglass bench image";
    report.seconds = 61.5;
    report.devices = {{"cpu", "AMD EPYC", "2 threads, AVX3", "", 3100, 3700, {18.5, 96.25}}};
    report.absent = {"npp: libnppif.so was not found"};
    return report;
}

BenchReport one_request() {
    auto report = empty_report();
    auto naive = timed_row("naive", 3, 41.5), tiled = timed_row("tiled", 3, 41);
    naive.tie_with = {"tiled"};
    tiled.tie_with = {"naive"};
    report.rows = {naive, tiled, timed_row("opencv:filter2D", 3, 80, "opencv"),
                   untimed_row("box", 3, Verdict::refused, "the weights are not all equal")};
    return report;
}

BenchReport sweep() {
    auto report = empty_report();
    report.rows.clear();
    for (const int k : {3, 5, 7, 11, 15, 21, 31}) {
        report.rows.push_back(timed_row("naive", k, 5.0 * k * k));
        report.rows.push_back(timed_row("separable", k, 60 + 10.0 * k));
        report.rows.push_back(timed_row("opencv:filter2D", k, k < 11 ? 9.0 * k * k : 300, "opencv"));
        if (k == 5)
            report.rows.push_back(untimed_row("fft", k, Verdict::wrong, "at 3,4 red is 12 instead of 13"));
        else report.rows.push_back(timed_row("fft", k, 520 + k));
        report.rows.push_back(untimed_row("box", k, Verdict::refused, "the weights are not all equal"));
    }
    return report;
}

} // namespace kg::measure
