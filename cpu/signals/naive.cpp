// One output after another, every tap of it through the border: what a first program does, and what the
// others are compared with for speed. It reads each sample once per tap.

#include "cpu/runtime/signal_plan.hpp"

namespace kg::cpu::signals {

namespace {

constexpr std::int64_t kChunk = 1024;

template <typename T>
class NaivePlan final : public SignalPlan<T> {
public:
    explicit NaivePlan(const SignalRequest& request) : SignalPlan<T>(request, kChunk) {}

private:
    void compute(const SignalLine<T>& line, Span outputs, T* out) const override {
        for (auto i = outputs.begin; i < outputs.end; ++i) {
            const auto first = this->first_ + i * this->request_.stride;
            T sum = 0;
            for (const auto& tap : this->taps_)
                sum = add_product(sum, tap.weight, line.at(first + tap.place));
            *out++ = sum;
        }
    }
};

std::string why_not(const PlanStep&, const Engine&) { return {}; }

Cost cost(const PlanStep& step, const Engine& engine) {
    return {signal_products(std::get<SignalRequest>(step)) / CoreSpeed().places_per_us / threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return make_signal_plan<NaivePlan>(step);
}

} // namespace

extern const Algorithm kNaive{"naive",
                              "Naive",
                              "One output after another, every tap through the border",
                              "the definition (docs/semantics.md 15)",
                              why_not,
                              cost,
                              plan};

} // namespace kg::cpu::signals
