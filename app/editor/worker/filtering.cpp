#include "app/editor/worker/filtering.hpp"

#include "app/process/engine/engines.hpp"
#include "core/plan/parts.hpp"
#include "core/plan/wrapped_image.hpp"
#include "core/reference/reference.hpp"
#include "core/request/opaque.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace kg {

struct Filtering::Lane {
    Lane(std::shared_ptr<Engine> e, const std::shared_ptr<Engine>& host, const PreviewPace& pace)
        : engine(std::move(e)), pool(engine), previewer(engine, is_host(*engine) ? engine : host, pace),
          queue(engine->queue(Priority::high)) {
        if (!is_host(*engine)) samples = host->queue(Priority::high);
    }
    static bool is_host(const Engine& engine) { return engine.device().host_memory; }

    /// Uploads the job's image unless it is on the engine.
    void hold(const ScreenJob& job) {
        if (image == job.image) return;
        image.reset();
        source = {};
        source = allocate_view(*engine, job.request.in, whole(job.request.size));
        queue->mark("upload");
        // A stop skips only the filter: the upload always finishes.
        queue->upload(job.image->pixels.view(), source);
        image = job.image;
    }

    std::shared_ptr<Engine> engine;
    BufferPool pool;
    Previewer previewer;
    std::unique_ptr<Queue> queue;
    std::unique_ptr<Queue> samples; ///< queue of the host, where the engine has its own memory
    /// Reads single pixels without waiting for the computation; made on first use.
    std::unique_ptr<Queue> reads;
    std::shared_ptr<const LoadedImage> image; ///< image whose pixels `source` holds
    BufferView source;
};

namespace {

/// A forced algorithm that refuses the request yields to auto; `refusal` then has the reason.
PlanAndCosts plan_or_yield(const ScreenJob& job, const ImageRequest& request, const PlanContext& context,
                           std::optional<Error>& refusal) {
    auto& engine = *job.choice.engine;
    if (!job.algorithm.empty()) {
        try {
            return {peers::plan_with_peers(engine, request, job.algorithm, context),
                    step_costs(engine, request, job.algorithm)};
        } catch (const Error& error) {
            if (!is_refusal(error)) throw;
            refusal = error;
        }
    }
    return plan_with_costs(engine, request, context);
}

/// The image's pixels as a buffer for engines that compute in host memory.
BufferView source_in_place(const ScreenJob& job) {
    auto source = wrap_image(job.image->pixels.view(), job.image);
    source.format = job.request.in;
    return source;
}

/// `closing` stops the trials of an algorithm; newer work waits for them, because they are made only once.
Result planned(const ScreenJob& job, bool opaque, const std::stop_token& closing, PlanAndCosts& algorithm) {
    Result result;
    result.job = job;
    result.opaque = opaque;
    algorithm = plan_or_yield(job, result.request(), {closing}, result.refusal);
    result.algorithm = algorithm.plan->algorithm;
    result.reason = reason_with_alpha(algorithm.plan->reason, opaque);
    return result;
}

void take_times(Result& result, const Report& report) {
    for (const auto& span : report.spans)
        if (span.name == "filter") result.filter_us += span.microseconds;
        else if (span.name == "upload") result.upload_us += span.microseconds;
    result.total_us = microseconds_since(result.job.posted);
}

/// Null also without memory for a preview: there may still be enough for the whole result.
std::unique_ptr<EarlyPreview> preview_of(Previewer& previewer, const ScreenJob& job,
                                         PlanAndCosts& algorithm) {
    try {
        return previewer.begin(job, algorithm.plan, std::move(algorithm.costs));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

} // namespace

Filtering::Filtering(WorkQueue& work, EventQueue& events, PreviewPace pace)
    : work_(work), events_(events), pace_(pace), host_(cpu::make_engine()) {}

Filtering::~Filtering() = default;

void Filtering::forget() { lane_.reset(); }

Filtering::Lane& Filtering::lane(const std::shared_ptr<Engine>& engine) {
    if (!lane_ || lane_->engine != engine) {
        lane_.reset(); // give the old engine's memory back first
        lane_ = std::make_unique<Lane>(engine, host_, pace_);
    }
    return *lane_;
}

Queue& Filtering::queue_of(const std::shared_ptr<Engine>& engine) { return *lane(engine).queue; }

std::shared_ptr<const Result> Filtering::compute(const ScreenJob& job) {
    auto result = compute_somewhere(job);
    result.stamp = ++stamp_;
    return std::make_shared<const Result>(std::move(result));
}

/// As in file_request.hpp.
bool Filtering::is_opaque_where_it_counts(const ScreenJob& job) {
    if (!depends_on_opaque(job.request)) return false;
    if (checked_image_.lock() != job.image) {
        opaque_ = is_opaque(job.image->pixels.view());
        checked_image_ = job.image;
    }
    return opaque_;
}

Result Filtering::compute_somewhere(const ScreenJob& job) {
    std::string notice;
    auto result = with_fallback(job.choice, notice, [&](const std::shared_ptr<Engine>& engine) {
        auto own = job;
        own.choice.engine = engine;
        try {
            return compute_on_device(own);
        } catch (const std::bad_alloc&) {
            lane_.reset(); // frees the engine's memory for the bands
            auto in_parts = compute_in_parts(own);
            notice = in_parts.notice;
            return in_parts;
        }
    });
    result.notice = std::move(notice);
    return result;
}

Result Filtering::compute_on_device(const ScreenJob& job) {
    PlanAndCosts algorithm;
    auto result = planned(job, is_opaque_where_it_counts(job), work_.closing(), algorithm);
    auto& on = lane(job.choice.engine);
    on.hold(job);
    result.home = job.choice.engine;
    result.source = on.source;
    // Allocated before the preview's buffer, because the whole result must fit.
    const Item item{on.source, on.pool.take(job.request.out, whole(job.request.size))};
    std::stop_source stop;
    auto deadline = Clock::now() + kTimeout;
    if (const auto early = preview_of(on.previewer, job, algorithm)) {
        result.upload_us = show_preview(*early, on, result);
        deadline = Clock::now();
    }
    on.queue->mark("filter");
    on.queue->run(algorithm.plan, {&item, 1}, stop.get_token());
    result.ready = finish(*on.queue, stop, deadline);
    take_times(result, result.ready.report());
    on.previewer.took(result.filter_us);
    result.pixels = item.dst;
    return result;
}

/// Shows previews of a slow result as their pixels arrive. Returns the time of the upload before it. Throws
/// Cancelled as soon as something is shown and newer work waits.
double Filtering::show_preview(EarlyPreview& early, Lane& on, Result result) {
    std::stop_source stop;
    double upload_us = 0;
    auto deadline = Clock::now() + kTimeout;
    on.queue->mark("preview"); // ends the upload
    auto* queue = on.queue.get();
    if (early.engine() != on.engine) {
        queue = on.samples.get();
        result.home = early.engine();
        result.source = source_in_place(result.job);
    }
    for (;;) {
        queue->mark("preview");
        result.preview = early.next(*queue, result.source, stop.get_token());
        if (!result.preview) break;
        const auto began = Clock::now();
        auto done = finish(*queue, stop, deadline, limit_of(early, began));
        if (!done) { // keeps the response of a drag within its limit
            early.smaller(microseconds_since(began));
            stop = std::stop_source();
            continue;
        }
        result.ready = std::move(*done);
        double preview_us = 0;
        for (const auto& span : result.ready.report().spans)
            if (span.name == "upload") upload_us += span.microseconds;
            else if (span.name == "preview") preview_us += span.microseconds;
        early.took(preview_us);
        result.pixels = early.pixels();
        result.stamp = ++stamp_;
        result.total_us = microseconds_since(result.job.posted);
        events_.report(std::make_shared<const Result>(result));
        deadline = Clock::now();
        if (work_.is_newer_waiting()) throw Cancelled();
    }
    queue->mark("rest"); // else the next preview's time would include the pause
    std::chrono::duration<double, std::micro> rest(kRest);
    if (!work_.is_dragging()) rest = std::min(rest, decltype(rest)(on.previewer.expected_us() / 4));
    if (work_.is_newer_within(rest)) throw Cancelled();
    return upload_us;
}

/// Only in a drag: a single edit may have to upload an image first, and no further edit follows it soon.
std::optional<Filtering::Clock::time_point> Filtering::limit_of(const EarlyPreview& early,
                                                                Clock::time_point began) {
    if (!work_.is_dragging()) return {};
    const std::chrono::duration<double, std::micro> most(early.limit_us());
    if (!std::isfinite(most.count())) return {};
    return began + std::chrono::duration_cast<Clock::duration>(most);
}

/// Computes in bands into host memory, because the result does not fit the engine's either.
Result Filtering::compute_in_parts(const ScreenJob& job) {
    PlanAndCosts algorithm;
    auto result = planned(job, is_opaque_where_it_counts(job), work_.closing(), algorithm);
    const auto pixels = std::make_shared<Image>(job.request.size, job.request.out);
    std::stop_source stop;
    const auto deadline = Clock::now() + kTimeout;
    const auto done = run_in_parts(*job.choice.engine, algorithm.plan, job.image->pixels.view(),
                                   pixels->view(), stop.get_token(),
                                   [&](Queue& queue) { return finish(queue, stop, deadline).report(); });
    take_times(result, done.report);
    result.home = host_;
    result.source = source_in_place(job);
    result.pixels = wrap_image(std::as_const(*pixels).view(), pixels);
    if (done.parts > 1) result.notice = parts_text(job.choice.engine->device(), done.parts);
    return result;
}

/// Returns a signalled fence. Newer work waits until the deadline, then it stops the running work.
Completion Filtering::finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline) {
    return *finish(queue, stop, deadline, {});
}

/// As above; empty if the work was stopped at the limit.
std::optional<Completion> Filtering::finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline,
                                            std::optional<Clock::time_point> limit) {
    return work_.finish(queue, stop, deadline, limit,
                        [this](const WorkQueue::Probe& probe) { answer(probe); });
}

void Filtering::answer(const WorkQueue::Probe& probe) {
    events_.report_or_fail(Failed::What::probing, [&] { return read_pixels(probe); });
}

Event Filtering::read_pixels(const WorkQueue::Probe& wanted) {
    const auto& pixels = wanted.result->pixels;
    const auto& region = wanted.region;
    const auto place = region.empty() ? *wanted.result->place_of(wanted.x, wanted.y) : region;
    Image read({place.width, place.height}, pixels.format);
    const auto& engine = wanted.result->home;
    const bool other_engine = !lane_ || lane_->engine != engine;
    if (!other_engine && !lane_->reads) lane_->reads = engine->queue(Priority::high);
    const auto own = other_engine ? engine->queue() : nullptr;
    auto& queue = other_engine ? *own : *lane_->reads;
    queue.download(pixels.crop(place), read.view());
    queue.fence().wait();
    if (!region.empty())
        return RegionRead{wanted.result->stamp, region, std::make_shared<const Image>(std::move(read))};
    Probed probed{wanted.result, wanted.x, wanted.y, {}};
    for (int c = 0; c < read.format().channels; ++c) probed.values.push_back(sample(read.view(), 0, 0, c));
    return probed;
}

} // namespace kg
