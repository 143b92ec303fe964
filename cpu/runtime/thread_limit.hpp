#pragma once
// Limits oneTBB to the threads that the system grants.

namespace kg::cpu {

/// oneTBB terminates the program if one of its threads does not start. Therefore, before `computing` threads
/// (including the calling one) are requested, as many are started for a test, beside `others` and
/// `beside_each` per computing thread, the most that the program starts elsewhere at the same time. If the
/// system refuses some, oneTBB is limited permanently to the number that fits, at least the calling thread.
/// Counts that were tested are not tested again. Returns the possible number of computing threads, because
/// oneTBB warns of larger arenas. Thread-safe.
int limit_threads(int computing, int others, int beside_each);

/// The possible number of computing threads, including the calling one, if the system starts `there` threads;
/// at least 1.
int computing_that_fit(int there, int others, int beside_each);

} // namespace kg::cpu
