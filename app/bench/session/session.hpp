#pragma once
// The benchmark of a window: it runs in a background thread, and the window polls its state. One thread at a
// time makes requests.

#include "app/bench/session/difference.hpp"
#include "app/bench/session/job.hpp"
#include "app/bench/session/pausable_time.hpp"
#include "core/support/error.hpp"
#include "measure/report/standing.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace kg {

/// A report and what follows from it. The standings point into the report, so it is neither copied nor moved.
struct RankedReport {
    RankedReport(measure::BenchReport measured, std::string called);
    RankedReport(const RankedReport&) = delete;
    RankedReport& operator=(const RankedReport&) = delete;
    ~RankedReport() = default;

    const measure::BenchReport report;
    const std::string name; ///< for people: the file's name
    const std::vector<measure::Standing> standings;
    const std::vector<measure::Family> families;
};

struct BenchState {
    enum class Phase : std::uint8_t {
        none,
        running,
        pausing, ///< until the samples in progress are complete
        paused,
        stopping,
        finished
    };
    Phase phase = Phase::none;
    bool running() const { return phase != Phase::none && phase != Phase::finished; }
    measure::BenchStep step{};
    bool comparing = false;         ///< the job compares two results, and measures nothing
    std::string title{};            ///< the job's title
    std::optional<Error> failure{}; ///< why the last job has no outcome
    /// The last job's that was not stopped before anything was timed; null before. That of a stopped job
    /// is not complete.
    std::shared_ptr<const RankedReport> report{};
    /// The last comparison of two results; null before, and if it was stopped.
    std::shared_ptr<const ResultDifference> difference{};
};

class BenchSession {
public:
    /// `wake` is called from any thread when the window should poll; it must neither block nor call the
    /// session.
    explicit BenchSession(std::function<void()> wake = {});
    /// Stops the job, after the work in flight.
    ~BenchSession();
    BenchSession(const BenchSession&) = delete;
    BenchSession& operator=(const BenchSession&) = delete;

    /// Ignored while a job is running.
    void start(BenchJob job);
    /// Compares two results, in the same thread.
    void compare(DifferenceJob job);
    /// Pauses before the next samples. Pauses do not count as time.
    void pause();
    void resume();
    /// Ends the job early; its report has the rows measured so far. Without any the previous report remains.
    void stop();

    bool running() const;                            ///< a job is begun and not over
    std::shared_ptr<const BenchState> state() const; ///< an immutable snapshot

private:
    using Edit = std::function<void(BenchState&)>;
    void begin(bool comparing, const std::string& title, std::function<Edit(const std::stop_token&)> work);
    Edit measured(const BenchJob& job, const std::stop_token& stop);
    void wait_while_paused(const std::stop_token& stop);
    void change(const Edit& edit);
    void change_locked(const Edit& edit); ///< the mutex is held

    const std::function<void()> wake_;
    PausableTime time_;
    mutable std::mutex mutex_; ///< guards the members below
    std::condition_variable_any changed_;
    std::shared_ptr<const BenchState> state_ = std::make_shared<const BenchState>();

    std::map<std::string, measure::ReportLimits> limits_; ///< of the engines, for the thread alone

    std::jthread thread_; // last: it uses the other members
};

} // namespace kg
