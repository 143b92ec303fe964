#pragma once
// The CPU engine with an algorithm whose planning a test controls.

#include "cpu/engine.hpp"
#include "tests/support/algorithms.hpp"

#include <functional>
#include <utility>

namespace kg::testing {

/// Its algorithm `planned` computes as `direct` does. It is chosen only when forced, and calls `during` while
/// it plans.
class PlanningEngine final : public Engine {
public:
    explicit PlanningEngine(std::function<void(const PlanContext&)> during) : during_(std::move(during)) {}
    const DeviceInfo& device() const override { return cpu_->device(); }
    std::string usable() const override { return {}; }
    std::shared_ptr<Buffer> allocate(std::size_t bytes, BufferKind kind) override {
        return cpu_->allocate(bytes, kind);
    }
    std::unique_ptr<Queue> queue(Priority priority) override { return cpu_->queue(priority); }
    std::span<const Algorithm* const> algorithms() const override { return algorithms_; }

private:
    static std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine,
                                            const PlanContext& context) {
        auto& own = dynamic_cast<PlanningEngine&>(engine);
        own.during_(context);
        return cpu_algorithm("direct").plan(step, *own.cpu_, context);
    }
    static std::string why_not(const PlanStep&, const Engine&) { return {}; }
    static Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }
    static constexpr Algorithm kPlanned{"planned", "", "", "", why_not, cost, plan};

    const std::function<void(const PlanContext&)> during_;
    const std::shared_ptr<Engine> cpu_ = cpu::make_engine(1);
    const std::vector<const Algorithm*> algorithms_ = [] {
        std::vector<const Algorithm*> all(cpu::algorithms().begin(), cpu::algorithms().end());
        all.push_back(&kPlanned);
        return all;
    }();
};

} // namespace kg::testing
