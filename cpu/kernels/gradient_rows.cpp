#include "cpu/kernels/gradient_rows.hpp"

#include "cpu/kernels/unrolled.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/gradient_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/vector_samples.hpp"

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using F32 = hn::ScalableTag<float>;
using Vec = hn::Vec<F32>;

HWY_INLINE Vec combined(Combine combine, Vec first, Vec second) {
    switch (combine) {
    case Combine::single: return second;
    case Combine::l1: return hn::Add(hn::Abs(first), hn::Abs(second));
    case Combine::l2:
        return root_of_squares(hn::Add(hn::Mul(first, first), hn::Mul(second, second)), [&] {
            const auto smaller = hn::Set(F32(), kSmallerSquares);
            const auto a = hn::Mul(first, smaller), b = hn::Mul(second, smaller);
            return hn::Add(hn::Mul(a, a), hn::Mul(b, b));
        });
    }
    return second;
}

HWY_INLINE Vec quotient(const FactoredKernel& kernel, Vec sum) {
    return kernel.divisor == 1.0f ? sum : hn::Div(sum, hn::Set(F32(), kernel.divisor));
}

/// One strip, two vectors wide. Each source row is summed along once, and its sums stay in registers for the
/// outputs that it contributes to.
template <std::size_t Rows>
struct WideSums {
    static constexpr std::size_t kVectors = 2;
    static std::size_t width() { return kVectors * hn::Lanes(F32()); }
    explicit WideSums(const GradientWork& gradient) : work(gradient) {}

    template <typename From>
    HWY_INLINE void along(std::size_t k, const From* at, Vec (&sum)[kVectors]) const {
        const F32 d;
        KG_UNROLLED
        for (auto& s : sum) s = hn::Zero(d);
        for (const auto& tap : work.kernels[k].row) {
            const auto weight = hn::Set(d, tap.weight);
            KG_UNROLLED
            for (std::size_t v = 0; v < kVectors; ++v)
                sum[v] = hn::MulAdd(weight, load_samples(at + tap.offset + v * hn::Lanes(d)), sum[v]);
        }
    }

    template <typename From, typename To>
    void strip(const std::byte* const* source, std::size_t i, std::size_t count, const float* offsets,
               To* out, std::size_t pitch) const {
        const F32 d;
        Vec sums[2][Rows][kVectors];
        const auto take = [&](std::size_t to, const std::byte* row) HWY_ATTR {
            const auto* at = reinterpret_cast<const From*>(row) + i;
            along(0, at, sums[0][to]);
            along(1, at, sums[1][to]);
        };
        KG_UNROLLED
        for (std::size_t r = 0; r + 1 < Rows; ++r) take(r + 1, source[r]);
        for (std::size_t y = 0; y < count; ++y) {
            Vec slope[2][kVectors];
            KG_UNROLLED
            for (std::size_t k = 0; k < 2; ++k) KG_UNROLLED
            for (std::size_t r = 0; r + 1 < Rows; ++r) KG_UNROLLED
            for (std::size_t v = 0; v < kVectors; ++v) sums[k][r][v] = sums[k][r + 1][v];
            take(Rows - 1, source[y + Rows - 1]);
            KG_UNROLLED
            for (std::size_t k = 0; k < 2; ++k) {
                const auto& kernel = work.kernels[k];
                KG_UNROLLED
                for (auto& s : slope[k]) s = hn::Zero(d);
                KG_UNROLLED
                for (std::size_t r = 0; r < Rows; ++r) {
                    if (kernel.column[r] == 0.0f) continue;
                    const auto weight = hn::Set(d, kernel.column[r]);
                    KG_UNROLLED
                    for (std::size_t v = 0; v < kVectors; ++v)
                        slope[k][v] = hn::MulAdd(weight, sums[k][r][v], slope[k][v]);
                }
                KG_UNROLLED
                for (auto& s : slope[k]) s = quotient(kernel, s);
            }
            auto* to = reinterpret_cast<To*>(reinterpret_cast<std::byte*>(out) + y * pitch);
            KG_UNROLLED
            for (std::size_t v = 0; v < kVectors; ++v) {
                auto value = combined(work.combine, slope[0][v], slope[1][v]);
                if (offsets) value = hn::Add(value, hn::LoadU(d, offsets + v * hn::Lanes(d)));
                store_samples(value, to + v * hn::Lanes(d));
            }
        }
    }

    const GradientWork& work;
};

using I16 = hn::ScalableTag<std::int16_t>;
using Sums = hn::Vec<I16>;

/// The factors of both kernels in every lane, computed once per block. Positions between the taps have the
/// factor 0, so that all loops have lengths known at compile time and each byte is loaded once for both
/// kernels.
template <std::size_t Size>
struct ByteKernels {
    explicit ByteKernels(const GradientWork& work) : offset{} {
        const I16 d;
        const std::ptrdiff_t channels = work.channels, first = -work.left * channels;
        for (std::size_t t = 0; t < Size; ++t) {
            offset[t] = first + static_cast<std::ptrdiff_t>(t) * channels;
            for (std::size_t k = 0; k < 2; ++k) {
                float factor = 0;
                for (const auto& tap : work.kernels[k].row)
                    if (tap.offset == offset[t]) factor = tap.weight;
                row[k][t] = hn::Set(d, static_cast<std::int16_t>(factor));
                column[k][t] = hn::Set(d, static_cast<std::int16_t>(work.kernels[k].column[t]));
            }
        }
        // Where the kernels are narrower, the positions beyond them are not read.
        for (auto& place : offset) place = std::min(place, first + (work.columns - 1) * channels);
    }

    std::ptrdiff_t offset[Size];
    Sums row[2][Size], column[2][Size];
};

/// The root of a sum of two squares of integers. No such root is nearer than 1 / (8 n + 4) to the midpoint of
/// n and n + 1, so an error of 2^-20 does not change the rounding up to 255.
HWY_INLINE Vec length(Vec a, Vec b) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4 // its estimate has 11 bits, which one Newton step doubles
    const F32 d;
    const auto square = hn::MulAdd(a, a, hn::MulAdd(b, b, hn::Set(d, 1e-30f))); // lost in all but 0
    const auto rough = hn::ApproximateReciprocalSqrt(square);
    const auto near = hn::Mul(square, rough);
    return hn::MulAdd(hn::Mul(hn::Set(d, 0.5f), rough), hn::NegMulAdd(near, near, square), near);
#else
    return hn::Sqrt(hn::MulAdd(a, a, hn::Mul(b, b)));
#endif
}

/// The same for bytes whose sums fit 16 bits, twice as many at a time. Whole: the result is the root of an
/// integer.
template <std::size_t Size, bool Whole>
struct ByteSums {
    static std::size_t width() { return hn::Lanes(I16()); }
    explicit ByteSums(const GradientWork& gradient) : work(gradient), kernels(gradient) {}

    HWY_INLINE void finish(Vec first, Vec second, const float* offsets, std::uint8_t* to) const {
        const F32 d;
        if constexpr (Whole) return store_clamped(hn::Min(length(first, second), hn::Set(d, 255.0f)), to);
        const auto value = combined(work.combine, quotient(work.kernels[0], first),
                                    quotient(work.kernels[1], second));
        store_samples(offsets ? hn::Add(value, hn::LoadU(d, offsets)) : value, to);
    }

    template <typename From, typename To>
    void strip(const std::byte* const* source, std::size_t i, std::size_t count, const float* offsets,
               To* out, std::size_t pitch) const {
        const I16 d;
        const F32 df;
        const hn::Rebind<std::int32_t, F32> d32;
        const hn::Rebind<std::int16_t, F32> half;
        HWY_ALIGN std::int16_t slopes[2][HWY_MAX_BYTES / sizeof(std::int16_t)];
        Sums sums[2][Size];
        const auto take = [&](std::size_t to, const std::byte* row) HWY_ATTR {
            const auto* at = reinterpret_cast<const std::uint8_t*>(row) + i;
            auto first = hn::Zero(d), second = first;
            KG_UNROLLED
            for (std::size_t t = 0; t < Size; ++t) {
                const auto bytes = hn::PromoteTo(
                    d, hn::LoadU(hn::Rebind<std::uint8_t, I16>(), at + kernels.offset[t]));
                first = hn::Add(first, hn::Mul(kernels.row[0][t], bytes));
                second = hn::Add(second, hn::Mul(kernels.row[1][t], bytes));
            }
            sums[0][to] = first;
            sums[1][to] = second;
        };
        KG_UNROLLED
        for (std::size_t r = 0; r + 1 < Size; ++r) take(r + 1, source[r]);
        for (std::size_t y = 0; y < count; ++y) {
            KG_UNROLLED
            for (std::size_t k = 0; k < 2; ++k) KG_UNROLLED
            for (std::size_t r = 0; r + 1 < Size; ++r) sums[k][r] = sums[k][r + 1];
            take(Size - 1, source[y + Size - 1]);
            KG_UNROLLED
            for (std::size_t k = 0; k < 2; ++k) {
                auto sum = hn::Zero(d);
                KG_UNROLLED
                for (std::size_t r = 0; r < Size; ++r)
                    sum = hn::Add(sum, hn::Mul(kernels.column[k][r], sums[k][r]));
                hn::Store(sum, d, slopes[k]);
            }
            auto* to = reinterpret_cast<To*>(reinterpret_cast<std::byte*>(out) + y * pitch);
            for (std::size_t j = 0; j < hn::MaxLanes(d); j += hn::MaxLanes(df)) {
                const auto wide = [&](std::size_t k) HWY_ATTR {
                    return hn::ConvertTo(df, hn::PromoteTo(d32, hn::LoadU(half, slopes[k] + j)));
                };
                finish(wide(0), wide(1), offsets ? offsets + j : nullptr, to + j);
            }
        }
    }

    const GradientWork& work;
    ByteKernels<Size> kernels;
};

/// All strips of a block.
template <typename SumsOf, typename From, typename To>
void block(const GradientWork& work, const std::byte* const* source, std::size_t count, std::size_t n,
           const float* offsets, std::byte* out, std::size_t pitch) {
    static_assert(2 * HWY_MAX_BYTES / sizeof(float) <= kGradientSlack &&
                  HWY_MAX_BYTES / sizeof(std::int16_t) <= kGradientSlack);
    const SumsOf sums(work);
    const auto width = SumsOf::width();
    const auto at = [&](std::size_t i, To* to, std::size_t to_pitch) {
        sums.template strip<From>(source, i, count, offsets ? offsets + i : nullptr, to, to_pitch);
    };
    auto* first = reinterpret_cast<To*>(out);
    std::size_t i = 0;
    for (; i + width <= n; i += width) at(i, first + i, pitch);
    if (i == n) return;
    // Recomputes some samples instead of reading beyond the last.
    if (n >= width) return at(n - width, first + n - width, pitch);
    To rest[kGradientBlockRows * kGradientSlack];
    at(0, rest, kGradientSlack * sizeof(To));
    for (std::size_t y = 0; y < count; ++y)
        std::copy_n(rest + y * kGradientSlack, n, reinterpret_cast<To*>(out + y * pitch));
}

template <std::size_t Size>
void block_of(const GradientWork& work, const std::byte* const* source, Depth from, std::size_t count,
              std::size_t n, const float* offsets, Depth to, std::byte* out, std::size_t pitch) {
    using Wide = WideSums<Size>;
    const auto run = [&](auto sums) { sums(work, source, count, n, offsets, out, pitch); };
    switch (to) {
    case Depth::u8:
        if (from == Depth::f32) return run(block<Wide, float, std::uint8_t>);
        if (!work.in_16_bits) return run(block<Wide, std::uint8_t, std::uint8_t>);
        if (work.combine == Combine::l2 && work.kernels[0].divisor == 1.0f &&
            work.kernels[1].divisor == 1.0f && !offsets)
            return run(block<ByteSums<Size, true>, std::uint8_t, std::uint8_t>);
        return run(block<ByteSums<Size, false>, std::uint8_t, std::uint8_t>);
    case Depth::u16:
        if (from == Depth::f32) return run(block<Wide, float, std::uint16_t>);
        return run(block<Wide, std::uint16_t, std::uint16_t>);
    case Depth::f16:
    case Depth::f64: return; // unreachable: half floats are converted before and after
    case Depth::f32: return run(block<Wide, float, float>);
    }
}

void gradient_block(const GradientWork& work, const std::byte* const* source, Depth from, std::size_t count,
                    std::size_t n, const float* offsets, Depth to, std::byte* out, std::size_t pitch) {
    const auto size = std::max<std::ptrdiff_t>(work.rows, work.columns);
    const auto run = size <= 3 ? block_of<3> : size <= 5 ? block_of<5> : block_of<7>;
    run(work, source, from, count, n, offsets, to, out, pitch);
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(gradient_block);

void gradient_block(const GradientWork& work, const std::byte* const* source, Depth from, std::size_t count,
                    std::size_t n, const float* offsets, Depth to, std::byte* out, std::size_t pitch) {
    HWY_DYNAMIC_DISPATCH(gradient_block)(work, source, from, count, n, offsets, to, out, pitch);
}

} // namespace kg::cpu
#endif
