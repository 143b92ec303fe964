// Highway's library measures the processor's clock while it is loaded, for benchmarks of its own: a quarter
// of the time of `kernelglass --version`. A program's symbols take the place of a library's; nothing here
// asks Highway for the time.

#include <cstdint>

namespace hwy::platform {

double InvariantTicksPerSecond();
std::uint64_t TimerResolution();

double InvariantTicksPerSecond() { return 1e9; }
std::uint64_t TimerResolution() { return 1; }

} // namespace hwy::platform
