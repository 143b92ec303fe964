// Finding the fastest candidate in little time: slow ones are not repeated, and an expired timeout ends the
// trials.

#include "peers/support/remembered.hpp"
#include "peers/support/trials.hpp"

#include "core/support/error.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace kg::peers {
namespace {

/// Reports the next of these times for each span.
class ScriptedQueue final : public Queue {
public:
    std::deque<double> times;

    void upload(const ConstImageView&, const BufferView&) override {}
    void download(const BufferView&, const ImageView&) override {}
    void run(const std::shared_ptr<const Plan>&, std::span<const Item>, std::stop_token) override {}
    void after(const Completion&) override {}
    void mark(std::string span) override { span_ = std::move(span); }
    Completion fence(std::function<void()>) override {
        const auto us = times.front();
        times.pop_front();
        return Completion(std::make_shared<Done>(kg::Report{{{span_, us}}, {}}));
    }

private:
    struct Done final : CompletionState {
        explicit Done(kg::Report r) : all(std::move(r)) {}
        bool ready() override { return true; }
        void wait() override {}
        kg::Report report() override { return all; }
        kg::Report all;
    };
    std::string span_;
};

/// How often each is run, and whether it is the fastest so far.
struct Trial {
    int runs = 0;
    bool fastest = false;
};
Trial try_once(Trials& trials, ScriptedQueue& queue, std::deque<double> times) {
    Trial trial;
    queue.times = std::move(times);
    trial.fastest = trials.is_fastest([&] { ++trial.runs; });
    return trial;
}

TEST(Trials, TakeTheFastestWhateverItsFirstRunLoads) {
    ScriptedQueue queue;
    const PlanContext context;
    Trials trials(queue, context);
    const auto first = try_once(trials, queue, {9000, 120, 110});
    EXPECT_TRUE(first.fastest);
    EXPECT_EQ(first.runs, 3);
    EXPECT_FALSE(try_once(trials, queue, {130, 112, 111}).fastest);
    EXPECT_TRUE(try_once(trials, queue, {90000, 100, 105}).fastest)
        << "loading took long, the work is faster";
}

TEST(Trials, DoNotRepeatWhatIsSlow) {
    ScriptedQueue queue;
    const PlanContext context;
    Trials trials(queue, context);
    EXPECT_EQ(try_once(trials, queue, {2e6}).runs, 1) << "it took two seconds";
    EXPECT_TRUE(try_once(trials, queue, {800, 700, 750}).fastest);
    EXPECT_EQ(try_once(trials, queue, {3e5}).runs, 1) << "hopeless, and no loading takes so long";
    EXPECT_EQ(try_once(trials, queue, {5000, 4000}).runs, 2) << "hopeless also without loading";
    EXPECT_EQ(try_once(trials, queue, {1900, 1800, 1700}).runs, 3);
}

TEST(Trials, TryOneHoweverShortTheTimeIs) {
    ScriptedQueue queue;
    const PlanContext none{{}, 0};
    Trials trials(queue, none);
    EXPECT_TRUE(trials.may_go_on()) << "one is needed";
    try_once(trials, queue, {5, 5, 5});
    EXPECT_FALSE(trials.may_go_on());
}

TEST(Trials, StopEvenBeforeTheFirst) {
    ScriptedQueue queue;
    std::stop_source stop;
    const PlanContext context{stop.get_token()};
    const Trials trials(queue, context);
    EXPECT_TRUE(trials.may_go_on());
    stop.request_stop();
    EXPECT_THROW(trials.may_go_on(), Cancelled);
}

TEST(Remembered, KeepsOneAnswerForEachKey) {
    Remembered<int, std::string> known;
    EXPECT_FALSE(known.find(3));
    known.keep(3, "three");
    known.keep(4, "four");
    known.keep(4, "vier");
    EXPECT_EQ(known.find(3), "three");
    EXPECT_EQ(known.find(4), "vier");
}

} // namespace
} // namespace kg::peers
