#pragma once
// Computes jobs: on their engine, out of core where its memory is short, by the fallback where the engine
// cannot. Slow jobs have previews. Runs in the worker's thread only.

#include "app/editor/preview/early_preview.hpp"
#include "app/editor/worker/worker.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>

namespace kg {

class Filtering {
public:
    /// A newer job stops the running one only after this time: a drag that posts a job per frame would
    /// otherwise never see a result. Once a preview is shown it stops at once.
    static constexpr std::chrono::milliseconds kTimeout{120};
    /// Pause after a preview, at most; in a drag exactly: the next job is about to come, and the window needs
    /// time to draw.
    static constexpr std::chrono::microseconds kRest{20'000};

    /// Interruptions come from `work`; previews, and pixels read meanwhile, go to `events`.
    Filtering(WorkQueue& work, EventQueue& events, PreviewPace pace);
    ~Filtering();
    Filtering(const Filtering&) = delete;
    Filtering& operator=(const Filtering&) = delete;

    /// Throws Cancelled if newer work interrupts, and exceptions of the planner or the engine; call forget()
    /// afterwards.
    std::shared_ptr<const Result> compute(const ScreenJob& job);
    /// Reads a pixel or a region of a result from its engine, and reports it.
    void answer(const WorkQueue::Probe& probe);
    /// A queue of the engine for other work.
    Queue& queue_of(const std::shared_ptr<Engine>& engine);
    /// Releases all memory and queues on the engine. Whatever the queue's state, the next job starts afresh.
    void forget();

private:
    struct Lane; ///< the engine in use: queues, result buffers, uploaded image
    using Clock = WorkQueue::Clock;

    Lane& lane(const std::shared_ptr<Engine>& engine);
    bool is_opaque_where_it_counts(const ScreenJob& job);
    Result compute_somewhere(const ScreenJob& job);
    Result compute_on_device(const ScreenJob& job);
    Result compute_in_parts(const ScreenJob& job);
    double show_preview(EarlyPreview& early, Lane& on, Result result);
    std::optional<Clock::time_point> limit_of(const EarlyPreview& early, Clock::time_point began);
    Completion finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline);
    std::optional<Completion> finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline,
                                     std::optional<Clock::time_point> limit);
    Event read_pixels(const WorkQueue::Probe& probe);

    WorkQueue& work_;
    EventQueue& events_;
    const PreviewPace pace_;
    const std::shared_ptr<Engine> host_; ///< memory of out-of-core results, and samples for other engines
    std::unique_ptr<Lane> lane_;
    std::weak_ptr<const LoadedImage> checked_image_;
    bool opaque_ = false;     ///< result for checked_image_, as defined in core/request/opaque.hpp
    std::uint64_t stamp_ = 0; ///< stamp of the latest result or preview
};

} // namespace kg
