#pragma once
// The thread that computes for the window. Of jobs the newest wins; tasks (open, save) are done in order, none is dropped;
// errands (thumbnails) and counts are done when there is nothing else to do.

#include "app/document/buffer_pool.hpp"
#include "app/document/clipping.hpp"
#include "app/document/early_preview.hpp"
#include "app/document/result.hpp"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace kg {

class Worker {
public:
    /// A newer job stops the running one, but not before it has had this long: a drag that posts a job per frame would
    /// otherwise never see a result. Once a preview is there it stops at once.
    static constexpr std::chrono::milliseconds kPatience{120};
    /// After a preview at most so long nothing is computed, in a drag exactly so long: the next job is about to come, and the
    /// window wants to draw.
    static constexpr std::chrono::microseconds kRest{20'000};

    /// Jobs that follow each other within this time are a drag's. Errands and counts wait for its end: begun between two of its
    /// edits they would be in the way of the second.
    static constexpr std::chrono::milliseconds kPause{100};

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
    struct Lane; ///< the engine in use: queue, result buffers, and the picture that lies on it
    using Clock = std::chrono::steady_clock;
    struct Task {
        Failed::What what;
        std::function<Event()> run;
    };
    struct Probe {
        std::shared_ptr<const Result> result;
        std::int64_t x, y;
    };

    void loop();
    void run(const Job& job);
    ImageRequest easiest(const Job& job);
    Result compute(const Job& job);
    Result compute_on_device(const Job& job);
    Result compute_in_parts(const Job& job);
    double show_preview(EarlyPreview& early, Lane& on, Result result);
    std::optional<Clock::time_point> limit_of(const EarlyPreview& early, Clock::time_point began);
    Completion finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline);
    std::optional<Completion> finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline,
                                     std::optional<Clock::time_point> limit);
    bool is_newer_waiting() const { return job_ || ending_ || !tasks_.empty(); } ///< with the mutex held
    Event read_pixel(const Probe& probe);
    void count_strip(const std::shared_ptr<const Result>& result, const std::stop_token& stop);
    Lane& lane(const std::shared_ptr<Engine>& engine);
    void report(Event event);
    void report_or_fail(const Task& task);

    const std::function<void()> wake_;
    const PreviewPace pace_;
    std::uint64_t stamp_ = 0;
    std::unique_ptr<Lane> lane_;         ///< touched by the worker's thread only, as
    const std::shared_ptr<Engine> host_; ///< holds what was computed in parts, and samples for other engines
    std::optional<ClippingCount> counting_; ///< these
    std::weak_ptr<const Picture> looked_at_;
    bool opaque_ = false; ///< as core/opaque.hpp means it

    std::mutex mutex_; ///< guards all below
    std::condition_variable changed_;
    std::optional<Job> job_;
    std::optional<Probe> probe_;
    std::deque<Task> tasks_, errands_;
    std::shared_ptr<const Result> to_count_;
    std::stop_source count_stop_; ///< ends the strip that is being counted
    std::vector<Event> events_;
    Clock::time_point posted_{}; ///< the latest job
    bool dragging_ = false;      ///< it followed the one before at once
    bool fenced_ = false, ending_ = false;

    std::thread thread_;
};

} // namespace kg
