#include "app/batch/run/run.hpp"

#include "app/batch/run/banded_task.hpp"
#include "app/process/background.hpp"
#include "app/process/clip_sample.hpp"
#include "app/process/pool/device_pools.hpp"
#include "app/batch/run/intake.hpp"
#include "app/batch/run/run_tally.hpp"
#include "app/process/pool/staging.hpp"
#include "app/process/file_request.hpp"
#include "app/batch/run/work.hpp"
#include "app/batch/run/writers.hpp"
#include "app/io/packing_threads.hpp"
#include "core/support/error.hpp"
#include "core/image/image_memory.hpp"
#include "core/support/thread.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/thread_limit.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace kg::batch {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kWriters = 16;
/// Large pieces of memory at once: what comes in, what goes out, and two for its packing.
constexpr std::size_t kPiecesOfAPicture = 4;

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
        : tasks_(tasks), wish_(wish), tally_(wish_, kWriters, sink), intake_(tasks, wish_, stop, tally_),
          kept_(kPiecesOfAPicture * static_cast<std::size_t>(wish.pictures)) {}

    RunResult finish() {
        if (wish_.get_ready) decode_ahead();
        get_ready();
        // A thread that waits for a GPU should not keep a core from decoding.
        const auto& engine = *wish_.choice.engine;
        const bool is_gpu = engine.device().id != "cpu";
        const int wanted = wish_.pictures + (is_gpu ? wish_.pictures / 2 : 0);
        const auto cores = limit_threads(std::max(wanted, cpu::threads_of(engine)));
        const int pictures = std::min(wanted, cores);
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
                    tbb::make_filter<void, FileOnWay*>(filter_mode::serial_in_order,
                                                       [this](tbb::flow_control& control) {
                                                           auto* const work = intake_.next();
                                                           if (!work) control.stop();
                                                           return work;
                                                       }) &
                        decoding() & stage(&StageTimes::filter, [this](FileOnWay& work) { filter(work); }) &
                        stage(&StageTimes::encode,
                              [this, threads = cores / pictures](FileOnWay& work) {
                                  const PackingThreads of_this(threads);
                                  encode(work, wish_);
                              }) &
                        tbb::make_filter<FileOnWay*, void>(filter_mode::parallel, [&](FileOnWay* work) {
                            std::unique_ptr<FileOnWay> owned(work);
                            if (owned->given_up) return give_up(*owned);
                            if (!owned->result.error.empty()) return settle(*owned);
                            intake_.give_back_all_but(*owned, owned->bytes.size());
                            writers.push(std::move(owned));
                        }));
                tally_.measure_share();
            };
            if (wish_.in_background) execute_in_own_threads(pictures, pipeline);
            else tbb::task_arena(pictures).execute(pipeline);
        }
        return tally_.result();
    }

private:
    /// Others: those that write, each queue's, those that compress or start an engine.
    int limit_threads(int computing) const {
        constexpr int kFurther = 8;
        if (wish_.in_background) return computing;
        return cpu::limit_threads(computing, kWriters + kFurther, 2);
    }

    /// Until engine and journal are there, or memory for pictures on their way is full.
    void decode_ahead() {
        std::atomic<bool> is_there = false;
        std::exception_ptr failure;
        auto starting = try_thread([&] {
            try {
                wish_.get_ready(wish_);
            } catch (...) {
                failure = std::current_exception();
            }
            is_there = true;
        });
        const auto began = Clock::now();
        if (!starting.joinable()) {
            wish_.get_ready(wish_);
            return tally_.started(seconds_since(began), 0);
        }
        using tbb::filter_mode;
        intake_.begin_ahead();
        const int pictures = limit_threads(wish_.pictures);
        tbb::task_arena arena(pictures);
        arena.execute([&] {
            tbb::parallel_pipeline(
                static_cast<std::size_t>(pictures),
                tbb::make_filter<void, FileOnWay*>(filter_mode::serial_in_order,
                                                   [&](tbb::flow_control& control) -> FileOnWay* {
                                                       auto* const work = is_there ? nullptr
                                                                                   : intake_.next_ahead();
                                                       if (!work) control.stop();
                                                       return work;
                                                   }) &
                    decoding() &
                    tbb::make_filter<FileOnWay*, void>(filter_mode::serial_in_order,
                                                       [&](FileOnWay* work) { intake_.keep(work); }));
        });
        intake_.end_ahead();
        const auto waits = Clock::now();
        starting.join();
        tally_.started(seconds_since(waits), intake_.kept());
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
        result.pixels = stored_pixels(work.outcome.image.format(), work.picture);
        if (!work.outcome.notice.empty()) result.notes.push_back(work.outcome.notice);
    }

    void filter_bands(FileOnWay& work) try {
        const auto began = Clock::now();
        const PackingThreads all(cpu::threads_of(*host_)); // it goes alone
        auto banded = do_in_bands(wish_, host_, work.bytes_needed, work.result);
        work.input_stamp = banded.input;
        work.pending = std::move(banded.output);
        work.result.seconds.filter -= seconds_since(began); // attempt() adds it, but all is counted already
    } catch (const Cancelled&) {
        work.given_up = true;
    }

    void write(FileOnWay& work) {
        attempt(work, &StageTimes::write, [this](FileOnWay& each) { store(each, wish_); });
        settle(work);
    }

    void give_up(FileOnWay& work) {
        intake_.give_back_all_but(work, 0);
        tally_.stopped();
    }

    void settle(FileOnWay& work) {
        work.bytes = {};
        intake_.give_back_all_but(work, 0);
        tally_.settle(work.result, *filters_);
    }

    std::span<const Task> tasks_;
    RunWish wish_;
    RunTally tally_;
    Intake intake_;
    const KeepImageMemory kept_;
    std::optional<DevicePools> filters_;   ///< these four once there is an engine
    std::shared_ptr<StagingPool> staging_; ///< null on the CPU
    std::shared_ptr<Engine> host_;         ///< computes in host memory
    std::optional<ClipSample> clips_;
};

} // namespace

RunResult run_tasks(std::span<const Task> tasks, const RunWish& wish, const std::stop_token& stop,
                    const std::function<void(const FileResult&)>& sink) {
    return Run(tasks, wish, stop, sink).finish();
}

} // namespace kg::batch
