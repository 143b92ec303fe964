#pragma once
// How a job becomes a result: on its engine, in parts where the memory there is short, by the fallback where the engine cannot; with
// previews before it where it takes long. All of it in the worker's thread.

#include "app/editor/preview/early_preview.hpp"
#include "app/editor/worker/event_queue.hpp"
#include "app/editor/worker/orders.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>

namespace kg {

class Filtering {
public:
    /// A newer job stops the running one, but not before it has had this long: a drag that posts a job per frame would
    /// otherwise never see a result. Once a preview is there it stops at once.
    static constexpr std::chrono::milliseconds kPatience{120};
    /// After a preview at most so long nothing is computed, in a drag exactly so long: the next job is about to come, and the
    /// window wants to draw.
    static constexpr std::chrono::microseconds kRest{20'000};

    /// What interrupts a job comes from `orders`; its previews, and pixels read meanwhile, go to `events`.
    Filtering(Orders& orders, EventQueue& events, PreviewPace pace);
    ~Filtering();
    Filtering(const Filtering&) = delete;
    Filtering& operator=(const Filtering&) = delete;

    /// Throws Cancelled for what is newer, and what the planner or the engine throws; then forget().
    std::shared_ptr<const Result> compute(const Job& job);
    /// Reads a pixel of a result off its engine, and reports it.
    void answer(const Orders::Probe& probe);
    /// For whatever else is to be done on an engine.
    Queue& queue_of(const std::shared_ptr<Engine>& engine);
    /// Gives up what lies on the engine. Whatever state its queue is in, the next job begins afresh.
    void forget();

private:
    struct Lane; ///< the engine in use: queues, result buffers, and the picture that lies on it
    using Clock = Orders::Clock;

    Lane& lane(const std::shared_ptr<Engine>& engine);
    bool is_opaque_where_it_counts(const Job& job);
    Result compute_somewhere(const Job& job);
    Result compute_on_device(const Job& job);
    Result compute_in_parts(const Job& job);
    double show_preview(EarlyPreview& early, Lane& on, Result result);
    std::optional<Clock::time_point> limit_of(const EarlyPreview& early, Clock::time_point began);
    Completion finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline);
    std::optional<Completion> finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline,
                                     std::optional<Clock::time_point> limit);
    Event read_pixel(const Orders::Probe& probe);

    Orders& orders_;
    EventQueue& events_;
    const PreviewPace pace_;
    const std::shared_ptr<Engine> host_; ///< holds what was computed in parts, and samples for other engines
    std::unique_ptr<Lane> lane_;
    std::weak_ptr<const Picture> looked_at_;
    bool opaque_ = false;     ///< it was, as core/image/opaque.hpp means it
    std::uint64_t stamp_ = 0; ///< of the latest result or preview
};

} // namespace kg
