#include "measure/statistics.hpp"

#include "core/support/error.hpp"
#include "core/support/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kg::measure {

namespace {

constexpr double kDoubt = 0.05;       // 1 - confidence
constexpr double kTrendSigmas = 3;    // a trend by chance: once in 370 rows
constexpr double kTrendShare = 0.02;  // fraction of the median: smaller trends are not reported
constexpr double kOutlierSpreads = 5; // multiples of the usual deviation

/// The largest k with P(at most k of n fair coins show heads) <= kDoubt / 2, or -1. The median lies between
/// the sorted samples k and n - 1 - k (counted from 0) with at least the required confidence.
std::ptrdiff_t rank_below_median(std::size_t n) {
    // logarithm of the probability of exactly i heads
    double chance = -static_cast<double>(n) * std::log(2.0);
    double sum = 0;
    std::ptrdiff_t k = -1;
    for (std::size_t i = 0; i < n; ++i) {
        sum += std::exp(chance);
        if (sum > kDoubt / 2) break;
        k = static_cast<std::ptrdiff_t>(i);
        chance += std::log(static_cast<double>(n - i) / static_cast<double>(i + 1));
    }
    return k;
}

struct Interval {
    double low, high;
};

Interval interval_of_median(std::span<const double> sorted) {
    const auto low = static_cast<std::size_t>(std::max<std::ptrdiff_t>(rank_below_median(sorted.size()), 0));
    return {sorted[low], sorted[sorted.size() - 1 - low]};
}

/// Interval of the medians of batches.
Interval interval_of_batches(std::span<const double> samples, std::size_t batch) {
    std::vector<double> medians;
    for (std::size_t begin = 0; begin < samples.size(); begin += batch) {
        const auto some = samples.subspan(begin, std::min(batch, samples.size() - begin));
        medians.push_back(quantile({some.begin(), some.end()}, 0.5));
    }
    std::ranges::sort(medians);
    return interval_of_median(medians);
}

/// Ranks from 0; equal values share the mean of theirs.
std::vector<double> ranks(std::span<const double> values) {
    std::vector<std::size_t> by_value(values.size());
    std::iota(by_value.begin(), by_value.end(), 0);
    std::ranges::sort(by_value, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> result(values.size());
    for (std::size_t begin = 0; begin < by_value.size();) {
        auto end = begin + 1;
        while (end < by_value.size() && values[by_value[end]] == values[by_value[begin]]) ++end;
        for (auto i = begin; i < end; ++i) result[by_value[i]] = static_cast<double>(begin + end - 1) / 2;
        begin = end;
    }
    return result;
}

/// Spearman's correlation of the samples with the time at which they were taken.
double trend(std::span<const double> samples) {
    const auto r = ranks(samples);
    const auto middle = static_cast<double>(samples.size() - 1) / 2;
    double both = 0, of_ranks = 0, of_time = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
        const double time = static_cast<double>(i) - middle, rank = r[i] - middle;
        both += rank * time;
        of_ranks += rank * rank;
        of_time += time * time;
    }
    return of_ranks > 0 ? both / std::sqrt(of_ranks * of_time) : 0;
}

int drift_of(std::span<const double> samples, double median) {
    if (samples.size() < 10) return 0;
    const double correlation = trend(samples);
    if (std::fabs(correlation) * std::sqrt(static_cast<double>(samples.size() - 1)) < kTrendSigmas) return 0;
    const auto third = samples.size() / 3;
    const auto early = samples.first(third), late = samples.last(third);
    const double change = quantile({late.begin(), late.end()}, 0.5) -
                          quantile({early.begin(), early.end()}, 0.5);
    if (std::fabs(change) < kTrendShare * median) return 0;
    return change > 0 ? 1 : -1;
}

} // namespace

Summary summarize(std::span<const double> samples, std::size_t batch) {
    if (samples.empty()) throw Error("no-samples", "There are no timings to sum up.");
    for (const double v : samples)
        if (!(v >= 0) || !std::isfinite(v))
            throw Error("bad-sample", "A timing is negative or not a number.");
    std::vector<double> sorted(samples.begin(), samples.end());
    std::ranges::sort(sorted);

    Summary s;
    s.samples = sorted.size();
    s.median = quantile(sorted, 0.5);
    s.p5 = quantile(sorted, 0.05);
    s.p95 = quantile(sorted, 0.95);
    s.too_few = rank_below_median(sorted.size()) < 0;
    const auto of_samples = interval_of_median(sorted);
    s.ci_low = of_samples.low;
    s.ci_high = of_samples.high;
    if (batch > 1) {
        const auto of_batches = interval_of_batches(samples, batch);
        s.ci_low = std::min(s.ci_low, of_batches.low);
        s.ci_high = std::max(s.ci_high, of_batches.high);
    }
    s.drift = drift_of(samples, s.median);

    std::vector<double> deviations(sorted);
    for (auto& d : deviations) d = std::fabs(d - s.median);
    const double usual = 1.4826 * quantile(deviations, 0.5);
    s.outliers = static_cast<std::size_t>(std::ranges::count_if(
        deviations, [&](double d) { return usual > 0 && d > kOutlierSpreads * usual; }));
    return s;
}

Order compare(const Summary& a, const Summary& b) {
    if (a.too_few || b.too_few) return Order::tie;
    if (a.ci_high < b.ci_low) return Order::faster;
    if (b.ci_high < a.ci_low) return Order::slower;
    return Order::tie;
}

bool overlap(const Summary& a, const Summary& b) { return a.ci_high >= b.ci_low && b.ci_high >= a.ci_low; }

Ranking rank(std::span<const Summary> rows) {
    Ranking result;
    result.order.resize(rows.size());
    std::iota(result.order.begin(), result.order.end(), 0);
    std::ranges::stable_sort(result.order, {}, [&](std::size_t i) { return rows[i].median; });
    while (result.ties + 1 < rows.size() &&
           compare(rows[result.order.front()], rows[result.order[result.ties + 1]]) == Order::tie)
        ++result.ties;
    return result;
}

} // namespace kg::measure
