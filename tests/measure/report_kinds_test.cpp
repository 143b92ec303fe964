// Reports of signals, filter banks and volumes use the words and sizes of these, not those of images.

#include "measure/report/formats.hpp"
#include "measure/report/row_kind.hpp"
#include "measure/report/standing.hpp"
#include "tests/measure/support/sample_report.hpp"

#include <gtest/gtest.h>

#include <string>

namespace kg::measure {
namespace {

bool has_words(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

ReportRow signal_row(std::int64_t samples, int taps, std::int64_t signals = 1) {
    auto row = timed_row("direct", taps, 10.0 * taps + static_cast<double>(samples));
    row.name = "signal/direct/f32/" + std::to_string(samples) + "x" + std::to_string(signals) + "/m" +
               std::to_string(taps) + "/full/zero/cpu";
    row.width = samples;
    row.height = signals;
    row.kernel_height = row.channels = 1;
    row.depth = "f32";
    return row;
}

ReportRow volume_row(int extent, int k) {
    const auto cube = [](int n) {
        return std::to_string(n) + "x" + std::to_string(n) + "x" + std::to_string(n);
    };
    auto row = timed_row("direct", k, 10.0 * k * extent);
    row.name = "volume/direct/" + cube(extent) + "/dense/k" + cube(k) + "/steps1/zero/cpu";
    row.width = row.height = row.channels = extent;
    row.depth = "f32";
    return row;
}

BenchReport report_of(std::vector<ReportRow> rows) {
    auto report = empty_report();
    report.rows = std::move(rows);
    return report;
}

TEST(RowKind, SizesAreThoseOfTheKind) {
    const auto image = timed_row("tiled", 7, 1);
    EXPECT_EQ(kernel_text(image), "7 x 7");
    EXPECT_EQ(short_kernel_text(image), "7x7");
    EXPECT_EQ(size_text(image), "1920 x 1080");
    EXPECT_EQ(values_text(image), "u8 x 4");
    EXPECT_EQ(point_count(image), 1920 * 1080);
    EXPECT_EQ(kernel_text(signal_row(1024, 16)), "16 taps");
    EXPECT_EQ(kernel_text(signal_row(1024, 1)), "1 tap");
    EXPECT_EQ(size_text(signal_row(1024, 16)), "1024");
    EXPECT_EQ(size_text(signal_row(1024, 16, 2)), "1024 x 2");
    EXPECT_EQ(values_text(signal_row(1024, 16)), "f32");
    EXPECT_EQ(kernel_text(volume_row(64, 3)), "3 x 3 x 3");
    EXPECT_EQ(short_kernel_text(volume_row(64, 3)), "3x3x3");
    EXPECT_EQ(size_text(volume_row(64, 3)), "64 x 64 x 64");
    EXPECT_EQ(point_count(volume_row(64, 3)), 64 * 64 * 64);
    auto wave = volume_row(64, 3);
    wave.channels = 128; // two volumes, each of 64 slices
    EXPECT_EQ(size_text(wave), "64 x 64 x 64");
    auto bank = image;
    bank.name = "bank/direct/nchw/n1/c6/1920x1080/to6/k7x7/zero/cpu";
    EXPECT_EQ(kind_of(bank), RowKind::bank);
    EXPECT_EQ(kernel_text(bank), "7 x 7");
}

TEST(RowKind, SignalsAreOfOneFamilyThatDifferInTheirTapsOrTheirLength) {
    const auto report = report_of({signal_row(1000, 16), signal_row(1000, 64), signal_row(4000, 64)});
    const auto all = standings(report);
    const auto taps = families(all), lengths = families(all, FamilyAxis::image_size);
    ASSERT_EQ(taps.size(), 2u);
    EXPECT_EQ(taps[0].name, "signal/f32/1000x1/full/zero");
    EXPECT_EQ(taps[0].requests.size(), 2u);
    ASSERT_EQ(lengths.size(), 2u);
    EXPECT_EQ(lengths[1].name, "signal/f32/m64/full/zero");
    EXPECT_EQ(lengths[1].size(lengths[1].requests.back()->any()), 4000);
}

TEST(RowKind, VolumesAreOfOneFamilyThatDifferInTheirKernelOrTheirSize) {
    const auto report = report_of({volume_row(20, 3), volume_row(20, 5), volume_row(40, 5)});
    const auto all = standings(report);
    const auto kernels = families(all), sizes = families(all, FamilyAxis::image_size);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].name, "volume/20x20x20/dense/steps1/zero");
    ASSERT_EQ(sizes.size(), 2u);
    EXPECT_EQ(sizes[1].size(sizes[1].requests.back()->any()), 64'000);
}

TEST(ReportKinds, SignalsHaveTapsAndSamples) {
    const auto report = report_of({signal_row(1000, 16), signal_row(1000, 64), signal_row(4000, 64)});
    const auto html = to_html(report), markdown = to_markdown(report), text = to_terminal(report, {100});
    for (const auto* words :
         {"Fastest by number of taps</h2>", "Time over number of taps</h2>", "Time over signal length</h2>",
          ">number of taps</text>", ">signal length, samples</text>", "<th>signal</th><th>samples</th>",
          ">16 taps</td>", ">f32</td>"})
        EXPECT_TRUE(has_words(html, words)) << words;
    for (const auto* words : {"pixels", "image size", "kernel size", "16 x 1", "16x1"})
        EXPECT_FALSE(has_words(html, words)) << words;
    EXPECT_TRUE(has_words(markdown, "## Fastest by number of taps: ")) << markdown;
    EXPECT_TRUE(has_words(markdown, "| 16 taps |")) << markdown;
    EXPECT_TRUE(has_words(text, "Fastest by number of taps: ")) << text;
    EXPECT_TRUE(has_words(text, "  16 taps  direct")) << text;
    EXPECT_FALSE(has_words(text, "16x1")) << text;
}

TEST(ReportKinds, VolumesHaveKernelsOfThreeExtents) {
    const auto report = report_of({volume_row(20, 3), volume_row(20, 5), volume_row(40, 5)});
    const auto html = to_html(report), markdown = to_markdown(report), text = to_terminal(report, {100});
    for (const auto* words :
         {">kernel size, samples</text>", ">volume size, samples</text>", "<th>volume</th><th>samples</th>",
          ">3 x 3 x 3</td>", ">20 x 20 x 20</td>", "Time over volume size</h2>"})
        EXPECT_TRUE(has_words(html, words)) << words;
    for (const auto* words : {"pixels", "image size", ">3 x 3<", "f32 x "})
        EXPECT_FALSE(has_words(html, words)) << words;
    EXPECT_TRUE(has_words(markdown, "| 3 x 3 x 3 |")) << markdown;
    EXPECT_TRUE(has_words(text, "  3x3x3 ")) << text;
}

TEST(ReportKinds, ImagesKeepTheirWords) {
    const auto html = to_html(sweep());
    for (const auto* words : {">kernel size, pixels</text>", "<th>image</th><th>pixels</th>"})
        EXPECT_TRUE(has_words(html, words)) << words;
}

} // namespace
} // namespace kg::measure
