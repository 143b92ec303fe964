// Peak rate of float32 multiply-adds: every resident thread has enough independent chains that no
// multiply-add waits for the previous one.

#include "gpu/limits.hpp"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

constexpr int kThreads = 256, kChains = 8, kSteps = 64;

/// Each chain alternates between two values, so bits change as in real work, and nothing overflows or
/// vanishes.
__global__ void __launch_bounds__(kThreads)
    add_rounds(float* to, std::int64_t rounds, float factor, float shift) {
    float sum[kChains];
#pragma unroll
    for (int c = 0; c < kChains; ++c)
        sum[c] = 0.01f * static_cast<float>(threadIdx.x) + static_cast<float>(c);
    for (std::int64_t round = 0; round < rounds; ++round) {
#pragma unroll 16
        for (int step = 0; step < kSteps; ++step) {
#pragma unroll
            for (int c = 0; c < kChains; ++c) sum[c] = __fmaf_rn(sum[c], factor, shift);
        }
    }
    float total = 0.0f;
#pragma unroll
    for (int c = 0; c < kChains; ++c) total += sum[c];
    if (total == -1e30f) *to = total; // never true, which the compiler cannot know
}

std::int64_t blocks(const Engine& engine) {
    const auto& device = cuda_engine(engine).limits();
    return std::int64_t{device.multiprocessors} * (device.threads_per_multiprocessor / kThreads);
}

class MultiplyAddsPlan final : public Plan {
public:
    MultiplyAddsPlan(std::int64_t blocks, std::int64_t rounds) : blocks_(blocks), rounds_(rounds) {}

    Needs needs(const Rect& output) const override { return {output, 0, output.height}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& cuda = static_cast<CudaQueue&>(queue);
        for (const auto& item : items) {
            if (cuda.stop_requested()) return;
            auto* to = reinterpret_cast<float*>(address_of(item.dst));
            auto rounds = rounds_;
            float factor = -0x1.fffffep-1f, shift = 0.7f;
            void* arguments[] = {&to, &rounds, &factor, &shift};
            cuda.launch(reinterpret_cast<const void*>(&add_rounds), static_cast<unsigned>(blocks_), kThreads,
                        0, arguments);
        }
    }

private:
    std::int64_t blocks_, rounds_;
};

} // namespace

std::shared_ptr<const Plan> multiply_adds(const Engine& engine, std::int64_t rounds) {
    return std::make_shared<MultiplyAddsPlan>(blocks(engine), rounds);
}

double multiply_adds_per_round(const Engine& engine) {
    return static_cast<double>(blocks(engine)) * kThreads * kChains * kSteps;
}

} // namespace kg::gpu
