#include "app/editor/worker/worker.hpp"

#include "app/editor/worker/filtering.hpp"
#include "core/support/error.hpp"
#include "core/support/thread.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <variant>

namespace kg {

// --- work

void WorkQueue::post(ScreenJob job) {
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

void WorkQueue::post(Task task) {
    {
        std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
        count_stop_.request_stop();
    }
    changed_.notify_all();
}

void WorkQueue::post(Probe probe) {
    {
        std::lock_guard lock(mutex_);
        (probe.region.empty() ? probe_ : region_) = std::move(probe);
    }
    changed_.notify_all();
}

void WorkQueue::post_background(Task task) {
    {
        std::lock_guard lock(mutex_);
        background_.push_back(std::move(task));
    }
    changed_.notify_all();
}

void WorkQueue::post_count(std::shared_ptr<const Result> result) {
    {
        std::lock_guard lock(mutex_);
        to_count_ = std::move(result);
    }
    changed_.notify_all();
}

void WorkQueue::end() {
    {
        std::lock_guard lock(mutex_);
        end_.request_stop();
        job_.reset();
        probe_.reset();
        region_.reset();
        background_.clear();
        to_count_.reset();
        count_stop_.request_stop();
    }
    changed_.notify_all();
}

void WorkQueue::hold(bool held) {
    {
        std::lock_guard lock(mutex_);
        held_ = held;
    }
    changed_.notify_all();
}

bool WorkQueue::is_still() {
    std::lock_guard lock(mutex_);
    return held_ && waits_;
}

std::optional<WorkQueue::Probe> WorkQueue::take_probe() {
    return std::exchange(probe_ ? probe_ : region_, {});
}

WorkQueue::Entry WorkQueue::next() {
    std::unique_lock lock(mutex_);
    const auto is_pressing = [this] { return newer() || probe_ || region_; };
    waits_ = true;
    for (;;) {
        changed_.wait(lock, [&] {
            return (!held_ || end_.stop_requested()) && (is_pressing() || !background_.empty() || to_count_);
        });
        const auto quiet = posted_ + kPause;
        if (is_pressing() || Clock::now() >= quiet) break;
        changed_.wait_until(lock, quiet, is_pressing);
    }
    waits_ = false;
    const auto first_of = [](std::deque<Task>& list) {
        auto task = std::move(list.front());
        list.pop_front();
        return task;
    };
    if (!tasks_.empty()) return first_of(tasks_);
    if (job_) return *std::exchange(job_, {});
    if (const auto probe = take_probe()) return *probe;
    if (end_.stop_requested()) return End{};
    if (!background_.empty()) return first_of(background_);
    count_stop_ = std::stop_source();
    return Count{to_count_, count_stop_.get_token()};
}

void WorkQueue::counted(const std::shared_ptr<const Result>& result) {
    std::lock_guard lock(mutex_);
    if (to_count_ == result) to_count_.reset();
}

void WorkQueue::put_back(const ScreenJob& job) {
    std::lock_guard lock(mutex_);
    if (!job_ && !end_.stop_requested()) job_ = job;
}

bool WorkQueue::is_newer_waiting() {
    std::lock_guard lock(mutex_);
    return newer();
}

bool WorkQueue::is_newer_within(std::chrono::duration<double, std::micro> time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return newer(); });
}

bool WorkQueue::is_dragging() {
    std::lock_guard lock(mutex_);
    return dragging_;
}

std::optional<Completion> WorkQueue::finish(Queue& queue, std::stop_source& stop, Clock::time_point deadline,
                                            std::optional<Clock::time_point> limit,
                                            const std::function<void(const Probe&)>& answer) {
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
        const auto is_up = [this] { return fenced_ || newer() || probe_ || region_; };
        if (!limit) changed_.wait(lock, is_up);
        else if (!changed_.wait_until(lock, *limit, is_up)) break;
        if (fenced_ || newer()) break;
        const auto wanted = *take_probe(); // pixels of the result on the screen
        lock.unlock();
        answer(wanted);
        lock.lock();
    }
    if (!fenced_ && !end_.stop_requested())
        changed_.wait_until(lock, limit ? std::min(deadline, *limit) : deadline,
                            [this] { return fenced_ || end_.stop_requested(); });
    const bool is_late = !fenced_ && !end_.stop_requested() && limit && *limit < deadline;
    if (!fenced_) {
        stop.request_stop();
        changed_.wait(lock, [this] { return fenced_; });
    }
    const bool is_enough = newer() && Clock::now() > deadline;
    lock.unlock();
    if (is_late) {
        try {
            done.wait();
        } catch (const Cancelled&) {
            return {};
        }
        stop = std::stop_source(); // the work had finished after all
    }
    done.wait();
    if (is_enough) stop.request_stop(); // finished work stays; further bands are not started
    return done;
}

// --- events

void EventQueue::report(Event event) {
    {
        std::lock_guard lock(mutex_);
        events_.push_back(std::move(event));
    }
    if (wake_) wake_();
}

void EventQueue::report_or_fail(Failed::What what, const std::function<Event()>& run) {
    try {
        report(run());
    } catch (const std::bad_alloc&) {
        report(Failed{what, {"out-of-memory", "There is not enough memory for this image."}});
    } catch (const std::exception& error) {
        report(Failed{what, as_error(error)});
    }
}

std::vector<Event> EventQueue::take() {
    std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
}

// --- the thread

Worker::Worker(std::function<void()> wake, PreviewPace pace)
    : events_(std::move(wake)), filtering_(std::make_unique<Filtering>(work_, events_, pace)),
      thread_(start_thread([this] { loop(); })) {}

Worker::~Worker() {
    work_.end();
    thread_.join();
}

void Worker::loop() {
    while (!ended_) std::visit([this](const auto& work) { run(work); }, work_.next());
    // The queue may still be running a callback that uses this object.
    counting_.reset();
    filtering_->forget();
}

void Worker::run(const ScreenJob& job) {
    try {
        events_.report(filtering_->compute(job));
    } catch (const Cancelled&) { // for a newer job, for a task that should not wait, or at the end
        work_.put_back(job);     // a task only interrupts it
    } catch (const std::bad_alloc&) {
        filtering_->forget();
        events_.report(Failed{Failed::What::filtering,
                              {"out-of-memory", "There is not enough memory on {} for an image of this size.",
                               job.choice.engine->device().name},
                              job.serial});
    } catch (const std::exception& error) {
        filtering_->forget();
        events_.report(Failed{Failed::What::filtering, as_error(error), job.serial});
    }
}

void Worker::run(const WorkQueue::Task& task) { events_.report_or_fail(task.what, task.run); }

void Worker::run(const WorkQueue::Probe& probe) { filtering_->answer(probe); }

/// Counts one strip, so that other work is taken in between.
void Worker::run(const WorkQueue::Count& count) {
    const auto& result = count.result;
    bool over = true;
    try {
        if (!counting_ || counting_->result() != result) counting_.emplace(result);
        if (!counting_->done()) counting_->count_strip(filtering_->queue_of(result->home), count.stop);
        over = counting_->done();
        if (over) events_.report(Counted{result, counting_->clipping()});
    } catch (const Cancelled&) {
        over = false;
    } catch (const std::exception&) {
        filtering_->forget();
        events_.report(Counted{result, {}});
    }
    if (!over) return;
    counting_.reset();
    work_.counted(result);
}

void Worker::run(const WorkQueue::End&) { ended_ = true; }

} // namespace kg
