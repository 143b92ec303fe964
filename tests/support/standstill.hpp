#pragma once
// Waits until nothing more happens, by the kernel's account of each thread: a busy machine only takes longer for it.

#include <sys/types.h>

namespace kg::testing {

/// Waits until all other threads of the process sleep at the same time, each for something that somebody else has to do. False
/// where they do not. Only one thread at a time may ask. Sleeps that end by themselves are seen where they are shorter than 10 ms.
bool comes_to_standstill();

/// Waits until a thread of the process sleeps; false where it does not.
bool falls_asleep(pid_t thread);

} // namespace kg::testing
