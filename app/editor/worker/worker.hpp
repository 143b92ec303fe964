#pragma once
// The thread that computes for the window.

#include "app/editor/worker/clipping_count.hpp"
#include "app/editor/worker/event_queue.hpp"
#include "app/editor/worker/filtering.hpp"
#include "app/editor/worker/work_queue.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace kg {

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
    void post(ScreenJob job);
    /// Reads a pixel of a result from its engine. Replaces the waiting probe.
    void probe(std::shared_ptr<const Result> result, std::int64_t x, std::int64_t y);
    /// Runs in the worker's thread; an exception becomes Failed{what, message}.
    void then(Failed::What what, std::function<Event()> task);

    /// As then(), but when no other work waits; dropped at the end.
    void later(Failed::What what, std::function<Event()> task);
    /// Counts the clipping of the result when no other work waits. A newer job or count replaces it.
    void count(std::shared_ptr<const Result> result);

    /// Events since the last call.
    std::vector<Event> take_events();

private:
    void loop();
    void run(const ScreenJob& job);
    void run(const WorkQueue::Task& task);
    void run(const WorkQueue::Probe& probe);
    void run(const WorkQueue::Count& count);
    void run(const WorkQueue::End& end);

    WorkQueue work_;
    EventQueue events_;
    Filtering filtering_;                   ///< used by the worker's thread only
    std::optional<ClippingCount> counting_; ///< used by the worker's thread only
    bool ended_ = false;                    ///< used by the worker's thread only
    std::jthread thread_;
};

} // namespace kg
