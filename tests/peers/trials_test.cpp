// Which of several is the fastest, found in little time: what is slow is not tried twice, and who is out of patience is
// not kept waiting.

#include "peers/support/patience.hpp"
#include "peers/support/remembered.hpp"
#include "peers/support/trials.hpp"

#include "core/support/error.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <thread>

namespace kg::peers {
namespace {

/// Says of each span that it took the next of these times.
class ToldQueue final : public Queue {
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
struct Told {
    int runs = 0;
    bool fastest = false;
};
Told tell(Trials& trials, ToldQueue& queue, std::deque<double> times) {
    Told told;
    queue.times = std::move(times);
    told.fastest = trials.is_fastest([&] { ++told.runs; });
    return told;
}

TEST(Trials, TakeTheFastestWhateverItsFirstRunLoads) {
    ToldQueue queue;
    Trials trials(queue);
    const auto first = tell(trials, queue, {9000, 120, 110});
    EXPECT_TRUE(first.fastest);
    EXPECT_EQ(first.runs, 3);
    EXPECT_FALSE(tell(trials, queue, {130, 112, 111}).fastest);
    EXPECT_TRUE(tell(trials, queue, {90000, 100, 105}).fastest) << "loading took long, the work is faster";
}

TEST(Trials, DoNotRepeatWhatIsSlow) {
    ToldQueue queue;
    Trials trials(queue);
    EXPECT_EQ(tell(trials, queue, {2e6}).runs, 1) << "it took two seconds";
    EXPECT_TRUE(tell(trials, queue, {800, 700, 750}).fastest);
    EXPECT_EQ(tell(trials, queue, {3e5}).runs, 1) << "hopeless, and no loading takes so long";
    EXPECT_EQ(tell(trials, queue, {5000, 4000}).runs, 2) << "hopeless also without loading";
    EXPECT_EQ(tell(trials, queue, {1900, 1800, 1700}).runs, 3);
}

TEST(Trials, TryOneHoweverShortPatienceIs) {
    ToldQueue queue;
    Trials trials(queue);
    const Patience none({}, 0);
    EXPECT_TRUE(trials.may_go_on()) << "one is needed";
    tell(trials, queue, {5, 5, 5});
    EXPECT_FALSE(trials.may_go_on());
}

TEST(Trials, StopEvenBeforeTheFirst) {
    ToldQueue queue;
    const Trials trials(queue);
    std::stop_source stop;
    const Patience patience(stop.get_token());
    EXPECT_TRUE(trials.may_go_on());
    stop.request_stop();
    EXPECT_THROW(trials.may_go_on(), Cancelled);
}

TEST(Patience, IsTheInnermostOneOfItsThread) {
    EXPECT_TRUE(peers::patience_is_left()) << "nobody has said anything";
    const Patience outer({}, 0);
    EXPECT_FALSE(peers::patience_is_left());
    {
        const Patience inner({});
        EXPECT_TRUE(peers::patience_is_left());
        bool elsewhere = false;
        std::jthread([&] {
            const Patience none({}, 0);
            elsewhere = peers::patience_is_left();
        }).join();
        EXPECT_FALSE(elsewhere);
        EXPECT_TRUE(peers::patience_is_left());
    }
    EXPECT_FALSE(peers::patience_is_left());
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
