#include "measure/report/report.hpp"

#include <algorithm>

namespace kg::measure {

namespace {

std::vector<std::string> components_of(const std::string& name) {
    std::vector<std::string> components(1);
    for (const char c : name) {
        if (c == '/') components.emplace_back();
        else components.back() += c;
    }
    return components;
}

} // namespace

bool is_partly_warm(const ReportRow& row) { return row.name.ends_with(kPartlyWarm); }

void relate_to_limits(ReportRow& row) {
    if (row.times) row.of_limit = std::max(row.copy_us, row.arithmetic_us) / row.times->run.median;
}

std::string request_name(const ReportRow& row) {
    auto components = components_of(row.name);
    if (components.size() < 3) return row.name;
    if (const auto engine = std::find(components.rbegin(), components.rend() - 2, row.engine);
        engine != components.rend() - 2)
        components.erase(std::next(engine).base());
    components.erase(components.begin() + 1);
    std::string joined;
    for (const auto& component : components) joined += (joined.empty() ? "" : "/") + component;
    return joined;
}

std::string algorithm_name(const ReportRow& row) {
    const auto components = components_of(row.name);
    return components.size() < 2 ? row.algorithm : components[1];
}

void mark_ties(std::span<ReportRow> rows) {
    for (auto& row : rows)
        for (const auto& other : rows)
            if (&row != &other && row.times && other.times && row.engine == other.engine &&
                overlap(row.times->run, other.times->run)) // as in every format, also with few samples
                row.tie_with.push_back(algorithm_name(other));
}

const ReportDevice* device_of(const BenchReport& report, const std::string& engine) {
    const auto found = std::ranges::find(report.devices, engine, &ReportDevice::engine);
    return found == report.devices.end() ? nullptr : &*found;
}

} // namespace kg::measure
