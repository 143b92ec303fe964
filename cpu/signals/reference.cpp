// The reference as an algorithm that can be chosen: slow, and what all others are compared with. It knows
// nothing of chunks, windows and tiles; threads take some outputs each.

#include "core/reference/signal_reference.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"

namespace kg::cpu::signals {

namespace {

class ReferencePlan final : public Plan {
public:
    explicit ReferencePlan(SignalRequest request) : request_(std::move(request)) {}

    Needs needs(const Rect&) const override { return {{0, 0, request_.samples, request_.signals}, 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        constexpr std::int64_t kOutputsPerTask = 256;
        auto& host = static_cast<HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([&host, request = request_, item](const HostQueue::Context& context) {
                const ConstTensorView signals = host.tensor(item.src);
                const auto result = host.tensor(item.dst);
                const Rect wanted = item.dst.covers;
                const auto compute = [&](std::int64_t begin, std::int64_t end) {
                    auto part = result;
                    part.data = result.at(begin, 0);
                    part.size.width = end - begin;
                    reference_signals(request, signals,
                                      {wanted.x + begin, wanted.y, end - begin, wanted.height}, part,
                                      context.stop);
                };
                parallel_rows(context, wanted.width, kOutputsPerTask, compute);
            });
    }

private:
    SignalRequest request_;
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }
Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }
std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return std::make_shared<ReferencePlan>(std::get<SignalRequest>(step));
}

} // namespace

extern const Algorithm kReference{"reference",
                                  "Reference",
                                  "Sums in twice the precision, integers exactly; correct, never fast",
                                  "docs/semantics.md 15, definition by definition",
                                  why_not,
                                  cost,
                                  plan,
                                  true};

} // namespace kg::cpu::signals
