// Reports as CSV and Markdown: the same rows as JSON, for any text.

#include "measure/report/formats.hpp"
#include "tests/measure/support/sample_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <sstream>

namespace kg::measure {
namespace {

using Cells = std::vector<std::string>;

/// Parses according to RFC 4180; a violation fails the test.
std::vector<Cells> parsed(const std::string& csv) {
    std::vector<Cells> lines(1, Cells(1));
    bool quoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        auto& cell = lines.back().back();
        const char c = csv[i];
        if (quoted && c == '"' && i + 1 < csv.size() && csv[i + 1] == '"') cell += csv[++i];
        else if (c == '"') quoted = !quoted;
        else if (quoted) cell += c;
        else if (c == ',') lines.back().emplace_back();
        else if (c == '\r') {
            EXPECT_EQ(csv.at(++i), '\n');
            lines.emplace_back(1);
        } else {
            EXPECT_NE(c, '\n') << "a line feed alone";
            cell += c;
        }
    }
    EXPECT_FALSE(quoted);
    EXPECT_EQ(lines.back(), Cells(1)) << "the last line is not ended";
    lines.pop_back();
    return lines;
}

BenchReport awkward() {
    auto report = sweep();
    report.rows[0].reason = "a, \"b\"\r\nand | <c> & *d*";
    report.rows[0].tie_with = {"x", "y"};
    report.rows[0].differing = 3;
    report.rows[0].max_error = 0.25;
    report.rows[1].max_error = std::numeric_limits<double>::infinity();
    report.rows[4].reason = "<script>alert(1)</script> | _x_\n# no heading";
    report.rows[6].times->run.median = 1.0 / 3;
    report.rows[6].times->run.ci_low = 0.25;
    return report;
}

TEST(ReportCsv, HoldsWhatTheJsonHolds) {
    for (const auto& report : {BenchReport{}, empty_report(), one_request(), awkward()}) {
        const auto lines = parsed(to_csv(report));
        const auto rows = nlohmann::ordered_json::parse(to_json(report)).at("rows");
        ASSERT_EQ(lines.size(), rows.size() + 1);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ASSERT_EQ(lines[i + 1].size(), lines[0].size());
            std::size_t column = 0;
            for (const auto& [key, value] : rows[i].items()) {
                ASSERT_EQ(lines[0].at(column), key);
                const auto& cell = lines[i + 1][column++];
                if (value.is_number()) {
                    EXPECT_EQ(std::stod(cell), value.get<double>()) << key;
                } else if (!value.is_array()) {
                    EXPECT_EQ(cell, value.is_null()     ? ""
                                    : value.is_string() ? value.get<std::string>()
                                                        : value.dump())
                        << key;
                }
            }
            EXPECT_EQ(column, lines[0].size());
        }
    }
    const auto lines = parsed(to_csv(awkward()));
    const auto tie = std::ranges::find(lines[0], "tie_with") - lines[0].begin();
    EXPECT_EQ(lines[1].at(static_cast<std::size_t>(tie)), "x;y");
}

TEST(ReportMarkdown, PutsTheVerdictThenTheMachineThenTheTables) {
    const auto text = to_markdown(one_request());
    EXPECT_TRUE(text.starts_with(
        "# tiled is fastest: 41.0 us (40.6-41.4); tie with naive; 0 of 8.3 M values differ\n\n"
        "- cpu: AMD EPYC, 2 threads, AVX3, 3100 MHz at the end, at most 3700 MHz, a copy "
        "moves 19 GB/s, 96 G multiply-adds/s\n"))
        << text;
    EXPECT_NE(text.find("## image/u8x4/1920x1080/k3x3/reflect101/dense\n\n"
                        "| algorithm | median | 95 % interval | of limit | right? | remarks |\n"
                        "|---|---:|---|---:|---|---|\n"
                        "| tiled | 41.0 us | (40.6-41.4) | 49 % | 0 of 8.3 M values differ |  |\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("| opencv:filter2D (peer) | 80.0 us |"), std::string::npos);
    EXPECT_NE(text.find("| box |  |  |  | refused | the weights are not all equal |\n"), std::string::npos);
}

TEST(ReportMarkdown, HasAColumnForTimesWithoutConversionsWhereThereAreSome) {
    auto report = one_request();
    report.rows[2].alone_us = 60;
    const auto text = to_markdown(report);
    for (const char* line :
         {"| algorithm | median | 95 % interval | without conversions | of limit | right? | remarks |\n"
          "|---|---:|---|---:|---:|---|---|\n"
          "| tiled | 41.0 us | (40.6-41.4) |  | 49 % |",
          "| opencv:filter2D (peer) | 80.0 us | (79.2-80.8) | 60.0 us | 25 % |",
          "| box |  |  |  |  | refused | the weights are not all equal |\n"})
        EXPECT_NE(text.find(line), std::string::npos) << text;
}

TEST(ReportMarkdown, SumsUpByKernelSizeAndNamesWhereAPeerIsAhead) {
    const auto text = to_markdown(sweep());
    EXPECT_NE(text.find("| 3 x 3 | naive | 45.0 us | (44.5-45.5) | 1.80x before opencv:filter2D |\n"),
              std::string::npos)
        << text;
    EXPECT_NE(
        text.find(
            "| image/u8x4/1920x1080/k31x31/reflect101/dense | opencv:filter2D | 300 us (297-303) | separable "
            "| 370 us (366-374) | 1.23x |\n"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("| fft |  |  |  | **wrong** | at 3,4 red is 12 instead of 13 |\n"),
              std::string::npos);
}

TEST(ReportMarkdown, NoTextBreaksATable) {
    const auto text = to_markdown(awkward());
    EXPECT_NE(text.find("\\<script\\>alert(1)\\</script\\> \\| \\_x\\_ \\# no heading"), std::string::npos)
        << text;
    EXPECT_NE(text.find("3 of 8.3 M values differ, by up to 0.25 (bound 0.5)"), std::string::npos);
    std::istringstream lines(text);
    std::size_t columns = 0;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with('|')) {
            columns = 0;
            continue;
        }
        std::size_t bars = 0;
        for (std::size_t i = 0; i < line.size(); ++i)
            bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
        if (columns == 0) columns = bars;
        EXPECT_EQ(bars, columns) << line;
    }
}

TEST(ReportMarkdown, OfReportsWithoutRows) {
    EXPECT_EQ(to_markdown(BenchReport{}), "# Nothing was measured\n");
    EXPECT_TRUE(to_markdown(empty_report()).starts_with("# Nothing was measured\n\n- cpu: AMD EPYC"));
}

} // namespace
} // namespace kg::measure
