// walk_algorithm(): accepts what is right, and finds wrong sums, and rectangles that depend on how they are
// computed.

#include "core/reference/reference.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "library/walk/requests.hpp"
#include "library/walk/walk.hpp"
#include "tests/support/algorithms.hpp"

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>

namespace kg::testing {
namespace {

constexpr std::size_t kEvery = 32;

enum class Mistake { always, away_from_the_corner };

/// The plan of `direct`, but the first sample of each result is off by a quarter of full scale: of all, or of
/// those that do not begin in the image's corner.
class MistakenPlan final : public Plan {
public:
    MistakenPlan(std::shared_ptr<const Plan> right, Mistake mistake)
        : right_(std::move(right)), mistake_(mistake) {}
    Needs needs(const Rect& output) const override { return right_->needs(output); }
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        right_->record(queue, items, scratch);
        auto& host = static_cast<cpu::HostQueue&>(queue);
        for (const auto& item : items) {
            const bool in_corner = item.dst.covers.x == 0 && item.dst.covers.y == 0;
            if (mistake_ == Mistake::away_from_the_corner && in_corner) continue;
            host.enqueue([&host, item](const auto&) {
                const auto to = host.image(item.dst);
                const double value = sample(to, 0, 0, 0), quarter = full_scale(to.format) / 4;
                store(to, 0, 0, 0, value > 2 * quarter ? value - quarter : value + quarter);
            });
        }
    }

private:
    std::shared_ptr<const Plan> right_;
    Mistake mistake_;
};

template <Mistake mistake>
std::shared_ptr<const Plan> mistaken_plan(const PlanStep& step, Engine& engine, const PlanContext& context) {
    return std::make_shared<MistakenPlan>(cpu_algorithm("direct").plan(step, engine, context), mistake);
}

Algorithm mistaken(decltype(Algorithm::plan) plan) {
    auto algorithm = cpu_algorithm("direct");
    algorithm.id = "mistaken";
    algorithm.plan = plan;
    return algorithm;
}

TEST(WalkAlgorithm, AcceptsWhatIsRight) {
    const auto engine = cpu::make_engine(2);
    const auto outcome = walk_algorithm(*engine, cpu_algorithm("separable"), kEvery);
    EXPECT_EQ(outcome.requests, (walk_size() + kEvery - 1) / kEvery);
    EXPECT_GT(outcome.ran, 10u);
    EXPECT_LT(outcome.ran, outcome.requests) << "some kernels are no column times a row";
    EXPECT_EQ(outcome.wrong, 0u);
    EXPECT_TRUE(outcome.right()) << outcome.first_wrong;
}

TEST(WalkAlgorithm, FindsWrongSums) {
    const auto outcome = walk_algorithm(*cpu::make_engine(2), mistaken(mistaken_plan<Mistake::always>),
                                        kEvery);
    EXPECT_GT(outcome.wrong, outcome.ran / 2);
    EXPECT_FALSE(outcome.right());
    EXPECT_NE(outcome.first_wrong.find(", border "), std::string::npos)
        << "describes the request: " << outcome.first_wrong;
}

TEST(WalkAlgorithm, FindsRectanglesThatDifferFromTheWhole) {
    const auto outcome = walk_algorithm(*cpu::make_engine(2),
                                        mistaken(mistaken_plan<Mistake::away_from_the_corner>), kEvery);
    EXPECT_FALSE(outcome.right());
    EXPECT_NE(outcome.first_wrong.find("has other bytes alone"), std::string::npos) << outcome.first_wrong;
}

TEST(WalkAlgorithm, VerifiesNothingOfAnAlgorithmThatRefusesEverything) {
    auto algorithm = cpu_algorithm("direct");
    algorithm.why_not = [](const PlanStep&, const Engine&) -> std::string { return "it is too cold"; };
    const auto outcome = walk_algorithm(*cpu::make_engine(1), algorithm, kEvery);
    EXPECT_EQ(outcome.ran, 0u);
    EXPECT_FALSE(outcome.right());
}

TEST(WalkAlgorithm, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(walk_algorithm(*cpu::make_engine(1), cpu_algorithm("direct"), 1, stop.get_token()),
                 Cancelled);
}

} // namespace
} // namespace kg::testing
