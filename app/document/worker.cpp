#include "app/document/worker.hpp"

#include "app/document/engines.hpp"
#include "core/elapsed.hpp"
#include "core/error.hpp"
#include "core/lent_picture.hpp"
#include "core/opaque.hpp"
#include "core/parts.hpp"
#include "core/reference.hpp"
#include "cpu/engine.hpp"
#include "measure/peers/peers.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace kg {

struct Worker::Lane {
    Lane(std::shared_ptr<Engine> e, const std::shared_ptr<Engine>& host, const PreviewPace& pace)
        : engine(std::move(e)), pool(engine), previewer(engine, is_host(*engine) ? engine : host, pace),
          queue(engine->queue(Priority::high)) {
        if (!is_host(*engine)) samples = host->queue(Priority::high);
    }
    static bool is_host(const Engine& engine) { return engine.device().id == "cpu"; }

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

Worker::Worker(std::function<void()> wake, PreviewPace pace)
    : wake_(std::move(wake)), pace_(pace), host_(cpu::make_engine()), thread_([this] { loop(); }) {}

Worker::~Worker() {
    {
        std::lock_guard lock(mutex_);
        ending_ = true;
        job_.reset();
        probe_.reset();
        errands_.clear();
        to_count_.reset();
        count_stop_.request_stop();
    }
    changed_.notify_all();
    thread_.join();
}

void Worker::post(Job job) {
    {
        std::lock_guard lock(mutex_);
        dragging_ = job.posted < posted_ + kPause;
        posted_ = job.posted;
        job_ = std::move(job);
        to_count_.reset();
        count_stop_.request_stop();
    }
    changed_.notify_all();
}

void Worker::count(std::shared_ptr<const Result> result) {
    {
        std::lock_guard lock(mutex_);
        to_count_ = std::move(result);
    }
    changed_.notify_all();
}

void Worker::probe(std::shared_ptr<const Result> result, std::int64_t x, std::int64_t y) {
    {
        std::lock_guard lock(mutex_);
        probe_ = Probe{std::move(result), x, y};
    }
    changed_.notify_all();
}

void Worker::then(Failed::What what, std::function<Event()> task) {
    {
        std::lock_guard lock(mutex_);
        tasks_.push_back({what, std::move(task)});
        count_stop_.request_stop();
    }
    changed_.notify_all();
}

void Worker::later(Failed::What what, std::function<Event()> task) {
    {
        std::lock_guard lock(mutex_);
        errands_.push_back({what, std::move(task)});
    }
    changed_.notify_all();
}

std::vector<Event> Worker::take_events() {
    std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
}

void Worker::report(Event event) {
    {
        std::lock_guard lock(mutex_);
        events_.push_back(std::move(event));
    }
    if (wake_) wake_();
}

void Worker::report_or_fail(const Task& task) {
    try {
        report(task.run());
    } catch (const std::bad_alloc&) {
        report(Failed{task.what, "There is not enough memory for this picture."});
    } catch (const std::exception& error) {
        report(Failed{task.what, error.what()});
    }
}

void Worker::loop() {
    for (;;) {
        std::unique_lock lock(mutex_);
        const auto is_pressing = [this] { return ending_ || job_ || probe_ || !tasks_.empty(); };
        changed_.wait(lock, [&] { return is_pressing() || !errands_.empty() || to_count_; });
        if (const auto quiet = posted_ + kPause; !is_pressing() && Clock::now() < quiet) {
            changed_.wait_until(lock, quiet, is_pressing);
            continue;
        }
        const bool ends = ending_ && tasks_.empty();
        auto& list = tasks_.empty() ? errands_ : tasks_;
        if (!tasks_.empty() || (!ends && !job_ && !probe_ && !errands_.empty())) {
            const auto task = std::move(list.front());
            list.pop_front();
            lock.unlock();
            report_or_fail(task);
        } else if (job_) {
            const auto job = std::move(*job_);
            job_.reset();
            lock.unlock();
            run(job);
        } else if (probe_) {
            const auto wanted = std::move(*probe_);
            probe_.reset();
            lock.unlock();
            report_or_fail({Failed::What::probing, [&] { return read_pixel(wanted); }});
        } else if (!ends) {
            count_stop_ = std::stop_source();
            const auto result = to_count_;
            const auto stop = count_stop_.get_token();
            lock.unlock();
            count_strip(result, stop);
        } else {
            counting_.reset();
            lane_.reset(); // its queue may still be leaving a callback that uses this object
            return;
        }
    }
}

void Worker::run(const Job& job) {
    try {
        auto result = compute(job);
        result.stamp = ++stamp_;
        report(std::make_shared<const Result>(std::move(result)));
    } catch (const Cancelled&) { // for a newer job, for a task that should not wait, or at the end
        std::lock_guard lock(mutex_);
        if (!job_ && !ending_) job_ = job; // a task only interrupts it
    } catch (const std::bad_alloc&) {
        lane_.reset();
        report(Failed{Failed::What::filtering,
                      "There is not enough memory on " + job.engine->device().name +
                          " for a picture of this size.",
                      job.serial});
    } catch (const std::exception& error) {
        lane_.reset(); // whatever state its queue is in, the next job begins afresh
        report(Failed{Failed::What::filtering, error.what(), job.serial});
    }
}

Worker::Lane& Worker::lane(const std::shared_ptr<Engine>& engine) {
    if (!lane_ || lane_->engine != engine) {
        lane_.reset(); // give the old engine's memory back first
        lane_ = std::make_unique<Lane>(engine, host_, pace_);
    }
    return *lane_;
}

namespace {

/// A forced algorithm that does not fit yields to auto, and says so.
PlanAndCosts plan_or_yield(const Job& job, const ImageRequest& request, std::string& notice) {
    if (!job.algorithm.empty()) {
        try {
            return {measure::plan_with_peers(*job.engine, request, job.algorithm),
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

Result planned(const Job& job, const ImageRequest& request, PlanAndCosts& way) {
    Result result;
    result.job = job;
    way = plan_or_yield(job, request, result.notice);
    result.algorithm = way.plan->algorithm;
    result.reason = way.plan->reason;
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

/// What a job asks, as files are filtered too (file_request.hpp).
ImageRequest Worker::easiest(const Job& job) {
    if (looked_at_.lock() != job.picture) {
        opaque_ = is_opaque(job.picture->image.view());
        looked_at_ = job.picture;
    }
    return opaque_ ? for_opaque(job.request) : job.request;
}

Result Worker::compute(const Job& job) {
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

Result Worker::compute_on_device(const Job& job) {
    PlanAndCosts way;
    auto result = planned(job, easiest(job), way);
    auto& on = lane(job.engine);
    const auto area = whole(job.request.size);
    std::stop_source stop;
    if (on.picture != job.picture) {
        on.picture.reset();
        on.source = {};
        on.source = allocate_view(*on.engine, job.request.in, area);
        on.queue->mark("upload");
        on.queue->upload(job.picture->image.view(),
                         on.source); // a stop skips the filter only, so this does come through
        on.picture = job.picture;
    }
    result.home = job.engine;
    result.source = on.source;
    const Item item{on.source,
                    on.pool.take(job.request.out, area)}; // before the preview's: it is the one that counts
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
double Worker::show_preview(EarlyPreview& early, Lane& on, Result result) {
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
        report(std::make_shared<const Result>(result));
        deadline = Clock::now();
        std::unique_lock lock(mutex_);
        if (is_newer_waiting()) throw Cancelled();
    }
    queue->mark("rest"); // else the next preview's time would hold it
    std::unique_lock lock(mutex_);
    std::chrono::duration<double, std::micro> rest(kRest);
    if (!dragging_) rest = std::min(rest, decltype(rest)(on.previewer.expected_us() / 4));
    if (changed_.wait_for(lock, rest, [this] { return is_newer_waiting(); })) throw Cancelled();
    return upload_us;
}

/// Only in a drag: before an edit of its own there may be a picture to upload, and nothing comes so soon after it.
std::optional<Worker::Clock::time_point> Worker::limit_of(const EarlyPreview& early,
                                                          Clock::time_point began) {
    {
        std::lock_guard lock(mutex_);
        if (!dragging_) return {};
    }
    const std::chrono::duration<double, std::micro> most(early.limit_us());
    if (!std::isfinite(most.count())) return {};
    return began + std::chrono::duration_cast<Clock::duration>(most);
}

/// Into host memory, because the engine's does not hold the result either.
Result Worker::compute_in_parts(const Job& job) {
    PlanAndCosts way;
    auto result = planned(job, easiest(job), way);
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

/// A fence that has come. Until the deadline what is newer waits for it, then it stops the work.
Completion Worker::finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline) {
    return *finish(queue, stop, deadline, {});
}

/// The same; at the limit the work is stopped in any case, and there is none if it had not come to its end.
std::optional<Completion> Worker::finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline,
                                         std::optional<Clock::time_point> limit) {
    {
        std::lock_guard lock(mutex_);
        fenced_ = false;
    }
    auto done = queue.fence([this] {
        std::lock_guard lock(mutex_);
        fenced_ = true;
        changed_.notify_all();
    });
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto is_up = [this] { return fenced_ || is_newer_waiting() || probe_; };
        if (!limit) changed_.wait(lock, is_up);
        else if (!changed_.wait_until(lock, *limit, is_up)) break;
        if (fenced_ || is_newer_waiting()) break;
        const auto wanted = std::move(*probe_); // of what is shown meanwhile
        probe_.reset();
        lock.unlock();
        report_or_fail({Failed::What::probing, [&] { return read_pixel(wanted); }});
        lock.lock();
    }
    if (!fenced_ && !ending_)
        changed_.wait_until(lock, limit ? std::min(deadline, *limit) : deadline,
                            [this] { return fenced_ || ending_; });
    const bool is_late = !fenced_ && !ending_ && limit && *limit < deadline;
    if (!fenced_) {
        stop.request_stop();
        changed_.wait(lock, [this] { return fenced_; });
    }
    const bool is_enough = is_newer_waiting() && Clock::now() > deadline;
    lock.unlock();
    if (is_late) {
        try {
            done.wait();
        } catch (const Cancelled&) {
            return {};
        }
        stop = std::stop_source(); // it had come to its end after all
    }
    done.wait();
    if (is_enough) stop.request_stop(); // what is done stays; further parts are not begun
    return done;
}

/// One strip, so that whatever else comes is looked at in between.
void Worker::count_strip(const std::shared_ptr<const Result>& result, const std::stop_token& stop) {
    bool over = true;
    try {
        if (!counting_ || counting_->result() != result) counting_.emplace(result);
        if (!counting_->done()) counting_->count_strip(*lane(result->home).queue, stop);
        over = counting_->done();
        if (over) report(Counted{result, counting_->clipping()});
    } catch (const Cancelled&) {
        over = false;
    } catch (const std::exception&) {
        lane_.reset(); // whatever state its queue is in
        report(Counted{result, {}});
    }
    if (!over) return;
    counting_.reset();
    std::lock_guard lock(mutex_);
    if (to_count_ == result) to_count_.reset();
}

Event Worker::read_pixel(const Probe& wanted) {
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
