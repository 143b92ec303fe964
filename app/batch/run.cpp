#include "app/batch/run.hpp"

#include "app/batch/banded_task.hpp"
#include "app/batch/background.hpp"
#include "app/batch/byte_budget.hpp"
#include "app/batch/clip_sample.hpp"
#include "app/batch/device_pools.hpp"
#include "app/batch/input_watch.hpp"
#include "app/batch/memory_need.hpp"
#include "app/batch/staging.hpp"
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
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <thread>
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

/// Where pictures lie that a GPU is to fetch and to bring: memory that is locked in place, of which there should not be much. Null
/// where none does. Another GPU transfers from what the first has locked as well.
std::shared_ptr<StagingPool> staging_for(const RunWish& wish, const EngineChoice& choice) {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    if (choice.engine->device().id == "cpu") return nullptr;
    return std::make_shared<StagingPool>(choice.engine, std::min(kMost, wish.bytes_in_flight / 4));
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
        if (wish_.get_ready) decode_ahead();
        get_ready();
        // A thread that waits for a GPU should not keep a core from decoding.
        const auto& engine = *wish_.choice.engine;
        const bool is_gpu = engine.device().id != "cpu";
        const int pictures = wish_.pictures + (is_gpu ? wish_.pictures / 2 : 0);
        const auto cores = std::max(pictures, cpu::threads_of(engine));
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(cores));
        using tbb::filter_mode;
        const auto stage = [this](double StageTimes::*seconds, auto does) {
            return tbb::make_filter<FileOnWay*, FileOnWay*>(filter_mode::parallel,
                                                            [=, this](FileOnWay* work) {
                                                                attempt(*work, seconds, does);
                                                                return work;
                                                            });
        };
        {
            Writers<FileOnWay> writers(kWriters, [this](FileOnWay& work) { write(work); });
            const auto pipeline = [&] {
                tbb::parallel_pipeline(
                    static_cast<std::size_t>(pictures),
                    tbb::make_filter<void, FileOnWay*>(
                        filter_mode::serial_in_order,
                        [this](tbb::flow_control& control) { return next(control); }) &
                        decoding() & stage(&StageTimes::filter, [this](FileOnWay& work) { filter(work); }) &
                        stage(&StageTimes::encode, [this](FileOnWay& work) { encode(work, wish_); }) &
                        tbb::make_filter<FileOnWay*, void>(filter_mode::parallel, [&](FileOnWay* work) {
                            std::unique_ptr<FileOnWay> owned(work);
                            if (owned->given_up) return give_up(*owned);
                            if (!owned->result.error.empty()) return settle(*owned);
                            give_back_all_but(*owned, owned->bytes.size());
                            writers.push(std::move(owned));
                        }));
            };
            if (wish_.in_background) execute_in_own_threads(pictures, pipeline);
            else tbb::task_arena(pictures).execute(pipeline);
        }
        return result_;
    }

private:
    static double since(Clock::time_point began) {
        return std::chrono::duration<double>(Clock::now() - began).count();
    }

    /// Until engine and journal are there, or memory for pictures on their way is full.
    void decode_ahead() {
        std::atomic<bool> is_there = false;
        std::exception_ptr failure;
        std::jthread starting([&] {
            try {
                wish_.get_ready(wish_);
            } catch (...) {
                failure = std::current_exception();
            }
            is_there = true;
        });
        using tbb::filter_mode;
        is_ahead_ = true;
        tbb::task_arena arena(wish_.pictures);
        arena.execute([&] {
            tbb::parallel_pipeline(
                static_cast<std::size_t>(wish_.pictures),
                tbb::make_filter<void, FileOnWay*>(filter_mode::serial_in_order,
                                                   [&](tbb::flow_control& control) -> FileOnWay* {
                                                       if (!is_there && is_ahead_) return next(control);
                                                       control.stop();
                                                       return nullptr;
                                                   }) &
                    decoding() &
                    tbb::make_filter<FileOnWay*, void>(filter_mode::serial_in_order,
                                                       [&](FileOnWay* work) { ahead_.emplace_back(work); }));
        });
        is_ahead_ = false;
        const auto began = Clock::now();
        starting.join();
        load_.start = since(began);
        load_.ahead = ahead_.size();
        if (failure) std::rethrow_exception(failure);
    }

    /// Where there is an engine.
    void get_ready() {
        sweep();
        const auto choice = choice_for(wish_, tasks_);
        host_ = host_of(wish_, choice);
        clips_.emplace(host_);
        filters_.emplace(choice, wish_.further, wish_.algorithm);
        staging_ = staging_for(wish_, choice);
    }

    /// What a process of this job left half-written when it was killed.
    void sweep() {
        if (!wish_.journal) return;
        std::set<fs::path> folders;
        for (const auto& task : tasks_) folders.insert((wish_.out / task.output).parent_path());
        for (const auto& folder : folders) remove_pending(folder, wish_.journal->tag());
    }

    tbb::filter<FileOnWay*, FileOnWay*> decoding() {
        return tbb::make_filter<FileOnWay*, FileOnWay*>(tbb::filter_mode::parallel, [this](FileOnWay* work) {
            if (work->bytes_owed == 0 && !std::exchange(work->is_decoded, true))
                attempt(*work, &StageTimes::decode, [this](FileOnWay& each) {
                    const ImageMemoryFrom staging(staging_.get());
                    decode(each, wish_);
                });
            return work;
        });
    }

    /// While there is no engine nobody gives any back: who finds none waits for it later, and is the last.
    void take_memory(FileOnWay& work, std::size_t bytes) {
        if (is_ahead_) {
            is_ahead_ = budget_.try_take(bytes);
            (is_ahead_ ? work.bytes_taken : work.bytes_owed) = bytes;
            return;
        }
        const auto began = Clock::now();
        budget_.take(bytes);
        work.bytes_taken = bytes;
        const auto waited = since(began);
        work.result.seconds.wait += waited;
        const std::lock_guard lock(result_mutex_);
        load_.memory += waited;
    }

    void give_back_all_but(FileOnWay& work, std::size_t bytes) {
        const std::lock_guard lock(work.mutex);
        if (work.bytes_taken <= bytes) return;
        budget_.give(work.bytes_taken - bytes);
        work.bytes_taken = bytes;
    }

    /// Whatever goes wrong is this file's failure, in a sentence that names it.
    template <typename Does>
    void attempt(FileOnWay& work, double StageTimes::*seconds, Does does) {
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
        if (stop_.stop_requested()) return true;
        const std::lock_guard lock(result_mutex_);
        return wish_.most_errors && result_.failed >= *wish_.most_errors;
    }

    FileOnWay* next(tbb::flow_control& control) {
        if (wish_.pause && wish_.pause->is_set()) {
            const auto began = Clock::now();
            wish_.pause->wait(stop_); // the other threads finish what is begun
            paused_ += since(began);
        }
        while (next_ < tasks_.size() && tasks_[next_].state != Task::State::wanted) ++next_;
        const bool has_ahead = !is_ahead_ && !ahead_.empty();
        if ((next_ == tasks_.size() && !has_ahead) || is_over()) {
            const std::lock_guard lock(result_mutex_);
            result_.stopped = result_.stopped || next_ < tasks_.size() || has_ahead;
            control.stop();
            return nullptr;
        }
        if (has_ahead) {
            auto work = std::move(ahead_.front());
            ahead_.pop_front();
            if (work->bytes_owed > 0) take_memory(*work, std::exchange(work->bytes_owed, 0));
            return work.release();
        }
        auto work = std::make_unique<FileOnWay>();
        work->result.task = &tasks_[next_++];
        attempt(*work, &StageTimes::read, [this](FileOnWay& each) { read(each); });
        return work.release();
    }

    void read(FileOnWay& work) {
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
    bool needs_bands(FileOnWay& work, std::size_t needed) {
        if (needed <= wish_.largest_picture) return false;
        work.in_bands = true;
        work.bytes = {};
        work.bytes_needed = needed;
        take_memory(work, wish_.bytes_in_flight);
        return true;
    }

    void filter(FileOnWay& work) {
        if (work.in_bands) return filter_bands(work);
        auto& result = work.result;
        {
            const ImageMemoryFrom staging(staging_.get());
            work.outcome = filters_->run(work.request, work.picture.image.view());
        }
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

    void filter_bands(FileOnWay& work) try {
        const auto began = Clock::now();
        auto banded = do_in_bands(wish_, host_, work.bytes_needed, work.result);
        work.input_stamp = banded.input;
        work.pending = std::move(banded.output);
        work.result.seconds.filter -= since(began); // attempt() adds it, but all is counted already
    } catch (const Cancelled&) {
        work.given_up = true;
    }

    void write(FileOnWay& work) {
        attempt(work, &StageTimes::write, [this](FileOnWay& each) { store(each, wish_); });
        settle(work);
    }

    void give_up(FileOnWay& work) {
        give_back_all_but(work, 0);
        const std::lock_guard lock(result_mutex_);
        result_.stopped = true;
    }

    void settle(FileOnWay& work) {
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
    std::optional<DevicePools> filters_;   ///< these four once there is an engine
    std::shared_ptr<StagingPool> staging_; ///< null on the CPU
    std::shared_ptr<Engine> host_;         ///< computes in host memory
    std::optional<ClipSample> clips_;
    std::deque<std::unique_ptr<FileOnWay>> ahead_; ///< decoded before there was one
    bool is_ahead_ = false;                        ///< that goes on; the first stage's own
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
