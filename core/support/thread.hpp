#pragma once
// Starting threads. The system refuses a thread at a limit of processes (ulimit -u, a container's) or of
// memory (ulimit -v).

#include "core/support/error.hpp"

#include <exception>
#include <future>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace kg {

/// A thread that executes `work`, not joinable if the system refuses it.
template <typename Work>
std::jthread try_thread(Work work) {
    try {
        return std::jthread(std::move(work));
    } catch (const std::system_error&) {
        return {};
    }
}

/// Up to `count` threads that execute `work`, as many as the system grants. If memory runs out meanwhile, the
/// running ones are stopped by their token and joined.
template <typename Work>
std::vector<std::jthread> try_threads(int count, const Work& work) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i) {
        threads.push_back(try_thread(work));
        if (threads.back().joinable()) continue;
        threads.pop_back();
        break;
    }
    return threads;
}

/// Thrown where a thread is required. The message names the limits.
Error no_thread();

/// Throws no_thread().
template <typename Work>
std::jthread start_thread(Work work) {
    auto thread = try_thread(std::move(work));
    if (!thread.joinable()) throw no_thread();
    return thread;
}

/// The future result of `work`, executed by a new thread, or by the caller of get() if the system refuses
/// one.
template <typename Work>
auto begin_work(const Work& work) {
    // A copy: a refused thread has consumed its own.
    return std::async(std::launch::async | std::launch::deferred, work);
}

/// True for the exceptions of the standard library and oneTBB about a thread that does not start.
bool is_refused_thread(const std::exception& error);

/// The exception as an Error: itself without its derived type, no_thread() if is_refused_thread(),
/// "out-of-memory" for std::bad_alloc, else "system-error".
Error as_error(const std::exception& error);
/// The message of as_error().
std::string message_of(const std::exception& error);

} // namespace kg
