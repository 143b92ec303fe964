#pragma once
// A whole benchmark: many requests, every candidate of each, verified and timed. The one function behind
// `kernelglass bench` and the scripts.

#include "measure/comparison.hpp"
#include "measure/report/report.hpp"

#include <functional>
#include <map>
#include <span>
#include <string>

namespace kg::measure {

/// One request, computed by every algorithm.
struct BenchCase {
    ImageRequest request;
    std::string filter;                   ///< in a row's name, and for people: "dense", "gaussian"
    std::string recipe;                   ///< in text form
    std::shared_ptr<const Image> image{}; ///< none = noise
};

struct BenchRules {
    ComparisonRules comparison;
    bool warm = false;  ///< rows with one pair of buffers, beside those whose buffers rotate
    bool limits = true; ///< measures those of the devices, after the rows; else they are unknown
    /// By the id of an engine: complete ones are not measured again, and new ones are added. None = all are
    /// measured.
    std::map<std::string, ReportLimits>* known_limits = nullptr;
    std::vector<std::string> only{};  ///< ids of algorithms; empty = all
    std::vector<std::string> peers{}; ///< ids of the libraries that take part
    /// Time limit of the whole benchmark, limits, plans and verification included; 0 = no limit. Requests
    /// whose share was too short are measured again in the time that others leave. Work that does not fit has
    /// rows that state it, and the report is not complete.
    double seconds = 0;
};

struct BenchStep {
    double done = 0, all = 0;        ///< comparisons, fractions included
    std::size_t step = 0, steps = 0; ///< within the comparison, from 0; 0 of 0 before the first
    std::string what{};
};
/// Called at the beginning of each step.
using BenchProgress = std::function<void(const BenchStep&)>;

/// The report without its version, date, host and title. `stop` ends it early: measured rows are kept.
BenchReport bench(std::span<const BenchCase> cases, std::span<const std::shared_ptr<Engine>> engines,
                  const BenchRules& rules, const BenchProgress& progress = {},
                  const std::stop_token& stop = {});

} // namespace kg::measure
