#pragma once
// What a row of timings says, and how sure that is. Nothing here assumes that timings are normally distributed: they are
// bounded below, skewed upwards, and now and then far off.

#include <cstddef>
#include <span>
#include <vector>

namespace kg::measure {

/// Timings in any one unit, summed up.
struct Summary {
    std::size_t samples = 0;
    double median = 0, p5 = 0, p95 = 0;
    /// Holds the true median with a confidence of at least 95 %: two order statistics, chosen by the binomial
    /// distribution (Conover, Practical Nonparametric Statistics, 3.2). With less than six samples no two order
    /// statistics are that sure: then it is all that was seen, and `too_few` is set.
    double ci_low = 0, ci_high = 0;
    bool too_few = false;
    /// The timings rose or fell while they were taken (a clock that throttles, a cache that fills): the sign of the trend
    /// if it is both beyond chance and above 2 % of the median, else 0.
    int drift = 0;
    /// Those further from the median than 5 times the usual deviation (1.4826 times the median deviation).
    std::size_t outliers = 0;
};

/// `samples` in the order in which they were taken, not empty; each `turn` of them one after the other, with pauses between
/// the turns. What disturbs a machine lasts longer than a sample, so those of a turn are not independent: with turns of
/// several the interval also holds that of the turns' own medians (of fewer than six turns, all of them). Throws Error if a
/// sample is negative or not a number.
Summary summarize(std::span<const double> samples, std::size_t turn = 1);

/// The value below which the share `q` of `sorted` lies, between neighbours in proportion. `sorted` is not empty.
double quantile(std::span<const double> sorted, double q);

enum class Order { faster, slower, tie };

/// How `a` stands to `b`: a tie if their intervals overlap, or if either has too few samples to tell.
Order compare(const Summary& a, const Summary& b);

/// Their intervals do. Of too few samples the interval is all that was seen, so this may deny a tie that compare() sees.
bool overlap(const Summary& a, const Summary& b);

/// Indices from the fastest median to the slowest, and how many of the first of them tie with the fastest.
struct Ranking {
    std::vector<std::size_t> order;
    std::size_t ties = 0; ///< beside the fastest itself
};
Ranking rank(std::span<const Summary> rows);

} // namespace kg::measure
