// Wrong candidates get no times; unsupported requests give a reason.

#include "measure/comparison.hpp"

#include "core/plan/planner.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "tests/measure/support/small_comparison.hpp"
#include "tests/support/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kg::measure {
namespace {

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
        EXPECT_EQ(row.code, "later-result-wrong");
        EXPECT_TRUE(row.reason.starts_with("its first result was right, but not a later one: "))
            << row.reason;
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
    EXPECT_EQ(rows[0].code, "nothing-written");
    EXPECT_TRUE(rows[0].reason.starts_with("nothing was written at x ")) << rows[0].reason;
    EXPECT_EQ(rows[1].verdict, Verdict::right) << rows[1].reason;
    EXPECT_EQ(rows[1].code, "");
}

} // namespace
} // namespace kg::measure
