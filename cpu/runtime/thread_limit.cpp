#include "cpu/runtime/thread_limit.hpp"

#include "core/support/thread.hpp"

#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <mutex>
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

int computing_that_fit(int there, int others, int beside_each) {
    return std::max(1, (there + 1 - others) / (1 + beside_each));
}

int limit_threads(int computing, int others, int beside_each) {
    static std::atomic<int> tried = 0, most = INT_MAX;
    static std::mutex mutex;
    static std::list<tbb::global_control> limits; // the lowest counts
    const int wanted = computing - 1 + others + beside_each * computing;
    if (computing > 1 && wanted > tried) {
        const std::lock_guard lock(mutex);
        const int there = threads_that_start(wanted);
        if (there < wanted) {
            most = std::min(most.load(), computing_that_fit(there, others, beside_each));
            limits.emplace_back(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(most));
        }
        tried = std::max(tried.load(), wanted);
    }
    return std::min(computing, most.load());
}

} // namespace kg::cpu
