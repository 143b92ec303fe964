#include "cpu/gradient_rows.hpp"

#include <algorithm>
#include <cmath>

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

using I16 = hn::ScalableTag<std::int16_t>;
using Sums = hn::Vec<I16>;

/// A kernel's factors in every lane, made once per strip.
template <std::size_t Rows>
struct WideKernel {
    explicit WideKernel(const FactoredKernel& kernel) : taps(kernel.row.size()) {
        const I16 d;
        for (std::size_t t = 0; t < taps; ++t) {
            offset[t] = kernel.row[t].offset;
            row[t] = hn::Set(d, static_cast<std::int16_t>(kernel.row[t].weight));
        }
        for (std::size_t i = 0; i < Rows; ++i)
            column[i] = hn::Set(d, static_cast<std::int16_t>(kernel.column[i]));
    }
    HWY_INLINE Sums along(const std::uint8_t* at) const {
        const I16 d;
        auto sum = hn::Zero(d);
        for (std::size_t t = 0; t < taps; ++t) {
            const auto bytes = hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, I16>(), at + offset[t]));
            sum = hn::Add(sum, hn::Mul(row[t], bytes));
        }
        return sum;
    }
    HWY_INLINE Sums down(const Sums* rows) const {
        auto sum = hn::Mul(column[0], rows[0]);
        for (std::size_t i = 1; i < Rows; ++i) sum = hn::Add(sum, hn::Mul(column[i], rows[i]));
        return sum;
    }

    std::size_t taps;
    std::ptrdiff_t offset[kMostGradientRows];
    Sums row[kMostGradientRows], column[Rows];
};

/// The root of a whole number below 2^24. Halfway between n and n + 1 lies no root nearer than 1 / (8 n + 4), so that one
/// good to 2^-20 rounds as the exact one does up to 255.
HWY_INLINE Vec root(Vec square) {
#if HWY_ARCH_X86 &&                                                                                          \
    HWY_TARGET <= HWY_SSE4 // whose rough answer has 11 bits, which one step of Newton's doubles
    const F32 d;
    const auto positive = hn::Max(square, hn::Set(d, 1e-30f));
    const auto rough = hn::ApproximateReciprocalSqrt(positive);
    const auto near = hn::Mul(positive, rough);
    return hn::MulAdd(hn::Mul(hn::Set(d, 0.5f), rough), hn::NegMulAdd(near, near, positive), near);
#else
    return hn::Sqrt(square);
#endif
}

HWY_INLINE Vec finished(const std::array<FactoredKernel, 2>& kernels, Combine combine, bool plain, Vec first,
                        Vec second, const float* offsets) {
    const F32 d;
    if (plain && combine == Combine::l2)
        return root(hn::MulAdd(first, first, hn::Mul(second, second))); // whole numbers: exact
    if (kernels[0].divisor != 1.0f) first = hn::Div(first, hn::Set(d, kernels[0].divisor));
    if (kernels[1].divisor != 1.0f) second = hn::Div(second, hn::Set(d, kernels[1].divisor));
    return hn::Add(combined(combine, first, second), hn::LoadU(d, offsets));
}

template <std::size_t Rows>
void strip_of_bytes(const std::array<FactoredKernel, 2>& kernels, Combine combine, bool plain,
                    const std::uint8_t* top, std::ptrdiff_t stride, std::size_t count, const float* offsets,
                    std::uint8_t* out, std::ptrdiff_t out_stride) {
    const I16 d;
    const F32 df;
    const hn::Rebind<std::int32_t, F32> d32;
    const hn::Rebind<std::int16_t, F32> half;
    const hn::Rebind<std::uint8_t, F32> d8;
    const auto N = hn::Lanes(df);
    HWY_ALIGN std::int16_t slopes[2][HWY_MAX_BYTES / sizeof(std::int16_t)];
    Sums sums[2][Rows];
    const WideKernel<Rows> along_and_down[2] = {WideKernel<Rows>(kernels[0]), WideKernel<Rows>(kernels[1])};
    const auto take = [&](std::size_t to, const std::uint8_t* row) {
        for (std::size_t k = 0; k < 2; ++k) sums[k][to] = along_and_down[k].along(row);
    };
    for (std::size_t i = 0; i + 1 < Rows; ++i, top += stride) take(i + 1, top);
    for (; count > 0; --count, top += stride, out += out_stride) {
        for (std::size_t k = 0; k < 2; ++k)
            for (std::size_t i = 0; i + 1 < Rows; ++i) sums[k][i] = sums[k][i + 1];
        take(Rows - 1, top);
        for (std::size_t k = 0; k < 2; ++k) hn::Store(along_and_down[k].down(sums[k]), d, slopes[k]);
        for (std::size_t i = 0; i < hn::Lanes(d); i += N) {
            const auto wide = [&](std::size_t k) {
                return hn::ConvertTo(df, hn::PromoteTo(d32, hn::LoadU(half, slopes[k] + i)));
            };
            const auto value = finished(kernels, combine, plain, wide(0), wide(1), offsets + i);
            const auto clamped = hn::Min(hn::Max(value, hn::Zero(df)), hn::Set(df, 255.0f));
            hn::StoreU(hn::DemoteTo(d8, hn::NearestInt(clamped)), d8, out + i);
        }
    }
}

void gradient_bytes(const std::array<FactoredKernel, 2>& kernels, int rows, Combine combine,
                    const std::uint8_t* top, std::ptrdiff_t stride, std::size_t count, std::size_t n,
                    const float* offsets, std::uint8_t* out, std::ptrdiff_t out_stride) {
    static_assert(HWY_MAX_BYTES / sizeof(std::int16_t) <= kGradientSlack);
    bool plain = kernels[0].divisor == 1.0f && kernels[1].divisor == 1.0f;
    for (std::size_t i = 0; i < n && plain; ++i) plain = offsets[i] == 0.0f;
    const auto run = rows <= 3 ? strip_of_bytes<3> : rows <= 5 ? strip_of_bytes<5> : strip_of_bytes<7>;
    for (std::size_t i = 0; i < n; i += hn::Lanes(I16()))
        run(kernels, combine, plain, top + i, stride, count, offsets + i, out + i, out_stride);
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(gradient_rows);
HWY_EXPORT(gradient_bytes);

bool fits_bytes(const std::array<FactoredKernel, 2>& kernels) {
    return std::ranges::all_of(kernels, [](const FactoredKernel& kernel) {
        float row = 0, column = 0;
        for (const auto& tap : kernel.row) row += std::fabs(tap.weight);
        for (const float weight : kernel.column) column += std::fabs(weight);
        return row * column * 255.0f <= 32767.0f;
    });
}

void gradient_bytes(const std::array<FactoredKernel, 2>& kernels, int rows, Combine combine,
                    const std::uint8_t* top, std::ptrdiff_t stride, std::size_t count, std::size_t n,
                    const float* offsets, std::uint8_t* out, std::ptrdiff_t out_stride) {
    HWY_DYNAMIC_DISPATCH(gradient_bytes)
    (kernels, rows, combine, top, stride, count, n, offsets, out, out_stride);
}

void gradient_rows(const std::array<FactoredKernel, 2>& kernels, int rows, Combine combine, const float* top,
                   std::ptrdiff_t stride, std::size_t count, std::size_t n, const float* offsets, float* out,
                   std::ptrdiff_t out_stride) {
    HWY_DYNAMIC_DISPATCH(gradient_rows)
    (kernels, rows, combine, top, stride, count, n, offsets, out, out_stride);
}

} // namespace kg::cpu
#endif
