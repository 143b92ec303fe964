#include "cpu/kernels/volume_sums.hpp"

#include "cpu/kernels/unrolled.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/volume_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// `Vectors` vectors of outputs from output i on. The three levels of sums stay in registers.
template <int Vectors, typename D>
HWY_INLINE void sum_vectors(D d, std::span<const TapRow> rows, const float* before, std::int64_t i,
                            float* out) {
    using Vec = hn::Vec<D>;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    Vec total[Vectors], slice[Vectors];
    KG_UNROLLED for (int v = 0; v < Vectors; ++v) total[v] = slice[v] = hn::Zero(d);
    for (const auto& row : rows) {
        const float* at = row.at + i;
        Vec sum[Vectors];
        KG_UNROLLED for (int v = 0; v < Vectors; ++v) sum[v] = hn::Zero(d);
        for (const auto& tap : row.taps) {
            const auto weight = hn::Set(d, tap.weight);
            KG_UNROLLED for (int v = 0; v < Vectors; ++v)
                sum[v] = hn::MulAdd(weight, hn::LoadU(d, at + tap.place + v * lanes), sum[v]);
        }
        KG_UNROLLED for (int v = 0; v < Vectors; ++v) slice[v] = hn::Add(slice[v], sum[v]);
        if (!row.ends_slice) continue;
        KG_UNROLLED for (int v = 0; v < Vectors; ++v) {
            total[v] = hn::Add(total[v], slice[v]);
            slice[v] = hn::Zero(d);
        }
    }
    KG_UNROLLED for (int v = 0; v < Vectors; ++v) {
        if (before) total[v] = hn::Sub(total[v], hn::LoadU(d, before + i + v * lanes));
        hn::StoreU(total[v], d, out + i + v * lanes);
    }
}

void sum_row(std::span<const TapRow> rows, const float* before, std::int64_t count, float* out) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    constexpr int kVectors = 4; // with three sums each, in 16 registers
    std::int64_t i = 0;
    for (; i + kVectors * lanes <= count; i += kVectors * lanes)
        sum_vectors<kVectors>(d, rows, before, i, out);
    for (; i + lanes <= count; i += lanes) sum_vectors<1>(d, rows, before, i, out);
    if (i == count) return;
    if (count >= lanes) return sum_vectors<1>(d, rows, before, count - lanes, out); // some outputs again
    const hn::CappedTag<float, 1> one;
    for (; i < count; ++i) sum_vectors<1>(one, rows, before, i, out);
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(sum_row);

void volume_sums(std::span<const TapRow> rows, const float* before, std::int64_t count, float* out) {
    HWY_DYNAMIC_DISPATCH(sum_row)(rows, before, count, out);
}

} // namespace kg::cpu
#endif
