#include "app/editor/worker/worker.hpp"

#include "core/support/error.hpp"
#include "core/support/thread.hpp"

#include <new>
#include <utility>
#include <variant>

namespace kg {

Worker::Worker(std::function<void()> wake, PreviewPace pace)
    : events_(std::move(wake)), filtering_(work_, events_, pace), thread_(start_thread([this] { loop(); })) {}

Worker::~Worker() {
    work_.end();
    thread_.join();
}

void Worker::post(ScreenJob job) { work_.post(std::move(job)); }

void Worker::count(std::shared_ptr<const Result> result) { work_.post_count(std::move(result)); }

void Worker::probe(std::shared_ptr<const Result> result, std::int64_t x, std::int64_t y) {
    work_.post(WorkQueue::Probe{std::move(result), x, y});
}

void Worker::then(Failed::What what, std::function<Event()> task) {
    work_.post(WorkQueue::Task{what, std::move(task)});
}

void Worker::later(Failed::What what, std::function<Event()> task) {
    work_.post_background(WorkQueue::Task{what, std::move(task)});
}

std::vector<Event> Worker::take_events() { return events_.take(); }

void Worker::loop() {
    while (!ended_) std::visit([this](const auto& work) { run(work); }, work_.next());
    // The queue may still be running a callback that uses this object.
    counting_.reset();
    filtering_.forget();
}

void Worker::run(const ScreenJob& job) {
    try {
        events_.report(filtering_.compute(job));
    } catch (const Cancelled&) { // for a newer job, for a task that should not wait, or at the end
        work_.put_back(job);     // a task only interrupts it
    } catch (const std::bad_alloc&) {
        filtering_.forget();
        events_.report(Failed{Failed::What::filtering,
                              "There is not enough memory on " + job.engine->device().name +
                                  " for an image of this size.",
                              job.serial});
    } catch (const std::exception& error) {
        filtering_.forget();
        events_.report(Failed{Failed::What::filtering, error.what(), job.serial});
    }
}

void Worker::run(const WorkQueue::Task& task) { events_.report_or_fail(task.what, task.run); }

void Worker::run(const WorkQueue::Probe& probe) { filtering_.answer(probe); }

/// Counts one strip, so that other work is taken in between.
void Worker::run(const WorkQueue::Count& count) {
    const auto& result = count.result;
    bool over = true;
    try {
        if (!counting_ || counting_->result() != result) counting_.emplace(result);
        if (!counting_->done()) counting_->count_strip(filtering_.queue_of(result->home), count.stop);
        over = counting_->done();
        if (over) events_.report(Counted{result, counting_->clipping()});
    } catch (const Cancelled&) {
        over = false;
    } catch (const std::exception&) {
        filtering_.forget();
        events_.report(Counted{result, {}});
    }
    if (!over) return;
    counting_.reset();
    work_.counted(result);
}

void Worker::run(const WorkQueue::End&) { ended_ = true; }

} // namespace kg
