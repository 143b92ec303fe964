#include "cpu/thread_limit.hpp"

#include "core/thread.hpp"

#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>

namespace kg::cpu {

namespace {

/// So many threads, at most `count`, can be there at the same time.
int threads_that_start(int count) {
    std::mutex mutex;
    std::condition_variable_any never;
    auto threads = try_threads(count, [&](const std::stop_token& end) {
        std::unique_lock lock(mutex);
        never.wait(lock, end, [] { return false; });
    });
    for (auto& thread : threads) thread.request_stop(); // all of them before the first is waited for
    return static_cast<int>(threads.size());
}

} // namespace

void limit_threads(int computing, int others) {
    static std::atomic<int> tried = 0;
    const int wanted = computing - 1 + others;
    if (computing <= 1 || wanted <= tried) return;
    static std::mutex mutex;
    static std::optional<tbb::global_control> limit;
    const std::lock_guard lock(mutex);
    if (wanted <= tried) return;
    const int there = threads_that_start(wanted);
    if (there < wanted)
        limit.emplace(tbb::global_control::max_allowed_parallelism,
                      static_cast<std::size_t>(1 + std::max(0, there - others)));
    tried = wanted;
}

} // namespace kg::cpu
