#include "app/process/background.hpp"

#include "core/support/thread.hpp"
#include "cpu/engine.hpp"

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <deque>
#include <thread>
#include <vector>

#include <unistd.h>

namespace kg::batch {

void give_way() {
    constexpr int kWay = 10; // a ninth of what a window's thread gets where both want a core
    [[maybe_unused]] const int now = ::nice(kWay); // on Linux of this thread alone
}

void execute_in_own_threads(int count, const std::function<void()>& work) {
    tbb::task_arena arena(count, static_cast<unsigned>(count)); // all places are reserved for them
    std::deque<tbb::task_group> waits(static_cast<std::size_t>(count) - 1);
    std::vector<std::jthread> threads;
    std::vector<tbb::task_handle>
        held; // who waits for one takes part in the work; they are let go before all else
    for (auto& wait : waits) {
        held.push_back(wait.defer([] {}));
        threads.push_back(try_thread([&] { arena.execute([&] { wait.wait(); }); }));
    }
    arena.execute(work);
}

EngineChoice choice_in_background(EngineChoice choice, std::size_t wanted, int count) {
    const auto& device = choice.engine->device();
    if (device.id != "cpu") return choice;
    const bool few = wanted < static_cast<std::size_t>(count);
    choice.engine = cpu::make_engine(few ? count : 1, device.memory_limit);
    return choice;
}

} // namespace kg::batch
