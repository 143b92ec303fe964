#include "measure/signal_runs.hpp"

#include "core/plan/planner.hpp"
#include "core/plan/signal_planner.hpp"
#include "core/support/error.hpp"
#include "core/support/quantile.hpp"
#include "core/support/thread.hpp"
#include "measure/noise.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <random>

namespace kg::measure {

namespace {

constexpr std::size_t kTransfers = 2; // per round

TensorFormat format_of(const SignalRequest& request) {
    const auto number = bytes(element(request));
    return {element(request), 1, number, number};
}

/// A plan for signals in buffers that are described as images of bytes.
class InBytes final : public Plan {
public:
    InBytes(const SignalRequest& request, std::shared_ptr<const Plan> plan)
        : request_(request), plan_(std::move(plan)) {
        algorithm = plan_->algorithm;
        reason = plan_->reason;
    }

    Needs needs(const Rect& output) const override {
        return {output, plan_->needs(whole_output(request_)).scratch_bytes, 1};
    }
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        std::vector<Item> signals;
        for (const auto& [src, dst] : items)
            signals.push_back({as_tensor(src, {0, 0, request_.samples, request_.signals}),
                               as_tensor(dst, whole_output(request_))});
        plan_->record(queue, signals, scratch);
    }

private:
    BufferView as_tensor(BufferView view, const Rect& covers) const {
        view.covers = covers;
        view.tensor = format_of(request_);
        return view;
    }

    SignalRequest request_;
    std::shared_ptr<const Plan> plan_;
};

template <typename T>
void fill(const SignalCase& of, const ImageView& image) {
    std::mt19937_64 random(1);
    for (std::int64_t y = 0; y < of.request.signals; ++y)
        for (std::int64_t x = 0; x < of.request.samples; ++x) {
            T number{};
            if (of.sample) number = static_cast<T>(of.sample(x));
            else if constexpr (std::is_integral_v<T>) number = static_cast<T>(random());
            else number = static_cast<T>(static_cast<double>(random() >> 11) * 0x1p-52 - 1);
            std::memcpy(image.row<std::byte>(y) + static_cast<std::size_t>(x) * sizeof(T), &number,
                        sizeof number);
        }
}

} // namespace

SignalBytes::SignalBytes(const SignalCase& of)
    : request_(of.request), image_({static_cast<std::int64_t>(bytes(element(request_))) *
                                        std::max(request_.samples, output_count(request_)),
                                    request_.signals},
                                   {Depth::u8, 1}) {
    std::visit([&]<typename T>(const std::vector<T>&) { fill<T>(of, image_.view()); }, request_.taps);
}

ImageRequest SignalBytes::as_request() const {
    ImageRequest request;
    request.size = image_.size();
    request.in = request.out = image_.format();
    return request;
}

ConstTensorView SignalBytes::samples() const {
    const auto view = image_.view();
    return {view.data, format_of(request_), view.pitch, {request_.samples, request_.signals}};
}

ConstTensorView SignalBytes::outputs(const Image& result) const {
    const auto view = result.view();
    return {view.data, format_of(request_), view.pitch, {output_count(request_), request_.signals}};
}

template <typename Body>
void SignalRunner::or_failed(Body body) {
    try {
        body();
        return;
    } catch (const Cancelled&) {
        throw;
    } catch (const Refused& e) {
        row_.end(Verdict::refused, e.why(), e.code());
    } catch (const std::bad_alloc&) {
        row_.end(Verdict::failed, "there is not enough memory for it", "out-of-memory");
    } catch (const std::exception& e) {
        row_.end(Verdict::failed, message_of(e), as_error(e).code());
    }
    timed_.reset();
}

void SignalRunner::prepare(const Candidate& who, const std::shared_ptr<Rotation>& rotation,
                           const std::stop_token& stop) {
    row_.engine = who.engine->device().id;
    row_.algorithm = who.algorithm->id;
    row_.peer = who.peer;
    or_failed([&] {
        const double began = rules_.timing.time->now_us();
        const auto planned = plan(*who.engine, request_, *who.algorithm, {stop});
        first_.plan_us = rules_.timing.time->now_us() - began;
        if (const double us = who.algorithm->cost(request_, *who.engine).microseconds;
            us > kMostSignalRunUs && us != Cost::kOnlyWhenForced) {
            row_.end(Verdict::stopped, "its estimate is longer than a second for a run", "too-slow");
            return;
        }
        timed_ = std::make_unique<TimedAlgorithm>(rotation, std::make_shared<InBytes>(request_, planned),
                                                  rules_.timing, stop);
        first_.run_us = timed_->first_run_us();
        judged_as_ = who.algorithm;
        row_.reason = planned->reason;
        verify(stop);
        if (row_.verdict == Verdict::right) timed_->warm_up(stop);
        else timed_.reset();
    });
}

void SignalRunner::verify(const std::stop_token& stop) {
    const auto result = timed_->result();
    const auto outputs = bytes_.outputs(result);
    row_.verification = verifier_.verify(outputs, judged_as_, stop);
    row_.verdict = Verdict::right;
    row_.code.clear();
    auto written = result.view(); // a row may have room for more samples than outputs
    written.size.width = outputs.size.width * static_cast<std::int64_t>(bytes(outputs.format.element));
    if (const auto left = poison_left(written))
        row_.end(Verdict::wrong,
                 "nothing was written at output " +
                     std::to_string(static_cast<std::size_t>(left->width) / bytes(outputs.format.element)) +
                     " of signal " + std::to_string(left->height),
                 "nothing-written");
    if (!row_.verification.right()) row_.end(Verdict::wrong, row_.verification.first_wrong, "wrong-samples");
}

void SignalRunner::run_round(const Engine& engine, const std::stop_token& stop) {
    or_failed([&] {
        timed_->wake_up(stop);
        for (std::size_t i = 0; i < rules_.samples_per_round; ++i) {
            if (i > 0 && spent_us_ >= rules_.most_row_us) break;
            run_.push_back(timed_->sample(stop));
            if (timed_->computes_here()) processor_.push_back(timed_->processor_us());
            spent_us_ += run_.back() * timed_->runs_per_sample();
        }
        const auto clocks = rules_.clocks(engine);
        if (clocks.now_mhz > 0) clock_mhz_.push_back(clocks.now_mhz);
        if (row_.throttled.find(clocks.throttled) == std::string::npos)
            row_.throttled += (row_.throttled.empty() ? "" : "; ") + clocks.throttled;
        for (std::size_t i = 0; i < kTransfers; ++i) {
            upload_.push_back(timed_->upload_sample(stop));
            download_.push_back(timed_->download_sample(stop));
        }
    });
}

void SignalRunner::verify_again(const std::stop_token& stop) {
    or_failed([&] {
        timed_->run_afresh(stop);
        verify(stop);
        if (row_.verdict == Verdict::right) return;
        row_.end(row_.verdict, "its first result was right, but not a later one: " + row_.reason,
                 "later-result-wrong");
        timed_.reset();
    });
}

void SignalRunner::leave_unmeasured() {
    row_.end(Verdict::stopped, kTimeWasOver, kTimeWasOverCode);
    timed_.reset();
}

Row SignalRunner::row() const {
    auto row = row_;
    if (!timed_) return row;
    row.times = Times{summarize(run_, rules_.samples_per_round), summarize(upload_, kTransfers),
                      summarize(download_, kTransfers), first_, timed_->runs_per_sample()};
    row.clock_mhz = quantile(clock_mhz_, 0.5);
    row.processor_us = quantile(processor_, 0.5);
    return row;
}

} // namespace kg::measure
