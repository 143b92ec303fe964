#include "cpu/gradient_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/gradient_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using F32 = hn::ScalableTag<float>;
using Vec = hn::Vec<F32>;

/// Two vectors side by side.
struct Pair {
    Vec a, b;
};

HWY_INLINE Pair row_sum(const FactoredKernel& kernel, const float* at) {
    const F32 d;
    Pair sum{hn::Zero(d), hn::Zero(d)};
    for (const auto& tap : kernel.row) {
        const auto weight = hn::Set(d, tap.weight);
        sum.a = hn::MulAdd(weight, hn::LoadU(d, at + tap.offset), sum.a);
        sum.b = hn::MulAdd(weight, hn::LoadU(d, at + tap.offset + hn::Lanes(d)), sum.b);
    }
    return sum;
}

HWY_INLINE Vec combined(Combine combine, Vec first, Vec second) {
    switch (combine) {
    case Combine::single: return second;
    case Combine::l1: return hn::Add(hn::Abs(first), hn::Abs(second));
    case Combine::l2: return hn::Sqrt(hn::Add(hn::Mul(first, first), hn::Mul(second, second)));
    }
    return second;
}

/// Down the strip, each source row is summed along once; its sums stay in registers for the Rows outputs it serves.
template <std::size_t Rows>
void strip(const std::array<FactoredKernel, 2>& kernels, Combine combine, const float* top,
           std::ptrdiff_t stride, std::size_t count, const float* offsets, float* out,
           std::ptrdiff_t out_stride) {
    const F32 d;
    const auto N = hn::Lanes(d);
    Pair sums[2][Rows];
    const auto take = [&](std::size_t to, const float* row) {
        sums[0][to] = row_sum(kernels[0], row);
        sums[1][to] = row_sum(kernels[1], row);
    };
    for (std::size_t i = 0; i + 1 < Rows; ++i, top += stride) take(i + 1, top);
    for (; count > 0; --count, top += stride, out += out_stride) {
        Pair quotient[2];
        for (std::size_t k = 0; k < 2; ++k)
            for (std::size_t i = 0; i + 1 < Rows; ++i) sums[k][i] = sums[k][i + 1];
        take(Rows - 1, top);
        for (std::size_t k = 0; k < 2; ++k) {
            Pair sum{hn::Zero(d), hn::Zero(d)};
            for (std::size_t i = 0; i < Rows; ++i) {
                if (kernels[k].column[i] == 0.0f) continue;
                const auto weight = hn::Set(d, kernels[k].column[i]);
                sum.a = hn::MulAdd(weight, sums[k][i].a, sum.a);
                sum.b = hn::MulAdd(weight, sums[k][i].b, sum.b);
            }
            if (kernels[k].divisor != 1.0f) {
                const auto divisor = hn::Set(d, kernels[k].divisor);
                sum = {hn::Div(sum.a, divisor), hn::Div(sum.b, divisor)};
            }
            quotient[k] = sum;
        }
        hn::StoreU(hn::Add(combined(combine, quotient[0].a, quotient[1].a), hn::LoadU(d, offsets)), d, out);
        hn::StoreU(hn::Add(combined(combine, quotient[0].b, quotient[1].b), hn::LoadU(d, offsets + N)), d,
                   out + N);
    }
}

void gradient_rows(const std::array<FactoredKernel, 2>& kernels, int rows, Combine combine, const float* top,
                   std::ptrdiff_t stride, std::size_t count, std::size_t n, const float* offsets, float* out,
                   std::ptrdiff_t out_stride) {
    static_assert(2 * HWY_MAX_BYTES / sizeof(float) <= kGradientSlack);
    const auto step = 2 * hn::Lanes(F32());
    for (std::size_t i = 0; i < n; i += step) {
        const auto run = rows <= 3 ? strip<3> : rows <= 5 ? strip<5> : strip<7>;
        run(kernels, combine, top + i, stride, count, offsets + i, out + i, out_stride);
    }
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(gradient_rows);

void gradient_rows(const std::array<FactoredKernel, 2>& kernels, int rows, Combine combine, const float* top,
                   std::ptrdiff_t stride, std::size_t count, std::size_t n, const float* offsets, float* out,
                   std::ptrdiff_t out_stride) {
    HWY_DYNAMIC_DISPATCH(gradient_rows)
    (kernels, rows, combine, top, stride, count, n, offsets, out, out_stride);
}

} // namespace kg::cpu
#endif
