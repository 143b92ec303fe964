#pragma once
// What the window wants of its worker, and what of it comes first: of jobs the newest, tasks (open, save) in order, a pixel to
// read; errands (thumbnails) and counts when nothing else is wanted. Any thread posts; the worker's takes, and waits here for
// what it has enqueued, so that what is newer can end the wait.

#include "app/editor/worker/result.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <variant>

namespace kg {

class Orders {
public:
    using Clock = std::chrono::steady_clock;
    /// Jobs that follow each other within this time are a drag's. Errands and counts wait for its end: begun between two of its
    /// edits they would be in the way of the second.
    static constexpr std::chrono::milliseconds kPause{100};

    struct Task {
        Failed::What what; ///< where it throws
        std::function<Event()> run;
    };
    struct Probe {
        std::shared_ptr<const Result> result;
        std::int64_t x, y; ///< of the picture
    };
    /// A strip of it, then whatever else has come.
    struct Count {
        std::shared_ptr<const Result> result;
        std::stop_token stop; ///< requested when anything but a probe, an errand or a count comes
    };
    struct End {};
    using Order = std::variant<Task, Job, Probe, Count, End>;

    // From any thread.
    void post(Job job);     ///< replaces the one that waits, and drops the count
    void post(Task task);   ///< none is dropped
    void post(Probe probe); ///< replaces the one that waits
    void post_errand(Task errand);
    void post_count(std::shared_ptr<const Result> result); ///< replaces the one that waits
    void end();                                            ///< drops all but the tasks

    // From the worker's thread.
    /// Waits for one. A count comes again and again, until it is counted().
    Order next();
    void counted(const std::shared_ptr<const Result>& result);
    /// A job that was interrupted waits again, unless a newer one does.
    void put_back(const Job& job);

    /// Whether something waits that a job shall not keep waiting.
    bool is_newer_waiting();
    /// The same, waiting for it.
    bool is_newer_within(std::chrono::duration<double, std::micro> time);
    /// Whether the latest job followed the one before at once.
    bool is_dragging();

    /// Waits for what was enqueued, and gives a fence that has come. What is newer waits until the deadline, then `stop` is
    /// requested; at the limit it is in any case, and there is no fence if the work had not come to its end. Meanwhile pixels
    /// are read by `answer`. Throws what the work threw, so Cancelled when it was stopped.
    std::optional<Completion> finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline,
                                     std::optional<Clock::time_point> limit,
                                     const std::function<void(const Probe&)>& answer);

private:
    bool newer() const { return job_ || ending_ || !tasks_.empty(); } ///< with the mutex held

    std::mutex mutex_; ///< guards all below
    std::condition_variable changed_;
    std::optional<Job> job_;
    std::optional<Probe> probe_;
    std::deque<Task> tasks_, errands_;
    std::shared_ptr<const Result> to_count_;
    std::stop_source count_stop_; ///< ends the strip that is being counted
    Clock::time_point posted_{};  ///< the latest job
    bool dragging_ = false;       ///< it followed the one before at once
    bool fenced_ = false, ending_ = false;
};

} // namespace kg
