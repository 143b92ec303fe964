#include "app/process/background.hpp"

#include "core/support/thread.hpp"
#include "cpu/engine.hpp"

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <deque>
#include <thread>
#include <vector>

#include <unistd.h>

namespace kg {

void lower_priority() {
    constexpr int kNice = 10; // a ninth of the share of a window's thread on the same core
    [[maybe_unused]] const int now = ::nice(kNice); // on Linux it affects this thread only
}

void execute_in_own_threads(int count, const std::function<void()>& work) {
    tbb::task_arena arena(count, static_cast<unsigned>(count)); // all slots are reserved for these threads
    std::deque<tbb::task_group> waits(static_cast<std::size_t>(count) - 1);
    std::vector<std::jthread> threads;
    // Each thread waits for a task and meanwhile takes part in the work; the tasks are released first.
    std::vector<tbb::task_handle> held;
    for (auto& wait : waits) {
        held.push_back(wait.defer([] {}));
        threads.push_back(try_thread([&] { arena.execute([&] { wait.wait(); }); }));
    }
    arena.execute(work);
}

EngineChoice choice_in_background(EngineChoice choice, std::size_t wanted, int count) {
    const auto& device = choice.engine->device();
    if (!device.host_memory) return choice;
    const bool few = wanted < static_cast<std::size_t>(count);
    choice.engine = cpu::make_engine(few ? count : 1, device.memory_limit);
    return choice;
}

} // namespace kg
