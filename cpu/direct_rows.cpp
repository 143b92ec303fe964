#include "cpu/direct_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/direct_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using F32 = hn::ScalableTag<float>;
using Vec = hn::Vec<F32>;

/// One kernel's quotients for four vectors of samples. Four, because an FMA takes four cycles and two start in each.
HWY_INLINE void quotients(const TapRows& kernel, const float* centre, Vec* result) {
    const F32 d;
    const auto N = hn::Lanes(d);
    auto sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    for (std::size_t row = 0; row + 1 < kernel.row_begin.size(); ++row) {
        auto a = hn::Zero(d), b = a, c = a, e = a;
        for (auto t = kernel.row_begin[row]; t < kernel.row_begin[row + 1]; ++t) {
            const auto weight = hn::Set(d, kernel.taps[t].weight);
            const float* at = centre + kernel.taps[t].offset;
            a = hn::MulAdd(weight, hn::LoadU(d, at), a);
            b = hn::MulAdd(weight, hn::LoadU(d, at + N), b);
            c = hn::MulAdd(weight, hn::LoadU(d, at + 2 * N), c);
            e = hn::MulAdd(weight, hn::LoadU(d, at + 3 * N), e);
        }
        sum0 = hn::Add(sum0, a);
        sum1 = hn::Add(sum1, b);
        sum2 = hn::Add(sum2, c);
        sum3 = hn::Add(sum3, e);
    }
    if (kernel.divisor != 1.0f) {
        const auto divisor = hn::Set(d, kernel.divisor);
        sum0 = hn::Div(sum0, divisor);
        sum1 = hn::Div(sum1, divisor);
        sum2 = hn::Div(sum2, divisor);
        sum3 = hn::Div(sum3, divisor);
    }
    result[0] = sum0;
    result[1] = sum1;
    result[2] = sum2;
    result[3] = sum3;
}

void filter_row(const std::vector<TapRows>& kernels, Combine combine, const float* centre,
                const float* offsets, float* out, std::size_t n) {
    const F32 d;
    const auto N = hn::Lanes(d);
    static_assert(4 * HWY_MAX_BYTES / sizeof(float) <= kRowSlack);
    for (std::size_t i = 0; i < n; i += 4 * N) {
        Vec value[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
        for (const auto& kernel : kernels) {
            Vec quotient[4];
            quotients(kernel, centre + i, quotient);
            for (int v = 0; v < 4; ++v) {
                switch (combine) {
                case Combine::single: value[v] = quotient[v]; break;
                case Combine::l1: value[v] = hn::Add(value[v], hn::Abs(quotient[v])); break;
                case Combine::l2: value[v] = hn::Add(value[v], hn::Mul(quotient[v], quotient[v])); break;
                }
            }
        }
        for (std::size_t v = 0; v < 4; ++v) {
            if (combine == Combine::l2) value[v] = hn::Sqrt(value[v]);
            hn::StoreU(hn::Add(value[v], hn::LoadU(d, offsets + i + v * N)), d, out + i + v * N);
        }
    }
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(filter_row);

void filter_row(const std::vector<TapRows>& kernels, Combine combine, const float* centre,
                const float* offsets, float* out, std::size_t n) {
    HWY_DYNAMIC_DISPATCH(filter_row)(kernels, combine, centre, offsets, out, n);
}

} // namespace kg::cpu
#endif
