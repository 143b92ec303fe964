#include "measure/report/diff/diff.hpp"

#include <nlohmann/json.hpp>

namespace kg::measure {

namespace {

using Json = nlohmann::ordered_json;

Json times_of(const std::optional<Summary>& summary) {
    if (!summary) return nullptr;
    return {{"median_us", summary->median}, {"ci_low_us", summary->ci_low}, {"ci_high_us", summary->ci_high}};
}

} // namespace

std::string to_json(const Diff& diff) {
    Json counts = Json::object(), rows = Json::array();
    for (const auto change :
         {Change::faster, Change::slower, Change::tie, Change::became_wrong, Change::became_refused,
          Change::became_right, Change::no_time, Change::only_old, Change::only_now})
        counts[std::string(name(change))] = diff.count(change);
    for (const auto& row : diff.rows)
        rows.push_back({{"name", row.name},
                        {"change", name(row.change)},
                        {"regression", row.regression},
                        {"ratio", row.ratio > 0 ? Json(row.ratio) : Json(nullptr)},
                        {"old", times_of(row.old)},
                        {"now", times_of(row.now)},
                        {"reason", row.reason}});
    const Json json{{"schema", "kernelglass-bench-diff/1"},
                    {"bound", diff.bound},
                    {"noise_floor", kNoiseFloor},
                    {"same_machine", diff.same_machine},
                    {"notes", diff.notes},
                    {"regressions", diff.regressions()},
                    {"counts", counts},
                    {"rows", rows}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace kg::measure
