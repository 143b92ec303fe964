#include "measure/report/with_transfers.hpp"

#include "measure/report/row_text.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace kg::measure {

Summary with_transfers(const Times& times) {
    auto sum = times.run;
    for (const auto* move : {&times.upload, &times.download}) {
        sum.median += move->median;
        sum.p5 += move->p5;
        sum.p95 += move->p95;
        sum.ci_low += move->ci_low;
        sum.ci_high += move->ci_high;
        sum.samples = std::min(sum.samples, move->samples);
        sum.too_few = sum.too_few || move->too_few;
    }
    return sum;
}

std::string transfers_verdict(const Standing& standing) {
    std::vector<std::pair<Summary, const ReportRow*>> all;
    for (const auto* row : standing.timed) all.emplace_back(with_transfers(*row->times), row);
    if (all.empty()) return {};
    std::ranges::stable_sort(all, {}, [](const auto& one) { return one.first.median; });
    const auto& best = all.front();
    auto text = "With transfers " + standing.label(*best.second) +
                " is fastest: " + time_text(best.first).text();
    std::vector<std::string> tied;
    for (const auto& one : all)
        if (one.second != best.second && overlap(one.first, best.first))
            tied.push_back(standing.label(*one.second));
    if (!tied.empty()) text += "; tie with " + joined(tied);
    return text;
}

} // namespace kg::measure
