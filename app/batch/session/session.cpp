#include "app/batch/session/session.hpp"

#include "app/process/background.hpp"
#include "core/support/thread.hpp"

#include <algorithm>
#include <utility>

namespace kg::batch {

namespace fs = std::filesystem;

fs::path preset_output(const std::vector<fs::path>& inputs) {
    if (inputs.empty()) return {};
    std::error_code ignored;
    auto folder = fs::absolute(inputs.front()).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path(); // "photos/"
    if (!fs::is_directory(folder, ignored)) folder = folder.parent_path();
    return folder.parent_path() / (folder.filename().string() + "-kernelglass");
}

Session::Session(Setup setup)
    : setup_(std::move(setup)),
      thread_(start_thread([this](const std::stop_token& ending) { loop(ending); })) {}

Session::~Session() {
    forget_window();
    stop();
    post({});
}

// --- wishes

void Session::choose(const Order& order) {
    order_ = order;
    if (running() || scanned_ == order) return;
    rescan();
}

void Session::rescan() {
    if (running()) return;
    scanned_ = order_;
    auto scan = *this->scan();
    scan.busy = !order_.inputs.empty();
    scan.stopped = false;
    scan.looked_at = scan.found = 0;
    show(scan.busy ? std::move(scan) : Scan{});
    if (!order_.inputs.empty()) post([this, order = order_](const auto& stop) { do_scan(order, stop); });
}

void Session::stop_looking() {
    if (running()) return;
    const std::lock_guard lock(mutex_);
    errand_stop_.request_stop();
    next_ = nullptr;
    if (scan_->busy) scan_ = std::make_shared<const Scan>(Scan{.stopped = true});
    end_trial(true);
}

void Session::rehearse(EngineChoice choice, std::size_t most) {
    if (running()) return;
    post([this, order = order_, choice = std::move(choice),
          most](const auto& stop) { do_rehearse(order, choice, most, stop); },
         true);
}

void Session::start(EngineChoice choice) {
    if (running()) return;
    scanned_.reset(); // what is up to date will be other files
    pause_.set(false);
    {
        const std::lock_guard lock(mutex_);
        worked_ = 0;
        since_ = Clock::now();
    }
    show(Work{.state = Work::State::running, .order = order_});
    post([this, order = order_, choice = std::move(choice)](const auto& stop) {
        do_work(order, choice, stop);
    });
}

void Session::pause(bool paused) {
    {
        const std::lock_guard lock(mutex_);
        const auto from = paused ? Work::State::running : Work::State::paused;
        if (work_->state != from) return;
        if (paused) worked_ = seconds_now();
        since_ = paused ? std::nullopt : std::optional(Clock::now());
        auto work = *work_;
        work.state = paused ? Work::State::paused : Work::State::running;
        work_ = std::make_shared<const Work>(std::move(work));
    }
    pause_.set(paused);
}

void Session::stop() {
    std::stop_source stop;
    {
        const std::lock_guard lock(mutex_);
        stop = errand_stop_;
        if (work_->state == Work::State::running || work_->state == Work::State::paused) {
            if (!since_) since_ = Clock::now();
            auto work = *work_;
            work.state = Work::State::stopping;
            work_ = std::make_shared<const Work>(std::move(work));
        }
    }
    stop.request_stop();
}

void Session::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !at_errand_ && !next_; });
}

bool Session::wait_for(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, most, [this] { return !at_errand_ && !next_; });
}

void Session::forget_window() {
    const std::lock_guard lock(mutex_);
    has_window_ = false;
}

// --- looks

bool Session::running() const {
    using State = Work::State;
    const auto state = work()->state;
    return state == State::running || state == State::paused || state == State::stopping;
}

bool Session::busy() const {
    const std::lock_guard lock(mutex_);
    return at_errand_ || next_;
}

double Session::seconds_now() const {
    return worked_ + (since_ ? std::chrono::duration<double>(Clock::now() - *since_).count() : 0);
}

double Session::seconds() const {
    const std::lock_guard lock(mutex_);
    return work_->state == Work::State::finished ? work_->seconds : seconds_now();
}

std::optional<double> Session::seconds_left() const {
    const auto work = this->work();
    if (work->bytes_settled == 0 || !running()) return {};
    const double all = work->seconds * static_cast<double>(work->bytes_all) /
                       static_cast<double>(work->bytes_settled);
    return std::max(0.0, all - seconds());
}

std::shared_ptr<const Scan> Session::scan() const {
    const std::lock_guard lock(mutex_);
    return scan_;
}

std::shared_ptr<const Trial> Session::trial() const {
    const std::lock_guard lock(mutex_);
    return trial_;
}

std::shared_ptr<const Work> Session::work() const {
    const std::lock_guard lock(mutex_);
    return work_;
}

/// What was stopped meanwhile has nothing more to show.
void Session::show(Scan scan, const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    if (!stop.stop_requested()) scan_ = std::make_shared<const Scan>(std::move(scan));
}

void Session::show(Trial trial, const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    if (!stop.stop_requested()) trial_ = std::make_shared<const Trial>(std::move(trial));
}

/// A pause or a stop that came meanwhile stays; only the end ends them.
void Session::show(Work work) {
    const std::lock_guard lock(mutex_);
    const bool is_over = work.state == Work::State::finished;
    if (work_->state == Work::State::paused || work_->state == Work::State::stopping)
        if (!is_over) work.state = work_->state;
    work.seconds = seconds_now();
    if (is_over) since_.reset();
    work_ = std::make_shared<const Work>(std::move(work));
}

void Session::wake() const {
    const std::lock_guard lock(mutex_);
    if (has_window_ && setup_.wake) setup_.wake();
}

// --- the thread

/// With the mutex held: of one that is on its way, what is done stays to be seen.
void Session::end_trial(bool stopped) {
    if (!trial_->busy) return;
    auto trial = *trial_;
    trial.busy = false;
    trial.stopped = stopped;
    std::erase_if(trial.pictures, [](const Tried& tried) { return !tried.done; });
    trial_ = std::make_shared<const Trial>(std::move(trial));
}

/// Takes the place of what waits and stops what goes on.
void Session::post(Errand errand, bool tries) {
    {
        const std::lock_guard lock(mutex_);
        errand_stop_.request_stop();
        errand_stop_ = {};
        next_ = std::move(errand);
        end_trial(false);
        if (tries) trial_ = std::make_shared<const Trial>(Trial{.busy = true, .order = order_});
    }
    changed_.notify_all();
}

void Session::loop(const std::stop_token& ending) {
    give_way();
    for (;;) {
        Errand errand;
        std::stop_token stop;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, ending, [this] { return static_cast<bool>(next_); });
            if (!next_) return;
            errand = std::exchange(next_, nullptr);
            stop = errand_stop_.get_token();
            at_errand_ = true;
        }
        errand(stop);
        {
            const std::lock_guard lock(mutex_);
            at_errand_ = false;
        }
        changed_.notify_all();
        wake();
    }
}

} // namespace kg::batch
