#include "cpu/kernels/bank_sums.hpp"

#include "cpu/kernels/unrolled.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/bank_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) || HWY_ARCH_ARM_A64
constexpr int kRegisters = 32;
#else
constexpr int kRegisters = 16;
#endif

static_assert(hn::MaxLanes(hn::ScalableTag<float>()) <= kBankSlack);

/// Vectors of sums per filter. Eight sums at least are in flight, because a fused multiply-add has a latency
/// of four cycles and two may issue per cycle; a vector of numbers and a weight need registers, too.
template <int Filters>
constexpr int kVectors = Filters == 1                       ? 8
                         : Filters == 2 || kRegisters == 32 ? 4
                                                            : 2;

/// The sums of one strip of `Vectors` vectors stay in registers while the terms pass.
template <int Filters, int Vectors>
HWY_INLINE void add_strip(const float* in, const std::int64_t* places, std::size_t terms,
                          const float* weights, float* sums, std::int64_t pitch) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    hn::Vec<decltype(d)> chains[Filters][Vectors];
    KG_UNROLLED for (int f = 0; f < Filters; ++f) KG_UNROLLED for (int v = 0; v < Vectors; ++v)
        chains[f][v] = hn::Zero(d);
    for (std::size_t t = 0; t < terms; ++t, weights += Filters) {
        const float* from = in + places[t];
        hn::Vec<decltype(d)> numbers[Vectors];
        KG_UNROLLED for (int v = 0; v < Vectors; ++v) numbers[v] = hn::LoadU(d, from + v * lanes);
        KG_UNROLLED for (int f = 0; f < Filters; ++f) {
            const auto weight = hn::Set(d, weights[f]);
            KG_UNROLLED for (int v = 0; v < Vectors; ++v)
                chains[f][v] = hn::MulAdd(weight, numbers[v], chains[f][v]);
        }
    }
    KG_UNROLLED for (int f = 0; f < Filters; ++f) KG_UNROLLED for (int v = 0; v < Vectors; ++v) {
        float* at = sums + f * pitch + v * lanes;
        hn::StoreU(hn::Add(hn::LoadU(d, at), chains[f][v]), d, at);
    }
}

template <int Filters>
HWY_INLINE void add_block(const float* in, std::span<const std::int64_t> places, const float* weights,
                          std::int64_t count, float* sums, std::int64_t pitch) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<float>()));
    constexpr int kMost = kVectors<Filters>;
    std::int64_t i = 0;
    for (; i + kMost * lanes <= count; i += kMost * lanes)
        add_strip<Filters, kMost>(in + i, places.data(), places.size(), weights, sums + i, pitch);
    if (kMost >= 8 && i + 4 * lanes <= count) {
        add_strip<Filters, 4>(in + i, places.data(), places.size(), weights, sums + i, pitch);
        i += 4 * lanes;
    }
    if (kMost >= 4 && i + 2 * lanes <= count) {
        add_strip<Filters, 2>(in + i, places.data(), places.size(), weights, sums + i, pitch);
        i += 2 * lanes;
    }
    for (; i < count; i += lanes) // the last vector reaches beyond the outputs
        add_strip<Filters, 1>(in + i, places.data(), places.size(), weights, sums + i, pitch);
}

void add_bank(const float* in, std::span<const std::int64_t> places, const float* weights, std::int64_t block,
              std::int64_t count, float* sums, std::int64_t pitch) {
    switch (block) {
    case 6: return add_block<6>(in, places, weights, count, sums, pitch);
    case 4: return add_block<4>(in, places, weights, count, sums, pitch);
    case 2: return add_block<2>(in, places, weights, count, sums, pitch);
    default: return add_block<1>(in, places, weights, count, sums, pitch);
    }
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(add_bank);

void add_bank_sums(const float* in, std::span<const std::int64_t> places, const float* weights,
                   std::int64_t block, std::int64_t count, float* sums, std::int64_t pitch) {
    HWY_DYNAMIC_DISPATCH(add_bank)(in, places, weights, block, count, sums, pitch);
}

} // namespace kg::cpu
#endif
