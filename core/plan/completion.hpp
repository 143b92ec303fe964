#pragma once
// The result of a queue's work at a fence: state, time per span, and errors.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kg {

/// A named interval on the time line of a queue, on the clock of its engine.
struct TimedSpan {
    std::string name;
    double microseconds = 0;
};

struct Report {
    std::vector<TimedSpan> spans; ///< in the order of mark(); each lasts until the next mark or the fence
    std::map<std::string, std::int64_t> counts; ///< launches, strips, bytes moved, ...
};

/// The engine's side of a fence. Thread-safe.
class CompletionState {
public:
    virtual ~CompletionState() = default;
    virtual bool ready() = 0;
    /// Returns when all work before the fence is done. Throws the error of failed work, on every call.
    virtual void wait() = 0;
    /// Valid only after ready() returned true or wait() returned.
    virtual Report report() = 0;
};

/// Shared handle to a fence; an empty handle is always ready. Thread-safe.
class Completion {
public:
    Completion() = default;
    explicit Completion(std::shared_ptr<CompletionState> state) : state_(std::move(state)) {}

    bool ready() const { return !state_ || state_->ready(); }
    void wait() const {
        if (state_) state_->wait();
    }
    Report report() const { return state_ ? state_->report() : Report{}; }
    const std::shared_ptr<CompletionState>& state() const { return state_; }

private:
    std::shared_ptr<CompletionState> state_;
};

} // namespace kg
