#include "measure/report/crossover.hpp"

#include "measure/report/row_text.hpp"

#include <algorithm>
#include <limits>

namespace kg::measure {

namespace {

/// The series of the row's algorithm, begun where it is new.
CrossoverSeries& series_of(Crossover& data, const Standing& request, const ReportRow& row,
                           std::map<std::string, std::size_t>& place, std::size_t& peers) {
    const auto [found, is_new] = place.emplace(algorithm_name(row) + "/" + row.engine, data.series.size());
    if (!is_new) return data.series[found->second];
    auto& added = data.series.emplace_back();
    added.label = request.label(row);
    added.peer = !row.peer.empty();
    added.engine = row.engine;
    if (added.peer) added.shape = peers++;
    return added;
}

} // namespace

Crossover crossover(const Family& family) {
    Crossover data;
    std::map<std::string, std::size_t> place;
    std::size_t peers = 0;
    data.low = std::numeric_limits<double>::infinity();
    for (std::size_t at = 0; at < family.requests.size(); ++at) {
        const auto& request = *family.requests[at];
        for (const auto* row : request.untimed)
            if (row->verdict == Verdict::wrong && family.size(*row) > 0)
                data.wrong[family.size(*row)].push_back(row);
        for (const auto* row : request.timed) {
            const auto& run = row->times->run;
            const auto size = family.size(*row);
            if (run.ci_low <= 0 || size < 1) continue;
            auto& series = series_of(data, request, *row, place, peers);
            if (series.runs.empty() || series.last_request + 1 < at) series.runs.emplace_back();
            series.last_request = at;
            series.wins = series.wins || row == request.timed.front();
            series.runs.back().push_back({size, row});
            data.sizes.insert(size);
            data.engines.insert(row->engine);
            data.low = std::min(data.low, run.ci_low);
            data.high = std::max(data.high, run.ci_high);
            if (row->copy_us <= 0) continue;
            data.copies[row->engine][size] = row->copy_us;
            data.low = std::min(data.low, row->copy_us);
            data.high = std::max(data.high, row->copy_us);
        }
    }
    data.timed_sizes = data.sizes.size();
    for (const auto& [size, rows] : data.wrong) data.sizes.insert(size);
    return data;
}

std::string crossover_text(const Family& family) {
    struct Lead {
        std::string label;
        int first, last;
    };
    std::vector<Lead> all;
    for (const auto* request : family.requests) {
        if (request->timed.empty()) continue;
        const auto& best = *request->timed.front();
        const auto size = family.size(best);
        if (all.empty() || all.back().label != request->label(best))
            all.push_back({request->label(best), size, size});
        all.back().last = size;
    }
    std::vector<std::string> clauses;
    for (const auto& one : all)
        clauses.push_back(one.label + (one.first == one.last ? " at " + std::to_string(one.first)
                                                             : " from " + std::to_string(one.first) + " to " +
                                                                   std::to_string(one.last)));
    return joined(clauses, ", ");
}

} // namespace kg::measure
