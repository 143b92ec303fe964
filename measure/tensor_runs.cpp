#include "measure/tensor_runs.hpp"

#include "core/plan/planner.hpp"
#include "core/support/error.hpp"
#include "core/support/thread.hpp"
#include "measure/noise.hpp"
#include "measure/tensor_bench.hpp"

#include <algorithm>
#include <new>

namespace kg::measure {

namespace {

/// A plan for tensors in buffers that are described as images of bytes.
class InBytes final : public Plan {
public:
    /// `memory` holds all sources, or all results.
    InBytes(const TensorWork& work, const std::byte* memory, std::shared_ptr<const Plan> plan)
        : memory_(memory), plan_(std::move(plan)) {
        for (std::int64_t i = 0; i < work.items(); ++i) {
            sources_.push_back(work.source(memory, i));
            results_.push_back(work.result(memory, i));
        }
        algorithm = plan_->algorithm;
        reason = plan_->reason;
    }

    Needs needs(const Rect& output) const override { return {output, scratch_of_one() * items_at_once(), 1}; }
    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        std::vector<Item> tensors;
        for (const auto& [src, dst] : items)
            for (std::size_t i = 0; i < sources_.size(); ++i)
                tensors.push_back({as_tensor(src, sources_[i]), as_tensor(dst, results_[i])});
        const auto at_once = items_at_once(); // one after the other in the same scratch
        for (std::size_t first = 0; first < tensors.size(); first += at_once)
            plan_->record(queue, std::span(tensors).subspan(first, std::min(at_once, tensors.size() - first)),
                          scratch);
    }

private:
    std::size_t scratch_of_one() const { return plan_->needs(whole(results_.front().size)).scratch_bytes; }
    std::size_t items_at_once() const {
        constexpr std::size_t kMostScratch = std::size_t{256} << 20;
        return std::clamp<std::size_t>(kMostScratch / std::max<std::size_t>(scratch_of_one(), 1), 1,
                                       results_.size());
    }
    BufferView as_tensor(BufferView view, const ConstTensorView& tensor) const {
        view.offset += static_cast<std::size_t>(tensor.data - memory_);
        view.pitch = tensor.pitch;
        view.covers = whole(tensor.size);
        view.tensor = tensor.format;
        return view;
    }

    const std::byte* memory_;
    std::vector<ConstTensorView> sources_, results_;
    std::shared_ptr<const Plan> plan_;
};

} // namespace

TensorBytes::TensorBytes(const TensorWork& of)
    : image_({static_cast<std::int64_t>(std::max(of.source_bytes(), of.result_bytes())), 1}, {Depth::u8, 1}) {
    of.fill(image_.view().data);
}

ImageRequest TensorBytes::as_request() const {
    ImageRequest request;
    request.size = image_.size();
    request.in = request.out = image_.format();
    return request;
}

template <typename Body>
void TensorRunner::or_failed(Body body) {
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

void TensorRunner::prepare(const Candidate& who, const std::shared_ptr<Rotation>& rotation,
                           const std::stop_token& stop) {
    row_.engine = who.engine->device().id;
    row_.algorithm = who.algorithm->id;
    row_.peer = who.peer;
    or_failed([&] {
        const double began = rules_.timing.time->now_us();
        const auto planned = plan(*who.engine, work_.request, *who.algorithm, {stop});
        first_.plan_us = rules_.timing.time->now_us() - began;
        if (const double us = work_.estimate_us(*who.algorithm, *who.engine);
            us > kMostTensorRunUs && us != Cost::kOnlyWhenForced) {
            row_.end(Verdict::stopped, "its estimate is longer than a second for a run", "too-slow");
            return;
        }
        timed_ = std::make_unique<TimedAlgorithm>(
            rotation, std::make_shared<InBytes>(work_, memory_, planned), rules_.timing, stop);
        first_.run_us = timed_->first_run_us();
        judged_as_ = who.algorithm;
        row_.reason = planned->reason;
        verify(stop);
        if (row_.verdict == Verdict::right) timed_->warm_up(stop);
        else timed_.reset();
    });
}

void TensorRunner::verify(const std::stop_token& stop) {
    const auto result = timed_->result();
    auto written = result.view(); // the row may have room for more sources than results
    written.size.width = static_cast<std::int64_t>(work_.result_bytes());
    const auto fingerprint = fingerprint_of(written);
    if (row_.verification.samples > 0 && fingerprint == fingerprint_) return;
    fingerprint_ = fingerprint;
    row_.verification = verifier_(written.data, judged_as_, stop);
    row_.verdict = Verdict::right;
    row_.code.clear();
    if (const auto left = poison_left(written))
        row_.end(Verdict::wrong,
                 "nothing was written at number " +
                     std::to_string(static_cast<std::size_t>(left->width) / work_.number_bytes()) +
                     " of the result",
                 "nothing-written");
    if (!row_.verification.right()) row_.end(Verdict::wrong, row_.verification.first_wrong, "wrong-samples");
}

void TensorRunner::run_round(const Engine& engine, const RoundShare& share, const TimeLimit& limit) {
    or_failed([&] {
        if (const auto runs = samples_.take_runs(*timed_, rules_, share, limit); runs > 0)
            samples_.take_transfers(*timed_, engine, rules_, runs, limit);
    });
}

void TensorRunner::verify_again(const std::stop_token& stop) {
    or_failed([&] {
        timed_->run_afresh(stop);
        verify(stop);
        if (row_.verdict == Verdict::right) return;
        row_.end(row_.verdict, "its first result was right, but not a later one: " + row_.reason,
                 "later-result-wrong");
        timed_.reset();
    });
}

void TensorRunner::leave_unmeasured() {
    row_.end(Verdict::stopped, kTimeWasOver, kTimeWasOverCode);
    timed_.reset();
}

Row TensorRunner::row() const {
    auto row = row_;
    if (timed_) samples_.summarize_in(row, rules_, first_, *timed_);
    return row;
}

} // namespace kg::measure
