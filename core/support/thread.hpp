#pragma once
// Starting threads. The system refuses one at a limit of processes (ulimit -u, a container's) or of memory (ulimit -v).

#include "core/support/error.hpp"

#include <exception>
#include <future>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace kg {

/// A thread that does `work`, or one that is not joinable where the system refuses it.
template <typename Work>
std::jthread try_thread(Work work) {
    try {
        return std::jthread(std::move(work));
    } catch (const std::system_error&) {
        return {};
    }
}

/// `count` threads that do `work`, or as many as the system lets there be. Where memory for them runs out, those that run are
/// asked to stop by their token, and waited for.
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

/// Thrown where a thread is needed. The message names the limits.
Error no_thread();

/// Throws no_thread().
template <typename Work>
std::jthread start_thread(Work work) {
    auto thread = try_thread(std::move(work));
    if (!thread.joinable()) throw no_thread();
    return thread;
}

/// The result of `work`, which a thread of its own computes, or whoever calls get() where the system refuses one.
template <typename Work>
auto begin_work(const Work& work) {
    return std::async(std::launch::async | std::launch::deferred,
                      work); // a copy: a refused thread has consumed its own
}

/// True for what the standard library and oneTBB throw where a thread does not start.
bool is_refused_thread(const std::exception& error);

/// The message of `error`; that of no_thread() where is_refused_thread().
std::string message_of(const std::exception& error);

} // namespace kg
