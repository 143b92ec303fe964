#pragma once
// Work beside a window that computes, too. It uses threads of its own at a lower priority, so that the window
// stays responsive.

#include "app/process/engine/engines.hpp"

#include <functional>

namespace kg {

/// Lowers the priority of the calling thread, and of those that it starts from now on. It cannot be undone.
void lower_priority();

/// Like task_arena(count).execute(work), but in the calling thread and count - 1 threads of its own, or fewer
/// if the system refuses some. The threads of oneTBB, which compute what the window shows, are not used and
/// keep their priority.
void execute_in_own_threads(int count, const std::function<void()>& work);

/// Replaces the window's CPU engine, whose threads the window would wait for, by one that keeps each image to
/// its thread, unless there are fewer `wanted` images than `count` threads. Other engines are shared.
EngineChoice choice_in_background(EngineChoice choice, std::size_t wanted, int count);

} // namespace kg
