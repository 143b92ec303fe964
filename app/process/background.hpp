#pragma once
// Work beside a window that computes, too: with threads of its own, of a lower priority, so that what the window shows is not late.

#include "app/process/engines.hpp"

#include <functional>

namespace kg::batch {

/// Makes the thread that calls give way to others, and those that it starts from now on. It cannot be taken back.
void give_way();

/// What task_arena(count).execute(work) does, but in the thread that calls and count - 1 that it starts, or fewer where the system
/// refuses some: those of oneTBB, which compute what a window shows, have no part in it and keep their priority.
void execute_in_own_threads(int count, const std::function<void()>& work);

/// A CPU engine that is not the window's, whose threads the window would wait for: there each picture keeps to its thread,
/// unless there are fewer `wanted` pictures than `count` threads. Other engines are for both.
EngineChoice choice_in_background(EngineChoice choice, std::size_t wanted, int count);

} // namespace kg::batch
