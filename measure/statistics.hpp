#pragma once
// The statistics of a row of timings, and their uncertainty. Nothing here assumes normally distributed
// timings: they are bounded below, skewed upwards, and contain outliers.

#include <cstddef>
#include <span>
#include <vector>

namespace kg::measure {

/// Summary of timings in any one unit.
struct Summary {
    std::size_t samples = 0;
    double median = 0, p5 = 0, p95 = 0;
    /// Contains the true median with a confidence of at least 95 %: two order statistics, chosen by the
    /// binomial distribution (Conover, Practical Nonparametric Statistics, 3.2). With fewer than six samples
    /// no two order statistics reach that confidence: the interval is then the range of all samples, and
    /// `too_few` is set.
    double ci_low = 0, ci_high = 0;
    bool too_few = false;
    /// Sign of the trend of the timings over time (a clock that throttles, a cache that fills) if it is both
    /// beyond chance and above 2 % of the median, else 0.
    int drift = 0;
    /// Samples further from the median than 5 times the usual deviation (1.4826 times the median deviation).
    std::size_t outliers = 0;
};

/// `samples` in the order in which they were taken, not empty; each `batch` of them was taken without a
/// pause, with pauses between batches. Disturbances last longer than a sample, so samples of a batch are not
/// independent: with batches of several samples the interval also contains that of the batches' own medians
/// (of fewer than six batches, all of them). Throws Error if a sample is negative or not a number.
Summary summarize(std::span<const double> samples, std::size_t batch = 1);

enum class Order { faster, slower, tie };

/// Compares `a` with `b`: a tie if their intervals overlap, or if either has too few samples.
Order compare(const Summary& a, const Summary& b);

/// Whether their intervals overlap. With too few samples the interval is the range of all samples, so this
/// may deny a tie that compare() reports.
bool overlap(const Summary& a, const Summary& b);

/// Indices from the fastest median to the slowest, and how many of the first of them tie with the fastest.
struct Ranking {
    std::vector<std::size_t> order;
    std::size_t ties = 0; ///< beside the fastest itself
};
Ranking rank(std::span<const Summary> rows);

} // namespace kg::measure
