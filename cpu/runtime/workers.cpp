#include "cpu/runtime/workers.hpp"

#ifdef __SANITIZE_THREAD__
#include "core/support/thread.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#else
#include "cpu/runtime/thread_limit.hpp"

#include <algorithm>
#include <mutex>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace kg::cpu {

Workers::~Workers() = default;

#ifdef __SANITIZE_THREAD__
// Debian's libtbb is not instrumented, so the thread sanitizer would report races in every fork and join and
// hide real ones. Its builds use plain threads instead.
struct Workers::Arena {};

Workers::Workers(int count) : count_(count) {}

void Workers::spread(std::int64_t rows, std::int64_t grain, const Chunk& chunk) {
    std::atomic<std::int64_t> next = 0;
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&] {
        try {
            for (std::int64_t y; (y = next.fetch_add(grain)) < rows;) chunk(y, std::min(rows, y + grain));
        } catch (...) {
            std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    };
    {
        const auto threads = try_threads(count_ - 1, work);
        work();
    }
    if (failure) std::rethrow_exception(failure);
}
#else
struct Workers::Arena {
    tbb::task_arena arena;
    std::once_flag made; ///< created with the first work
    int threads = 1;
};

/// Threads beside those that compress results, which are as many as compute.
constexpr int kOtherThreads = 8;

Workers::Workers(int count) : count_(count), arena_(new Arena) {}

void Workers::spread(std::int64_t rows, std::int64_t grain, const Chunk& chunk) {
    // By number, because a blocked range is split into other sizes than the grain, and callers size memory by
    // the grain.
    const auto chunks = (rows + grain - 1) / grain;
    auto& own = *arena_;
    std::call_once(own.made, [&] {
        own.threads = limit_threads(count_, kOtherThreads, 1);
        own.arena.initialize(own.threads);
    });
    if (own.threads == 1) { // the arena has one slot, and threads of other queues would wait for it
        for (std::int64_t i = 0; i < chunks; ++i) chunk(i * grain, std::min(rows, (i + 1) * grain));
        return;
    }
    own.arena.execute([&] {
        tbb::parallel_for(std::int64_t{0}, chunks,
                          [&](std::int64_t i) { chunk(i * grain, std::min(rows, (i + 1) * grain)); });
    });
}
#endif

} // namespace kg::cpu
