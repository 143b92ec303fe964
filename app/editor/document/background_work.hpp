#pragma once
// Reading and writing of files in the background for a document that belongs to the window's thread.

#include "app/editor/document/message.hpp"
#include "core/support/job_thread.hpp"

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace kg {

class BackgroundWork {
public:
    using Arrival = std::function<void()>; ///< changes the document; runs in update()

    /// `wake` is called from any thread when update() has work; it may be empty.
    explicit BackgroundWork(std::function<void()> wake) : wake_(std::move(wake)) {}

    /// Runs `work` after what was given before. What it throws becomes a message.
    void push(std::function<Arrival()> work);
    /// Runs what has arrived.
    void update();
    bool busy() const { return in_flight_ > 0; }
    void report(Message message) { messages_.push_back(std::move(message)); }
    /// What was reported since the last call.
    std::vector<Message> take_messages() { return std::exchange(messages_, {}); }

private:
    std::function<void()> wake_;
    std::vector<Message> messages_;
    int in_flight_ = 0;

    std::mutex mutex_;
    std::vector<Arrival> arrivals_; ///< guarded by mutex_
    JobThread thread_;              ///< last member: ends first
};

} // namespace kg
