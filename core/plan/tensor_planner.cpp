#include "core/plan/tensor_planner.hpp"

#include "core/support/quantity_text.hpp"

#include <algorithm>
#include <utility>

namespace kg {

namespace {

bool overlap(const BufferView& a, const BufferView& b) {
    const auto end = [](const BufferView& view) {
        return view.offset + tensor_bytes(*view.tensor, view.pitch, {view.covers.width, view.covers.height});
    };
    return a.memory == b.memory && a.offset < end(b) && b.offset < end(a);
}

/// An algorithm's plan behind the checks that the chain of an image makes.
class CheckedPlan final : public Plan {
public:
    CheckedPlan(const TensorRun& run, std::shared_ptr<const Plan> plan) : run_(run), plan_(std::move(plan)) {}

    Needs needs(const Rect& output) const override { return plan_->needs(output); }

    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        for (const auto& item : items) check(item, items.front());
        plan_->record(queue, items, scratch);
    }

private:
    void expect_format(const BufferView& view, std::int64_t channels) const {
        if (!view.tensor || view.tensor->element != run_.element || view.tensor->channels != channels)
            throw Error("format-mismatch", "the buffers must hold {} of {}",
                        channels == 1 ? "one channel" : std::to_string(channels) + " channels",
                        name(run_.element));
    }

    void check(const Item& item, const Item& first) const {
        expect_format(item.src, run_.channels);
        expect_format(item.dst, run_.result_channels);
        if (item.src.covers != first.src.covers || item.dst.covers != first.dst.covers)
            throw Error("rectangle-mismatch", "the {} of one run must have the same rectangles", run_.of);
        if (item.dst.covers.empty() || !run_.outputs.contains(item.dst.covers))
            throw Error("outputs-outside-request", "the requested outputs must be outputs of the request");
        if (!item.src.covers.contains(plan_->needs(item.dst.covers).source))
            throw Error("source-too-small",
                        "the source does not contain all numbers that the outputs depend on");
        if (overlap(item.src, item.dst)) // a neighbour would read overwritten numbers
            throw Error("overlapping-tensors", "a result cannot be written over the {} it is computed from",
                        run_.of);
    }

    TensorRun run_;
    std::shared_ptr<const Plan> plan_;
};

struct Chosen {
    const Algorithm* algorithm = nullptr;
    std::string reason;
};

Chosen fastest_of(const Engine& engine, std::span<const Algorithm* const> algorithms, const PlanStep& step,
                  std::string_view of) {
    auto answers = tensor_answers(engine, algorithms, step);
    std::string refusals;
    for (const auto& answer : answers)
        if (!answer.why_not.empty())
            refusals += "\n  " + std::string(answer.algorithm->id) + ": " + answer.why_not;
    std::erase_if(answers, [](const AlgorithmAnswer& answer) {
        return !answer.why_not.empty() || answer.microseconds == Cost::kOnlyWhenForced;
    });
    if (answers.empty())
        throw NoAlgorithm("no-algorithm", "no algorithm of the engine {} can do this:{}", engine.device().id,
                          refusals.empty() ? " it has none for " + std::string(of) : refusals);
    std::ranges::stable_sort(answers, {}, &AlgorithmAnswer::microseconds);
    Chosen chosen{answers.front().algorithm, {}};
    chosen.reason = std::string(chosen.algorithm->id) +
                    " is predicted fastest: " + time_text(answers[0].microseconds);
    if (answers.size() > 1)
        chosen.reason += ", then " + std::string(answers[1].algorithm->id) + " with " +
                         time_text(answers[1].microseconds);
    return chosen;
}

} // namespace

const Algorithm* inexact_tensor_algorithm(std::span<const Algorithm* const> algorithms, const Plan& plan) {
    for (const auto* algorithm : algorithms)
        if (algorithm->error && algorithm->id == plan.algorithm) return algorithm;
    return nullptr;
}

std::vector<AlgorithmAnswer>
tensor_answers(const Engine& engine, std::span<const Algorithm* const> algorithms, const PlanStep& step) {
    std::vector<AlgorithmAnswer> all;
    for (const auto* algorithm : algorithms) {
        AlgorithmAnswer answer{algorithm, algorithm->why_not(step, engine), 0, 0};
        answer.formula_us = answer.microseconds = algorithm->cost(step, engine).microseconds;
        all.push_back(std::move(answer));
    }
    return all;
}

std::shared_ptr<const Plan> tensor_plan(Engine& engine, std::span<const Algorithm* const> algorithms,
                                        const PlanStep& step, const TensorRun& run, const Algorithm* forced,
                                        const PlanContext& context) {
    auto chosen = forced ? Chosen{forced, std::string(forced->id) + " as asked for"}
                         : fastest_of(engine, algorithms, step, run.of);
    auto plan = std::make_shared<CheckedPlan>(run, chosen.algorithm->plan(step, engine, context));
    plan->algorithm = chosen.algorithm->id;
    plan->reason = std::move(chosen.reason);
    return plan;
}

} // namespace kg
