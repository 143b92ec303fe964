// Reports as JSON: written as documented, read back bit for bit; malformed files are rejected with a message.

#include "core/support/error.hpp"
#include "measure/report/formats.hpp"
#include "measure/report/row_text.hpp"
#include "tests/measure/support/sample_report.hpp"
#include "tests/support/documented_json.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/json_schema.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>

namespace kg::measure {
namespace {

using Json = nlohmann::json;
using Faults = std::vector<std::string>;

std::string schema() {
    std::ifstream file(KG_SOURCE_DIR "/docs/bench.schema.json");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Reports of every shape, with numbers that need all their digits.
std::vector<BenchReport> reports() {
    auto awkward = one_request();
    awkward.complete = false;
    awkward.seconds = 0.1 + 0.2;
    awkward.devices.push_back({"cuda", "H\"200", "\xE2\x82\xAC\n", "580.1", 0, 0, {}});
    auto& row = awkward.rows[0];
    row.times->run.median = 1.0 / 3;
    row.times->run.ci_low = std::nextafter(1.0 / 3, 0);
    row.times->run.drift = -1;
    row.times->upload.too_few = true;
    row.times->run.outliers = 3;
    row.throttled = "power";
    row.processor_us = 81.5;
    row.tolerance = 0.001;
    row.alone_us = 0.25;
    row.alone_ci_low_us = 0.2;
    row.alone_ci_high_us = 0.3;
    row.cold = false;
    row.checked = std::numeric_limits<std::int64_t>::max();
    awkward.rows[3].verdict = Verdict::wrong;
    awkward.rows[3].code = "wrong-samples";
    awkward.rows[3].max_error = std::numeric_limits<double>::infinity();
    awkward.rows[3].of_limit = 0;
    return {BenchReport{}, empty_report(), one_request(), sweep(), awkward};
}

TEST(ReportJson, ComesBackBitForBit) {
    for (const auto& report : reports()) {
        const auto text = to_json(report);
        EXPECT_EQ(to_json(from_json(text, "it")), text);
    }
    const auto awkward = reports().back();
    const auto back = from_json(to_json(awkward), "it");
    EXPECT_EQ(back.complete, false);
    EXPECT_EQ(back.seconds, awkward.seconds);
    EXPECT_EQ(back.host, awkward.host);
    EXPECT_EQ(back.absent, awkward.absent);
    ASSERT_EQ(back.devices.size(), 2u);
    EXPECT_EQ(back.devices[1].name, "H\"200");
    EXPECT_EQ(back.devices[1].description, awkward.devices[1].description);
    EXPECT_EQ(back.devices[0].limits.copy_gb_per_s, 18.5);
    EXPECT_EQ(back.devices[0].most_mhz, 3700);
    ASSERT_EQ(back.rows.size(), 4u);
    const auto &row = back.rows[0], &was = awkward.rows[0];
    EXPECT_EQ(row.name, was.name);
    ASSERT_TRUE(row.times);
    EXPECT_EQ(row.times->run.median, 1.0 / 3);
    EXPECT_EQ(row.times->run.ci_low, was.times->run.ci_low);
    EXPECT_EQ(row.times->run.drift, -1);
    EXPECT_EQ(row.times->run.samples, 36u);
    EXPECT_TRUE(row.times->upload.too_few);
    EXPECT_EQ(row.times->download.p95, was.times->download.p95);
    EXPECT_EQ(row.times->first.run_us, 900.25);
    EXPECT_EQ(row.times->runs_per_sample, 25);
    EXPECT_EQ(row.checked, was.checked);
    EXPECT_EQ(row.tie_with, was.tie_with);
    EXPECT_EQ(row.clock_mhz, 3100);
    EXPECT_EQ(row.processor_us, 81.5);
    EXPECT_EQ(row.tolerance, 0.001);
    EXPECT_EQ(row.alone_us, 0.25);
    EXPECT_EQ(row.alone_ci_low_us, 0.2);
    EXPECT_EQ(row.alone_ci_high_us, 0.3);
    EXPECT_EQ(back.rows[1].alone_us, 0);
    EXPECT_FALSE(row.cold);
    EXPECT_EQ(back.rows[3].verdict, Verdict::wrong);
    EXPECT_EQ(back.rows[3].code, "wrong-samples");
    EXPECT_EQ(row.code, "");
    EXPECT_EQ(back.rows[3].max_error, awkward.rows[3].max_error);
    EXPECT_EQ(back.rows[3].of_limit, 0);
    EXPECT_FALSE(back.rows[3].times);
}

TEST(ReportJson, OlderReportsAreReadWithoutTheNewerKeys) {
    auto json = Json::parse(to_json(reports().back()));
    for (auto& row : json["rows"])
        for (const auto* key : {"alone_us", "alone_ci_low_us", "alone_ci_high_us", "processor_us",
                                "tolerance", "formula_us", "code"})
            row.erase(key);
    EXPECT_EQ(testing::schema_faults(schema(), json.dump()), Faults{});
    const auto back = from_json(json.dump(), "it");
    EXPECT_EQ(back.rows[0].alone_us, 0);
    EXPECT_EQ(back.rows[0].times->run.median, 1.0 / 3);

    std::ifstream file(KG_SOURCE_DIR "/tests/measure/support/older_report.json"); // as a program wrote it
    ASSERT_TRUE(file);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_EQ(from_json(text, "it").rows.size(), 120u);
}

TEST(ReportJson, IsAsDocumented) {
    for (const auto& report : reports()) {
        EXPECT_EQ(testing::schema_faults(schema(), to_json(report)), Faults{});
        EXPECT_EQ(testing::undocumented(to_json(report), "kernelglass-bench/1"), Faults{});
    }
}

TEST(ReportJson, StatesWhetherALimitIsSteadyAndReadsReportsWithoutIt) {
    auto report = one_request();
    for (const bool steady : {true, false}) {
        report.devices[0].limits.multiply_adds_steady = steady;
        auto json = Json::parse(to_json(report));
        EXPECT_EQ(json["devices"][0]["limits"]["multiply_adds_steady"], steady);
        EXPECT_EQ(from_json(json.dump(), "it").devices[0].limits.multiply_adds_steady, steady);
        json["devices"][0]["limits"].erase("multiply_adds_steady");
        EXPECT_TRUE(from_json(json.dump(), "it").devices[0].limits.multiply_adds_steady);
        EXPECT_TRUE(testing::schema_faults(schema(), json.dump()).empty());
    }
    EXPECT_EQ(device_text(report.devices[0]).find("(not steady: it may do more)") != std::string::npos,
              !report.devices[0].limits.multiply_adds_steady);
}

TEST(ReportJson, TheSchemaRejectsWrongDocuments) {
    const auto good = Json::parse(to_json(one_request()));
    const auto faults_with = [&](const std::function<void(Json&)>& change) {
        auto json = good;
        change(json);
        return testing::schema_faults(schema(), json.dump()).size();
    };
    EXPECT_EQ(faults_with([](Json&) {}), 0u);
    EXPECT_GT(faults_with([](Json& json) { json["schema"] = "kernelglass-bench/2"; }), 0u);
    EXPECT_GT(faults_with([](Json& json) { json.erase("devices"); }), 0u);
    EXPECT_GT(faults_with([](Json& json) { json["rows"][0].erase("border"); }), 0u);
    EXPECT_GT(faults_with([](Json& json) { json["rows"][0]["median_us"] = "41"; }), 0u);
    EXPECT_GT(faults_with([](Json& json) { json["rows"][0]["p5_us"] = nullptr; }), 0u);
    EXPECT_GT(faults_with([](Json& json) { json["rows"][0]["verdict"] = "wrong"; }), 0u)
        << "wrong, but timed";
    EXPECT_GT(faults_with([](Json& json) { json["rows"][3]["p5_us"] = 3; }), 0u) << "a time without a median";
    EXPECT_GT(faults_with([](Json& json) { json["rows"][0]["channels"] = 0; }), 0u);
    EXPECT_GT(faults_with([](Json& json) { json["devices"][0]["limits"] = 3; }), 0u);
    EXPECT_GT(faults_with([](Json& json) { json["rows"][0]["depth"] = "u32"; }), 0u);
    EXPECT_GT(faults_with([](Json& json) { json["rows"][0]["border"] = "mirror"; }), 0u);
    EXPECT_GT(faults_with([](Json& json) { json["rows"][0]["samples"] = 0; }), 0u) << "a median of nothing";
    for (const auto* key : {"alone_us", "processor_us", "of_limit", "clock_mhz"})
        EXPECT_GT(faults_with([&](Json& json) { json["rows"][3][key] = 3; }), 0u)
            << key << " without a median";
}

std::string json_error_of(const std::string& text) {
    try {
        from_json(text, "old.json");
    } catch (const Error& e) {
        return e.what();
    }
    return "nothing";
}

std::string error_with(const std::function<void(Json&)>& change) {
    auto json = Json::parse(to_json(one_request()));
    change(json);
    return json_error_of(json.dump());
}

TEST(ReportJson, MessagesAboutHostileFilesNameThePlace) {
    EXPECT_EQ(json_error_of(to_json(one_request())), "nothing");
    EXPECT_TRUE(json_error_of("").starts_with("old.json: this is not valid JSON: ")) << json_error_of("");
    EXPECT_NE(json_error_of("{\n \"schema\": }").find("line 2, column 12"), std::string::npos)
        << json_error_of("{\n \"schema\": }");
    EXPECT_EQ(json_error_of("[1]"), "old.json: an object is expected here, not a list");
    EXPECT_EQ(json_error_of("{}"), "old.json: the entry \"schema\" is missing");
    EXPECT_TRUE(json_error_of(std::string(100000, '[')).starts_with("old.json: this is not valid JSON"));
    EXPECT_TRUE(json_error_of("{\"schema\": \"kernelglass-info/1\"}")
                    .starts_with("old.json: schema: this program reads "));
    EXPECT_EQ(error_with([](Json& json) { json.erase("host"); }), "old.json: the entry \"host\" is missing");
    EXPECT_EQ(error_with([](Json& json) { json["rows"] = 5; }),
              "old.json: rows: a list is expected here, not the number 5");
    EXPECT_EQ(error_with([](Json& json) { json["rows"][1] = nullptr; }),
              "old.json: rows[1]: an object is expected here, not null");
    EXPECT_EQ(error_with([](Json& json) { json["rows"][1].erase("depth"); }),
              "old.json: rows[1]: the entry \"depth\" is missing");
    EXPECT_EQ(error_with([](Json& json) { json["rows"][1]["depth"] = 8; }),
              "old.json: rows[1].depth: a text is expected here, not the number 8");
    EXPECT_EQ(error_with([](Json& json) { json["rows"][1]["median_us"] = "fast"; }),
              "old.json: rows[1].median_us: a number is expected here, not a text");
    EXPECT_EQ(error_with([](Json& json) { json["rows"][1]["p5_us"] = nullptr; }),
              "old.json: rows[1].p5_us: a number is expected here, not null");
    EXPECT_EQ(error_with([](Json& json) { json["rows"][1]["p5_us"] = -1; }),
              "old.json: rows[1].p5_us: a number that is not negative is expected here, not the number -1");
    EXPECT_EQ(
        error_with([](Json& json) { json["rows"][1]["channels"] = 5000000000; }),
        "old.json: rows[1].channels: a whole number from -2147483648 to 2147483647 is expected here, not the "
        "number 5000000000");
    EXPECT_EQ(error_with([](Json& json) { json["rows"][1]["channels"] = -4; }),
              "old.json: rows[1].channels: it is too small");
    EXPECT_EQ(error_with([](Json& json) { json["rows"][1]["cold"] = 1; }),
              "old.json: rows[1].cold: true or false is expected here, not the number 1");
    EXPECT_EQ(error_with([](Json& json) { json["rows"][1]["verdict"] = "fine"; }),
              "old.json: rows[1].verdict: it is right, wrong, refused, failed or stopped");
    EXPECT_EQ(error_with([](Json& json) { json["rows"][1]["verdict"] = "wrong"; }),
              "old.json: rows[1]: an algorithm that is wrong has no times");
    EXPECT_EQ(error_with([](Json& json) { json["rows"][1]["ci_low_us"] = 1e6; }),
              "old.json: rows[1]: the median is outside its interval");
    EXPECT_EQ(error_with([](Json& json) { json["rows"][1]["name"] = json["rows"][0]["name"]; }),
              "old.json: rows[1].name: another row has the same name");
    EXPECT_EQ(error_with([](Json& json) { json["devices"][0]["clocks"] = "fast"; }),
              "old.json: devices[0].clocks: an object is expected here, not a text");
    const auto text = to_json(one_request());
    const auto at = text.find("41.5");
    ASSERT_NE(at, std::string::npos);
    auto infinite = text;
    infinite.replace(at, 4, "1e999");
    EXPECT_NE(json_error_of(infinite).find("1e999"), std::string::npos) << json_error_of(infinite);
}

TEST(ReportJson, ErrorsOfReadingHaveCodes) {
    const auto code_with = [](const std::function<void(Json&)>& change) {
        auto json = Json::parse(to_json(one_request()));
        change(json);
        return testing::code_of([&] { from_json(json.dump(), "old.json"); });
    };
    EXPECT_EQ(code_with([](Json&) {}), "no error");
    EXPECT_EQ(code_with([](Json& json) { json.erase("host"); }), "missing-entry");
    EXPECT_EQ(code_with([](Json& json) { json["rows"] = 5; }), "wrong-type");
    EXPECT_EQ(code_with([](Json& json) { json["schema"] = "kernelglass-info/1"; }), "unknown-schema");
    EXPECT_EQ(code_with([](Json& json) { json["rows"][1]["channels"] = -4; }), "bad-value");
    EXPECT_EQ(code_with([](Json& json) { json["rows"][1]["verdict"] = "fine"; }), "bad-value");
    EXPECT_EQ(code_with([](Json& json) { json["rows"][1]["name"] = json["rows"][0]["name"]; }),
              "duplicate-name");
}

TEST(ReportJson, NoFileCutShortIsReadOrCrashes) {
    const auto text = to_json(one_request());
    for (std::size_t length = 0; length + 2 < text.size(); length += 7)
        EXPECT_EQ(testing::code_of([&] { from_json(text.substr(0, length), "old.json"); }), "bad-json")
            << length;
}

TEST(ReportJson, BytesThatAreNoTextAreReplaced) {
    auto report = empty_report();
    report.host = "a\xff";
    EXPECT_EQ(from_json(to_json(report), "it").host, "a\xEF\xBF\xBD");
}

} // namespace
} // namespace kg::measure
