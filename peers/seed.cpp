// The serial program of the text that `block_partials` comes from, as it is printed there: for every output i
// the samples 0 to i, each with two tests of its bounds. It takes about (n + m)^2 / 2 steps for n m products,
// on one thread, in int32. Here its sums wrap as defined.

#include "core/request/signal_sum.hpp"
#include "cpu/runtime/host_queue.hpp"
#include "peers/peers.hpp"

#include <cstring>

namespace kg::peers {

namespace {

constexpr double kMostSteps = 1e10;

class SeedPlan final : public Plan {
public:
    explicit SeedPlan(const SignalRequest& request)
        : request_(request), taps_(std::get<std::vector<std::int32_t>>(request.taps)) {}

    Needs needs(const Rect&) const override { return {{0, 0, request_.samples, 1}, 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<cpu::HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([&host, item, taps = taps_](const cpu::HostQueue::Context&) {
                convolve(host.tensor(item.src), taps, host.tensor(item.dst));
            });
    }

private:
    static void convolve(const ConstTensorView& a, const std::vector<std::int32_t>& b,
                         const TensorView& out) {
        const auto b_size = std::ssize(b);
        for (std::int64_t i = 0; i < out.size.width; ++i) {
            std::int32_t sum = 0;
            for (std::int64_t j = 0; j <= i; ++j) {
                const auto k = i - j;
                std::int32_t sample = 0;
                if (j < a.size.width) std::memcpy(&sample, a.at(j, 0), sizeof sample);
                const auto tap = k < b_size ? b[static_cast<std::size_t>(k)] : 0;
                sum = add_product(sum, sample, tap);
            }
            std::memcpy(out.at(i, 0), &sum, sizeof sum);
        }
    }

    SignalRequest request_;
    std::vector<std::int32_t> taps_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& r = std::get<SignalRequest>(step);
    if (element(r) != Element::i32) return "it sums i32";
    if (r.signals != 1 || r.mode != SignalMode::full || !r.flip || r.stride != 1 || r.dilation != 1)
        return "it computes the full convolution of one signal";
    const auto outputs = static_cast<double>(output_count(r));
    return outputs * outputs / 2 > kMostSteps ? "it would take more than 10^10 steps" : "";
}
Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }
std::shared_ptr<const Plan> plan(const PlanStep& step, Engine&, const PlanContext&) {
    return std::make_shared<SeedPlan>(std::get<SignalRequest>(step));
}

constexpr Algorithm kSerial{"seed:serial",
                            "The text's serial program",
                            "Full convolution with two bound tests per step, on one thread",
                            "docs/seeds.md 1",
                            why_not,
                            cost,
                            plan};
constexpr const Algorithm* kSignals[] = {&kSerial};

std::string absent() { return {}; }
std::string version() { return "1"; }

} // namespace

extern const Peer kSeed{"seed", "The text's serial program", "cpu", absent, version, {}, false, {}, kSignals};

} // namespace kg::peers
