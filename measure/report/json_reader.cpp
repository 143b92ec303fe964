#include "core/support/error.hpp"
#include "measure/report/fields.hpp"
#include "measure/report/formats.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace kg::measure {

namespace {

using Parsed = nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{1} << 28; // a hundred thousand rows

std::string kind_of(const Parsed& value) {
    switch (value.type()) {
    case Parsed::value_t::null: return "null";
    case Parsed::value_t::boolean: return "true or false";
    case Parsed::value_t::string: return "a text";
    case Parsed::value_t::array: return "a list";
    case Parsed::value_t::object: return "an object";
    case Parsed::value_t::number_integer:
    case Parsed::value_t::number_unsigned:
    case Parsed::value_t::number_float: return "the number " + value.dump();
    case Parsed::value_t::binary:
    case Parsed::value_t::discarded: break; // parsed text has none
    }
    return "something else";
}

/// A value and its place: "old.json: rows[3].median_us".
struct Place {
    const Parsed& value;
    std::string where;

    [[noreturn]] void fail(const Error& error) const { throw error.after(where + ": "); }
    [[noreturn]] void expected(const std::string& what) const {
        fail({"wrong-type", "{} is expected here, not {}", what, kind_of(value)});
    }
    bool has(const std::string& key) const { return value.is_object() && value.contains(key); }
    Place member(const std::string& key, const char* between = ".") const {
        if (!value.is_object()) expected("an object");
        const auto found = value.find(key);
        if (found == value.end()) fail({"missing-entry", "the entry \"{}\" is missing", key});
        return {*found, where + between + key};
    }
    std::vector<Place> items() const {
        if (!value.is_array()) expected("a list");
        std::vector<Place> all;
        for (std::size_t i = 0; i < value.size(); ++i)
            all.push_back({value[i], where + "[" + std::to_string(i) + "]"});
        return all;
    }
};

void read(const Place& from, std::string& to, NullMeans) {
    if (!from.value.is_string()) from.expected("a text");
    to = from.value.get<std::string>();
}

void read(const Place& from, bool& to, NullMeans) {
    if (!from.value.is_boolean()) from.expected("true or false");
    to = from.value.get<bool>();
}

void read(const Place& from, double& to, NullMeans null) {
    if (from.value.is_null() && zero_is_null(null)) to = 0;
    else if (from.value.is_null() && null == NullMeans::unbounded)
        to = std::numeric_limits<double>::infinity();
    else if (!from.value.is_number()) from.expected("a number");
    else if (from.value.get<double>() < 0) from.expected("a number that is not negative");
    else to = from.value.get<double>();
}

template <class Integer>
requires(std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>) void read(const Place& from,
                                                                                  Integer& to, NullMeans) {
    using Limits = std::numeric_limits<Integer>;
    if (!from.value.is_number_integer()) from.expected("a whole number");
    const bool fits = from.value.is_number_unsigned()
                          ? std::in_range<Integer>(from.value.get<std::uint64_t>())
                          : std::in_range<Integer>(from.value.get<std::int64_t>());
    if (!fits)
        from.expected("a whole number from " + std::to_string(Limits::min()) + " to " +
                      std::to_string(Limits::max()));
    to = from.value.get<Integer>();
}

void read(const Place& from, Verdict& to, NullMeans null) {
    std::string text;
    read(from, text, null);
    for (const auto verdict :
         {Verdict::right, Verdict::wrong, Verdict::refused, Verdict::failed, Verdict::stopped}) {
        to = verdict;
        if (text == name(verdict)) return;
    }
    from.fail({"bad-value", "it is right, wrong, refused, failed or stopped"});
}

void read(const Place& from, std::vector<std::string>& to, NullMeans null) {
    to.clear();
    for (const auto& item : from.items()) read(item, to.emplace_back(), null);
}

struct FieldReader {
    const Place& row;

    template <class Parsed>
    void operator()(const std::string& key, Parsed& value, NullMeans null) {
        if (null == NullMeans::newer && row.value.is_object() && !row.value.contains(key)) return;
        const auto place = row.member(key);
        read(place, value, null);
        if constexpr (std::is_integral_v<Parsed> && !std::is_same_v<Parsed, bool>)
            if (std::cmp_less(value, key.ends_with("drift") ? -1 : 0))
                place.fail({"bad-value", "it is too small"});
    }
    void times(std::optional<Times>& times) {
        times.reset();
        if (row.member("median_us").value.is_null()) return;
        each_field_of_times(times.emplace(), *this);
        const auto& run = times->run;
        if (run.ci_low > run.median || run.median > run.ci_high)
            row.fail({"bad-value", "the median is outside its interval"});
    }
};

ReportRow row_from(const Place& place) {
    ReportRow row;
    FieldReader reader{place};
    each_field(row, reader);
    if (row.times && row.verdict != Verdict::right)
        place.fail({"bad-value", "an algorithm that is {} has no times", name(row.verdict)});
    return row;
}

ReportDevice device_from(const Place& place) {
    ReportDevice device;
    read(place.member("engine"), device.engine, NullMeans::never);
    read(place.member("name"), device.name, NullMeans::never);
    read(place.member("description"), device.description, NullMeans::never);
    read(place.member("driver"), device.driver, NullMeans::never);
    const auto clocks = place.member("clocks"), limits = place.member("limits");
    read(clocks.member("now_mhz"), device.clock_mhz, NullMeans::unknown);
    read(clocks.member("most_mhz"), device.most_mhz, NullMeans::unknown);
    read(limits.member("copy_gb_per_s"), device.limits.copy_gb_per_s, NullMeans::unknown);
    read(limits.member("multiply_adds_g_per_s"), device.limits.multiply_adds_g_per_s, NullMeans::unknown);
    if (limits.has("multiply_adds_steady")) // older reports lack it
        read(limits.member("multiply_adds_steady"), device.limits.multiply_adds_steady, NullMeans::never);
    return device;
}

Parsed parsed(std::string_view text, const std::string& name) {
    if (text.size() > kMostBytes)
        throw Error("file-too-large", "{}: it is larger than {} MB, too large for a benchmark's report", name,
                    kMostBytes >> 20);
    try {
        return Parsed::parse(text);
    } catch (const Parsed::exception& e) {
        // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
        const std::string message = e.what();
        const auto bracket = message.find("] ");
        throw Error("bad-json", "{}: this is not valid JSON: {}", name,
                    message.substr(bracket == std::string::npos ? 0 : bracket + 2, 200));
    }
}

} // namespace

BenchReport from_json(std::string_view text, const std::string& name) {
    const auto json = parsed(text, name);
    const Place root{json, name};
    const auto at = [&](const char* key) { return root.member(key, ": "); };

    std::string schema;
    read(at("schema"), schema, NullMeans::never);
    const auto known = "kernelglass-bench/" + std::to_string(BenchReport::kSchema);
    if (schema != known)
        at("schema").fail(
            {"unknown-schema", "this program reads {}, and this file is of another kind", known});

    BenchReport report;
    read(at("version"), report.version, NullMeans::never);
    read(at("date"), report.date, NullMeans::never);
    read(at("host"), report.host, NullMeans::never);
    read(at("title"), report.title, NullMeans::never);
    read(at("complete"), report.complete, NullMeans::never);
    read(at("seconds"), report.seconds, NullMeans::never);
    for (const auto& device : at("devices").items()) report.devices.push_back(device_from(device));
    read(at("absent"), report.absent, NullMeans::never);
    std::set<std::string> names;
    for (const auto& place : at("rows").items()) {
        report.rows.push_back(row_from(place));
        if (!names.insert(report.rows.back().name).second)
            place.member("name").fail({"duplicate-name", "another row has the same name"});
    }
    return report;
}

} // namespace kg::measure
