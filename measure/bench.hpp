#pragma once
// A whole benchmark: many requests, every way of each, proved and timed. The one function behind `kernelglass bench`, the
// Bench workspace and the scripts.

#include "measure/contest.hpp"
#include "measure/report/report.hpp"

#include <functional>
#include <span>

namespace kg::measure {

/// One request to be computed in every way.
struct BenchCase {
    ImageRequest request;
    std::string filter;                     ///< in a row's name, and for people: "dense", "gaussian"
    std::string recipe;                     ///< in text form
    std::shared_ptr<const Image> picture{}; ///< none = noise
};

struct BenchRules {
    ContestRules contest;
    bool warm = false;                ///< rows with one pair of buffers, beside those whose buffers rotate
    std::vector<std::string> only{};  ///< ids of ways; empty = all
    std::vector<std::string> peers{}; ///< ids of libraries that take part
    /// All of it may take so long, limits, plans and verification included; 0 = as long as it takes. What there is no time for
    /// has rows that say so, and the report is not complete.
    double seconds = 0;
};

/// `done` of `all` contests, a part of one included, and what is going on.
using BenchProgress = std::function<void(double done, double all, const std::string& what)>;

/// The report without its version, date, host and title. `stop` ends it early: what was measured is kept.
Report bench(std::span<const BenchCase> cases, std::span<const std::shared_ptr<Engine>> engines,
             const BenchRules& rules, const BenchProgress& progress = {}, const std::stop_token& stop = {});

} // namespace kg::measure
