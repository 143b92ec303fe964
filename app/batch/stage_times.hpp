#pragma once
// Where the time of a file goes.

namespace kg::batch {

/// Seconds that a file, or all of them, spent in each stage; of all threads together.
struct StageTimes {
    double read = 0, decode = 0, filter = 0, encode = 0, write = 0;
    double wait = 0; ///< in none of them: for memory, or for a GPU, whose work is its own
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

} // namespace kg::batch
