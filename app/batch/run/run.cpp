#include "app/batch/run/run.hpp"

#include "app/batch/run/banded_task.hpp"
#include "app/batch/run/intake.hpp"
#include "app/batch/run/run_tally.hpp"
#include "app/batch/run/work.hpp"
#include "app/batch/run/writers.hpp"
#include "app/process/background.hpp"
#include "app/process/clipping/clip_sample.hpp"
#include "app/process/file/file_request.hpp"
#include "app/process/pool/device_pools.hpp"
#include "app/process/pool/staging.hpp"
#include "core/image/image_memory.hpp"
#include "core/support/error.hpp"
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
/// Large buffers per image: input, output, and two for its compression.
constexpr std::size_t kBuffersPerImage = 4;

EngineChoice choice_for(const RunOptions& options, std::span<const Task> tasks) {
    if (!options.in_background) return options.choice;
    const auto wanted = std::ranges::count(tasks, Task::State::wanted, &Task::state);
    return choice_in_background(options.choice, static_cast<std::size_t>(wanted), options.images);
}

/// The pool of pinned memory for images of a GPU. Half of what is in flight at most are images and results;
/// those that find no room in the pool are copied through a small buffer, which takes several times as long.
/// Null if no engine is a GPU. Other GPUs transfer from memory that the first one has pinned as well.
std::shared_ptr<StagingPool> staging_for(const RunOptions& options, const EngineChoice& choice) {
    if (choice.engine->device().host_memory) return nullptr;
    return std::make_shared<StagingPool>(choice.engine, options.bytes_in_flight / 2);
}

/// The engine that computes in host memory.
std::shared_ptr<Engine> host_of(const RunOptions& options, const EngineChoice& choice) {
    return choice.engine->device().host_memory ? choice.engine
                                               : cpu::make_engine(options.in_background ? 1 : options.images);
}

class Run {
public:
    Run(std::span<const Task> tasks, const RunOptions& options, const std::stop_token& stop,
        const std::function<void(const FileResult&)>& sink)
        : tasks_(tasks), options_(options), tally_(options_, kWriters, sink),
          intake_(tasks, options_, stop, tally_),
          kept_(kBuffersPerImage * static_cast<std::size_t>(options.images)) {}

    RunResult finish() {
        if (options_.get_ready) decode_ahead();
        get_ready();
        // A thread that waits for a GPU should not keep a core from decoding.
        const auto& engine = *options_.choice.engine;
        const int wanted = options_.images + (engine.device().host_memory ? 0 : options_.images / 2);
        const auto cores = limit_threads(std::max(wanted, cpu::threads_of(engine)));
        const int images = std::min(wanted, cores);
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(cores));
        using tbb::filter_mode;
        const auto stage = [this](double StageTimes::*seconds, auto does) {
            return tbb::make_filter<FileInFlight*, FileInFlight*>(filter_mode::parallel,
                                                                  [=, this](FileInFlight* work) {
                                                                      attempt(*work, seconds, does);
                                                                      return work;
                                                                  });
        };
        {
            Writers<FileInFlight> writers(kWriters, [this](FileInFlight& work) { write(work); });
            const auto pipeline = [&] {
                tbb::parallel_pipeline(
                    static_cast<std::size_t>(images),
                    tbb::make_filter<void, FileInFlight*>(filter_mode::serial_in_order,
                                                          [this](tbb::flow_control& control) {
                                                              auto* const work = intake_.next();
                                                              if (!work) control.stop();
                                                              return work;
                                                          }) &
                        decoding() &
                        stage(&StageTimes::filter, [this](FileInFlight& work) { filter(work); }) &
                        stage(&StageTimes::encode,
                              [this, threads = cores / images](FileInFlight& work) {
                                  encode(work, options_, threads);
                              }) &
                        tbb::make_filter<FileInFlight*, void>(filter_mode::parallel, [&](FileInFlight* work) {
                            std::unique_ptr<FileInFlight> owned(work);
                            if (owned->cancelled) return cancel(*owned);
                            if (owned->result.error) return settle(*owned);
                            intake_.give_back_all_but(*owned, owned->bytes.size());
                            writers.push(std::move(owned));
                        }));
            };
            if (options_.in_background) execute_in_own_threads(images, pipeline);
            else tbb::task_arena(images).execute(pipeline);
        }
        return tally_.result();
    }

private:
    /// The remaining threads: writers, those of the queues, those that compress or start an engine.
    int limit_threads(int computing) const {
        constexpr int kFurther = 8;
        if (options_.in_background) return computing;
        return cpu::limit_threads(computing, kWriters + kFurther, 2);
    }

    /// Runs until engine and journal are ready, or until the memory for images in flight is full.
    void decode_ahead() {
        std::atomic<bool> is_there = false;
        std::exception_ptr failure;
        auto starting = try_thread([&] {
            try {
                options_.get_ready(options_);
            } catch (...) {
                failure = std::current_exception();
            }
            is_there = true;
        });
        const auto began = Clock::now();
        if (!starting.joinable()) {
            options_.get_ready(options_);
            return tally_.started(seconds_since(began), 0);
        }
        using tbb::filter_mode;
        intake_.begin_ahead();
        const int images = limit_threads(options_.images);
        tbb::task_arena arena(images);
        arena.execute([&] {
            tbb::parallel_pipeline(
                static_cast<std::size_t>(images),
                tbb::make_filter<void, FileInFlight*>(filter_mode::serial_in_order,
                                                      [&](tbb::flow_control& control) -> FileInFlight* {
                                                          auto* const work = is_there ? nullptr
                                                                                      : intake_.next_ahead();
                                                          if (!work) control.stop();
                                                          return work;
                                                      }) &
                    decoding() &
                    tbb::make_filter<FileInFlight*, void>(filter_mode::serial_in_order,
                                                          [&](FileInFlight* work) { intake_.keep(work); }));
        });
        intake_.end_ahead();
        const auto waits = Clock::now();
        starting.join();
        tally_.started(seconds_since(waits), intake_.kept());
        if (failure) std::rethrow_exception(failure);
    }

    /// Called once there is an engine.
    void get_ready() {
        sweep();
        const auto choice = choice_for(options_, tasks_);
        host_ = host_of(options_, choice);
        clips_.emplace(host_);
        filters_.emplace(choice, options_.further, options_.algorithm);
        staging_ = staging_for(options_, choice);
    }

    /// Removes files that a killed process of this job left unfinished.
    void sweep() {
        if (!options_.journal) return;
        std::set<fs::path> folders;
        for (const auto& task : tasks_) folders.insert((options_.out / task.output).parent_path());
        for (const auto& folder : folders) remove_pending(folder, options_.journal->tag());
    }

    tbb::filter<FileInFlight*, FileInFlight*> decoding() {
        return tbb::make_filter<FileInFlight*, FileInFlight*>(
            tbb::filter_mode::parallel, [this](FileInFlight* work) {
                if (work->bytes_owed == 0 && !std::exchange(work->is_decoded, true))
                    attempt(*work, &StageTimes::decode,
                            [this](FileInFlight& each) { decode(each, options_, staging_.get()); });
                return work;
            });
    }

    void filter(FileInFlight& work) {
        if (work.in_bands) return filter_bands(work);
        auto& result = work.result;
        auto done = filters_->run(work.request, work.image.pixels.view(), staging_.get());
        if (options_.inspect) options_.inspect(*result.task, work.image, done.image.view());
        done.clipping = clips_->count(work.request, work.image.pixels.view());
        done.size = done.image.size();
        done.pixels = stored_pixels(done.image.format(), work.image);
        work.image.pixels = {};
        if (!done.engine->device().host_memory)
            for (const auto& span : done.report.spans) done.seconds.wait += span.microseconds * 1e-6;
        const auto further = std::ranges::find(options_.further, done.engine);
        if (further != options_.further.end()) result.device = further - options_.further.begin() + 1;
        done.add_notice();
        result.add(std::move(done));
    }

    void filter_bands(FileInFlight& work) try {
        const auto began = Clock::now();
        const auto threads = cpu::threads_of(*host_); // all, because it goes alone
        auto banded = do_in_bands(options_, host_, work.bytes_needed, threads, work.result);
        work.input_stamp = banded.input;
        work.pending = std::move(banded.output);
        // attempt() adds the whole time, but do_in_bands() has counted it already.
        work.result.seconds.filter -= seconds_since(began);
    } catch (const Cancelled&) {
        work.cancelled = true;
    }

    void write(FileInFlight& work) {
        attempt(work, &StageTimes::write, [this](FileInFlight& each) { store(each, options_); });
        settle(work);
    }

    void cancel(FileInFlight& work) {
        intake_.give_back_all_but(work, 0);
        tally_.stopped();
    }

    void settle(FileInFlight& work) {
        work.bytes = {};
        intake_.give_back_all_but(work, 0);
        tally_.settle(work.result, *filters_);
    }

    std::span<const Task> tasks_;
    RunOptions options_;
    RunTally tally_;
    Intake intake_;
    const KeepImageMemory kept_;
    std::optional<DevicePools> filters_;   ///< these four are set once there is an engine
    std::shared_ptr<StagingPool> staging_; ///< null on the CPU
    std::shared_ptr<Engine> host_;         ///< computes in host memory
    std::optional<ClipSample> clips_;
};

} // namespace

RunResult run_tasks(std::span<const Task> tasks, const RunOptions& options, const std::stop_token& stop,
                    const std::function<void(const FileResult&)>& sink) {
    return Run(tasks, options, stop, sink).finish();
}

} // namespace kg::batch
