#pragma once
// Waits until the process is idle, by the kernel's statistics of each thread. A busy machine only prolongs
// the wait.

#include <sys/types.h>

namespace kg::testing {

/// Waits until all other threads of the process sleep at the same time, each waiting for another thread's
/// action; false on timeout. Only one thread at a time may call it. Timed sleeps are recognised if they are
/// shorter than 10 ms.
bool comes_to_standstill();

/// Waits until a thread of the process sleeps; false on timeout.
bool falls_asleep(pid_t thread);

} // namespace kg::testing
