#include "app/batch/run.hpp"

#include "app/batch/banded_task.hpp"
#include "app/batch/background.hpp"
#include "app/batch/byte_budget.hpp"
#include "app/batch/clip_sample.hpp"
#include "app/batch/device_pools.hpp"
#include "app/batch/input_watch.hpp"
#include "app/batch/memory_need.hpp"
#include "app/batch/work.hpp"
#include "app/batch/writers.hpp"
#include "core/error.hpp"
#include "core/image_memory.hpp"
#include "cpu/engine.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace kg::batch {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kWriters = 16;
/// Large pieces of memory at once: what comes in, what goes out, and two for its packing.
constexpr std::size_t kPiecesOfAPicture = 4;
/// Files that the system is asked to have ready.
constexpr std::size_t kAhead = 4;

EngineChoice choice_for(const RunWish& wish, std::span<const Task> tasks) {
    if (!wish.in_background) return wish.choice;
    const auto wanted = std::ranges::count(tasks, Task::State::wanted, &Task::state);
    return choice_in_background(wish.choice, static_cast<std::size_t>(wanted), wish.pictures);
}

/// Who computes in host memory.
std::shared_ptr<Engine> host_of(const RunWish& wish, const EngineChoice& choice) {
    const bool is_cpu = choice.engine->device().id == "cpu";
    return is_cpu ? choice.engine : cpu::make_engine(wish.in_background ? 1 : wish.pictures);
}

class Run {
public:
    Run(std::span<const Task> tasks, const RunWish& wish, const std::stop_token& stop,
        const std::function<void(const FileResult&)>& sink)
        : tasks_(tasks), wish_(wish), stop_(stop), sink_(sink), budget_(wish.bytes_in_flight),
          kept_(kPiecesOfAPicture * static_cast<std::size_t>(wish.pictures)) {}

    RunResult finish() {
        // A thread that waits for a GPU should not keep a core from decoding.
        const auto* engine = wish_.choice.engine.get();
        const bool is_gpu = engine ? engine->device().id != "cpu" : wish_.for_gpu;
        const int pictures = wish_.pictures + (is_gpu ? wish_.pictures / 2 : 0);
        const auto cores = std::max(pictures, engine ? cpu::threads_of(*engine) : 0);
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(cores));
        if (engine && !is_ready()) std::rethrow_exception(failure_);
        using tbb::filter_mode;
        const auto stage = [this](double StageTimes::*seconds, auto does) {
            return tbb::make_filter<Work*, Work*>(filter_mode::parallel, [=, this](Work* work) {
                attempt(*work, seconds, does);
                return work;
            });
        };
        {
            Writers<Work> writers(kWriters, [this](Work& work) { write(work); });
            const auto pipeline = [&] {
                tbb::parallel_pipeline(
                    static_cast<std::size_t>(pictures),
                    tbb::make_filter<void, Work*>(
                        filter_mode::serial_in_order,
                        [this](tbb::flow_control& control) { return next(control); }) &
                        stage(&StageTimes::decode, [this](Work& work) { decode(work, wish_); }) &
                        stage(&StageTimes::filter, [this](Work& work) { filter(work); }) &
                        stage(&StageTimes::encode, [this](Work& work) { encode(work, wish_); }) &
                        tbb::make_filter<Work*, void>(filter_mode::parallel, [&](Work* work) {
                            std::unique_ptr<Work> owned(work);
                            if (!is_ready()) return give_back_all_but(*owned, 0); // nobody sees it
                            if (owned->given_up) return give_up(*owned);
                            if (!owned->result.error.empty()) return settle(*owned);
                            give_back_all_but(*owned, owned->bytes.size());
                            writers.push(std::move(owned));
                        }));
            };
            if (wish_.in_background) execute_in_own_threads(pictures, pipeline);
            else tbb::task_arena(pictures).execute(pipeline);
        }
        if (!is_ready()) std::rethrow_exception(failure_); // also where there was nothing to do
        return result_;
    }

private:
    static double since(Clock::time_point began) {
        return std::chrono::duration<double>(Clock::now() - began).count();
    }

    /// Waits for what is needed from the filters on; false if it will never be there, in which case the run ends.
    bool is_ready() {
        std::call_once(readiness_, [this] {
            const auto began = Clock::now();
            try {
                if (wish_.get_ready) wish_.get_ready(wish_);
                sweep();
                const auto choice = choice_for(wish_, tasks_);
                host_ = host_of(wish_, choice);
                clips_.emplace(host_);
                filters_.emplace(choice, wish_.further, wish_.algorithm);
            } catch (...) {
                failure_ = std::current_exception();
                is_given_up_ = true;
            }
            const std::lock_guard lock(result_mutex_);
            load_.start = since(began);
        });
        return filters_.has_value();
    }

    /// What a process of this job left half-written when it was killed.
    void sweep() {
        if (!wish_.journal) return;
        std::set<fs::path> folders;
        for (const auto& task : tasks_) folders.insert((wish_.out / task.output).parent_path());
        for (const auto& folder : folders) remove_pending(folder, wish_.journal->tag());
    }

    void take_memory(Work& work, std::size_t bytes) {
        const auto began = Clock::now();
        budget_.take(bytes);
        work.bytes_taken = bytes;
        const auto waited = since(began);
        work.result.seconds.wait += waited;
        const std::lock_guard lock(result_mutex_);
        load_.memory += waited;
    }

    void give_back_all_but(Work& work, std::size_t bytes) {
        const std::lock_guard lock(work.mutex);
        if (work.bytes_taken <= bytes) return;
        budget_.give(work.bytes_taken - bytes);
        work.bytes_taken = bytes;
    }

    /// Whatever goes wrong is this file's failure, in a sentence that names it.
    template <typename Does>
    void attempt(Work& work, double StageTimes::*seconds, Does does) {
        const std::lock_guard lock(work.mutex);
        if (!work.result.error.empty()) return;
        const auto began = Clock::now();
        const auto waited = work.result.seconds.wait;
        try {
            does(work);
        } catch (const std::bad_alloc&) {
            work.result.error = "there is not enough memory";
        } catch (const std::exception& error) {
            work.result.error = error.what();
        }
        const auto name = quoted(work.result.task->input.path);
        if (auto& error = work.result.error; !error.empty() && error.find(name) == std::string::npos)
            error = name + ": " + error;
        work.result.seconds.*seconds += since(began) - (work.result.seconds.wait - waited);
    }

    bool is_over() {
        if (stop_.stop_requested() || is_given_up_) return true;
        const std::lock_guard lock(result_mutex_);
        return wish_.most_errors && result_.failed >= *wish_.most_errors;
    }

    Work* next(tbb::flow_control& control) {
        if (wish_.pause && wish_.pause->is_set()) {
            const auto began = Clock::now();
            wish_.pause->wait(stop_); // the other threads finish what is begun
            paused_ += since(began);
        }
        while (next_ < tasks_.size() && tasks_[next_].state != Task::State::wanted) ++next_;
        if (next_ == tasks_.size() || is_over()) {
            const std::lock_guard lock(result_mutex_);
            result_.stopped = result_.stopped || next_ < tasks_.size();
            control.stop();
            return nullptr;
        }
        auto work = std::make_unique<Work>();
        work->result.task = &tasks_[next_++];
        attempt(*work, &StageTimes::read, [this](Work& each) { read(each); });
        return work.release();
    }

    void read(Work& work) {
        for (auto ahead = std::max(next_, asked_); ahead < std::min(tasks_.size(), next_ + kAhead); ++ahead) {
            const int file = ::open(tasks_[ahead].input.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
            if (file >= 0) ::posix_fadvise(file, 0, 0, POSIX_FADV_WILLNEED), ::close(file);
            asked_ = ahead + 1;
        }
        const auto& path = work.result.task->input.path;
        const auto name = quoted(path);
        const InputWatch watch(path);
        const auto& before = watch.before();
        if (before && needs_bands(work, needed_before_reading(path, before->bytes))) return;
        work.bytes = read_file(path, picture_limits(name, wish_.read));
        work.input_stamp = watch.stamp(work.bytes.size());
        work.result.input_bytes = work.bytes.size();
        const auto needed = bytes_needed(probe(work.bytes, name, wish_.read), work.bytes.size(),
                                         wish_.recipe);
        if (needs_bands(work, needed)) return;
        take_memory(work, needed);
    }

    /// A large file is not read for its header alone.
    std::size_t needed_before_reading(const fs::path& path, std::size_t file) const {
        constexpr std::size_t kLarge = 16; // such a part of the memory
        if (file < wish_.largest_picture / kLarge) return file;
        return bytes_needed_by_header(path, file, wish_.recipe, wish_.read);
    }

    /// Such a picture goes alone: it takes all the memory that there is for those on their way.
    bool needs_bands(Work& work, std::size_t needed) {
        if (needed <= wish_.largest_picture) return false;
        work.in_bands = true;
        work.bytes = {};
        work.bytes_needed = needed;
        take_memory(work, wish_.bytes_in_flight);
        return true;
    }

    void filter(Work& work) {
        const auto began = Clock::now();
        if (!is_ready()) throw Error("there is no engine");
        work.result.seconds.wait += since(began);
        if (work.in_bands) return filter_bands(work);
        auto& result = work.result;
        work.outcome = filters_->run(work.request, work.picture.image.view());
        if (wish_.look) wish_.look(*result.task, work.picture.image.view(), work.outcome.image.view());
        result.clipping = clips_->count(work.request, work.picture.image.view());
        work.picture.image = {};
        result.engine = work.outcome.engine->device().id;
        if (result.engine != "cpu")
            for (const auto& span : work.outcome.report.spans)
                result.seconds.wait += span.microseconds * 1e-6;
        const auto further = std::ranges::find(wish_.further, work.outcome.engine);
        if (further != wish_.further.end()) result.device = further - wish_.further.begin() + 1;
        result.algorithm = work.outcome.algorithm;
        result.size = work.outcome.image.size();
        result.pixels = work.outcome.image.format();
        if (!work.outcome.notice.empty()) result.notes.push_back(work.outcome.notice);
    }

    void filter_bands(Work& work) try {
        const auto began = Clock::now();
        auto banded = do_in_bands(wish_, host_, work.bytes_needed, work.result);
        work.input_stamp = banded.input;
        work.pending = std::move(banded.output);
        work.result.seconds.filter -= since(began); // attempt() adds it, but all is counted already
    } catch (const Cancelled&) {
        work.given_up = true;
    }

    void write(Work& work) {
        attempt(work, &StageTimes::write, [this](Work& each) { store(each, wish_); });
        settle(work);
    }

    void give_up(Work& work) {
        give_back_all_but(work, 0);
        const std::lock_guard lock(result_mutex_);
        result_.stopped = true;
    }

    void settle(Work& work) {
        work.bytes = {};
        give_back_all_but(work, 0);
        const auto& result = work.result;
        if (wish_.failures && !result.error.empty())
            wish_.failures->add(result.task->input.path, result.error);
        const std::lock_guard lock(result_mutex_);
        ++(work.result.error.empty() ? result_.done : result_.failed);
        work.result.load = load_by_now();
        sink_(work.result);
    }

    /// With the mutex of results held.
    Load load_by_now() const {
        auto load = load_;
        load.seconds = since(began_) - paused_;
        load.threads = wish_.pictures;
        load.writers = kWriters;
        load.devices = filters_->devices();
        load.device = filters_->busy_seconds();
        return load;
    }

    std::span<const Task> tasks_;
    RunWish wish_;
    const std::stop_token& stop_;
    const std::function<void(const FileResult&)>& sink_;
    ByteBudget budget_;
    const KeepImageMemory kept_;
    std::once_flag readiness_; ///< is_ready(), which sets the next ones
    std::optional<DevicePools> filters_;
    std::shared_ptr<Engine> host_; ///< computes in host memory
    std::optional<ClipSample> clips_;
    std::exception_ptr failure_;
    std::atomic<bool> is_given_up_ = false;
    std::size_t next_ = 0, asked_ = 0; ///< of tasks: only the first stage looks at them, one call at a time
    const Clock::time_point began_ = Clock::now();
    std::atomic<double> paused_ = 0;
    std::mutex result_mutex_; ///< guards those below
    RunResult result_;
    Load load_;
};

} // namespace

RunResult run_tasks(std::span<const Task> tasks, const RunWish& wish, const std::stop_token& stop,
                    const std::function<void(const FileResult&)>& sink) {
    return Run(tasks, wish, stop, sink).finish();
}

} // namespace kg::batch
