#include "cpu/runtime/thread_limit.hpp"

#include "core/support/thread.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <mutex>
#include <stop_token>
#include <thread>

#include <sys/resource.h>

namespace kg::cpu {

namespace {

/// The number of threads, at most `count`, that can exist at the same time.
int threads_that_start(int count) {
    std::mutex mutex;
    std::condition_variable_any never;
    auto threads = try_threads(count, [&](const std::stop_token& end) {
        std::unique_lock lock(mutex);
        never.wait(lock, end, [] { return false; });
    });
    for (auto& thread : threads) thread.request_stop(); // all of them before joining the first
    return static_cast<int>(threads.size());
}

bool address_space_is_limited() {
    rlimit limit{};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/// Makes oneTBB start so many threads, including the calling one. By itself it starts them when it first
/// needs them, and aborts if the images have taken the address space by then.
void start_workers(int threads) {
    constexpr std::chrono::seconds kLongest{2}; // fewer threads may come if another control limits them
    const auto end = std::chrono::steady_clock::now() + kLongest;
    const tbb::global_control all(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
    std::atomic<int> arrived = 0;
    tbb::task_arena(threads).execute([&] {
        tbb::parallel_for(
            0, threads,
            [&](int) {
                ++arrived;
                while (arrived < threads && std::chrono::steady_clock::now() < end)
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
            },
            tbb::simple_partitioner());
    });
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
        if (address_space_is_limited()) start_workers(std::min(computing, most.load()));
    }
    return std::min(computing, most.load());
}

} // namespace kg::cpu
