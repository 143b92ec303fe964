#pragma once
// The samples of one candidate, taken in rounds, within its share of the time that a request has for them.

#include "core/support/time_limit.hpp"
#include "measure/comparison.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace kg::measure {

/// Uploads and downloads timed per round: they are the same for all algorithms, and for large images take
/// longer.
inline constexpr std::size_t kTransfers = 2;

/// Microseconds that all rounds of a candidate may take, and its runs in them.
struct RoundShare {
    double rounds_us = std::numeric_limits<double>::infinity();
    double runs_us = std::numeric_limits<double>::infinity();
};
RoundShare round_share(const ComparisonRules& rules, double left_us, std::size_t candidates);

struct Samples {
    std::vector<double> run, upload, download, processor, clock_mhz;
    std::string throttled; ///< as in Row
    double spent_us = 0;   ///< on runs
    double rounds_us = 0;  ///< on all rounds

    /// The runs of a round, and their number: none if the candidate has spent its share. Throws Cancelled
    /// when the time is over.
    std::size_t take_runs(TimedAlgorithm& algorithm, const ComparisonRules& rules, const RoundShare& share,
                          const TimeLimit& limit);
    /// Clocks and transfers of a round of so many runs. They come last: a transfer leaves pixels in a cache,
    /// where the next run would find them.
    void take_transfers(TimedAlgorithm& algorithm, const Engine& engine, const ComparisonRules& rules,
                        std::size_t runs, const TimeLimit& limit);
    /// Some of every kind.
    bool are_complete() const { return !run.empty() && !download.empty(); }
    /// Fills in what the samples tell.
    void summarize_in(Row& row, const ComparisonRules& rules, const FirstCall& first,
                      const TimedAlgorithm& algorithm) const;
};

} // namespace kg::measure
