#include "app/batch/run/processor_share.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <sys/resource.h>

namespace kg::batch {

namespace fs = std::filesystem;

ProcessorTime processor_time() {
    constexpr double kNanosecond = 1e-9;
    rusage all_threads{};
    ::getrusage(RUSAGE_SELF, &all_threads);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    ProcessorTime all{seconds(all_threads.ru_utime) + seconds(all_threads.ru_stime)};
    std::error_code error;
    for (fs::directory_iterator i("/proc/self/task", error), end; !error && i != end; i.increment(error)) {
        std::ifstream file(i->path() / "schedstat");
        double used = 0, waited = 0;
        if (!(file >> used >> waited)) continue; // the thread has ended
        all.waited += waited * kNanosecond;
    }
    return all;
}

double share_between(const ProcessorTime& before, const ProcessorTime& after) {
    const auto used = after.used - before.used, waited = std::max(0.0, after.waited - before.waited);
    return used > 0 ? used / (used + waited) : 1;
}

} // namespace kg::batch
