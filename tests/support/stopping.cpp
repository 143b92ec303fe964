#include "tests/support/stopping.hpp"

#include "core/error.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <thread>

namespace kg::testing {

using Clock = std::chrono::steady_clock;

namespace {

/// What each of this process's threads has computed.
std::map<int, Clock::duration> computed() {
    std::map<int, Clock::duration> threads;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        const int thread = std::stoi(entry.path().filename());
        const auto clock = static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 |
                                                  6); // as the C library does
        timespec used{};
        if (::clock_gettime(clock, &used) == 0)
            threads[thread] = std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
    }
    return threads;
}

/// A stopwatch of the thread that computes longest; with a GPU, of the time that passes.
class Stopwatch {
public:
    explicit Stopwatch(const Engine& engine) : is_gpu_(engine.device().id == "cuda") {}

    Clock::duration passed() const { return Clock::now() - began_; }
    Clock::duration worked() const {
        if (is_gpu_) return passed();
        Clock::duration most{};
        for (const auto& [thread, time] : computed()) {
            const auto before = before_.find(thread);
            most = std::max(most, before == before_.end() ? time : time - before->second);
        }
        return most;
    }

private:
    const bool is_gpu_;
    const std::map<int, Clock::duration> before_ = computed();
    const Clock::time_point began_ = Clock::now();
};

} // namespace

Clock::duration time_to_stop(Engine& engine, const ImageRequest& request, const ConstImageView& picture,
                             std::string_view algorithm, std::chrono::milliseconds head_start) {
    const auto prepared = plan(engine, request, algorithm);
    const Item item{allocate_view(engine, request.in, whole(request.size)),
                    allocate_view(engine, request.out, whole(request.size))};
    const auto queue = engine.queue();
    queue->upload(picture, item.src);
    queue->fence().wait();
    auto best = Clock::duration::max(), shortest = Clock::duration::max();
    for (int attempt = 0; attempt < 5; ++attempt) {
        std::stop_source stop;
        queue->run(prepared, {&item, 1}, stop.get_token());
        const auto fence = queue->fence();
        std::this_thread::sleep_for(head_start);
        EXPECT_FALSE(fence.ready()) << label(engine);
        const Stopwatch watch(engine);
        stop.request_stop();
        EXPECT_THROW(fence.wait(), Cancelled) << label(engine);
        best = std::min(best, watch.worked());
        shortest = std::min(shortest, watch.passed());
        queue->fence().wait(); // the queue works on
    }
    EXPECT_LT(shortest, std::chrono::seconds(10)) << label(engine) << " waits for something else";
    return best;
}

Clock::duration time_to_stop(Engine& engine, const ImageRequest& request, std::string_view algorithm,
                             std::chrono::milliseconds head_start) {
    const auto picture = random_picture(request.size, request.in, 1);
    return time_to_stop(engine, request, picture.view(), algorithm, head_start);
}

} // namespace kg::testing
