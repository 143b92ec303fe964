// The timing rows, with made-up samples and clocks.

#include "app/editor/timing/timing_text.hpp"
#include "cpu/engine.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <sstream>

namespace kg::testing {
namespace {

using namespace std::chrono_literals;

TEST(Timing, DropsTheFirstThreeAndKeepsTheLast) {
    TimingStatistic timing;
    for (int i = 0; i < 3; ++i) timing.add({1e6});
    EXPECT_EQ(timing.count(), 0u);
    EXPECT_EQ(timing.latest(), 1e6);
    for (int i = 1; i <= 9; ++i) timing.add({static_cast<double>(i)});
    EXPECT_FALSE(timing.settled());
    timing.add({10});
    EXPECT_TRUE(timing.settled());
    EXPECT_DOUBLE_EQ(timing.median(), 5.5);
    EXPECT_DOUBLE_EQ(timing.p95(), 9.55);
    EXPECT_DOUBLE_EQ(timing.largest(), 10);
    for (int i = 0; i < 500; ++i) timing.add({7});
    EXPECT_EQ(timing.count(), TimingStatistic::kKept);
    EXPECT_DOUBLE_EQ(timing.p95(), 7);
}

class TimingsTest : public ::testing::Test {
protected:
    /// The next result, of an edit at this time of the test's clock; it took a millisecond.
    Result result(std::chrono::milliseconds posted) {
        Result made;
        made.stamp = ++serial_;
        made.job.choice.engine = made.home = engine_;
        made.job.request.size = size_;
        made.job.request.stages = {generated_stage(BoxGenerator{side_, side_})};
        made.job.posted = begin_ + posted;
        made.algorithm = "direct";
        made.filter_us = 100;
        made.total_us = 1000;
        return made;
    }
    /// Runs every ten milliseconds, all shown, with the times of display and drawing.
    void run(int times, double filter_us = 100) {
        for (int i = 0; i < times; ++i) {
            now_ += 10ms;
            auto made = result(now_);
            made.filter_us = filter_us;
            timings_.shown(made, algorithm_);
            timings_.add(TimingRow::presentation, serial_, 20);
            timings_.add(TimingRow::submit, serial_, 30);
            timings_.add(TimingRow::presentation_gl, serial_, 60);
            timings_.add(TimingRow::draw, serial_, 40);
            timings_.drawn(serial_, begin_ + now_ + 2ms, 50);
        }
    }

    std::shared_ptr<Engine> engine_ = cpu::make_engine(1);
    const Timings::Clock::time_point begin_ = Timings::Clock::now();
    std::chrono::milliseconds now_{0};
    std::uint64_t serial_ = 0;
    Extent size_{40, 30};
    int side_ = 3;
    PresentationPath algorithm_ = PresentationPath::host;
    Timings timings_;
};

TEST_F(TimingsTest, TheVerdictNamesTheFilterAndWhatTakesLonger) {
    EXPECT_EQ(timing_verdict(timings_, true), "");
    timings_.shown(result(now_), algorithm_);
    timings_.add(TimingRow::draw, serial_, 148'000);
    EXPECT_EQ(timing_verdict(timings_, true),
              "Filter 100 us, first runs; drawing by software takes 148.0 ms");
    EXPECT_EQ(timing_verdict(timings_, false), "Filter 100 us, first runs; drawing takes 148.0 ms");
    EXPECT_EQ(timings_[TimingRow::filter].count(), 0u) << "from a single run";
    run(13, 5000);
    EXPECT_EQ(timing_verdict(timings_, true), "Filter 5.0 ms, longer than showing it");
    EXPECT_EQ(timings_[TimingRow::filter].typical(), timings_[TimingRow::filter].median());
}

TEST_F(TimingsTest, ATimeWithoutAMedianIsNamedThatOfFirstRuns) {
    EXPECT_EQ(filter_time_text(timings_), "");
    for (std::size_t i = 0; i < TimingStatistic::kDropped; ++i) {
        run(1, 5000);
        EXPECT_EQ(filter_time_text(timings_), "5.0 ms, first runs");
    }
    run(1, 5000);
    EXPECT_EQ(filter_time_text(timings_), "5.0 ms");
    ++side_; // another kernel
    run(1, 5000);
    EXPECT_EQ(filter_time_text(timings_), "5.0 ms, first runs");
}

TEST_F(TimingsTest, APreviewIsNotTimedButCountsAsWork) {
    run(13);
    auto preview = result(now_ + 5000ms);
    preview.preview = Preview{4, whole(size_)};
    preview.filter_us = 9;
    timings_.shown(preview, algorithm_);
    timings_.add(TimingRow::presentation, serial_, 9);
    timings_.add(TimingRow::draw, serial_, 9);
    timings_.drawn(serial_, begin_ + now_ + 5001ms, 9);
    for (const auto row : {TimingRow::filter, TimingRow::presentation, TimingRow::draw, TimingRow::response})
        EXPECT_EQ(timings_[row].count(), 10u) << timing_words(row, {}).title;
    timings_.shown(result(now_ + 5010ms), algorithm_);
    EXPECT_FALSE(timings_.from_rest()) << "the preview has woken the engine";
}

TEST_F(TimingsTest, EveryRowCountsItsOwnSamples) {
    run(13);
    const std::pair<TimingRow, double> expected[] = {
        {TimingRow::filter, 100},         {TimingRow::presentation, 20}, {TimingRow::submit, 30},
        {TimingRow::presentation_gl, 60}, {TimingRow::draw, 40},         {TimingRow::frame, 50},
        {TimingRow::response, 2000}};
    for (const auto& [row, us] : expected) {
        EXPECT_EQ(timings_[row].count(), 10u) << timing_words(row, {}).title;
        EXPECT_DOUBLE_EQ(timings_[row].median(), us) << timing_words(row, {}).title;
    }
    EXPECT_EQ(timings_[TimingRow::filter].samples().front().run, 4u) << "the first three are dropped";
}

TEST_F(TimingsTest, ARowThatDidNotRunHasNoNumber) {
    run(20);
    EXPECT_EQ(timings_[TimingRow::upload].count(), 0u);
    EXPECT_EQ(timings_[TimingRow::upload].latest(), 0);
    timings_.add(TimingRow::draw, serial_, 0); // an engine without such a clock
    EXPECT_EQ(timings_[TimingRow::draw].samples().back().microseconds, 40);
    EXPECT_EQ(timing_number(0), "-");
    EXPECT_NE(timing_text(timings_).find("Upload                     -           -    0"), std::string::npos)
        << timing_text(timings_);
}

TEST_F(TimingsTest, AnyChangeBeginsAnew) {
    const auto begins_anew = [&](const char* what) {
        run(1);
        for (const auto row : kTimingRows) EXPECT_EQ(timings_[row].count(), 0u) << what;
        EXPECT_EQ(timings_[TimingRow::filter].latest(), 100) << what;
        run(13);
        EXPECT_TRUE(timings_[TimingRow::filter].settled()) << what;
    };
    begins_anew("the start");
    size_ = {41, 30};
    begins_anew("size");
    side_ = 5;
    begins_anew("filter");
    algorithm_ = PresentationPath::interop;
    begins_anew("display");
    engine_ = cpu::make_engine(1);
    begins_anew("engine");
}

TEST_F(TimingsTest, AnUploadStaysKnownWhileTheImageDoes) {
    auto first = result(0ms);
    first.upload_us = 700;
    timings_.shown(first, algorithm_);
    side_ = 7; // another filter does not make it another upload
    run(4);
    EXPECT_EQ(timings_[TimingRow::upload].latest(), 700);
    size_ = {10, 10};
    run(1);
    EXPECT_EQ(timings_[TimingRow::upload].latest(), 0);
}

TEST_F(TimingsTest, TheSameResultByAnotherPathIsTimedByThatPathOnly) {
    algorithm_ = PresentationPath::interop;
    run(20);
    const auto again = result(now_ + 10ms);
    timings_.shown(again, PresentationPath::interop);
    timings_.shown(again, PresentationPath::interop); // reported twice
    EXPECT_EQ(timings_[TimingRow::filter].count(), 18u);
    timings_.shown(again, PresentationPath::host); // interop failed
    EXPECT_EQ(timings_[TimingRow::filter].count(), 0u);
    EXPECT_EQ(timings_[TimingRow::filter].latest(), 100);
    timings_.add(TimingRow::presentation, again.stamp - 1, 20); // late, of the other path
    EXPECT_EQ(timings_[TimingRow::presentation].latest(), 0);
    timings_.add(TimingRow::presentation, again.stamp, 33);
    EXPECT_EQ(timings_[TimingRow::presentation].latest(), 33);
}

TEST_F(TimingsTest, TimesThatComeLateCountForTheirRunOnly) {
    run(4);
    const auto before = serial_;
    run(1);
    timings_.add(TimingRow::draw, before, 44);
    EXPECT_EQ(timings_[TimingRow::draw].samples().back().run, before);
    timings_.add(TimingRow::draw, before + 1000, 1e6); // a result that was not shown
    EXPECT_EQ(timings_[TimingRow::draw].samples().back().microseconds, 44);
    size_ = {99, 99};
    run(1);
    timings_.add(TimingRow::draw, before, 1e6); // another image is on the screen
    EXPECT_EQ(timings_[TimingRow::draw].latest(), 40);
}

TEST_F(TimingsTest, ARunAfterARestIsASingleShot) {
    run(1);
    EXPECT_TRUE(timings_.from_rest()) << "nothing ran before";
    run(5);
    EXPECT_FALSE(timings_.from_rest()) << "a drag";
    now_ += 490ms;
    run(1);
    EXPECT_FALSE(timings_.from_rest())
        << "half a second between two edits, part of which was the run of the first";
    now_ += 500ms;
    run(1);
    EXPECT_TRUE(timings_.from_rest());
    EXPECT_TRUE(timings_[TimingRow::filter].samples().back().from_rest);
    EXPECT_FALSE(timings_[TimingRow::filter].samples().front().from_rest);
    EXPECT_EQ(engine_word(timings_.subject()), "engine");
}

TEST_F(TimingsTest, WhilePausedNothingCountsAndTheNumbersKeepTheirSubject) {
    run(14);
    timings_.pause(true);
    run(5, 900);
    EXPECT_EQ(timings_[TimingRow::filter].count(), 11u);
    EXPECT_DOUBLE_EQ(timings_[TimingRow::filter].largest(), 100);
    EXPECT_TRUE(timings_.is_of_screen());
    timings_.pause(false);
    run(1, 900);
    EXPECT_EQ(timings_[TimingRow::filter].count(), 12u) << "the same subject, so counting continues";

    timings_.pause(true);
    size_ = {7, 7};
    run(5);
    EXPECT_FALSE(timings_.is_of_screen());
    EXPECT_EQ(timings_.subject().size, (Extent{40, 30}));
    EXPECT_EQ(timings_[TimingRow::filter].count(), 12u);
    timings_.pause(false);
    EXPECT_TRUE(timings_.is_of_screen());
    EXPECT_EQ(timings_[TimingRow::filter].count(), 0u);
}

TEST_F(TimingsTest, ResetAndAnotherViewClear) {
    run(15);
    timings_.view_changed(serial_ + 1);
    EXPECT_EQ(timings_[TimingRow::draw].count(), 0u);
    EXPECT_EQ(timings_[TimingRow::frame].count(), 0u);
    EXPECT_EQ(timings_[TimingRow::filter].count(), 12u);
    timings_.add(TimingRow::draw, serial_, 40); // a frame of the previous view
    EXPECT_EQ(timings_[TimingRow::draw].latest(), 0);
    run(1);
    EXPECT_EQ(timings_[TimingRow::draw].latest(), 40);
    timings_.view_changed(serial_); // together with the result
    timings_.add(TimingRow::draw, serial_, 41);
    EXPECT_EQ(timings_[TimingRow::draw].latest(), 41);
    timings_.reset();
    for (const auto row : kTimingRows) EXPECT_EQ(timings_[row].latest(), 0);
    timings_.add(TimingRow::draw, serial_, 40); // a frame of an earlier run
    EXPECT_EQ(timings_[TimingRow::draw].latest(), 0);
    run(1);
    EXPECT_EQ(timings_[TimingRow::draw].latest(), 40);
}

TEST_F(TimingsTest, APresentationHasTheLabelsOfItsPath) {
    run(1);
    EXPECT_EQ(timing_words(TimingRow::presentation, timings_.subject()).title, "Download");
    EXPECT_EQ(timing_words(TimingRow::submit, timings_.subject()).title, "To texture");
    EXPECT_EQ(timing_words(TimingRow::presentation_gl, timings_.subject()).title, "To texture GL");
    algorithm_ = PresentationPath::interop;
    run(1);
    EXPECT_EQ(timing_words(TimingRow::presentation, timings_.subject()).title, "Presentation GPU");
    EXPECT_EQ(timing_words(TimingRow::submit, timings_.subject()).title, "Presentation submit");
    EXPECT_EQ(timing_words(TimingRow::presentation_gl, timings_.subject()).title, "Presentation GL");
    EXPECT_EQ(timing_words(TimingRow::presentation_gl, timings_.subject()).clock, "OpenGL");
    auto in_parts = result(now_);
    in_parts.home = cpu::make_engine(1);
    timings_.shown(in_parts, PresentationPath::host);
    EXPECT_NE(timing_text(timings_).find("in parts, shown by host upload"), std::string::npos);
    std::set<std::string> titles;
    for (const auto row : kTimingRows) titles.insert(timing_words(row, timings_.subject()).title);
    EXPECT_EQ(titles.size(), kTimingRows.size());
}

TEST_F(TimingsTest, TextAndCsvHoldAllSamples) {
    side_ = 13;
    run(2);
    EXPECT_NE(timing_text(timings_).find("direct, 40 x 30"), std::string::npos);
    EXPECT_NE(timing_text(timings_).find("kernels 13x13, shown by host upload"), std::string::npos);
    run(200, 123.4567);
    std::istringstream csv(timing_csv(timings_));
    std::string line;
    int comments = 0, header = 0, samples = 0, filters = 0;
    while (std::getline(csv, line)) {
        if (line.starts_with("#")) ++comments;
        else if (line == "row,run,microseconds,engine_was_idle") ++header;
        else ++samples, filters += line.starts_with("filter,") && line.ends_with(",123.457,no");
    }
    EXPECT_EQ(header, 1);
    EXPECT_GE(comments, static_cast<int>(kTimingRows.size()));
    EXPECT_EQ(samples, 7 * static_cast<int>(TimingStatistic::kKept));
    EXPECT_EQ(filters, static_cast<int>(TimingStatistic::kKept));
    EXPECT_EQ(timing_number(12345.6), "12.346");
    EXPECT_EQ(timing_number(1234567), "1235");
}

} // namespace
} // namespace kg::testing
