// Float32 multiply-adds at the rate at which the cores issue them, with the vectors of the engine's own sums.

#include "cpu/engine.hpp"
#include "cpu/limits.hpp"
#include "cpu/runtime/host_queue.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/limits/multiply_adds.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Two multiply-adds issue per cycle with a latency of four or five cycles, so at least ten independent chains
// are needed. Twelve chains and their two shared operands fit the sixteen registers of the older targets.
constexpr std::size_t kChains = 12;
constexpr std::int64_t kSteps = 1024;

std::size_t adds_of_round() {
    return static_cast<std::size_t>(kSteps) * kChains * hn::Lanes(hn::ScalableTag<float>());
}

/// Returns a number that depends on all results.
float add_rounds(std::int64_t rounds, float seed) {
    const hn::ScalableTag<float> d;
    // Each chain alternates between two values, so bits change as in real work, and nothing overflows or
    // vanishes.
    const auto factor = hn::Set(d, -std::nextafter(1.0f, 0.0f)), shift = hn::Set(d, 0.7f);
    hn::Vec<decltype(d)> sum[kChains];
    for (std::size_t c = 0; c < kChains; ++c)
        sum[c] = hn::Add(hn::Iota(d, 0.25f), hn::Set(d, seed + static_cast<float>(c)));
    for (std::int64_t round = 0; round < rounds; ++round)
        for (std::int64_t step = 0; step < kSteps; ++step)
            _Pragma("GCC unroll 12") for (std::size_t c = 0; c < kChains; ++c)
                sum[c] = hn::MulAdd(sum[c], factor, shift);
    auto total = sum[0];
    for (std::size_t c = 1; c < kChains; ++c) total = hn::Add(total, sum[c]);
    return hn::GetLane(hn::SumOfLanes(d, total));
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(adds_of_round);
HWY_EXPORT(add_rounds);

namespace {

constexpr std::int64_t kChunksPerWorker = 4; // balances the load if a core is interrupted

class MultiplyAddsPlan final : public Plan {
public:
    explicit MultiplyAddsPlan(std::int64_t rounds) : rounds_(rounds) {}

    Needs needs(const Rect& output) const override { return {output, 0, output.height}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& host = static_cast<HostQueue&>(queue);
        for (const auto& item : items)
            host.enqueue([&host, dst = item.dst, rounds = rounds_](const HostQueue::Context& context) {
                const auto to = host.image(dst);
                const auto add = HWY_DYNAMIC_DISPATCH(add_rounds);
                parallel_rows(context, context.workers->count() * kChunksPerWorker, 1,
                              [&](std::int64_t begin, std::int64_t end) {
                                  for (auto chunk = begin; chunk < end; ++chunk)
                                      to.row<float>(0)[chunk] = add(rounds, static_cast<float>(chunk));
                              });
            });
    }

private:
    std::int64_t rounds_;
};

} // namespace

std::shared_ptr<const Plan> multiply_adds(const Engine&, std::int64_t rounds) {
    return std::make_shared<MultiplyAddsPlan>(rounds);
}

double multiply_adds_per_round(const Engine& engine) {
    return static_cast<double>(HWY_DYNAMIC_DISPATCH(adds_of_round)()) *
           static_cast<double>(kChunksPerWorker * threads_of(engine));
}

} // namespace kg::cpu
#endif
