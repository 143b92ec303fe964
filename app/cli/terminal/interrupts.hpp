#pragma once
// Ctrl+C and SIGTERM during work: the first signal requests a stop, the second ends the program at once.

#include <optional>
#include <stop_token>
#include <thread>

namespace kg {

/// Called once at the start. Afterwards, signals that end the program remove unfinished files, a file beyond
/// the size limit of the shell is an ordinary error, and writing to a closed pipe ends the program silently.
void prepare_signals();

/// Handles both signals for its lifetime. At most one object may exist. Without one, or if the system refuses
/// the thread that it needs, the signals end the program at once.
class Interrupts {
public:
    /// `timeout`: seconds after the first signal until the program ends in any case, for work that makes
    /// calls that may never return.
    explicit Interrupts(std::optional<double> timeout = {});
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    std::stop_token token() const { return stop_.get_token(); }
    bool received() const;
    int exit_code() const; ///< 130 after Ctrl+C, 143 after SIGTERM

private:
    std::stop_source stop_;
    std::jthread watcher_; ///< woken by the signal handler through a pipe, as few calls are async-signal-safe
};

} // namespace kg
