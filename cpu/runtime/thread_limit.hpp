#pragma once
// Limits oneTBB to threads that the system has.

namespace kg::cpu {

/// oneTBB ends the program where one of its own threads does not start. So before `computing` threads of it are asked for, the
/// calling one among them, as many are tried beside `others` and `beside_each` for each of them, the most that the program starts
/// elsewhere meanwhile. Where the system refuses some, oneTBB is limited for good to what fits, at least to the calling thread.
/// What was tried before is not tried again. Returns how many of `computing` there may be: oneTBB warns of larger arenas.
/// Thread-safe.
int limit_threads(int computing, int others, int beside_each);

/// How many may compute, the calling thread among them, where the system starts `there` threads; at least 1.
int computing_that_fit(int there, int others, int beside_each);

} // namespace kg::cpu
