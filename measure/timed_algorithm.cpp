#include "measure/timed_algorithm.hpp"

#include "core/support/error.hpp"
#include "measure/noise.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>

#include <time.h>

namespace kg::measure {

namespace {

constexpr const char* kRun = "run";
constexpr const char* kMove = "move";
constexpr double kSettled = 0.02;
// margin above the least length of a sample: later runs may be faster than the first
constexpr double kMargin = 1.2;
constexpr int kMostRuns = 10000;

double processor_now() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
}

/// Holds a queue back until its work is queued. A queue may accept only so much before it must begin, so the
/// gate opens by itself after a while: such a sample has gaps, but it ends.
class Gate final : public CompletionState {
public:
    bool ready() override {
        std::lock_guard lock(mutex_);
        return open_;
    }
    void wait() override {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kLongest, [this] { return open_; });
        open_ = true;
    }
    Report report() override { return {}; }
    void open() {
        std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }

private:
    static constexpr std::chrono::milliseconds kLongest{20};
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false;
};

/// Opens the gate on every exit from the scope.
class Opener {
public:
    explicit Opener(std::shared_ptr<Gate> gate) : gate_(std::move(gate)) {}
    ~Opener() { gate_->open(); }
    Opener(const Opener&) = delete;
    Opener& operator=(const Opener&) = delete;

private:
    std::shared_ptr<Gate> gate_;
};

} // namespace

TimedAlgorithm::TimedAlgorithm(std::shared_ptr<Rotation> rotation, std::shared_ptr<const Plan> plan,
                               const TimingRules& rules, const std::stop_token& stop, std::string span)
    : rotation_(std::move(rotation)), rules_(rules), plan_(std::move(plan)), span_(std::move(span)),
      queue_(rotation_->engine()->queue(Priority::high)) {
    run_afresh(stop);
}

void TimedAlgorithm::run_afresh(const std::stop_token& stop) {
    const auto& item = rotation_->next();
    poison(host_view(rotation_->staged_result()));
    queue_->upload(host_view(rotation_->staged_result()), item.dst);
    queue_->fence().wait();

    const double began = rules_.time->now_us();
    queue_->run(plan_, {&item, 1}, stop);
    queue_->fence().wait();
    if (first_run_us_ == 0) first_run_us_ = rules_.time->now_us() - began;
    latest_ = item.dst;
}

double TimedAlgorithm::spent(std::string_view span, const Completion& fence) const {
    fence.wait();
    double sum = 0;
    bool any = false;
    for (const auto& timed : fence.report().spans)
        if (timed.name == span) sum += timed.microseconds, any = true;
    if (any) return sum;
    throw Error("no-time", "the engine {} gave no time for its work", rotation_->engine()->device().id);
}

bool TimedAlgorithm::computes_here() const { return latest_.memory->host() != nullptr; }

double TimedAlgorithm::run(int runs, const std::stop_token& stop) {
    Completion fence;
    const double processor = processor_now();
    {
        const auto gate = std::make_shared<Gate>();
        const Opener opener(gate);
        if (runs > 1 && holds_back_) try {
                queue_->after(Completion(gate));
            } catch (const Error&) { // a driver that cannot wait: short work is timed with its gaps
                holds_back_ = false;
            }
        queue_->mark(kRun);
        for (int i = 0; i < runs; ++i) {
            const auto& item = rotation_->next();
            queue_->run(plan_, {&item, 1}, stop);
            latest_ = item.dst;
        }
        fence = queue_->fence();
    }
    last_us_ = spent(span_.empty() ? kRun : span_, fence) / runs;
    processor_us_ = (processor_now() - processor) / runs;
    return last_us_;
}

void TimedAlgorithm::settle(double most_us, bool choose_runs, const std::stop_token& stop) {
    const double began = rules_.time->now_us();
    std::array<double, 3> last{};
    for (std::size_t n = 0;; ++n) {
        last[n % last.size()] = run(runs_, stop);
        if (choose_runs) {
            const double wanted = std::ceil(kMargin * rules_.least_sample_us / std::max(last_us_, 0.01));
            runs_ = static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(kMostRuns)));
        }
        const auto [low, high] = std::ranges::minmax(last);
        if ((n + 1 >= last.size() && high - low <= kSettled * high) ||
            rules_.time->now_us() - began > most_us)
            return;
    }
}

void TimedAlgorithm::warm_up(const std::stop_token& stop) { settle(rules_.most_warm_up_us, true, stop); }

void TimedAlgorithm::wake_up(const std::stop_token& stop, double most_us) {
    most_us = std::min(most_us, rules_.most_wake_up_us);
    if (last_us_ < most_us) settle(most_us, false, stop);
}

double TimedAlgorithm::sample(const std::stop_token& stop) { return run(runs_, stop); }

double TimedAlgorithm::upload_sample(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled();
    queue_->mark(kMove);
    queue_->upload(host_view(rotation_->staged_image()), rotation_->next().src);
    return spent(kMove, queue_->fence());
}

double TimedAlgorithm::download_sample(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Cancelled();
    queue_->mark(kMove);
    queue_->download(rotation_->next().dst, host_view(rotation_->staged_result()));
    return spent(kMove, queue_->fence());
}

Image TimedAlgorithm::result() {
    Image image({latest_.covers.width, latest_.covers.height}, latest_.format);
    queue_->download(latest_, image.view());
    queue_->fence().wait();
    return image;
}

} // namespace kg::measure
