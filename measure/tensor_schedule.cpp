#include "measure/tensor_schedule.hpp"

#include "measure/tensor_bench.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace kg::measure {

namespace {

/// Bytes of sources and results per microsecond of a slow memory: to fill, copy, download and look through.
constexpr double kBytesPerUs = 300;
/// Runs until a candidate is verified and warm, and within a round until it is awake.
constexpr double kRunsToPrepare = 4, kRunsToWakeUp = 3;
/// Short work is repeated for somewhat more than the least length of a sample.
constexpr double kAboveLeast = 1.2;
/// Samples of this length altogether suffice where time is short.
constexpr double kEnoughUs = 500e3;

struct CandidateNeed {
    double preparing_us, rounds_us;
};

CandidateNeed need_of_run(double run_us, double copies_us, const ComparisonRules& rules) {
    const auto rounds = static_cast<double>(rules.rounds),
               samples = static_cast<double>(rules.samples_per_round);
    const double sample_us = std::max(run_us, kAboveLeast * rules.timing.least_sample_us);
    const double all_us = rounds * (samples + kRunsToWakeUp) * sample_us;
    const double last_us = run_us + copies_us; // verified again
    return {copies_us + std::max(kRunsToPrepare * run_us, kRunsToWakeUp * sample_us),
            copies_us + std::max(rounds * run_us, std::min(all_us, kEnoughUs)) + last_us};
}

/// Of a run of each candidate that will be timed. What is unknown is taken for as fast as the fastest.
std::vector<double> run_times(const TensorWork& work, std::span<const Candidate> who) {
    std::vector<double> all;
    std::size_t unknown = 0;
    for (const auto& one : who) {
        if (!one.algorithm->why_not(work.step, *one.engine).empty()) continue;
        const double us = work.estimate_us(*one.algorithm, *one.engine);
        if (us >= Cost::kOnlyWhenForced) ++unknown;
        else if (us <= kMostTensorRunUs) all.push_back(us);
    }
    const double fastest = all.empty() ? 0 : std::ranges::min(all);
    all.insert(all.end(), unknown, fastest);
    return all;
}

} // namespace

double TensorNeed::least_us(const ReferenceRate& rate) const {
    constexpr double kShares = 4; // it has half of the time to prepare, which is about half of all
    return (before_us(rate) + kShares * (rate.us_of(reference.each) + fastest_us)) / (1 - kFilling);
}

double TensorNeed::whole_us(const ReferenceRate& rate) const {
    return (before_us(rate) + verifying_us(rate) + preparing_us + rounds_us) / (1 - kFilling);
}

double TensorNeed::preparing_share(const ReferenceRate& rate) const {
    if (candidates == 0) return 1;
    const double preparing = preparing_us + verifying_us(rate);
    return preparing / (preparing + rounds_us);
}

TensorNeed need_of(const TensorWork& work, std::span<const Candidate> who, const ComparisonRules& rules) {
    TensorNeed need;
    need.weight = work.weight();
    need.reference = work.reference_products();
    need.copies_us = static_cast<double>(work.source_bytes() + work.result_bytes()) / kBytesPerUs;
    need.fastest_us = std::numeric_limits<double>::infinity();
    const auto runs = run_times(work, who);
    need.candidates = runs.size();
    for (const double run_us : runs) {
        const auto one = need_of_run(run_us, need.copies_us, rules);
        need.preparing_us += one.preparing_us;
        need.rounds_us += one.rounds_us;
        need.fastest_us = std::min(need.fastest_us, one.preparing_us + one.rounds_us);
    }
    if (runs.empty()) need.fastest_us = 0; // rows that state why
    return need;
}

std::optional<TensorTurn> next_turn(std::span<const TensorNeed> waiting, double left_us,
                                    const ReferenceRate& rate) {
    std::vector<std::size_t> by_weight(waiting.size());
    std::iota(by_weight.begin(), by_weight.end(), 0);
    std::ranges::stable_sort(by_weight, {}, [&](std::size_t i) { return waiting[i].weight; });

    std::optional<std::size_t> first;
    double needed_us = 0, weight = 0;
    for (const auto i : by_weight) {
        const double us = waiting[i].whole_us(rate);
        if (needed_us + us > left_us) continue;
        needed_us += us, weight += waiting[i].weight;
        first = std::min(first.value_or(i), i);
    }
    if (first)
        return TensorTurn{*first, waiting[*first].whole_us(rate) +
                                      (left_us - needed_us) * waiting[*first].weight / weight};
    for (const auto i : by_weight)
        if (waiting[i].least_us(rate) <= left_us) return TensorTurn{i, left_us};
    return std::nullopt;
}

} // namespace kg::measure
