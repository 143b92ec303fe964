// The report on a terminal: its content, and that it fits any width.

#include "measure/report/formats.hpp"
#include "tests/measure/support/sample_report.hpp"
#include "tests/support/contains.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace kg::measure {
namespace {

using testing::contains;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string line_with(const std::string& text, const std::string& needle) {
    for (const auto& line : lines_of(text))
        if (contains(line, needle)) return line;
    return {};
}

int width_without_colours(const std::string& line) {
    std::string plain;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\033') i = line.find('m', i);
        else plain += line[i];
    }
    return width_of(plain);
}

BenchReport hostile() {
    auto report = sweep();
    report.host = "\033[2J";
    report.devices[0].name = std::string(300, 'x') + "\033[31m";
    for (auto& row : report.rows) {
        row.name.replace(6, row.name.find('/', 6) - 6, algorithm_name(row) + std::string(60, 'w'));
        row.reason = "\x1b[2J\t\r\nevil \xC2\x9B" + std::string(500, 'r');
        row.throttled = "power and " + std::string(300, 't');
    }
    report.rows.push_back(untimed_row("late", 99, Verdict::failed, "first\nsecond"));
    return report;
}

TEST(ReportTerminal, PutsTheVerdictFirst) {
    const auto text = to_terminal(one_request(), {100});
    EXPECT_TRUE(text.starts_with(
        "tiled is fastest: 41.0 us (40.6-41.4); tie with naive; 0 of 8.3 M values differ\n"));
    EXPECT_TRUE(contains(text,
                         "cpu: AMD EPYC, 2 threads, AVX3, 3100 MHz at the end, at most 3700 MHz, a copy "
                         "moves 19 GB/s, 96 G\nmultiply-adds/s"));
    EXPECT_TRUE(contains(text, "absent: npp: libnppif.so was not found"));
}

TEST(ReportTerminal, AlgorithmsAreOrderedFromTheFastestToTheSlowest) {
    const auto text = to_terminal(one_request(), {100});
    const auto tiled = text.find("\n  tiled"), naive = text.find("\n  naive"),
               peer = text.find("\n  opencv:filter2D"), box = text.find("\n  box");
    EXPECT_LT(tiled, naive);
    EXPECT_LT(naive, peer);
    EXPECT_LT(peer, box);
    EXPECT_NE(box, std::string::npos);
    EXPECT_TRUE(contains(line_with(text, "  box"), "refused the weights are not all equal"));
    EXPECT_TRUE(contains(line_with(text, "  naive "), "48 %  tie"));
    EXPECT_TRUE(contains(line_with(text, "  tiled "), "49 %"));
}

TEST(ReportTerminal, BarsGrowWithTime) {
    const auto text = to_terminal(one_request(), {100, false, false});
    const auto marks = [&](const char* algorithm, char mark) {
        const auto line = line_with(text, std::string("  ") + algorithm + " ");
        return std::ranges::count(line, mark) - (mark == '-' ? 1 : 0); // one is part of the interval
    };
    EXPECT_GT(marks("tiled", '#'), 5);
    EXPECT_NEAR(static_cast<double>(marks("tiled", '#')) / static_cast<double>(marks("opencv:filter2D", '-')),
                0.51, 0.06);
    EXPECT_EQ(marks("opencv:filter2D", '#'), 0) << "peers are hatched";
}

TEST(ReportTerminal, LargeSpreadsAreLogarithmicAndLabelled) {
    auto report = one_request();
    EXPECT_FALSE(contains(to_terminal(report, {80}), "bars: log"));
    report.rows[2] = timed_row("opencv:filter2D", 3, 41e3, "opencv");
    const auto text = to_terminal(report, {80, false, false});
    EXPECT_TRUE(contains(text, "bars: log"));
    EXPECT_TRUE(contains(line_with(text, "  tiled "), "#"));
}

TEST(ReportTerminal, WrongAlgorithmsHaveAReasonAndNoTime) {
    const auto text = to_terminal(sweep(), {80});
    const auto line = line_with(text, "WRONG");
    EXPECT_TRUE(contains(line, "fft")) << text;
    EXPECT_TRUE(contains(line, "at 3,4 red is 12 instead of 13"));
    EXPECT_FALSE(contains(line, " us"));
}

TEST(ReportTerminal, SumsUpByKernelSizeAndNamesWhereAPeerIsAhead) {
    const auto text = to_terminal(sweep(), {120});
    EXPECT_TRUE(contains(text, "Fastest by kernel size: image/u8x4/1920x1080/reflect101/dense"));
    const auto after = text.substr(text.find("Fastest by"));
    EXPECT_TRUE(contains(line_with(after, "  3x3 "), "naive"));
    EXPECT_TRUE(contains(line_with(after, "  31x31 "), "opencv:filter2D"));
    EXPECT_TRUE(contains(line_with(after, "  31x31 "), "1.23x before separable"));
    EXPECT_TRUE(contains(
        text,
        "Another library is ahead of ours on 1 of 7 requests:\n  opencv:filter2D 300 us (297-303), ours "
        "separable 370 us (366-374), 1.23 times as long\n"
        "    image/u8x4/1920x1080/k31x31/reflect101/dense\n"))
        << text;
    EXPECT_TRUE(contains(text, "box: the weights are not all equal (7 times)"));
    EXPECT_TRUE(
        contains(to_terminal(one_request(), {80}), "No other library is ahead of ours on 1 request."));
}

TEST(ReportTerminal, NamesRequestsWhereAutoChoosesASlowerAlgorithm) {
    auto report = sweep();
    EXPECT_FALSE(contains(to_terminal(report, {100}), "Auto takes"));
    report.rows[1].chosen = true;
    const auto text = to_terminal(report, {100});
    EXPECT_TRUE(contains(line_with(text, "90.0 us (89.1-90.9)"), "auto takes it"));
    EXPECT_TRUE(contains(text,
                         "Auto chooses a slower algorithm of ours on 1 of 7 requests:\n  separable 90.0 us "
                         "(89.1-90.9), naive 45.0 us "
                         "(44.5-45.5), 2.00 times as long\n"))
        << text;
}

TEST(ReportTerminal, RemarksGoBelowWhereTheyDoNotFit) {
    auto report = one_request();
    report.rows[1].times->run.drift = 1;
    report.rows[1].throttled = "the power limit was reached";
    const auto text = to_terminal(report, {80});
    EXPECT_TRUE(contains(text, "\n    became slower, throttled: the power limit was reached\n")) << text;
}

TEST(ReportTerminal, ANarrowTerminalKeepsNamesAndLeads) {
    const auto text = to_terminal(sweep(), {60});
    EXPECT_FALSE(contains(text, "\u2026")) << text;
    const auto after = text.substr(text.find("Fastest by"));
    EXPECT_TRUE(contains(line_with(after, "  31x31 "), "opencv:filter2D ")) << after;
    EXPECT_TRUE(contains(after, "\n           1.23x before separable\n")) << after;
}

TEST(ReportTerminal, AlgorithmsWithoutATimeHaveTheirWholeNames) {
    auto report = empty_report();
    report.rows = {timed_row("box", 3, 40), untimed_row("opencv:sepFilter2D", 3, Verdict::refused, "no"),
                   untimed_row("recursive", 3, Verdict::right, "stopped")};
    const auto text = to_terminal(report, {80});
    EXPECT_TRUE(contains(text, "\n  opencv:sepFilter2D  refused no\n")) << text;
    EXPECT_TRUE(contains(text, "\n  recursive           no time stopped\n")) << text;
}

TEST(ReportTerminal, WhatWasStoppedIsNotCalledRefused) {
    auto report = sweep();
    report.rows.push_back(untimed_row("late", 3, Verdict::stopped, "no time"));
    report.rows.push_back(untimed_row("naive", 99, Verdict::stopped, "no time"));
    report.rows.push_back(untimed_row("separable", 99, Verdict::stopped, "no time"));
    const auto text = to_terminal(report, {80});
    EXPECT_TRUE(contains(text, "\n  stopped: late\n")) << text;
    EXPECT_FALSE(contains(text, "late: no time")) << text;
    EXPECT_TRUE(contains(text, "\nStopped: no time\n  image/u8x4/1920x1080/k99x99/reflect101/dense\n"))
        << text;
    EXPECT_FALSE(contains(text, "  99x99")) << "it has no line for its kernel size: " << text;
}

TEST(ReportTerminal, FitsEveryWidthInEveryStyle) {
    for (const auto& report : {BenchReport{}, empty_report(), one_request(), sweep(), hostile()})
        for (const int columns : {10, 60, 80, 81, 120, 200, 1000})
            for (const bool colour : {false, true})
                for (const bool unicode : {false, true})
                    for (const auto& line : lines_of(to_terminal(report, {columns, colour, unicode})))
                        EXPECT_LE(width_without_colours(line), std::clamp(columns, 60, 200)) << line;
}

TEST(ReportTerminal, NothingInAReportReachesTheTerminalAsAControl) {
    for (const bool unicode : {false, true}) {
        const auto text = to_terminal(hostile(), {80, false, unicode});
        EXPECT_FALSE(contains(text, "\033"));
        EXPECT_FALSE(contains(text, "\r"));
        EXPECT_FALSE(contains(text, "\t"));
        EXPECT_FALSE(contains(text, "\xC2\x9B"));
        EXPECT_TRUE(unicode || std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; }));
    }
    EXPECT_TRUE(contains(to_terminal(one_request(), {80, true}), "\033[32m"));
    EXPECT_FALSE(contains(to_terminal(one_request(), {80, false}), "\033"));
}

TEST(ReportTerminal, ReportsWithoutTimes) {
    EXPECT_EQ(to_terminal(BenchReport{}, {80}), "Nothing was measured\n");
    auto report = empty_report();
    report.rows = {untimed_row("a", 3, Verdict::wrong, "off"), untimed_row("b", 5, Verdict::wrong, "off")};
    const auto text = to_terminal(report, {80});
    EXPECT_TRUE(text.starts_with("No algorithm has a time: 2 wrong\n"));
    EXPECT_TRUE(contains(line_with(text, "  3x3"), "no algorithm has a time"));
}

} // namespace
} // namespace kg::measure
