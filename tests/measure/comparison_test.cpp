// Wrong candidates get no times; unsupported requests give a reason; the others are timed in alternation.

#include "measure/comparison.hpp"

#include "measure/limits.hpp"
#include "peers/peers.hpp"

#include "core/plan/planner.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "filters/recipe.hpp"
#include "tests/measure/support/clocked_engine.hpp"
#include "tests/measure/support/counted_engine.hpp"
#include "tests/support/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kg::measure {
namespace {

constexpr PixelFormat kGrey{Depth::u8, 1};

ImageRequest blur() { return {{96, 80}, kGrey, kGrey, {stage_of(parse_step("gaussian:sigma=1"))}}; }

ComparisonRules quick() {
    ComparisonRules rules;
    rules.cold = false;
    rules.rounds = 2, rules.samples_per_round = 4;
    rules.timing.least_sample_us = 50;
    rules.timing.most_warm_up_us = 1000;
    return rules;
}

std::string never_refuses(const PlanStep&, const Engine&) { return {}; }
Cost nothing(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }

/// Very fast, and wrong.
class Nothing final : public Plan {
public:
    Needs needs(const Rect& output) const override { return {output, 0, 1}; }
    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<cpu::HostQueue&>(queue);
        host.enqueue([&host, item = items.front()](const cpu::HostQueue::Context&) {
            host.image(item.dst).row<std::uint8_t>(3)[5] = 255;
        });
    }
};
const Algorithm kWrong{"wrong",
                       "",
                       "",
                       "",
                       never_refuses,
                       nothing,
                       [](const PlanStep&, Engine&, const PlanContext&) -> std::shared_ptr<const Plan> {
                           return std::make_shared<Nothing>();
                       }};

/// Right until it fails.
class Breaks final : public Plan {
public:
    Breaks(std::shared_ptr<const Plan> inner, int after) : inner_(std::move(inner)), after_(after) {
        algorithm = "breaks after " + std::to_string(after);
    }
    Needs needs(const Rect& output) const override { return inner_->needs(output); }
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        inner_->record(queue, items, scratch);
        if (++runs_ > after_)
            static_cast<cpu::HostQueue&>(queue).enqueue(
                [](const cpu::HostQueue::Context&) { throw std::runtime_error("out of luck"); });
    }

private:
    std::shared_ptr<const Plan> inner_;
    int after_;
    mutable int runs_ = 0;
};
template <int after>
std::shared_ptr<const Plan> breaking(const PlanStep& request, Engine& engine, const PlanContext&) {
    return std::make_shared<Breaks>(plan(engine, std::get<ImageStep>(request)), after);
}
template <int after>
const Algorithm kBreaks{"breaks", "", "", "", never_refuses, nothing, breaking<after>};

/// Another algorithm's plan at first; after `count` runs a function of its own, which gets the output.
class ChangesItsMind final : public Plan {
public:
    using Later = void (*)(const ImageView&);
    ChangesItsMind(std::shared_ptr<const Plan> inner, int count, Later later)
        : inner_(std::move(inner)), count_(count), later_(later) {}
    Needs needs(const Rect& output) const override { return inner_->needs(output); }
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        const bool later = ++runs_ > count_;
        if (!later) inner_->record(queue, items, scratch);
        auto& host = static_cast<cpu::HostQueue&>(queue);
        host.enqueue([&host, later, change = later_, item = items.front()](const cpu::HostQueue::Context&) {
            if (later && change) change(host.image(item.dst));
        });
    }

private:
    std::shared_ptr<const Plan> inner_;
    int count_;
    Later later_;
    mutable int runs_ = 0;
};
void write_black(const ImageView& to) {
    for (std::int64_t y = 0; y < to.size.height; ++y)
        std::fill_n(to.row<std::uint8_t>(y), to.size.width * to.format.channels, std::uint8_t{0});
}
template <ChangesItsMind::Later later>
const Algorithm kChanges{
    "changes",
    "",
    "",
    "",
    never_refuses,
    nothing,
    [](const PlanStep& request, Engine& engine, const PlanContext&) -> std::shared_ptr<const Plan> {
        return std::make_shared<ChangesItsMind>(plan(engine, std::get<ImageStep>(request)), 1, later);
    }};

/// Right except for a few rows that it never writes, outside the rectangles that are compared with the
/// reference.
class LeavesRows final : public Plan {
public:
    static constexpr std::int64_t kHeight = 600, kFirst = 200, kCount = 1;
    explicit LeavesRows(std::shared_ptr<const Plan> inner) : inner_(std::move(inner)) {}
    Needs needs(const Rect& output) const override { return inner_->needs(output); }
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        const auto& all = items.front();
        for (const Rect& rectangle :
             {Rect{0, 0, all.dst.covers.width, kFirst},
              Rect{0, kFirst + kCount, all.dst.covers.width, kHeight - kFirst - kCount}}) {
            const Item item{all.src, all.dst.crop(rectangle)};
            inner_->record(queue, {&item, 1}, scratch);
        }
    }

private:
    std::shared_ptr<const Plan> inner_;
};
const Algorithm kLeavesRows{
    "leaves rows",
    "",
    "",
    "",
    never_refuses,
    nothing,
    [](const PlanStep& request, Engine& engine, const PlanContext&) -> std::shared_ptr<const Plan> {
        return std::make_shared<LeavesRows>(plan(engine, std::get<ImageStep>(request)));
    }};

const Row& row_of(const std::vector<Row>& rows, std::string_view algorithm) {
    const auto at = std::ranges::find(rows, algorithm, &Row::algorithm);
    EXPECT_NE(at, rows.end()) << algorithm;
    return at == rows.end() ? rows.front() : *at;
}

TEST(Comparison, RefusesATimeToWhatIsWrong) {
    const auto engine = cpu::make_engine(2);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto who = candidates(engine, true);
    who.push_back({engine, &kWrong, {}});
    who.push_back({engine, &kBreaks<0>, {}});
    who.push_back({engine, &kBreaks<6>, {}});
    const auto rows = comparison(blur(), image.view(), who, quick());
    ASSERT_EQ(rows.size(), who.size());

    const auto& wrong = row_of(rows, "wrong");
    EXPECT_EQ(wrong.verdict, Verdict::wrong);
    EXPECT_FALSE(wrong.times);
    EXPECT_FALSE(wrong.reason.empty());
    EXPECT_GT(wrong.verification.wrong, 0);

    for (const auto& breaks : {*(rows.end() - 2), rows.back()}) { // before verification, and during timing
        EXPECT_EQ(breaks.verdict, Verdict::failed);
        EXPECT_EQ(breaks.reason, "out of luck");
        EXPECT_FALSE(breaks.times);
    }
    EXPECT_EQ(rows.back().verification.wrong, 0);
    EXPECT_GT(rows.back().verification.samples, 0) << "it was verified before it broke";

    const auto& box = row_of(rows, "box");
    EXPECT_EQ(box.verdict, Verdict::refused);
    EXPECT_EQ(box.reason, "its weights must all be the same");
    EXPECT_FALSE(box.times);

    for (const char* id : {"direct", "separable"}) {
        const auto& row = row_of(rows, id);
        EXPECT_EQ(row.verdict, Verdict::right) << row.reason;
        ASSERT_TRUE(row.times);
        EXPECT_EQ(row.times->run.samples, 8u);
        EXPECT_GT(row.times->run.median, 0);
        EXPECT_GT(row.times->upload.median, 0);
        EXPECT_GT(row.processor_us, 0);
    }
    const auto& peer = row_of(rows, "opencv:GaussianBlur");
    EXPECT_EQ(peer.peer, "opencv");
    EXPECT_EQ(peer.verdict, Verdict::right) << peer.reason;
    EXPECT_TRUE(peer.times);
}

TEST(Comparison, VerifiesTheLastResults) {
    const auto engine = cpu::make_engine(2);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    const auto rows = comparison(
        blur(), image.view(),
        {{engine, &kChanges<nullptr>, {}}, // does nothing to memory with a right result
         {engine, &kChanges<write_black>, {}},
         {engine, nullptr, {}}},
        quick());
    for (const auto& row : {rows[0], rows[1]}) {
        EXPECT_EQ(row.verdict, Verdict::wrong);
        EXPECT_FALSE(row.times);
        EXPECT_NE(row.reason.find("not a later one"), std::string::npos) << row.reason;
    }
    EXPECT_EQ(rows[2].verdict, Verdict::right) << rows[2].reason;
    EXPECT_TRUE(rows[2].times);
    EXPECT_FALSE(rows[2].reason.empty()) << "why it was chosen";
}

TEST(Comparison, SeesWhatWasNotWritten) {
    const auto engine = cpu::make_engine(1);
    auto request = blur();
    request.size.height = LeavesRows::kHeight;
    const auto image = testing::random_image(request.size, kGrey, 1);
    auto rules = quick();
    rules.most_products = 1; // the smallest rectangles
    const auto rows = comparison(request, image.view(), {{engine, &kLeavesRows, {}}, {engine, nullptr, {}}},
                                 rules);
    EXPECT_EQ(rows[0].verification.wrong, 0) << "a verified rectangle lies there: move the rows";
    EXPECT_EQ(rows[0].verdict, Verdict::wrong);
    EXPECT_NE(rows[0].reason.find("nothing was written"), std::string::npos) << rows[0].reason;
    EXPECT_EQ(rows[1].verdict, Verdict::right) << rows[1].reason;
}

TEST(Comparison, StatesTheLimitsOfTheMachine) {
    const auto engine = cpu::make_engine(2);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto request = blur();
    request.out.depth = Depth::f32;
    for (const auto& r : {blur(), request}) {
        const auto rows = comparison(r, image.view(), candidates(engine, true), quick());
        for (const auto& row : rows) {
            EXPECT_EQ(row.products, products(r));
            EXPECT_EQ(row.copy_us > 0, row.times.has_value()) << row.algorithm;
            EXPECT_FALSE(row.algorithm.starts_with("limit:"));
        }
    }
}

TEST(Comparison, StatesTheClockOfEachRow) {
    const auto engine = cpu::make_engine(1);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.rounds = 3;
    int calls = 0;
    rules.clocks = [&](const Engine&) {
        Clocks clocks;
        clocks.now_mhz = 1000 + 100 * calls;
        if (calls > 0) clocks.throttled = "power cap";
        ++calls;
        return clocks;
    };
    const auto rows = comparison(blur(), image.view(), {{engine, nullptr, {}}}, rules);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(rows.front().clock_mhz, 1100);
    EXPECT_EQ(rows.front().throttled, "power cap");

    rules.clocks = [](const Engine&) { return Clocks{}; };
    const auto unknown = comparison(blur(), image.view(), {{engine, nullptr, {}}}, rules);
    EXPECT_EQ(unknown.front().clock_mhz, 0);
    EXPECT_EQ(unknown.front().throttled, "");
}

TEST(Comparison, KeepsItsBuffersColdUnlessAskedNotTo) {
    EXPECT_TRUE(ComparisonRules{}.cold);
    const auto engine = cpu::make_engine(2);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.cold = true;
    const auto rows = comparison(blur(), image.view(), {{engine, nullptr, {}}}, rules);
    EXPECT_EQ(rows.front().verdict, Verdict::right) << rows.front().reason;
    EXPECT_TRUE(rows.front().times);
}

TEST(Comparison, KeepsWhatWasMeasuredBeforeAStop) {
    const auto engine = cpu::make_engine(1);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.rounds = 1000000;
    std::stop_source stop;
    const auto rows = comparison(
        blur(), image.view(), {{engine, nullptr, {}}}, rules,
        [&](std::size_t done, std::size_t, const std::string&) {
            if (done == 4) stop.request_stop();
        },
        stop.get_token());
    ASSERT_TRUE(rows.front().times);
    EXPECT_EQ(rows.front().times->run.samples, 3 * rules.samples_per_round);
}

/// An algorithm of a library that converts images itself, with its time on the engine's clock.
class Converts final : public Plan {
public:
    static constexpr double kTakes = 10'000; ///< microseconds
    Converts(std::shared_ptr<const Plan> inner, bool marks) : inner_(std::move(inner)), marks_(marks) {}
    Needs needs(const Rect& output) const override { return inner_->needs(output); }
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        const auto convert = [&] {
            static_cast<cpu::HostQueue&>(queue).enqueue(
                [](const cpu::HostQueue::Context&) { testing::ClockedEngine::take(kTakes); });
        };
        convert();
        if (marks_) queue.mark(peers::kOwnWork);
        inner_->record(queue, items, scratch);
        if (marks_) queue.mark("bringing back");
        convert();
    }

private:
    std::shared_ptr<const Plan> inner_;
    bool marks_;
};
template <bool marks>
const Algorithm kConverts{
    "converts",
    "",
    "",
    "",
    never_refuses,
    nothing,
    [](const PlanStep& request, Engine& engine, const PlanContext&) -> std::shared_ptr<const Plan> {
        return std::make_shared<Converts>(plan(engine, std::get<ImageStep>(request)), marks);
    }};

/// Tries settings for as long as permitted; the choice does not matter.
int trials = 0;
std::stop_source* stops_while_trying = nullptr;
testing::CountedTime* time_of_trials = nullptr;
constexpr double kTrialUs = 1e3;
const Algorithm kTries{
    "tries",
    "",
    "",
    "",
    never_refuses,
    nothing,
    [](const PlanStep& request, Engine& engine, const PlanContext& context) -> std::shared_ptr<const Plan> {
        do {
            ++trials;
            if (time_of_trials) time_of_trials->work(kTrialUs, {});
            if (stops_while_trying) stops_while_trying->request_stop();
        } while (context.time_is_left() && trials < 1000);
        return plan(engine, std::get<ImageStep>(request));
    }};

TEST(Comparison, LeavesPlansNoMoreThanATenthOfItsTime) {
    testing::CountedTime time;
    const auto engine = testing::make_counted_engine(time, {{10, 10}});
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.timing.time = &time;
    rules.most_us = 1e6;
    trials = 0;
    time_of_trials = &time;
    const auto rows = comparison(blur(), image.view(), {{engine, &kTries, {}}}, rules);
    time_of_trials = nullptr;
    EXPECT_EQ(trials, 100);
    EXPECT_TRUE(rows.front().times) << rows.front().reason;
}

TEST(Comparison, WhoIsSlowHasFewSamplesWhereTimeIsShort) {
    testing::CountedTime time;
    const auto engine = testing::make_counted_engine(time, {{1e3, 1e3}, {50e3, 50e3}});
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.timing.time = &time;
    rules.rounds = 10, rules.samples_per_round = 1;
    for (const auto& row : comparison(blur(), image.view(), candidates(engine, false), rules))
        EXPECT_EQ(row.times->run.samples, 10u);
    rules.most_us = 1e6;
    const auto rows = comparison(blur(), image.view(), candidates(engine, false), rules);
    EXPECT_EQ(row_of(rows, "counted_0").times->run.samples, 10u);
    EXPECT_LT(row_of(rows, "counted_1").times->run.samples, 10u);
    EXPECT_GT(row_of(rows, "counted_1").times->run.samples, 1u);
}

TEST(Comparison, StopsAPlanBetweenItsTrials) {
    const auto engine = cpu::make_engine(1);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    std::stop_source stop;
    stops_while_trying = &stop;
    trials = 0;
    const auto rows = comparison(blur(), image.view(), {{engine, &kTries, {}}}, quick(), {},
                                 stop.get_token());
    stops_while_trying = nullptr;
    EXPECT_EQ(trials, 1);
    EXPECT_FALSE(rows.front().times);
    EXPECT_EQ(name(rows.front().verdict), "stopped");
    EXPECT_EQ(rows.front().reason, "it was not verified yet");
}

TEST(Comparison, TimesALibrarysOwnWorkApart) {
    const auto engine = std::make_shared<testing::ClockedEngine>();
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.rounds = 3; // fewer samples could not separate the two times
    const auto rows = comparison(
        blur(), image.view(),
        {{engine, &kConverts<false>, "library", &kConverts<true>}, {engine, &kConverts<false>, "library"}},
        rules);
    constexpr double kConversions = 2 * Converts::kTakes;
    for (const auto& row : rows) {
        ASSERT_TRUE(row.times) << row.reason;
        EXPECT_GT(row.times->run.median, kConversions) << "what a user pays";
    }
    ASSERT_TRUE(rows[0].alone);
    EXPECT_LT(rows[0].alone->median, kConversions);
    EXPECT_EQ(rows[0].alone->samples, 6u) << "two a round";
    EXPECT_FALSE(rows[1].alone);
}

TEST(Comparison, StoppedAtOnceHasRowsWithoutTimes) {
    const auto engine = cpu::make_engine(1);
    const auto image = testing::random_image({96, 80}, kGrey, 1);
    std::stop_source stop;
    stop.request_stop();
    const auto rows = comparison(blur(), image.view(), candidates(engine, false), quick(), {},
                                 stop.get_token());
    ASSERT_FALSE(rows.empty());
    for (const auto& row : rows) {
        EXPECT_FALSE(row.times);
        EXPECT_FALSE(row.reason.empty());
    }
}

} // namespace
} // namespace kg::measure
