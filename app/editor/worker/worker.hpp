#pragma once
// The thread that computes for the window, and the queues to it and from it.

#include "app/editor/preview/early_preview.hpp"
#include "app/editor/worker/clipping_count.hpp"
#include "app/editor/worker/result.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace kg {

class Filtering;

/// Work posted by the window, in the worker's order: tasks (open, save) first, then the newest job, a pixel
/// to read; background tasks (thumbnails) and counts when nothing else waits. Any thread posts. The worker's
/// thread takes work, and waits here for enqueued GPU work, so that newer work can end the wait.
class WorkQueue {
public:
    using Clock = std::chrono::steady_clock;
    /// Jobs that follow each other within this time belong to a drag. Background tasks and counts wait for
    /// its end: started between two edits they would delay the second.
    static constexpr std::chrono::milliseconds kPause{100};

    struct Task {
        Failed::What what; ///< category of its failure
        std::function<Event()> run;
    };
    struct Probe {
        std::shared_ptr<const Result> result;
        std::int64_t x, y; ///< position in the image
        Rect region{};     ///< if not empty: all pixels of it instead, which the result must contain
    };
    /// Counts one strip, then yields to other work.
    struct Count {
        std::shared_ptr<const Result> result;
        std::stop_token stop; ///< requested when a job or a task comes
    };
    struct End {};
    using Entry = std::variant<Task, ScreenJob, Probe, Count, End>;

    // From any thread.
    void post(ScreenJob job); ///< replaces the waiting job, and drops the count
    void post(Task task);     ///< never dropped
    void post(Probe probe);   ///< replaces the one that waits, of a pixel or of a region
    void post_background(Task task);
    void post_count(std::shared_ptr<const Result> result); ///< replaces the one that waits
    void end();                                            ///< drops all but the tasks
    void hold(bool held);                                  ///< next() returns nothing while held, until end()
    bool is_still();                                       ///< held, and what next() returned before is done

    // From the worker's thread.
    /// Waits for work. A count is returned repeatedly, until counted() is called.
    Entry next();
    void counted(const std::shared_ptr<const Result>& result);
    /// An interrupted job waits again, unless a newer one does.
    void put_back(const ScreenJob& job);

    /// Requested by end().
    std::stop_token closing() const { return end_.get_token(); }
    /// Whether a job or task waits that should interrupt the running job.
    bool is_newer_waiting();
    /// As is_newer_waiting(), waiting up to `time` for it.
    bool is_newer_within(std::chrono::duration<double, std::micro> time);
    /// Whether the latest job followed the previous one within kPause.
    bool is_dragging();

    /// Waits for the enqueued work and returns a signalled fence. Newer work waits until the deadline, then
    /// `stop` is requested. At the limit `stop` is requested in any case, and no fence is returned if the
    /// work was cut off. Meanwhile `answer` reads pixels. Rethrows what the work threw, Cancelled when it was
    /// stopped.
    std::optional<Completion> finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline,
                                     std::optional<Clock::time_point> limit,
                                     const std::function<void(const Probe&)>& answer);

private:
    std::optional<Probe> take_probe();                                              ///< requires mutex_
    bool newer() const { return job_ || end_.stop_requested() || !tasks_.empty(); } ///< requires mutex_

    std::mutex mutex_; ///< guards the members below
    std::condition_variable changed_;
    std::optional<ScreenJob> job_;
    std::optional<Probe> probe_, region_;
    std::deque<Task> tasks_, background_;
    std::shared_ptr<const Result> to_count_;
    std::stop_source end_;
    std::stop_source count_stop_; ///< stops the strip that is being counted
    Clock::time_point posted_{};  ///< time of the latest job
    bool dragging_ = false;       ///< it followed the previous job within kPause
    bool fenced_ = false, held_ = false;
    bool waits_ = false; ///< the worker's thread is in next()
};

/// Events from the worker's thread to the window's.
class EventQueue {
public:
    /// `wake` is called from the reporting thread after every event; it must not block.
    explicit EventQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

    void report(Event event);
    /// Reports what `run` returns; if it throws, reports Failed{what, error}.
    void report_or_fail(Failed::What what, const std::function<Event()>& run);

    /// Events since the last call.
    std::vector<Event> take();

private:
    const std::function<void()> wake_;
    std::mutex mutex_;
    std::vector<Event> events_;
};

class Worker {
public:
    /// `wake` is called from the worker's thread after every event; it must not block.
    explicit Worker(std::function<void()> wake, PreviewPace pace = {});
    /// Stops the job, finishes the tasks.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Replaces the waiting job, if any. Reports one whole result or a failure, unless a newer job comes
    /// first, and previews where the job is slow.
    void post(ScreenJob job) { work_.post(std::move(job)); }
    /// Reads a pixel of a result from its engine. Replaces the waiting probe.
    void probe(std::shared_ptr<const Result> result, std::int64_t x, std::int64_t y) {
        work_.post(WorkQueue::Probe{std::move(result), x, y});
    }
    /// Reads the pixels of a region of the image from the engine. Replaces the waiting one.
    void read_region(std::shared_ptr<const Result> result, const Rect& region) {
        work_.post(WorkQueue::Probe{std::move(result), region.x, region.y, region});
    }
    /// Runs in the worker's thread; an exception becomes Failed{what, error}.
    void then(Failed::What what, std::function<Event()> task) {
        work_.post(WorkQueue::Task{what, std::move(task)});
    }

    /// As then(), but when no other work waits; dropped at the end.
    void later(Failed::What what, std::function<Event()> task) {
        work_.post_background(WorkQueue::Task{what, std::move(task)});
    }
    /// Counts the clipping of the result when no other work waits. A newer job or count replaces it.
    void count(std::shared_ptr<const Result> result) { work_.post_count(std::move(result)); }

    /// While held, nothing further is begun: what is posted waits. For measurements, which it would disturb.
    void hold(bool held) { work_.hold(held); }
    /// It is held, and nothing is running. No event tells it.
    bool is_still() { return work_.is_still(); }

    /// Events since the last call.
    std::vector<Event> take_events() { return events_.take(); }

private:
    void loop();
    void run(const ScreenJob& job);
    void run(const WorkQueue::Task& task);
    void run(const WorkQueue::Probe& probe);
    void run(const WorkQueue::Count& count);
    void run(const WorkQueue::End& end);

    WorkQueue work_;
    EventQueue events_;
    // Used by the worker's thread only:
    std::unique_ptr<Filtering> filtering_;
    std::optional<ClippingCount> counting_;
    bool ended_ = false;
    std::jthread thread_;
};

} // namespace kg
