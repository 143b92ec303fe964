#pragma once
// Where the time of a file goes.

namespace kg::batch {

/// Seconds that a file, or all of them, spent in each stage; of all threads together.
struct StageTimes {
    double read = 0, decode = 0, filter = 0, encode = 0, write = 0;
    StageTimes& operator+=(const StageTimes& other) {
        read += other.read;
        decode += other.decode;
        filter += other.filter;
        encode += other.encode;
        write += other.write;
        return *this;
    }
};

} // namespace kg::batch
