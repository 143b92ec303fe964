#pragma once
// Time per stage of a file.

#include "core/support/elapsed.hpp"

#include <chrono>

namespace kg {

/// Seconds in each stage, of a file or of all files, summed over all threads.
struct StageTimes {
    double read = 0, decode = 0, filter = 0, encode = 0, write = 0;
    double wait = 0; ///< in none of them: waiting for memory or for a GPU, whose own work is included
    StageTimes& operator+=(const StageTimes& other) {
        read += other.read;
        decode += other.decode;
        filter += other.filter;
        encode += other.encode;
        write += other.write;
        wait += other.wait;
        return *this;
    }
};

/// Adds its lifetime to a stage.
class Timed {
public:
    explicit Timed(double& seconds) : seconds_(seconds), began_(Clock::now()) {}
    ~Timed() { seconds_ += seconds_since(began_); }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

private:
    using Clock = std::chrono::steady_clock;
    double& seconds_;
    const Clock::time_point began_;
};

} // namespace kg
