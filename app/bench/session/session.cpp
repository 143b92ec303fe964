#include "app/bench/session/session.hpp"

#include "app/bench/report_file.hpp"
#include "core/support/thread.hpp"
#include "peers/peers.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

using Phase = BenchState::Phase;

std::vector<std::string> all_peers() {
    std::vector<std::string> ids;
    for (const auto* peer : peers::all()) ids.emplace_back(peer->id);
    return ids;
}

} // namespace

RankedReport::RankedReport(measure::BenchReport measured, std::string called)
    : report(std::move(measured)), name(std::move(called)), standings(measure::standings(report)),
      families(measure::families(standings)) {}

BenchSession::BenchSession(std::function<void()> wake) : wake_(std::move(wake)) {}

BenchSession::~BenchSession() { thread_.request_stop(); }

void BenchSession::start(BenchJob job) {
    const auto title = job.title;
    begin(false, title, [this, job = std::move(job)](const auto& stop) { return measured(job, stop); });
}

void BenchSession::compare(DifferenceJob job) {
    const auto title = job.a.algorithm + " and " + job.b.algorithm;
    begin(true, title, [job = std::move(job)](const auto& stop) -> Edit {
        const auto difference = std::make_shared<const ResultDifference>(difference_of(job, stop));
        return [difference](BenchState& state) { state.difference = difference; };
    });
}

/// `work` runs in the thread; what it returns is applied to the state of its end.
void BenchSession::begin(bool comparing, const std::string& title,
                         std::function<Edit(const std::stop_token&)> work) {
    if (running()) return;
    change([&](BenchState& state) {
        state.phase = Phase::running;
        state.step = {};
        state.comparing = comparing;
        state.title = title;
        state.failure.reset();
        if (comparing) state.difference.reset();
    });
    try {
        thread_ = start_thread([this, work = std::move(work)](const std::stop_token& stop) {
            Edit end;
            try {
                end = work(stop);
            } catch (const Cancelled&) { // as asked
                end = [](BenchState&) {};
            } catch (const std::exception& error) {
                end = [failure = as_error(error)](BenchState& state) { state.failure = failure; };
            }
            change([&](BenchState& state) {
                state.phase = Phase::finished;
                end(state);
            });
            if (wake_) wake_();
        });
    } catch (const Error& error) {
        change([&](BenchState& state) { state.phase = Phase::finished, state.failure = error; });
    }
}

void BenchSession::pause() {
    change([](BenchState& state) {
        if (state.phase == Phase::running) state.phase = Phase::pausing;
    });
}

void BenchSession::resume() {
    change([](BenchState& state) {
        if (state.phase == Phase::pausing || state.phase == Phase::paused) state.phase = Phase::running;
    });
    changed_.notify_all();
}

void BenchSession::stop() {
    change([](BenchState& state) {
        if (state.running()) state.phase = Phase::stopping;
    });
    thread_.request_stop();
}

bool BenchSession::running() const { return state()->running(); }

std::shared_ptr<const BenchState> BenchSession::state() const {
    const std::lock_guard lock(mutex_);
    return state_;
}

/// `edit` is called with the mutex held.
void BenchSession::change(const Edit& edit) {
    const std::lock_guard lock(mutex_);
    change_locked(edit);
}

void BenchSession::change_locked(const Edit& edit) {
    auto next = *state_;
    edit(next);
    state_ = std::make_shared<const BenchState>(std::move(next));
}

// --- the thread

void BenchSession::wait_while_paused(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    // A pause may be asked for again before the thread has noticed that it may resume.
    const auto may_resume = [this] {
        if (state_->phase == Phase::pausing) {
            change_locked([](BenchState& state) { state.phase = Phase::paused; });
            if (wake_) wake_();
        }
        return state_->phase != Phase::paused;
    };
    if (may_resume()) return;
    time_.pause();
    changed_.wait(lock, stop, may_resume);
    lock.unlock();
    time_.resume();
}

BenchSession::Edit BenchSession::measured(const BenchJob& job, const std::stop_token& stop) {
    auto rules = job.rules;
    rules.comparison.timing.time = &time_;
    rules.comparison.pause_point = [&] { wait_while_paused(stop); };
    rules.peers = all_peers();
    rules.known_limits = &limits_;
    auto report = measure::bench(
        job.cases, job.engines, rules,
        [this](const measure::BenchStep& step) {
            change([&](BenchState& state) { state.step = step; });
            if (wake_) wake_();
        },
        stop);
    const auto is_timed = [](const measure::ReportRow& row) { return row.times.has_value(); };
    if (stop.stop_requested() && std::ranges::none_of(report.rows, is_timed)) throw Cancelled();
    report.title = job.title;
    sign(report);
    const auto ranked = std::make_shared<const RankedReport>(std::move(report), "This measurement");
    return [ranked](BenchState& state) { state.report = ranked; };
}

} // namespace kg
