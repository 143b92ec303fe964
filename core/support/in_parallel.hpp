#pragma once
// Independent work on all processors, for what an engine does not run: references and verifications.

#include "core/support/thread.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>

namespace kg {

/// Calls work(i) for every i of [0, count), each once, in this thread and in as many others as there are
/// processors and the system grants. After an exception no further work begins; the first one is thrown once
/// all threads have ended.
template <typename Work>
void in_parallel(std::int64_t count, const Work& work) {
    std::atomic<std::int64_t> next = 0;
    std::mutex mutex;
    std::exception_ptr failure;
    const auto take = [&] {
        try {
            for (auto i = next++; i < count; i = next++) work(i);
        } catch (...) {
            next = count;
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    {
        const auto others = std::min<std::int64_t>(count, std::thread::hardware_concurrency()) - 1;
        const auto threads = try_threads(static_cast<int>(others), take);
        take();
    }
    if (failure) std::rethrow_exception(failure);
}

} // namespace kg
