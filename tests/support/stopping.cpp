#include "tests/support/stopping.hpp"

#include "core/error.hpp"
#include "cpu/engine.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <ctime>
#include <thread>

namespace kg::testing {

using Clock = std::chrono::steady_clock;

namespace {

/// A stopwatch of what an engine's cores do.
Clock::duration worked(const Engine& engine) {
    if (engine.device().id == "cuda") return Clock::now().time_since_epoch();
    timespec all{}; // of all threads
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &all);
    const auto cores = std::min(cpu::threads_of(engine),
                                std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    return (std::chrono::seconds(all.tv_sec) + std::chrono::nanoseconds(all.tv_nsec)) / cores;
}

} // namespace

Clock::duration time_to_stop(Engine& engine, const ImageRequest& request, const ConstImageView& picture,
                             std::string_view algorithm, std::chrono::milliseconds head_start) {
    const auto prepared = plan(engine, request, algorithm);
    const Item item{allocate_view(engine, request.in, whole(request.size)),
                    allocate_view(engine, request.out, whole(request.size))};
    const auto queue = engine.queue();
    queue->upload(picture, item.src);
    queue->fence().wait();
    auto best = Clock::duration::max();
    for (int attempt = 0; attempt < 5; ++attempt) {
        std::stop_source stop;
        queue->run(prepared, {&item, 1}, stop.get_token());
        const auto fence = queue->fence();
        std::this_thread::sleep_for(head_start);
        EXPECT_FALSE(fence.ready()) << label(engine);
        const auto asked = worked(engine);
        stop.request_stop();
        EXPECT_THROW(fence.wait(), Cancelled) << label(engine);
        best = std::min(best, worked(engine) - asked);
        queue->fence().wait(); // the queue works on
    }
    return best;
}

Clock::duration time_to_stop(Engine& engine, const ImageRequest& request, std::string_view algorithm,
                             std::chrono::milliseconds head_start) {
    const auto picture = random_picture(request.size, request.in, 1);
    return time_to_stop(engine, request, picture.view(), algorithm, head_start);
}

} // namespace kg::testing
