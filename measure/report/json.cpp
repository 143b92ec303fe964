#include "measure/report/json_document.hpp"

#include "measure/report/fields.hpp"
#include "measure/report/formats.hpp"

#include <cmath>

namespace kg::measure {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(double value, NullMeans null) {
    if (!std::isfinite(value) || (zero_is_null(null) && value == 0)) return nullptr;
    return value;
}
Json json_of(Verdict verdict, NullMeans) { return name(verdict); }
template <class Value>
Json json_of(const Value& value, NullMeans) {
    return value;
}

struct FieldWriter {
    Json& object;
    bool nothing = false; ///< write null, whatever the value

    template <class Value>
    void operator()(const std::string& key, const Value& value, NullMeans null) {
        object[key] = nothing ? Json(nullptr) : json_of(value, null);
    }
    void times(const std::optional<Times>& times) {
        nothing = !times;
        each_field_of_times(times ? *times : Times{}, *this);
        nothing = false;
    }
};

Json json_of(const ReportRow& row) {
    Json object = Json::object();
    FieldWriter writer{object};
    each_field(row, writer);
    return object;
}

Json json_of(const ReportDevice& device) {
    return {{"engine", device.engine},
            {"name", device.name},
            {"description", device.description},
            {"driver", device.driver},
            {"clocks",
             {{"now_mhz", json_of(device.clock_mhz, NullMeans::unknown)},
              {"most_mhz", json_of(device.most_mhz, NullMeans::unknown)}}},
            {"limits",
             {{"copy_gb_per_s", json_of(device.limits.copy_gb_per_s, NullMeans::unknown)},
              {"multiply_adds_g_per_s", json_of(device.limits.multiply_adds_g_per_s, NullMeans::unknown)},
              {"multiply_adds_steady", device.limits.multiply_adds_steady}}}};
}

std::string text_of(const Json& value) {
    const auto one_line = [](const Json& item) {
        return item.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    if (!value.is_array()) return one_line(value);
    std::string text = "[";
    for (const auto& item : value) text += (&item == &value.front() ? "\n  " : ",\n  ") + one_line(item);
    return text + (value.empty() ? "]" : "\n ]");
}

} // namespace

Json json_document(const BenchReport& report) {
    auto devices = Json::array(), rows = Json::array();
    for (const auto& device : report.devices) devices.push_back(json_of(device));
    for (const auto& row : report.rows) rows.push_back(json_of(row));
    return {{"schema", "kernelglass-bench/" + std::to_string(BenchReport::kSchema)},
            {"version", report.version},
            {"date", report.date},
            {"host", report.host},
            {"title", report.title},
            {"complete", report.complete},
            {"seconds", report.seconds},
            {"devices", devices},
            {"absent", report.absent},
            {"rows", rows}};
}

std::string json_lines(const Json& object) {
    std::string text = "{";
    for (const auto& [key, value] : object.items())
        text += (text.size() == 1 ? "\n \"" : ",\n \"") + key + "\": " + text_of(value);
    return text + "\n}\n";
}

std::string to_json(const BenchReport& report) { return json_lines(json_document(report)); }

} // namespace kg::measure
