#include "core/plan/signal_planner.hpp"

#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

/// Behind the last number. Rows may lie within one another, as those of interleaved signals do.
std::size_t end_of(const BufferView& view) {
    return view.offset + static_cast<std::size_t>(view.covers.height - 1) * view.pitch +
           static_cast<std::size_t>(view.covers.width - 1) * view.tensor->column_stride +
           bytes(view.tensor->element);
}

bool overlap(const BufferView& a, const BufferView& b) {
    return a.memory == b.memory && a.offset < end_of(b) && b.offset < end_of(a);
}

/// An algorithm's plan behind the checks that the chain of an image makes.
class CheckedPlan final : public Plan {
public:
    CheckedPlan(SignalRequest request, std::shared_ptr<const Plan> plan)
        : request_(std::move(request)), plan_(std::move(plan)) {}

    Needs needs(const Rect& output) const override { return plan_->needs(output); }

    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        for (const auto& item : items) check(item, items.front());
        plan_->record(queue, items, scratch);
    }

private:
    void check(const Item& item, const Item& first) const {
        const auto fits = [&](const BufferView& view) {
            return view.tensor && view.tensor->element == element(request_) && view.tensor->channels == 1;
        };
        if (!fits(item.src) || !fits(item.dst))
            throw Error("format-mismatch", "the buffers must hold one channel of {}",
                        name(element(request_)));
        if (item.src.covers != first.src.covers || item.dst.covers != first.dst.covers)
            throw Error("rectangle-mismatch", "the signals of one run must have the same rectangles");
        if (item.dst.covers.empty() || !whole_output(request_).contains(item.dst.covers))
            throw Error("outputs-outside-signal", "the requested outputs must be outputs of the request");
        if (!item.src.covers.contains(plan_->needs(item.dst.covers).source))
            throw Error("source-too-small",
                        "the source does not contain all samples that the outputs depend on");
        if (overlap(item.src, item.dst)) // a neighbour would read overwritten samples
            throw Error("overlapping-signals",
                        "a result cannot be written over the signals it is computed from");
    }

    SignalRequest request_;
    std::shared_ptr<const Plan> plan_;
};

} // namespace

const Algorithm* inexact_signal_algorithm(const Engine& engine, const Plan& plan) {
    for (const auto* algorithm : engine.signal_algorithms())
        if (algorithm->error && algorithm->id == plan.algorithm) return algorithm;
    return nullptr;
}

Rect whole_output(const SignalRequest& request) { return {0, 0, output_count(request), request.signals}; }

std::vector<AlgorithmAnswer> signal_answers(const Engine& engine, const SignalRequest& request) {
    std::vector<AlgorithmAnswer> all;
    for (const auto* algorithm : engine.signal_algorithms()) {
        AlgorithmAnswer answer{algorithm, algorithm->why_not(request, engine), 0, 0};
        answer.formula_us = answer.microseconds = algorithm->cost(request, engine).microseconds;
        all.push_back(std::move(answer));
    }
    return all;
}

std::shared_ptr<const Plan> signal_plan(Engine& engine, const SignalRequest& request, const Algorithm* forced,
                                        const PlanContext& context) {
    std::string reason;
    if (forced) {
        reason = std::string(forced->id) + " as asked for";
    } else {
        auto answers = signal_answers(engine, request);
        std::string refusals;
        for (const auto& answer : answers)
            if (!answer.why_not.empty())
                refusals += "\n  " + std::string(answer.algorithm->id) + ": " + answer.why_not;
        std::erase_if(answers, [](const AlgorithmAnswer& answer) {
            return !answer.why_not.empty() || answer.microseconds == Cost::kOnlyWhenForced;
        });
        if (answers.empty())
            throw NoAlgorithm("no-algorithm", "no algorithm of the engine {} can do this:{}",
                              engine.device().id, refusals.empty() ? " it has none for signals" : refusals);
        std::ranges::stable_sort(answers, {}, &AlgorithmAnswer::microseconds);
        forced = answers.front().algorithm;
        reason = std::string(forced->id) + " is predicted fastest: " + time_text(answers[0].microseconds);
        if (answers.size() > 1)
            reason += ", then " + std::string(answers[1].algorithm->id) + " with " +
                      time_text(answers[1].microseconds);
    }
    auto plan = std::make_shared<CheckedPlan>(request, forced->plan(request, engine, context));
    plan->algorithm = forced->id;
    plan->reason = std::move(reason);
    return plan;
}

} // namespace kg
