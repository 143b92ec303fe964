// One output after another, every number through the border: what a first program does, and what the others
// are compared with for speed. Its sums are nested as the error of semantics 16 is, so it supports every
// request.

#include "cpu/runtime/bank_plan.hpp"

namespace kg::cpu::banks {

namespace {

constexpr Extent kTile{256, 4};

class NaivePlan final : public BankPlan {
public:
    explicit NaivePlan(const BankRequest& request) : BankPlan(request, kTile, 1) {}

private:
    void compute(const BankSource& source, const BankTile& tile, const BankTarget& target) const override {
        for (auto k = tile.filters.begin; k < tile.filters.end; ++k)
            for (auto y = tile.outputs.y; y < tile.outputs.bottom(); ++y)
                for (auto x = tile.outputs.x; x < tile.outputs.right(); ++x) {
                    const float value = bank_output(source, k, y, x) + bias(k);
                    target.store(k, x, y, &value, 1);
                }
    }
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }

Cost cost(const PlanStep& step, const Engine& engine) {
    return {bank_products(std::get<BankRequest>(step)) / CoreSpeed().places_per_us / threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return std::make_shared<NaivePlan>(std::get<BankRequest>(step));
}

} // namespace

extern const Algorithm kNaive{"naive",
                              "Naive",
                              "One output after another, every number through the border",
                              "the definition (docs/semantics.md 16)",
                              why_not,
                              cost,
                              plan};

} // namespace kg::cpu::banks
