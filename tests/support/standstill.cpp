#include "tests/support/standstill.hpp"

#include "tests/support/eventually.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <unistd.h>

namespace kg::testing {

namespace {

struct ThreadState {
    char state = 0;    ///< 'S' sleeps; 'R' runs or waits for a core
    long switches = 0; ///< how often the thread has left a core
    bool operator==(const ThreadState&) const = default;
};

ThreadState state_of(const std::filesystem::path& thread) {
    ThreadState found;
    std::ifstream status(thread / "status");
    for (std::string word; status >> word;) {
        long count = 0;
        if (word == "State:") status >> found.state;
        else if (word.ends_with("voluntary_ctxt_switches:") && status >> count) found.switches += count;
    }
    return found;
}

std::map<int, ThreadState> other_threads() {
    std::map<int, ThreadState> threads;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
        if (const int thread = std::stoi(entry.path().filename()); thread != ::gettid())
            threads[thread] = state_of(entry.path());
    return threads;
}

bool all_sleep(const std::map<int, ThreadState>& threads) {
    for (const auto& [thread, state] : threads)
        if (state.state != 'S') return false;
    return true;
}

} // namespace

bool comes_to_standstill() {
    // A thread that sleeps at every sample and has left no core in between has slept all the time.
    constexpr std::chrono::milliseconds kLongestNap{10};
    auto since = std::chrono::steady_clock::now();
    auto before = other_threads();
    return eventually([&] {
        auto now = other_threads();
        if (all_sleep(now) && now == before) return std::chrono::steady_clock::now() - since > kLongestNap;
        since = std::chrono::steady_clock::now(); // after the samples that are compared with it
        before = std::move(now);
        return false;
    });
}

bool falls_asleep(pid_t thread) {
    const auto folder = std::filesystem::path("/proc/self/task") / std::to_string(thread);
    return eventually([&] { return state_of(folder).state == 'S'; });
}

} // namespace kg::testing
