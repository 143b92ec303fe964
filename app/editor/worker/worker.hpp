#pragma once
// The thread that computes for the window, and what runs in it.

#include "app/editor/worker/clipping_count.hpp"
#include "app/editor/worker/event_queue.hpp"
#include "app/editor/worker/filtering.hpp"
#include "app/editor/worker/orders.hpp"

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

    /// Replaces the job that waits, if any. Gives one whole result or a failure, unless a newer job comes first, and previews
    /// before it where it takes long.
    void post(Job job);
    /// Reads a pixel of a result off its engine. Replaces the probe that waits.
    void probe(std::shared_ptr<const Result> result, std::int64_t x, std::int64_t y);
    /// Runs in the worker's thread; what it throws becomes Failed{what, sentence}.
    void then(Failed::What what, std::function<Event()> task);

    /// As then(), but when nothing else is to be done; dropped at the end.
    void later(Failed::What what, std::function<Event()> task);
    /// Counts what the result clamped away, when nothing else is to be done. A newer job or count takes its place.
    void count(std::shared_ptr<const Result> result);

    /// What happened since the last call.
    std::vector<Event> take_events();

private:
    void loop();
    void run(const Job& job);
    void run(const Orders::Task& task);
    void run(const Orders::Probe& probe);
    void run(const Orders::Count& count);
    void run(const Orders::End& end);

    Orders orders_;
    EventQueue events_;
    Filtering filtering_;                   ///< touched by the worker's thread only, as
    std::optional<ClippingCount> counting_; ///< this one
    bool ended_ = false;                    ///< and this
    std::jthread thread_;
};

} // namespace kg
