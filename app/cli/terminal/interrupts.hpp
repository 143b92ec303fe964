#pragma once
// Ctrl+C and SIGTERM while there is something to bring to an end: the first asks for a stop, the second stops now.

#include <optional>
#include <stop_token>
#include <thread>

namespace kg {

/// Called once at the start: signals that end the program take half-written files with it, a file that grows beyond
/// the limit of the shell is an error to be said, and writing into a closed pipe ends quietly.
void prepare_signals();

/// Takes over both signals for its lifetime; one at a time. Outside of it they end the program at once, as usual, and so they do
/// where the system refuses the thread that it needs.
class Interrupts {
public:
    /// `patience`: seconds after the first signal at which the program ends in any case, for work that calls what may never
    /// return.
    explicit Interrupts(std::optional<double> patience = {});
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    std::stop_token token() const { return stop_.get_token(); }
    bool received() const;
    int exit_code() const; ///< 130 after Ctrl+C, 143 after SIGTERM

private:
    std::stop_source stop_;
    std::jthread watcher_; ///< a handler may do next to nothing, so it wakes this one through a pipe
};

} // namespace kg
