#pragma once
// Every field of a row with its key: writers, reader and tables use this one list, so that no two formats
// disagree.

#include "measure/report/report.hpp"

#include <string>

namespace kg::measure {

/// Meaning of null for a number.
enum class NullMeans {
    never,    ///< always has a value
    unknown,  ///< 0 in the row: not measured, or unknown
    newer,    ///< the same, and older reports lack the key
    unbounded ///< infinite in the row
};

constexpr bool zero_is_null(NullMeans means) {
    return means == NullMeans::unknown || means == NullMeans::newer;
}

/// visit(key, value, null_means) for each; microseconds where the key ends in _us.
template <class Summary, class Visitor>
void each_field_of_summary(Summary& summary, const std::string& prefix, Visitor& visit) {
    visit(prefix + "median_us", summary.median, NullMeans::never);
    visit(prefix + "p5_us", summary.p5, NullMeans::never);
    visit(prefix + "p95_us", summary.p95, NullMeans::never);
    visit(prefix + "ci_low_us", summary.ci_low, NullMeans::never);
    visit(prefix + "ci_high_us", summary.ci_high, NullMeans::never);
    visit(prefix + "samples", summary.samples, NullMeans::never);
    visit(prefix + "too_few", summary.too_few, NullMeans::never);
    visit(prefix + "drift", summary.drift, NullMeans::never);
    visit(prefix + "outliers", summary.outliers, NullMeans::never);
}

template <class Times, class Visitor>
void each_field_of_times(Times& times, Visitor& visit) {
    each_field_of_summary(times.run, "", visit);
    visit("runs_per_sample", times.runs_per_sample, NullMeans::never);
    visit("plan_us", times.first.plan_us, NullMeans::never);
    visit("first_run_us", times.first.run_us, NullMeans::never);
    each_field_of_summary(times.upload, "upload_", visit);
    each_field_of_summary(times.download, "download_", visit);
}

/// Also visit.times(optional times), which decides whether their fields are visited.
template <class Row, class Visitor>
void each_field(Row& row, Visitor& visit) {
    visit("name", row.name, NullMeans::never);
    visit("engine", row.engine, NullMeans::never);
    visit("algorithm", row.algorithm, NullMeans::never);
    visit("peer", row.peer, NullMeans::never);
    visit("filter", row.filter, NullMeans::never);
    visit("width", row.width, NullMeans::never);
    visit("height", row.height, NullMeans::never);
    visit("kernel_width", row.kernel_width, NullMeans::never);
    visit("kernel_height", row.kernel_height, NullMeans::never);
    visit("depth", row.depth, NullMeans::never);
    visit("channels", row.channels, NullMeans::never);
    visit("outputs", row.outputs, NullMeans::newer);
    visit("alpha_weighted", row.alpha_weighted, NullMeans::newer);
    visit("border", row.border, NullMeans::never);
    visit("tolerance", row.tolerance, NullMeans::newer);
    visit("separable", row.separable, NullMeans::never);
    visit("cold", row.cold, NullMeans::never);
    visit("includes", row.includes, NullMeans::never);
    visit("verdict", row.verdict, NullMeans::never);
    visit("reason", row.reason, NullMeans::never);
    visit("code", row.code, NullMeans::newer);
    visit("chosen", row.chosen, NullMeans::never);
    visit("checked", row.checked, NullMeans::never);
    visit("differing", row.differing, NullMeans::never);
    visit("max_error", row.max_error, NullMeans::unbounded);
    visit("error_bound", row.error_bound, NullMeans::unbounded);
    visit.times(row.times);
    visit("alone_us", row.alone_us, NullMeans::newer);
    visit("alone_ci_low_us", row.alone_ci_low_us, NullMeans::newer);
    visit("alone_ci_high_us", row.alone_ci_high_us, NullMeans::newer);
    visit("processor_us", row.processor_us, NullMeans::newer);
    visit("tie_with", row.tie_with, NullMeans::never);
    visit("copy_us", row.copy_us, NullMeans::unknown);
    visit("arithmetic_us", row.arithmetic_us, NullMeans::unknown);
    visit("of_limit", row.of_limit, NullMeans::unknown);
    visit("formula_us", row.formula_us, NullMeans::newer);
    visit("clock_mhz", row.clock_mhz, NullMeans::unknown);
    visit("throttled", row.throttled, NullMeans::never);
}

} // namespace kg::measure
