// The reference as an algorithm that can be chosen: slow, and what all others are compared with. It knows
// nothing of tiles and chains; threads take some outputs each.

#include "core/reference/bank_reference.hpp"
#include "cpu/engine.hpp"
#include "cpu/runtime/host_queue.hpp"

namespace kg::cpu::banks {

namespace {

class ReferencePlan final : public Plan {
public:
    explicit ReferencePlan(BankRequest request) : request_(std::move(request)) {}

    Needs needs(const Rect&) const override { return {whole(request_.size), 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([&host, request = request_, item](const HostQueue::Context& context) {
                const ConstTensorView from = host.tensor(item.src);
                const auto result = host.tensor(item.dst);
                const Rect wanted = item.dst.covers;
                const auto compute = [&](std::int64_t begin, std::int64_t end) {
                    for (auto row = begin; row < end; ++row) {
                        const auto k = row / wanted.height, p = row % wanted.height;
                        auto part = result;
                        part.data = result.at(0, p);
                        part.size.height = 1;
                        reference_bank(request, from, {k, k + 1}, {wanted.x, wanted.y + p, wanted.width, 1},
                                       part, context.stop);
                    }
                };
                parallel_rows(context, request.filters * wanted.height, 1, compute);
            });
    }

private:
    BankRequest request_;
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }
Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }
std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return std::make_shared<ReferencePlan>(std::get<BankRequest>(step));
}

} // namespace

extern const Algorithm kReference{"reference",
                                  "Reference",
                                  "Sums in float64; correct, never fast",
                                  "docs/semantics.md 16, definition by definition",
                                  why_not,
                                  cost,
                                  plan,
                                  true};

} // namespace kg::cpu::banks
