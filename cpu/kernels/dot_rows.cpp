#include "cpu/kernels/dot_rows.hpp"

#include "cpu/kernels/unrolled.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/dot_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Highway has no target for processors with AVX-512 and little more than VNNI, so its target gets VNNI.
#undef KG_DOT
#undef KG_DOT_512
#define KG_DOT_512 (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)
#define KG_DOT (KG_DOT_512 || (HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2))

#if KG_DOT
#if KG_DOT_512
HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR ",avx512vnni")
#else
HWY_BEFORE_NAMESPACE();
#endif
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using I32 = hn::ScalableTag<std::int32_t>;
using F32 = hn::ScalableTag<float>;
using Vec = hn::Vec<I32>;
constexpr std::size_t kLanes = hn::MaxLanes(I32());

// As many sums at once as the registers hold: 16 of 32 with AVX-512, otherwise 8 of 16.
constexpr std::size_t kWide = kLanes >= 16 ? 4 : 2, kStep = kWide * kLanes;
static_assert(kStep <= kDotSlack);

/// sum + both products of each lane.
HWY_INLINE Vec with_products(Vec sum, Vec samples, Vec weights) {
#if KG_DOT_512
    return Vec{_mm512_dpwssd_epi32(sum.raw, samples.raw, weights.raw)};
#else
    return hn::Add(sum, Vec{_mm256_madd_epi16(samples.raw, weights.raw)});
#endif
}

/// Clamps and rounds, ties to even. All values are below 2^31 (core/request/integer_weights.hpp).
HWY_INLINE void store_bytes(const hn::Vec<F32> (&value)[kWide], std::uint8_t* to) {
    const auto whole = [&](std::size_t v) HWY_ATTR { return hn::NearestInt(value[v]).raw; };
#if KG_DOT_512 // the pack instruction interleaves blocks of 128 bits, so they are reordered afterwards
    const auto packed = _mm512_packus_epi16(_mm512_packs_epi32(whole(0), whole(1)),
                                            _mm512_packs_epi32(whole(2), whole(3)));
    const auto order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm512_storeu_si512(to, _mm512_permutexvar_epi32(order, packed));
#else
    const auto words = _mm256_permute4x64_epi64(_mm256_packs_epi32(whole(0), whole(1)), 0xd8);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                     _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
#endif
}

int dot_lanes() { return !KG_DOT_512 || __builtin_cpu_supports("avx512vnni") ? int{kLanes} : 0; }

struct Block {
    Vec v[kDotRows][kWide];
};

template <int First, int Last>
HWY_INLINE void add_run(const DotTaps::Tap* tap, const DotTaps::Tap* end, const std::uint32_t* const* rows,
                        std::size_t i, Block& sum) {
    const I32 d;
    for (; tap != end; ++tap) {
        const auto* at = reinterpret_cast<const std::int32_t*>(rows[tap->source_row]) + tap->offset + i;
        Vec x[kWide];
        KG_UNROLLED
        for (std::size_t v = 0; v < kWide; ++v) x[v] = hn::LoadU(d, at + v * kLanes);
        KG_UNROLLED
        for (int r = First; r <= Last; ++r) {
            const auto weight = hn::Set(d, tap->weights[r]);
            KG_UNROLLED
            for (std::size_t v = 0; v < kWide; ++v) sum.v[r][v] = with_products(sum.v[r][v], x[v], weight);
        }
    }
}

HWY_INLINE void add_runs(const DotTaps& taps, const std::vector<DotTaps::Run>& runs,
                         const std::uint32_t* const* rows, std::size_t i, Block& sum) {
    for (const auto& run : runs) {
        const auto *tap = taps.taps.data() + run.begin, *end = taps.taps.data() + run.end;
        switch (run.first * kDotRows + run.last) {
        case 0: add_run<0, 0>(tap, end, rows, i, sum); break;
        case 1: add_run<0, 1>(tap, end, rows, i, sum); break;
        case 2: add_run<0, 2>(tap, end, rows, i, sum); break;
        case 3: add_run<0, 3>(tap, end, rows, i, sum); break;
        case 5: add_run<1, 1>(tap, end, rows, i, sum); break;
        case 6: add_run<1, 2>(tap, end, rows, i, sum); break;
        case 7: add_run<1, 3>(tap, end, rows, i, sum); break;
        case 10: add_run<2, 2>(tap, end, rows, i, sum); break;
        case 11: add_run<2, 3>(tap, end, rows, i, sum); break;
        case 15: add_run<3, 3>(tap, end, rows, i, sum); break;
        }
    }
}

/// The outputs of the block from sample i on.
template <bool Divides>
HWY_INLINE void dot_step(const DotTaps& taps, const std::uint32_t* const* rows, std::size_t count,
                         std::size_t i, const DotFinish& finish, std::uint8_t* to, std::size_t pitch) {
    Block sum;
    KG_UNROLLED
    for (auto& row : sum.v) KG_UNROLLED
    for (auto& v : row) v = hn::Zero(I32());
    if (!taps.high.empty()) {
        add_runs(taps, taps.high, rows, i, sum);
        KG_UNROLLED
        for (auto& row : sum.v) KG_UNROLLED
        for (auto& v : row) v = hn::ShiftLeft<16>(v);
    }
    add_runs(taps, taps.low, rows, i, sum);

    const F32 d;
    const auto divisor = hn::Set(d, Divides ? finish.divisor : 1.0f / finish.divisor);
    KG_UNROLLED
    for (std::size_t r = 0; r < kDotRows; ++r) {
        if (r >= count) return;
        hn::Vec<F32> value[kWide];
        KG_UNROLLED
        for (std::size_t v = 0; v < kWide; ++v) {
            const auto whole = hn::ConvertTo(d, sum.v[r][v]);
            value[v] = Divides ? hn::Div(whole, divisor) : hn::Mul(whole, divisor);
        }
        if (finish.offsets) KG_UNROLLED
        for (std::size_t v = 0; v < kWide; ++v)
            value[v] = hn::Add(value[v], hn::LoadU(d, finish.offsets + i + v * kLanes));
        store_bytes(value, to + r * pitch);
    }
}

template <bool Divides>
void dot_steps(const DotTaps& taps, const std::uint32_t* const* rows, std::size_t count, std::size_t n,
               const DotFinish& finish, std::uint8_t* to, std::size_t pitch) {
    std::size_t i = 0;
    for (; i + kStep <= n; i += kStep) dot_step<Divides>(taps, rows, count, i, finish, to + i, pitch);
    if (i == n) return;
    std::uint8_t rest[kDotRows * kStep];
    dot_step<Divides>(taps, rows, count, i, finish, rest, kStep);
    for (std::size_t r = 0; r < count; ++r) std::copy_n(rest + r * kStep, n - i, to + r * pitch + i);
}

void dot_block(const DotTaps& taps, const std::uint32_t* const* rows, std::size_t count, std::size_t n,
               const DotFinish& finish, std::uint8_t* to, std::size_t pitch) {
    int exponent = 0; // division by a power of two is a product
    const bool divides = std::fabs(std::frexp(finish.divisor, &exponent)) != 0.5f;
    (divides ? dot_steps<true> : dot_steps<false>)(taps, rows, count, n, finish, to, pitch);
}

void pair_samples(const std::uint8_t* from, std::size_t n, int channels, std::uint32_t* to) {
    const hn::RebindToUnsigned<I32> d;
    const hn::Rebind<std::uint8_t, I32> stored;
    for (std::size_t i = 0; i < n; i += kLanes) {
        const auto left = hn::PromoteTo(d, hn::LoadU(stored, from + i)),
                   right = hn::PromoteTo(d, hn::LoadU(stored, from + i + channels));
        hn::StoreU(hn::Or(left, hn::ShiftLeft<16>(right)), d, to + i);
    }
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#else
HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

int dot_lanes() { return 0; }
// Never called.
void dot_block(const DotTaps&, const std::uint32_t* const*, std::size_t, std::size_t, const DotFinish&,
               std::uint8_t*, std::size_t) {}
void pair_samples(const std::uint8_t*, std::size_t, int, std::uint32_t*) {}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(dot_lanes);
HWY_EXPORT(dot_block);
HWY_EXPORT(pair_samples);

int dot_lanes() { return HWY_DYNAMIC_DISPATCH(dot_lanes)(); }

void dot_block(const DotTaps& taps, const std::uint32_t* const* rows, std::size_t count, std::size_t n,
               const DotFinish& finish, std::uint8_t* to, std::size_t pitch) {
    HWY_DYNAMIC_DISPATCH(dot_block)(taps, rows, count, n, finish, to, pitch);
}

void pair_samples(const std::uint8_t* from, std::size_t n, int channels, std::uint32_t* to) {
    HWY_DYNAMIC_DISPATCH(pair_samples)(from, n, channels, to);
}

} // namespace kg::cpu
#endif
