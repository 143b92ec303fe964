#pragma once
// Simulates a system that refuses threads.

#include <cstddef>

#include <pthread.h>

namespace kg::testing {

/// While an object lives, no thread of this process starts: each stack would exceed the address space.
class NoThreads {
public:
    NoThreads() {
        ::pthread_getattr_default_np(&before_);
        auto endless = before_;
        ::pthread_attr_setstacksize(&endless, std::size_t{1} << 60);
        ::pthread_setattr_default_np(&endless);
    }
    ~NoThreads() { ::pthread_setattr_default_np(&before_); }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

private:
    pthread_attr_t before_{};
};

} // namespace kg::testing
