#include "measure/report/report.hpp"

#include <algorithm>

namespace kg::measure {

namespace {

std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> parts(1);
    for (const char c : name) {
        if (c == '/') parts.emplace_back();
        else parts.back() += c;
    }
    return parts;
}

} // namespace

std::string request_name(const ReportRow& row) {
    auto parts = parts_of(row.name);
    if (parts.size() < 3) return row.name;
    if (const auto engine = std::find(parts.rbegin(), parts.rend() - 2, row.engine);
        engine != parts.rend() - 2)
        parts.erase(std::next(engine).base());
    parts.erase(parts.begin() + 1);
    std::string joined;
    for (const auto& part : parts) joined += (joined.empty() ? "" : "/") + part;
    return joined;
}

std::string way_name(const ReportRow& row) {
    const auto parts = parts_of(row.name);
    return parts.size() < 2 ? row.algorithm : parts[1];
}

} // namespace kg::measure
