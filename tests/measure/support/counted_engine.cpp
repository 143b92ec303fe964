#include "tests/measure/support/counted_engine.hpp"

#include "core/plan/planner.hpp"
#include "core/support/error.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/passing_queue.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <utility>
#include <variant>

namespace kg::testing {

namespace {

/// Plans are made by stateless functions.
CountedTime* counted_time = nullptr;
std::vector<CountedAlgorithm> counted_algorithms;
const std::shared_ptr<Engine>& host() {
    static const auto engine = cpu::make_engine(1);
    return engine;
}

class CountedPlan final : public Plan {
public:
    CountedPlan(std::shared_ptr<const Plan> inner, double run_us)
        : inner_(std::move(inner)), run_us_(run_us) {}
    Needs needs(const Rect& output) const override { return inner_->needs(output); }
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        static_cast<cpu::HostQueue&>(queue).enqueue(
            [us = run_us_](const cpu::HostQueue::Context& context) { counted_time->work(us, context.stop); });
        inner_->record(queue, items, scratch);
    }

private:
    std::shared_ptr<const Plan> inner_;
    double run_us_;
};

std::string never_refuses(const PlanStep&, const Engine&) { return {}; }

template <std::size_t i>
Cost cost_of(const PlanStep&, const Engine&) {
    return {counted_algorithms[i].predicted_us};
}

/// What computes the results.
const Algorithm& direct_of(const PlanStep& request) {
    if (std::holds_alternative<ImageStep>(request)) return cpu_algorithm("direct");
    return **std::ranges::find(cpu::signal_algorithms(), std::string_view("direct"), &Algorithm::id);
}

template <std::size_t i>
std::shared_ptr<const Plan> plan_of(const PlanStep& request, Engine&, const PlanContext&) {
    return std::make_shared<CountedPlan>(direct_of(request).plan(request, *host(), {}),
                                         counted_algorithms[i].run_us);
}

template <std::size_t i>
constexpr Algorithm kAlgorithm{
    std::array<std::string_view, kMostCountedAlgorithms>{"counted_0", "counted_1", "counted_2", "counted_3",
                                                         "counted_4", "counted_5"}[i],
    "",
    "",
    "",
    never_refuses,
    cost_of<i>,
    plan_of<i>};

template <std::size_t... i>
std::vector<const Algorithm*> all_algorithms(std::index_sequence<i...>) {
    return {&kAlgorithm<i>...};
}

class Spans final : public CompletionState {
public:
    Spans(Report report, std::exception_ptr failure)
        : report_(std::move(report)), failure_(std::move(failure)) {}
    bool ready() override { return true; }
    void wait() override {
        if (failure_) std::rethrow_exception(failure_);
    }
    Report report() override { return report_; }

private:
    Report report_;
    std::exception_ptr failure_;
};

/// A queue whose spans are counted time. Marks and fences wait for earlier work.
class CountedQueue final : public PassingQueue {
public:
    explicit CountedQueue(std::unique_ptr<Queue> queue) : PassingQueue(std::move(queue)) {}
    void after(const Completion&) override {} // a gate that opens when all is queued
    void mark(std::string span) override {
        end_span();
        span_ = std::move(span), began_us_ = counted_time->now_us(), has_span_ = true;
    }
    Completion fence(std::function<void()> wake) override {
        end_span();
        has_span_ = false;
        if (wake) wake();
        return Completion(
            std::make_shared<Spans>(std::exchange(report_, {}), std::exchange(failure_, nullptr)));
    }

private:
    void end_span() {
        try {
            PassingQueue::fence({}).wait();
        } catch (...) {
            failure_ = std::current_exception();
        }
        if (has_span_) report_.spans.push_back({span_, counted_time->now_us() - began_us_});
    }

    Report report_;
    std::exception_ptr failure_;
    std::string span_;
    double began_us_ = 0;
    bool has_span_ = false;
};

class CountedEngine final : public Engine {
public:
    CountedEngine() : algorithms_(all_algorithms(std::make_index_sequence<kMostCountedAlgorithms>())) {
        algorithms_.resize(counted_algorithms.size());
        algorithms_.push_back(&cpu_algorithm("convert"));
    }
    const DeviceInfo& device() const override { return info_; }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        return host()->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority priority) override {
        return std::make_unique<CountedQueue>(host()->queue(priority));
    }
    std::span<const Algorithm* const> algorithms() const override { return algorithms_; }
    std::span<const Algorithm* const> signal_algorithms() const override {
        return std::span(algorithms_).first(counted_algorithms.size());
    }

private:
    DeviceInfo info_{"counted", "an engine of this test", "counts", 1 << 20, 0};
    std::vector<const Algorithm*> algorithms_;
};

} // namespace

double CountedTime::now_us() {
    const std::lock_guard lock(mutex_);
    return now_us_;
}

std::shared_ptr<void> CountedTime::alarm(double at_us, std::stop_source stop) {
    auto alarm = std::make_shared<Alarm>(at_us, std::move(stop));
    const std::lock_guard lock(mutex_);
    std::erase_if(alarms_, [](const auto& one) { return one.expired(); });
    alarms_.push_back(alarm);
    return alarm;
}

std::vector<std::stop_source> CountedTime::advance_to_next(double end_us) {
    const std::lock_guard lock(mutex_);
    double next_us = end_us;
    for (const auto& one : alarms_)
        if (const auto alarm = one.lock(); alarm && alarm->at_us > now_us_)
            next_us = std::min(next_us, alarm->at_us);
    std::vector<std::stop_source> due;
    for (const auto& one : alarms_)
        if (const auto alarm = one.lock(); alarm && alarm->at_us > now_us_ && alarm->at_us <= next_us)
            due.push_back(alarm->stop);
    now_us_ = next_us;
    return due;
}

void CountedTime::work(double us, const std::stop_token& stop) {
    const double end_us = now_us() + us;
    while (!stop.stop_requested() && now_us() < end_us)
        for (auto& due : advance_to_next(end_us)) due.request_stop();
    if (stop.stop_requested()) throw Cancelled();
}

std::shared_ptr<Engine> make_counted_engine(CountedTime& time, std::vector<CountedAlgorithm> algorithms) {
    counted_time = &time;
    counted_algorithms = std::move(algorithms);
    return std::make_shared<CountedEngine>();
}

} // namespace kg::testing
