// The page and its charts: their content, and robustness against any text and number of a report.

#include "measure/report/formats.hpp"
#include "measure/report/html/charts.hpp"
#include "measure/report/html/svg.hpp"
#include "tests/measure/support/sample_report.hpp"
#include "tests/support/contains.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

namespace kg::measure {
namespace {

using testing::contains;

std::size_t count(const std::string& text, const std::string& needle) {
    std::size_t found = 0;
    for (auto at = text.find(needle); at != std::string::npos; at = text.find(needle, at + 1)) ++found;
    return found;
}

std::string without(std::string text, const std::string& begin, const std::string& end) {
    for (auto from = text.find(begin); from != std::string::npos; from = text.find(begin))
        text.erase(from, text.find(end, from) + end.size() - from);
    return text;
}

/// The first error in the nesting of the page's elements; empty = none.
std::string fault_of(std::string page) {
    page = without(without(page, "<script>", "</script>"), "<style>", "</style>");
    const std::set<std::string> empty{"!DOCTYPE", "meta", "link", "br"};
    std::vector<std::string> open;
    const std::regex tag(R"re(<(/?)([A-Za-z!][A-Za-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<]*")?)*)\s*(/?)>)re");
    std::size_t tags = 0;
    for (std::sregex_iterator i(page.begin(), page.end(), tag), end; i != end; ++i, ++tags) {
        const std::string name = (*i)[2];
        if (empty.contains(name) || (*i)[4].length() > 0) continue;
        if ((*i)[1].length() == 0) open.push_back(name);
        else if (open.empty() || open.back() != name) return "</" + name + "> closes what is not open";
        else open.pop_back();
    }
    if (static_cast<std::size_t>(std::ranges::count(page, '<')) != tags) return "a < that begins no element";
    return open.empty() ? "" : open.back() + " stays open";
}

TEST(ReportHtml, ShowsTimesWithoutConversions) {
    auto report = one_request();
    EXPECT_FALSE(contains(to_html(report), "<td class=\"n\" data-v=\"60.25\">"));
    report.rows[2].alone_us = 60.25;
    EXPECT_TRUE(contains(to_html(report), "<td class=\"n\" data-v=\"60.25\">60.2 us</td>"));
}

BenchReport with_markup() {
    auto report = sweep();
    report.title = report.host = report.date = "</script><script>alert(1)</script>&\"'\x01";
    report.devices[0].name = "<b>&";
    report.absent = {"<i>"};
    for (auto& row : report.rows) {
        row.name.replace(6, algorithm_name(row).size(), "<" + algorithm_name(row) + "&\">");
        row.reason = "1 < 2 & \"3\" '>";
        row.filter = "<u>";
        row.throttled = "<p>";
    }
    return report;
}

std::string chart_of(const BenchReport& report, double width = 900) {
    const auto all = standings(report);
    return crossover_chart(families(all).at(0), width, "wide");
}

TEST(ReportHtml, IsOneWellFormedPageThatLoadsNothing) {
    for (const auto& report : {BenchReport{}, empty_report(), one_request(), sweep(), with_markup()}) {
        const auto page = to_html(report);
        EXPECT_EQ(fault_of(page), "");
        EXPECT_FALSE(contains(page, "http:") || contains(page, "https:") || contains(page, "src=") ||
                     contains(page, "url("));
        EXPECT_EQ(count(page, "<link "), 1u) << "the empty icon";
        EXPECT_EQ(count(page, "<script>"), 1u);
    }
    EXPECT_NE(fault_of("<p><b></p></b>"), "") << "the check finds faults";
    EXPECT_NE(fault_of("<p>a < b</p>"), "");
    EXPECT_NE(fault_of("<p>"), "");
}

TEST(ReportHtml, TextsAreEscaped) {
    const auto page = to_html(with_markup());
    EXPECT_FALSE(contains(page, "alert(1)</script>"));
    EXPECT_TRUE(contains(page, "&lt;/script&gt;&lt;script&gt;alert(1)"));
    EXPECT_TRUE(contains(page, "&lt;separable&amp;&quot;&gt;"));
    EXPECT_TRUE(contains(page, "1 &lt; 2 &amp; &quot;3&quot; &#39;&gt;"));
    EXPECT_EQ(html_escaped("a\x01\n<"), "a  &lt;");
}

TEST(ReportHtml, PutsTheVerdictFirstAndContainsEveryRow) {
    const auto page = to_html(sweep());
    EXPECT_TRUE(
        contains(page, "<h1>separable is fastest on 5 of 7 requests, naive on 1 and opencv:filter2D on 1;"));
    EXPECT_TRUE(contains(page, "27 verified right and timed"));
    EXPECT_TRUE(contains(page, ">1 wrong<"));
    EXPECT_TRUE(contains(page, ">7 refused<"));
    const auto table = page.substr(page.find("<table id=\"rows\">"));
    EXPECT_EQ(count(table.substr(0, table.find("</table>")), "<tr"), 1 + sweep().rows.size());
    EXPECT_TRUE(contains(table, "at 3,4 red is 12 instead of 13"));
    EXPECT_TRUE(contains(page, "AMD EPYC, 2 threads, AVX3, 3100 MHz at the end"));
    EXPECT_TRUE(contains(page, "npp: libnppif.so was not found"));
    auto stopped = one_request();
    stopped.complete = false;
    EXPECT_TRUE(contains(to_html(stopped), "<li class=\"warn\">not complete</li>"));
    EXPECT_TRUE(contains(to_html(BenchReport{}), "<h1>Nothing was measured</h1>"));
}

TEST(ReportHtml, AReasonHasTheRoomOfTheNumbersThatAreNotThere) {
    auto converting = sweep();
    converting.rows[2].alone_us = 60;
    for (const auto& [report, numbers] : {std::pair{sweep(), 9u}, {converting, 10u}}) {
        auto table = to_html(report);
        table = table.substr(table.find("<table id=\"rows\">"));
        table = table.substr(0, table.find("</table>"));
        const auto columns = count(table, "<th");
        EXPECT_TRUE(contains(table, ">wrong</span>: at 3,4 red is 12 instead of 13</td>"));
        std::size_t reasons = 0;
        for (auto at = table.find("<tr", table.find("<tbody>")); at != std::string::npos;
             at = table.find("<tr", at + 1)) {
            const auto row = table.substr(at, table.find("</tr>", at) - at);
            const bool spans = contains(row,
                                        "<td class=\"why\" colspan=\"" + std::to_string(numbers) + "\">");
            reasons += spans ? 1 : 0;
            EXPECT_EQ(count(row, "<td") + (spans ? numbers - 1 : 0), columns - 1) << row;
            EXPECT_EQ(spans, !contains(row, "class=\"bar\"")) << row;
        }
        EXPECT_EQ(reasons, 8u) << "one wrong, seven refused";
    }
}

TEST(ReportHtml, SectionsWithoutContentAreLeftOut) {
    const auto one = to_html(one_request());
    EXPECT_FALSE(contains(one, "Time over kernel size</h2>"));
    EXPECT_FALSE(contains(one, "Fastest by kernel size</h2>"));
    EXPECT_FALSE(contains(one, "Where another library is ahead</h2>"));
    EXPECT_TRUE(contains(one, "How near to the limit</h2>"));
    const auto many = to_html(sweep());
    for (const auto* title :
         {"Fastest by kernel size", "Where another library is ahead", "Time over kernel size", "All rows"})
        EXPECT_EQ(count(many, std::string(title) + "</h2>"), 1u) << title;
}

TEST(CrossoverChart, DrawsOursSolidPeersDashedAndWrongOnesHollow) {
    const auto chart = chart_of(sweep());
    EXPECT_EQ(count(chart, "class=\"series a"), 3u) << "naive, separable, fft";
    EXPECT_EQ(count(chart, "class=\"series a wins\""), 2u);
    EXPECT_EQ(count(chart, "class=\"series peer wins\""), 1u);
    EXPECT_EQ(count(chart, "<circle"), 7u + 7u + 6u);
    EXPECT_EQ(count(chart, "class=\"wrong\""), 1u);
    EXPECT_TRUE(contains(chart, "fft is wrong: at 3,4 red is 12 instead of 13"));
    EXPECT_EQ(count(chart, "class=\"band\""), 5u) << "fft's line is broken where it is wrong";
    EXPECT_EQ(count(chart, "class=\"limit\""), 1u);
    EXPECT_TRUE(contains(chart, "separable, 7 x 7: 130 us (129-131)"));
}

TEST(CrossoverChart, EnginesHaveHuesOfTheirOwn) {
    auto report = sweep();
    for (const int k : {3, 5}) {
        auto row = timed_row("tiled", k, 4);
        row.engine = "cuda";
        row.name.replace(row.name.rfind("cpu"), 3, "cuda");
        report.rows.push_back(row);
    }
    const auto chart = chart_of(report);
    EXPECT_EQ(count(chart, "class=\"series b"), 1u);
    EXPECT_EQ(count(chart, "class=\"series b wins\""), 1u) << "tiled on cuda, at 3 and 5";
    EXPECT_EQ(count(chart, "class=\"series a wins\""), 1u) << "separable";
    EXPECT_TRUE(contains(chart, ">tiled on cuda<"));
}

TEST(CrossoverChart, NeedsTwoSizesThatWereTimed) {
    EXPECT_EQ(chart_of(one_request()), "");
    auto report = sweep();
    for (auto& row : report.rows) {
        row.times.reset();
        row.verdict = Verdict::wrong;
    }
    EXPECT_EQ(chart_of(report), "");
}

TEST(CrossoverChart, EveryCoordinateIsInsideTheImage) {
    auto extreme = sweep();
    extreme.rows[0].times->run.median = extreme.rows[0].times->run.ci_low =
        extreme.rows[0].times->run.ci_high = 1e-300;
    extreme.rows[1].times->run.ci_high = 1e300;
    extreme.rows[2].times->run.ci_low = 0;
    extreme.rows[5].kernel_width = extreme.rows[5].kernel_height = 0;
    for (const auto& report : {sweep(), with_markup(), extreme})
        for (const double width : {900.0, 350.0}) {
            const auto all = standings(report);
            auto text = chart_of(report, width);
            for (const auto& device : report.devices) text += roofline_chart(device, all, width, "wide");
            EXPECT_FALSE(contains(text, "nan") || contains(text, "inf"));
            const std::regex pair("[ML](-?[0-9.]+) (-?[0-9.]+)");
            std::size_t points = 0;
            for (std::sregex_iterator i(text.begin(), text.end(), pair), end; i != end; ++i, ++points) {
                EXPECT_GE(std::stod((*i)[1]), 0);
                EXPECT_LE(std::stod((*i)[1]), width);
                EXPECT_GE(std::stod((*i)[2]), 0);
                EXPECT_LE(std::stod((*i)[2]), 600);
            }
            EXPECT_GT(points, 100u);
        }
}

TEST(RooflineChart, ShowsEachTimedRowAndTheLimits) {
    const auto report = sweep();
    const auto chart = roofline_chart(report.devices[0], standings(report), 900, "wide");
    EXPECT_EQ(count(chart, "<title>"), 27u);
    EXPECT_TRUE(contains(chart, "copy 18.5 GB/s"));
    EXPECT_TRUE(contains(chart, "96.2 G multiply-adds/s"));
    // 31 x 31 in 300 us: 62 us of multiply-adds at 96.25 G/s.
    EXPECT_TRUE(
        contains(chart, "opencv:filter2D, 31 x 31, u8 x 4: 19.9 G multiply-adds/s, 21 % of the limit"));
    auto unknown = report;
    unknown.devices[0].limits = {};
    EXPECT_EQ(roofline_chart(unknown.devices[0], standings(unknown), 900, "wide"), "");
    EXPECT_EQ(roofline_chart(report.devices[0], {}, 900, "wide"), "");
}

struct Box {
    double left, right, top, bottom;
    bool meets(const Box& o) const {
        return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
    }
};

/// Boxes of all labels of this style.
std::vector<Box> labels_of(const std::string& chart, const std::string& style) {
    std::vector<Box> all;
    const std::regex text("<text class=\"" + style +
                          "\" x=\"([0-9.-]+)\" y=\"([0-9.-]+)\" text-anchor=\"(\\w+)\">([^<]*)<");
    for (std::sregex_iterator i(chart.begin(), chart.end(), text), end; i != end; ++i) {
        const double x = std::stod((*i)[1]), y = std::stod((*i)[2]), width = text_width((*i)[4].str());
        const double left = (*i)[3] == "start" ? x : (*i)[3] == "end" ? x - width : x - width / 2;
        all.push_back({left, left + width, y - 11, y + 3});
    }
    return all;
}

TEST(RooflineChart, LabelsOverlapNeitherMarksNorEachOther) {
    const auto report = sweep();
    for (const double width : {900.0, 350.0}) {
        const auto chart = roofline_chart(report.devices[0], standings(report), width, "wide");
        auto labels = labels_of(chart, "label");
        EXPECT_GE(labels.size(), 2u) << "the fastest are named";
        const auto limits = labels_of(chart, "limit-text"), axis = labels_of(chart, "axis");
        EXPECT_EQ(limits.size(), 2u);
        EXPECT_EQ(axis.size(), 2u);
        labels.insert(labels.end(), limits.begin(), limits.end());
        labels.insert(labels.end(), axis.begin(), axis.end());
        for (std::size_t i = 0; i < labels.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(labels[i].meets(labels[j])) << i << " " << j;
        const std::regex circle("cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"");
        for (std::sregex_iterator mark(chart.begin(), chart.end(), circle), end; mark != end; ++mark) {
            const double x = std::stod((*mark)[1]), y = std::stod((*mark)[2]);
            for (std::size_t i = 0; i < labels.size(); ++i)
                EXPECT_FALSE(labels[i].meets({x - 3, x + 3, y - 3, y + 3})) << i << " at " << x << "," << y;
        }
    }
}

TEST(RooflineChart, NamesWhatStandsTogetherOnceAndItsLimitsAlways) {
    auto report = sweep();
    const auto once = roofline_chart(report.devices[0], standings(report), 900, "wide");
    auto twice = report;
    for (auto row : report.rows) {
        row.name.replace(row.name.find("reflect101"), 10, "wrap");
        row.border = "wrap";
        twice.rows.push_back(row);
    }
    EXPECT_LE(labels_of(roofline_chart(twice.devices[0], standings(twice), 900, "wide"), "label").size(),
              labels_of(once, "label").size());
    for (int copies = 0; copies < 200; ++copies) { // no free place is left
        auto row = report.rows.front();
        const double factor = 1 + copies;
        row.copy_us *= factor / 20;
        row.arithmetic_us *= factor * factor / 400;
        row.name += std::to_string(copies);
        report.rows.push_back(row);
    }
    for (const double width : {900.0, 350.0})
        EXPECT_EQ(labels_of(roofline_chart(report.devices[0], standings(report), width, "wide"), "limit-text")
                      .size(),
                  2u);
    EXPECT_TRUE(contains(once, ">G multiply-adds/s<"));
}

TEST(Labels, KeepApartAndNearToWhereTheyAreWanted) {
    EXPECT_EQ(spread({10, 50}, 16, 0, 100), (std::vector<double>{10, 50}));
    EXPECT_EQ(spread({50, 50}, 10, 0, 100), (std::vector<double>{45, 55}));
    EXPECT_EQ(spread({52, 50, 51}, 10, 0, 100), (std::vector<double>{61, 41, 51}));
    EXPECT_EQ(spread({99, 98}, 10, 0, 100), (std::vector<double>{100, 90}));
    EXPECT_EQ(spread({-5, 1}, 10, 0, 100), (std::vector<double>{0, 10}));
    EXPECT_TRUE(spread({}, 10, 0, 100).empty());
    const auto crowd = spread({30, 30, 30, 31, 80, 81, 82, 5}, 12, 0, 100);
    auto sorted = crowd;
    std::ranges::sort(sorted);
    for (std::size_t i = 1; i < sorted.size(); ++i) EXPECT_GE(sorted[i] - sorted[i - 1], 12 - 1e-9);
    EXPECT_GE(sorted.front(), 0);
    EXPECT_LE(sorted.back(), 100);
}

TEST(LogAxis, PutsValuesAndTicksWhereTheyBelong) {
    const LogAxis axis(1, 100, 0, 200);
    EXPECT_DOUBLE_EQ(axis.at(1), 0);
    EXPECT_DOUBLE_EQ(axis.at(10), 100);
    EXPECT_DOUBLE_EQ(axis.at(100), 200);
    EXPECT_EQ(axis.ticks(), (std::vector<double>{1, 2, 5, 10, 20, 50, 100}));
    EXPECT_EQ(LogAxis(0.5, 9e3, 0, 1).ticks(), (std::vector<double>{1, 10, 100, 1000}));
}

} // namespace
} // namespace kg::measure
