#include "app/batch/session/session.hpp"

#include "app/process/background.hpp"
#include "core/support/elapsed.hpp"
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
    : setup_(std::move(setup)), thread_(start_thread([this](const std::stop_token& end) { loop(end); })) {}

Session::~Session() {
    forget_window();
    stop();
    post({});
}

// --- requests

void Session::choose(const BatchSettings& settings) {
    settings_ = settings;
    if (running() || scanned_ == settings) return;
    rescan();
}

void Session::rescan() {
    if (running()) return;
    scanned_ = settings_;
    auto scan = *this->scan();
    scan.busy = !settings_.inputs.empty();
    scan.stopped = false;
    scan.looked_at = scan.found = 0;
    show(scan.busy ? std::move(scan) : Scan{});
    if (!settings_.inputs.empty())
        post([this, settings = settings_](const auto& stop) { do_scan(settings, stop); });
}

void Session::stop_scan() {
    if (running()) return;
    const std::lock_guard lock(mutex_);
    task_stop_.request_stop();
    next_ = nullptr;
    if (scan_->busy) scan_ = std::make_shared<const Scan>(Scan{.stopped = true});
    end_preview(true);
}

void Session::dry_run(EngineChoice choice, std::size_t most) {
    if (running()) return;
    post([this, settings = settings_, choice = std::move(choice),
          most](const auto& stop) { do_dry_run(settings, choice, most, stop); },
         true);
}

void Session::start(EngineChoice choice) {
    if (running()) return;
    scanned_.reset(); // the outputs that are up to date will change
    pause_.set(false);
    {
        const std::lock_guard lock(mutex_);
        worked_ = 0;
        since_ = Clock::now();
    }
    show(BatchProgress{.state = BatchProgress::State::running, .settings = settings_});
    post([this, settings = settings_, choice = std::move(choice)](const auto& stop) {
        do_work(settings, choice, stop);
    });
}

void Session::pause(bool paused) {
    {
        const std::lock_guard lock(mutex_);
        const auto from = paused ? BatchProgress::State::running : BatchProgress::State::paused;
        if (work_->state != from) return;
        if (paused) worked_ = seconds_now();
        since_ = paused ? std::nullopt : std::optional(Clock::now());
        auto work = *work_;
        work.state = paused ? BatchProgress::State::paused : BatchProgress::State::running;
        work_ = std::make_shared<const BatchProgress>(std::move(work));
    }
    pause_.set(paused);
}

void Session::stop() {
    std::stop_source stop;
    {
        const std::lock_guard lock(mutex_);
        stop = task_stop_;
        if (work_->state == BatchProgress::State::running || work_->state == BatchProgress::State::paused) {
            if (!since_) since_ = Clock::now();
            auto work = *work_;
            work.state = BatchProgress::State::stopping;
            work_ = std::make_shared<const BatchProgress>(std::move(work));
        }
    }
    stop.request_stop();
}

void Session::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !at_task_ && !next_; });
}

bool Session::wait_for(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, most, [this] { return !at_task_ && !next_; });
}

void Session::forget_window() {
    const std::lock_guard lock(mutex_);
    has_window_ = false;
}

// --- queries

bool Session::running() const {
    using State = BatchProgress::State;
    const auto state = work()->state;
    return state == State::running || state == State::paused || state == State::stopping;
}

bool Session::paused() const { return work()->state == BatchProgress::State::paused; }

bool Session::busy() const {
    const std::lock_guard lock(mutex_);
    return at_task_ || next_;
}

double Session::seconds_now() const { return worked_ + (since_ ? seconds_since(*since_) : 0); }

double Session::seconds() const {
    const std::lock_guard lock(mutex_);
    return work_->state == BatchProgress::State::finished ? work_->seconds : seconds_now();
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

std::shared_ptr<const BatchPreview> Session::preview() const {
    const std::lock_guard lock(mutex_);
    return preview_;
}

std::shared_ptr<const BatchProgress> Session::work() const {
    const std::lock_guard lock(mutex_);
    return work_;
}

/// Ignored if the task was stopped meanwhile.
void Session::show(Scan scan, const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    if (!stop.stop_requested()) scan_ = std::make_shared<const Scan>(std::move(scan));
}

void Session::show(BatchPreview preview, const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    if (!stop.stop_requested()) preview_ = std::make_shared<const BatchPreview>(std::move(preview));
}

/// Keeps a pause or a stop that was requested meanwhile; only the end of the work clears them.
void Session::show(BatchProgress work) {
    const std::lock_guard lock(mutex_);
    const bool is_over = work.state == BatchProgress::State::finished;
    if (work_->state == BatchProgress::State::paused || work_->state == BatchProgress::State::stopping)
        if (!is_over) work.state = work_->state;
    work.seconds = seconds_now();
    if (is_over) since_.reset();
    work_ = std::make_shared<const BatchProgress>(std::move(work));
}

void Session::wake() const {
    const std::lock_guard lock(mutex_);
    if (has_window_ && setup_.wake) setup_.wake();
}

// --- the thread

/// The mutex is held. Keeps the images that are done.
void Session::end_preview(bool stopped) {
    if (!preview_->busy) return;
    auto preview = *preview_;
    preview.busy = false;
    preview.stopped = stopped;
    std::erase_if(preview.images, [](const PreviewedImage& previewed) { return !previewed.done; });
    preview_ = std::make_shared<const BatchPreview>(std::move(preview));
}

/// Replaces the queued task and stops the running one.
void Session::post(BackgroundTask task, bool is_dry_run) {
    {
        const std::lock_guard lock(mutex_);
        task_stop_.request_stop();
        task_stop_ = {};
        next_ = std::move(task);
        end_preview(false);
        if (is_dry_run)
            preview_ = std::make_shared<const BatchPreview>(
                BatchPreview{.busy = true, .settings = settings_});
    }
    changed_.notify_all();
}

void Session::loop(const std::stop_token& end) {
    lower_priority();
    for (;;) {
        BackgroundTask task;
        std::stop_token stop;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, end, [this] { return static_cast<bool>(next_); });
            if (!next_) return;
            task = std::exchange(next_, nullptr);
            stop = task_stop_.get_token();
            at_task_ = true;
        }
        task(stop);
        {
            const std::lock_guard lock(mutex_);
            at_task_ = false;
        }
        changed_.notify_all();
        wake();
    }
}

} // namespace kg::batch
