#include "app/editor/worker/filtering.hpp"

#include "app/process/engines.hpp"
#include "core/support/elapsed.hpp"
#include "core/support/error.hpp"
#include "core/image/lent_picture.hpp"
#include "core/image/opaque.hpp"
#include "core/plan/parts.hpp"
#include "core/plan/reference.hpp"
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
    static bool is_host(const Engine& engine) { return engine.device().id == "cpu"; }

    /// Uploads the job's picture if it is not there.
    void hold(const Job& job) {
        if (picture == job.picture) return;
        picture.reset();
        source = {};
        source = allocate_view(*engine, job.request.in, whole(job.request.size));
        queue->mark("upload");
        queue->upload(job.picture->image.view(), source); // a stop skips the filter only, so this does come
        picture = job.picture;
    }

    std::shared_ptr<Engine> engine;
    BufferPool pool;
    Previewer previewer;
    std::unique_ptr<Queue> queue;
    std::unique_ptr<Queue> samples; ///< of the host, where the engine has memory of its own
    std::unique_ptr<Queue>
        reads; ///< of single pixels, which do not wait for what is computed; made when first needed
    std::shared_ptr<const Picture> picture; ///< whose pixels `source` holds
    BufferView source;
};

namespace {

/// A forced algorithm that does not fit yields to auto, and says so.
PlanAndCosts plan_or_yield(const Job& job, const ImageRequest& request, std::string& notice) {
    if (!job.algorithm.empty()) {
        try {
            return {peers::plan_with_peers(*job.engine, request, job.algorithm),
                    step_costs(*job.engine, request, job.algorithm)};
        } catch (const Error& error) {
            notice = error.what();
        }
    }
    return plan_with_costs(*job.engine, request);
}

/// The picture for engines that compute on host memory.
BufferView source_in_place(const Job& job) {
    auto source = lent_picture(job.picture->image.view(), job.picture);
    source.format = job.request.in;
    return source;
}

Result planned(const Job& job, bool opaque, PlanAndCosts& way) {
    Result result;
    result.job = job;
    result.opaque = opaque;
    way = opaque ? plan_or_yield(job, result.request(), result.notice)
                 : plan_or_yield(job, job.request, result.notice);
    result.algorithm = way.plan->algorithm;
    result.reason = reason_with_alpha(way.plan->reason, opaque);
    return result;
}

void take_times(Result& result, const Report& report) {
    for (const auto& span : report.spans)
        if (span.name == "filter") result.filter_us += span.microseconds;
        else if (span.name == "upload") result.upload_us += span.microseconds;
    result.total_us = microseconds_since(result.job.posted);
}

/// Null also where there is no memory for one: the whole result may yet have it.
std::unique_ptr<EarlyPreview> preview_of(Previewer& previewer, const Job& job, PlanAndCosts& way) {
    try {
        return previewer.begin(job, way.plan, std::move(way.costs));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

} // namespace

Filtering::Filtering(Orders& orders, EventQueue& events, PreviewPace pace)
    : orders_(orders), events_(events), pace_(pace), host_(cpu::make_engine()) {}

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

std::shared_ptr<const Result> Filtering::compute(const Job& job) {
    auto result = compute_somewhere(job);
    result.stamp = ++stamp_;
    return std::make_shared<const Result>(std::move(result));
}

/// As files are filtered, too (file_request.hpp).
bool Filtering::is_opaque_where_it_counts(const Job& job) {
    if (!uses_coverage(job.request) || for_opaque(job.request).alpha == job.request.alpha) return false;
    if (looked_at_.lock() != job.picture) {
        opaque_ = is_opaque(job.picture->image.view());
        looked_at_ = job.picture;
    }
    return opaque_;
}

Result Filtering::compute_somewhere(const Job& job) {
    std::string notice;
    auto result = with_fallback({job.engine, {}, job.fallback}, notice,
                                [&](const std::shared_ptr<Engine>& engine) {
                                    auto own = job;
                                    own.engine = engine;
                                    try {
                                        return compute_on_device(own);
                                    } catch (const std::bad_alloc&) {
                                        lane_.reset(); // what lies on the engine is in the way of parts
                                        return compute_in_parts(own);
                                    }
                                });
    if (!notice.empty()) result.detour = notice + (result.detour.empty() ? "" : ". ") + result.detour;
    return result;
}

Result Filtering::compute_on_device(const Job& job) {
    PlanAndCosts way;
    auto result = planned(job, is_opaque_where_it_counts(job), way);
    auto& on = lane(job.engine);
    on.hold(job);
    result.home = job.engine;
    result.source = on.source;
    // Its buffer before the preview's: it is the one that counts.
    const Item item{on.source, on.pool.take(job.request.out, whole(job.request.size))};
    std::stop_source stop;
    auto deadline = Clock::now() + kPatience;
    if (const auto early = preview_of(on.previewer, job, way)) {
        result.upload_us = show_preview(*early, on, result);
        deadline = Clock::now();
    }
    on.queue->mark("filter");
    on.queue->run(way.plan, {&item, 1}, stop.get_token());
    result.ready = finish(*on.queue, stop, deadline);
    take_times(result, result.ready.report());
    on.previewer.took(result.filter_us);
    result.pixels = item.dst;
    return result;
}

/// What is there of a result that takes longer than a frame, as it comes. Returns what the upload before it took. Throws
/// Cancelled as soon as something is there and anything newer waits.
double Filtering::show_preview(EarlyPreview& early, Lane& on, Result result) {
    std::stop_source stop;
    double upload_us = 0;
    auto deadline = Clock::now() + kPatience;
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
        if (!done) { // so that a drag is answered in time
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
        if (orders_.is_newer_waiting()) throw Cancelled();
    }
    queue->mark("rest"); // else the next preview's time would hold it
    std::chrono::duration<double, std::micro> rest(kRest);
    if (!orders_.is_dragging()) rest = std::min(rest, decltype(rest)(on.previewer.expected_us() / 4));
    if (orders_.is_newer_within(rest)) throw Cancelled();
    return upload_us;
}

/// Only in a drag: before an edit of its own there may be a picture to upload, and nothing comes so soon after it.
std::optional<Filtering::Clock::time_point> Filtering::limit_of(const EarlyPreview& early,
                                                                Clock::time_point began) {
    if (!orders_.is_dragging()) return {};
    const std::chrono::duration<double, std::micro> most(early.limit_us());
    if (!std::isfinite(most.count())) return {};
    return began + std::chrono::duration_cast<Clock::duration>(most);
}

/// Into host memory, because the engine's does not hold the result either.
Result Filtering::compute_in_parts(const Job& job) {
    PlanAndCosts way;
    auto result = planned(job, is_opaque_where_it_counts(job), way);
    const auto pixels = std::make_shared<Image>(job.request.size, job.request.out);
    std::stop_source stop;
    const auto deadline = Clock::now() + kPatience;
    const auto done = run_in_parts(*job.engine, way.plan, job.picture->image.view(), pixels->view(),
                                   stop.get_token(),
                                   [&](Queue& queue) { return finish(queue, stop, deadline).report(); });
    take_times(result, done.report);
    result.home = host_;
    result.source = source_in_place(job);
    result.pixels = lent_picture(std::as_const(*pixels).view(), pixels);
    if (done.parts > 1) result.detour = parts_text(job.engine->device(), done.parts);
    return result;
}

/// A fence that has come: until the deadline what is newer waits for it, then it stops the work.
Completion Filtering::finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline) {
    return *finish(queue, stop, deadline, {});
}

/// The same; none if the work was stopped at the limit.
std::optional<Completion> Filtering::finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline,
                                            std::optional<Clock::time_point> limit) {
    return orders_.finish(queue, stop, deadline, limit,
                          [this](const Orders::Probe& probe) { answer(probe); });
}

void Filtering::answer(const Orders::Probe& probe) {
    events_.report_or_fail(Failed::What::probing, [&] { return read_pixel(probe); });
}

Event Filtering::read_pixel(const Orders::Probe& wanted) {
    const auto& pixels = wanted.result->pixels;
    Image one({1, 1}, pixels.format);
    const auto& engine = wanted.result->home;
    const bool other_engine = !lane_ || lane_->engine != engine;
    if (!other_engine && !lane_->reads) lane_->reads = engine->queue(Priority::high);
    const auto own = other_engine ? engine->queue() : nullptr;
    auto& queue = other_engine ? *own : *lane_->reads;
    queue.download(pixels.crop(*wanted.result->place_of(wanted.x, wanted.y)), one.view());
    queue.fence().wait();
    Probed probed{wanted.result, wanted.x, wanted.y, {}};
    for (int c = 0; c < one.format().channels; ++c) probed.values.push_back(sample(one.view(), 0, 0, c));
    return probed;
}

} // namespace kg
