#include "app/bench/session/session.hpp"

#include "app/bench/report_file.hpp"
#include "core/support/thread.hpp"
#include "peers/peers.hpp"

#include <new>
#include <utility>

namespace kg {

namespace {

using Phase = BenchState::Phase;

std::vector<std::string> all_peers() {
    std::vector<std::string> ids;
    for (const auto* peer : peers::all()) ids.emplace_back(peer->id);
    return ids;
}

bool is_running(Phase phase) { return phase != Phase::none && phase != Phase::finished; }

} // namespace

RankedReport::RankedReport(measure::BenchReport measured, std::string called)
    : report(std::move(measured)), name(std::move(called)), standings(measure::standings(report)),
      families(measure::families(standings)) {}

BenchSession::BenchSession(Setup setup) : setup_(std::move(setup)) {}

BenchSession::~BenchSession() { thread_.request_stop(); }

void BenchSession::start(BenchJob job) {
    if (running()) return;
    {
        const std::lock_guard lock(mutex_);
        wants_pause_ = false;
    }
    change([&](BenchState& state) {
        state.phase = Phase::running;
        state.step = {};
        state.title = job.title;
        state.failure.reset();
    });
    try {
        thread_ = start_thread([this, job = std::move(job)](const std::stop_token& stop) { run(job, stop); });
    } catch (const Error& error) {
        change([&](BenchState& state) { state.phase = Phase::finished, state.failure = error; });
    }
}

void BenchSession::pause() {
    change([this](BenchState& state) {
        if (state.phase != Phase::running) return;
        state.phase = Phase::pausing;
        wants_pause_ = true;
    });
}

void BenchSession::resume() {
    change([this](BenchState& state) {
        if (state.phase != Phase::pausing && state.phase != Phase::paused) return;
        state.phase = Phase::running;
        wants_pause_ = false;
    });
    changed_.notify_all();
}

void BenchSession::stop() {
    change([](BenchState& state) {
        if (is_running(state.phase)) state.phase = Phase::stopping;
    });
    thread_.request_stop();
}

bool BenchSession::running() const { return is_running(state()->phase); }

std::shared_ptr<const BenchState> BenchSession::state() const {
    const std::lock_guard lock(mutex_);
    return state_;
}

/// `edit` is called with the mutex held.
void BenchSession::change(const std::function<void(BenchState&)>& edit) {
    const std::lock_guard lock(mutex_);
    auto next = *state_;
    edit(next);
    state_ = std::make_shared<const BenchState>(std::move(next));
}

// --- the thread

void BenchSession::wait_while_paused(const std::stop_token& stop) {
    {
        const std::lock_guard lock(mutex_);
        if (!wants_pause_) return;
    }
    change([](BenchState& state) {
        if (state.phase == Phase::pausing) state.phase = Phase::paused;
    });
    if (setup_.wake) setup_.wake();
    time_.pause();
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, stop, [this] { return !wants_pause_; });
    }
    time_.resume();
}

void BenchSession::run(const BenchJob& job, const std::stop_token& stop) {
    auto rules = setup_.rules;
    rules.comparison.timing.time = &time_;
    rules.comparison.pause_point = [&] { wait_while_paused(stop); };
    rules.peers = all_peers();
    rules.seconds = job.seconds;
    std::shared_ptr<const RankedReport> ranked;
    std::optional<Error> failure;
    try {
        auto report = measure::bench(
            job.cases, job.engines, rules,
            [this](const measure::BenchStep& step) {
                change([&](BenchState& state) { state.step = step; });
                if (setup_.wake) setup_.wake();
            },
            stop);
        report.title = job.title;
        sign(report);
        ranked = std::make_shared<const RankedReport>(std::move(report), "This measurement");
    } catch (const std::exception& error) {
        failure = as_error(error);
    }
    change([&](BenchState& state) {
        state.phase = Phase::finished;
        state.failure = failure;
        if (ranked) state.report = ranked;
    });
    if (setup_.wake) setup_.wake();
}

} // namespace kg
