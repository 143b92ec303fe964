// Who is wrong gets no time; who does not do it says why; the rest is timed in turns.

#include "measure/contest.hpp"

#include "core/planner.hpp"
#include "cpu/engine.hpp"
#include "cpu/host_queue.hpp"
#include "filters/recipe.hpp"
#include "tests/support/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kg::measure {
namespace {

constexpr PixelFormat kGrey{Depth::u8, 1};

ImageRequest blur() { return {{96, 80}, kGrey, kGrey, {stage_of(parse_step("gaussian:sigma=1"))}}; }

ContestRules quick() {
    ContestRules rules;
    rules.rounds = 2, rules.samples_per_round = 4;
    rules.timing.least_sample_us = 50;
    rules.timing.most_warm_up_us = 1000;
    return rules;
}

std::string never_refuses(const Request&, const Engine&) { return {}; }
Cost nothing(const Request&, const Engine&) { return {Cost::kOnlyWhenForced}; }

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
const Algorithm kWrong{
    "wrong", "", "", "", never_refuses, nothing, [](const Request&, Engine&) -> std::shared_ptr<const Plan> {
        return std::make_shared<Nothing>();
    }};

/// Right as long as it works.
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
std::shared_ptr<const Plan> breaking(const Request& request, Engine& engine) {
    return std::make_shared<Breaks>(plan(engine, request), after);
}
template <int after>
const Algorithm kBreaks{"breaks", "", "", "", never_refuses, nothing, breaking<after>};

const Row& row_of(const std::vector<Row>& rows, std::string_view algorithm) {
    const auto at = std::ranges::find(rows, algorithm, &Row::algorithm);
    EXPECT_NE(at, rows.end()) << algorithm;
    return at == rows.end() ? rows.front() : *at;
}

TEST(Contest, RefusesATimeToWhatIsWrong) {
    const auto engine = cpu::make_engine(2);
    const auto picture = testing::random_picture({96, 80}, kGrey, 1);
    auto who = contestants(engine, true);
    who.push_back({engine, &kWrong, {}});
    who.push_back({engine, &kBreaks<0>, {}});
    who.push_back({engine, &kBreaks<6>, {}});
    const auto rows = contest(blur(), picture.view(), who, quick());
    ASSERT_EQ(rows.size(), who.size());

    const auto& wrong = row_of(rows, "wrong");
    EXPECT_EQ(wrong.verdict, Verdict::wrong);
    EXPECT_FALSE(wrong.times);
    EXPECT_FALSE(wrong.reason.empty());
    EXPECT_GT(wrong.proof.wrong, 0);

    for (const auto& breaks :
         {*(rows.end() - 2), rows.back()}) { // before it is proved, and while it is timed
        EXPECT_EQ(breaks.verdict, Verdict::failed);
        EXPECT_EQ(breaks.reason, "out of luck");
        EXPECT_FALSE(breaks.times);
    }
    EXPECT_EQ(rows.back().proof.wrong, 0);
    EXPECT_GT(rows.back().proof.samples, 0) << "it was proved before it broke";

    const auto& box = row_of(rows, "box");
    EXPECT_EQ(box.verdict, Verdict::refused);
    EXPECT_NE(box.reason.find("box"), std::string::npos) << box.reason;
    EXPECT_FALSE(box.times);

    for (const char* id : {"direct", "separable"}) {
        const auto& row = row_of(rows, id);
        EXPECT_EQ(row.verdict, Verdict::right) << row.reason;
        ASSERT_TRUE(row.times);
        EXPECT_EQ(row.times->run.samples, 8u);
        EXPECT_GT(row.times->run.median, 0);
        EXPECT_GT(row.times->upload.median, 0);
    }
    const auto& peer = row_of(rows, "opencv:GaussianBlur");
    EXPECT_EQ(peer.peer, "opencv");
    EXPECT_EQ(peer.verdict, Verdict::right) << peer.reason;
    EXPECT_TRUE(peer.times);
}

TEST(Contest, KeepsWhatWasMeasuredBeforeAStop) {
    const auto engine = cpu::make_engine(1);
    const auto picture = testing::random_picture({96, 80}, kGrey, 1);
    auto rules = quick();
    rules.rounds = 1000000;
    std::stop_source stop;
    const auto rows = contest(
        blur(), picture.view(), {{engine, nullptr, {}}}, rules,
        [&](std::size_t done, std::size_t, const std::string&) {
            if (done == 4) stop.request_stop();
        },
        stop.get_token());
    ASSERT_TRUE(rows.front().times);
    EXPECT_EQ(rows.front().times->run.samples, 3 * rules.samples_per_round);
}

TEST(Contest, StoppedAtOnceHasRowsWithoutTimes) {
    const auto engine = cpu::make_engine(1);
    const auto picture = testing::random_picture({96, 80}, kGrey, 1);
    std::stop_source stop;
    stop.request_stop();
    const auto rows = contest(blur(), picture.view(), contestants(engine, false), quick(), {},
                              stop.get_token());
    ASSERT_FALSE(rows.empty());
    for (const auto& row : rows) {
        EXPECT_FALSE(row.times);
        EXPECT_FALSE(row.reason.empty());
    }
}

} // namespace
} // namespace kg::measure
