#pragma once
// What a queue hands back at a fence: done yet? how long did each span take? what went wrong?

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kg {

/// A named stretch of a queue's time line, on the clock of the engine that ran it.
struct TimedSpan {
    std::string name;
    double microseconds = 0;
};

struct Report {
    std::vector<TimedSpan> spans; ///< in the order of mark(), each until the next mark or the fence
    std::map<std::string, std::int64_t> counts; ///< launches, strips, bytes moved, ...
};

/// The engine's side of a fence. Thread-safe.
class CompletionState {
public:
    virtual ~CompletionState() = default;
    virtual bool ready() = 0;
    /// Returns when everything before the fence is done; throws what went wrong on the way (every time it is asked).
    virtual void wait() = 0;
    /// Only after ready() or wait().
    virtual Report report() = 0;
};

/// Shared handle to a fence; an empty one is always ready. Any thread may ask.
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
