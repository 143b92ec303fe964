// The report of a presentation benchmark, from made-up figures.

#include "app/bench/display_report.hpp"
#include "tests/support/documented_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <vector>

namespace kg {
namespace {

DisplayRow drag(int size, double milliseconds, const std::string& algorithm = "interop") {
    DisplayRow row{DisplayRow::What::drag, algorithm, {4096, 4096}, {Depth::u8, 4}, {size, size}, "unpaced"};
    const std::vector<double> samples(20, milliseconds * 1000);
    row.figures = {{"pixels", measure::summarize(samples)}};
    row.within_frame = milliseconds * 1000 <= kFrameMicroseconds ? 1 : 0;
    return row;
}

std::string verdict(const DisplayReport& report) {
    const auto words = to_text(report);
    return words.substr(0, words.find('\n'));
}

TEST(DisplayReport, TheVerdictNamesTheLargestKernelThatKeepsUpAndTheSmallestThatDoesNot) {
    DisplayReport report;
    report.rows = {drag(3, 2), drag(31, 5), drag(63, 20), drag(127, 90)};
    EXPECT_EQ(verdict(report),
              "A slider is followed at 60 frames a second by 4096x4096 at 31x31 (p95 5.00 ms); not "
              "by 4096x4096 at 63x63 (p95 20.0 ms).");
    report.rows.resize(2);
    EXPECT_EQ(verdict(report),
              "A slider is followed at 60 frames a second by 4096x4096 at 31x31 (p95 5.00 ms).");
    report.rows = {drag(3, 30)};
    EXPECT_EQ(verdict(report),
              "A slider is not followed at 60 frames a second even by 4096x4096 at 3x3 (p95 30.0 ms).");
}

TEST(DisplayReport, TheVerdictIsAboutTheWindowsPresentationPath) {
    DisplayReport report;
    report.rows = {drag(3, 2, "interop"), drag(127, 3, "host upload")};
    EXPECT_NE(verdict(report).find("at 3x3"), std::string::npos) << verdict(report);
    report.no_interop = "OpenGL is drawn by another GPU";
    EXPECT_NE(verdict(report).find("at 127x127"), std::string::npos) << verdict(report);
    EXPECT_NE(to_text(report).find(report.no_interop), std::string::npos);
}

TEST(DisplayReport, RowsWithoutFiguresHaveAReason) {
    DisplayReport report;
    report.rows = {drag(3, 2)};
    report.rows.front().figures.clear();
    report.rows.front().reason = "wrong pixels";
    EXPECT_NE(verdict(report).find("No verdict on"), std::string::npos);
    EXPECT_NE(to_text(report).find("drag/interop/4096x4096/u8x4/k3x3/unpaced: wrong pixels\n"),
              std::string::npos)
        << to_text(report);
}

TEST(DisplayReport, TheDocumentIsAsDocumented) {
    DisplayReport report;
    report.rows = {drag(3, 2), drag(7, 3)};
    report.rows.push_back(
        {DisplayRow::What::presentation, "host upload", {3, 2}, {Depth::f32, 4, 3}, {0, 0}, "idle"});
    report.rows.back().reason = "there is not enough memory for it";
    EXPECT_EQ(testing::undocumented(to_json(report), "kernelglass-display/4"), std::vector<std::string>{});
    const auto json = nlohmann::json::parse(to_json(report));
    EXPECT_EQ(json.at("rows").at(0).at("name"), "drag/interop/4096x4096/u8x4/k3x3/unpaced");
    EXPECT_EQ(json.at("rows").at(0).at("figures").at(0).at("median_us"), 2000);
    EXPECT_EQ(json.at("rows").at(0).at("within_frame"), 1);
    EXPECT_EQ(json.at("rows").at(2).at("name"), "presentation/host/3x2/f32x4a/idle");
    EXPECT_TRUE(json.at("rows").at(2).at("within_frame").is_null());
}

} // namespace
} // namespace kg
