// A fake system that refuses threads, for programs started with it in LD_PRELOAD. Of the threads beside the
// first:
//   KERNELGLASS_TEST_THREADS_THERE=N    only N can exist at the same time,
//   KERNELGLASS_TEST_THREADS_STARTED=N  only the first N start,
//   KERNELGLASS_TEST_THREAD_REFUSED=N   the one after the first N does not start.
// KERNELGLASS_TEST_THREADS names a file for the number of requested threads and of simultaneous ones.

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <memory>

#include <dlfcn.h>
#include <pthread.h>

namespace {

using Routine = void* (*)(void*);

std::atomic<int> asked = 0, there = 0, most = 0;

struct Leaving {
    ~Leaving() { --there; }
};

struct Started {
    Routine routine;
    void* argument;
};

void* run(void* given) {
    const std::unique_ptr<Started> started(static_cast<Started*>(given));
    const Leaving leaving;
    return started->routine(started->argument);
}

/// `none` if the variable is not set.
int number(const char* variable, int none) {
    const char* text = std::getenv(variable);
    return text ? std::atoi(text) : none;
}

bool is_refused(int before) {
    constexpr int kMany = 1 << 30;
    return there >= number("KERNELGLASS_TEST_THREADS_THERE", kMany) ||
           before >= number("KERNELGLASS_TEST_THREADS_STARTED", kMany) ||
           before == number("KERNELGLASS_TEST_THREAD_REFUSED", kMany);
}

const struct Report {
    ~Report() {
        if (const char* path = std::getenv("KERNELGLASS_TEST_THREADS"))
            std::ofstream(path) << asked << ' ' << most << '\n';
    }
} report;

} // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, Routine routine,
                              void* argument) {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, Routine, void*);
    static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
    if (is_refused(asked++)) return EAGAIN;
    auto started = std::make_unique<Started>(Started{routine, argument});
    const int now = ++there;
    for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
    }
    const int failure = create(thread, attributes, run, started.get());
    if (failure != 0) --there;
    else started.release(); // run() owns it
    return failure;
}
