#include "cpu/kernels/signal_sums.hpp"

#include "cpu/kernels/unrolled.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/signal_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
template <typename T>
using Vec = hn::Vec<hn::ScalableTag<T>>;

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE Vec<std::int64_t> product(Vec<std::int64_t> a, Vec<std::int64_t> b) {
    const auto bits = [](auto v) { return static_cast<std::uint64_t>(hn::GetLane(v)); };
    return hn::Set(hn::ScalableTag<std::int64_t>(), static_cast<std::int64_t>(bits(a) * bits(b)));
}
#else
/// The lower 64 bits of products, from those of their halves: Highway 1.0.3 has no such operation.
HWY_INLINE Vec<std::int64_t> product(Vec<std::int64_t> a, Vec<std::int64_t> b) {
    const hn::ScalableTag<std::uint64_t> d;
    const hn::Repartition<std::uint32_t, decltype(d)> halves;
    const auto ua = hn::BitCast(d, a), ub = hn::BitCast(d, b);
    const auto low = [&](auto v) { return hn::BitCast(halves, v); };
    const auto high = [&](auto v) { return hn::BitCast(halves, hn::ShiftRight<32>(v)); };
    const auto crossed = hn::Add(hn::MulEven(high(ua), low(ub)), hn::MulEven(low(ua), high(ub)));
    const auto all = hn::Add(hn::MulEven(low(ua), low(ub)), hn::ShiftLeft<32>(crossed));
    return hn::BitCast(hn::ScalableTag<std::int64_t>(), all);
}
#endif

template <typename T>
HWY_INLINE Vec<T> added(Vec<T> sum, Vec<T> a, Vec<T> b) {
    if constexpr (std::is_floating_point_v<T>) return hn::MulAdd(a, b, sum);
    else if constexpr (sizeof(T) == 4) return hn::Add(sum, hn::Mul(a, b));
    else return hn::Add(sum, product(a, b));
}

/// `Vectors` vectors of sums stay in registers while the taps pass.
template <int Vectors, typename T>
HWY_INLINE void add_to_vectors(const T* in, std::span<const PlacedTap<T>> taps, T* out) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    Vec<T> sums[Vectors];
    KG_UNROLLED for (int v = 0; v < Vectors; ++v) sums[v] = hn::LoadU(d, out + v * lanes);
    for (const auto& tap : taps) {
        const auto weight = hn::Set(d, tap.weight);
        const T* from = in + tap.place;
        KG_UNROLLED for (int v = 0; v < Vectors; ++v)
            sums[v] = added<T>(sums[v], weight, hn::LoadU(d, from + v * lanes));
    }
    KG_UNROLLED for (int v = 0; v < Vectors; ++v) hn::StoreU(sums[v], d, out + v * lanes);
}

/// The same for taps next to each other: in[i] times the first of them begins the sum i. Taps that are a
/// vector apart read the same vectors for outputs a vector apart, so a load serves four products. Most loads
/// cross a line of the cache, and would take longer than the products.
template <int Vectors, typename T>
HWY_INLINE void add_dense_to_vectors(const T* in, std::span<const T> weights, T* out) {
    constexpr int kTaps = 4;
    const hn::ScalableTag<T> d;
    const auto lanes = hn::Lanes(d), count = weights.size();
    Vec<T> sums[Vectors];
    KG_UNROLLED for (int v = 0; v < Vectors; ++v) sums[v] = hn::LoadU(d, out + v * static_cast<int>(lanes));
    for (std::size_t first = 0; first < std::min(lanes, count); ++first) {
        auto tap = first;
        for (; tap + (kTaps - 1) * lanes < count; tap += kTaps * lanes) {
            Vec<T> weight[kTaps];
            KG_UNROLLED for (int t = 0; t < kTaps; ++t)
                weight[t] = hn::Set(d, weights[tap + static_cast<std::size_t>(t) * lanes]);
            KG_UNROLLED for (int l = 0; l < Vectors + kTaps - 1; ++l) {
                const auto samples = hn::LoadU(d, in + tap + static_cast<std::size_t>(l) * lanes);
                KG_UNROLLED for (int t = 0; t < kTaps; ++t) if (l >= t && l - t < Vectors)
                    sums[l - t] = added<T>(sums[l - t], weight[t], samples);
            }
        }
        for (; tap < count; tap += lanes) {
            const auto weight = hn::Set(d, weights[tap]);
            KG_UNROLLED for (int v = 0; v < Vectors; ++v) sums[v] = added<T>(
                sums[v], weight, hn::LoadU(d, in + tap + static_cast<std::size_t>(v) * lanes));
        }
    }
    KG_UNROLLED for (int v = 0; v < Vectors; ++v) hn::StoreU(sums[v], d, out + v * static_cast<int>(lanes));
}

struct Sparse {
    template <int Vectors, typename T>
    static HWY_INLINE void add(const T* in, std::span<const PlacedTap<T>> taps, T* out) {
        add_to_vectors<Vectors>(in, taps, out);
    }
};
struct Dense {
    template <int Vectors, typename T>
    static HWY_INLINE void add(const T* in, std::span<const T> weights, T* out) {
        add_dense_to_vectors<Vectors>(in, weights, out);
    }
};

/// Eight sums are in flight, because a fused multiply-add has a latency of four cycles and two may issue per
/// cycle.
template <typename Kind, typename T, typename Tap>
HWY_INLINE void add_sums(const T* in, std::span<const Tap> taps, std::int64_t count, T* out) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<T>()));
    std::int64_t i = 0;
    for (; i + 8 * lanes <= count; i += 8 * lanes) Kind::template add<8>(in + i, taps, out + i);
    if (i + 4 * lanes <= count) Kind::template add<4>(in + i, taps, out + i), i += 4 * lanes;
    if (i + 2 * lanes <= count) Kind::template add<2>(in + i, taps, out + i), i += 2 * lanes;
    for (; i < count; i += lanes) { // the last vector reaches beyond the outputs
        std::array<T, hn::MaxLanes(hn::ScalableTag<T>())> last{};
        const auto rest = std::min(lanes, count - i);
        std::copy_n(out + i, rest, last.begin());
        Kind::template add<1>(in + i, taps, last.data());
        std::copy_n(last.begin(), rest, out + i);
    }
}

void add_f32(const float* in, std::span<const PlacedTap<float>> taps, std::int64_t count, float* out) {
    add_sums<Sparse>(in, taps, count, out);
}
void add_dense_f32(const float* in, std::span<const float> weights, std::int64_t count, float* out) {
    add_sums<Dense>(in, weights, count, out);
}
void add_f64(const double* in, std::span<const PlacedTap<double>> taps, std::int64_t count, double* out) {
    add_sums<Sparse>(in, taps, count, out);
}
void add_dense_f64(const double* in, std::span<const double> weights, std::int64_t count, double* out) {
    add_sums<Dense>(in, weights, count, out);
}
void add_i32(const std::int32_t* in, std::span<const PlacedTap<std::int32_t>> taps, std::int64_t count,
             std::int32_t* out) {
    add_sums<Sparse>(in, taps, count, out);
}
void add_i64(const std::int64_t* in, std::span<const PlacedTap<std::int64_t>> taps, std::int64_t count,
             std::int64_t* out) {
    add_sums<Sparse>(in, taps, count, out);
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(add_f32);
HWY_EXPORT(add_dense_f32);
HWY_EXPORT(add_f64);
HWY_EXPORT(add_dense_f64);
HWY_EXPORT(add_i32);
HWY_EXPORT(add_i64);

void add_signal_sums(const float* in, std::span<const PlacedTap<float>> taps, std::int64_t count,
                     float* out) {
    HWY_DYNAMIC_DISPATCH(add_f32)(in, taps, count, out);
}
void add_dense_signal_sums(const float* in, std::span<const float> weights, std::int64_t count, float* out) {
    HWY_DYNAMIC_DISPATCH(add_dense_f32)(in, weights, count, out);
}

void add_signal_sums(const double* in, std::span<const PlacedTap<double>> taps, std::int64_t count,
                     double* out) {
    HWY_DYNAMIC_DISPATCH(add_f64)(in, taps, count, out);
}
void add_dense_signal_sums(const double* in, std::span<const double> weights, std::int64_t count,
                           double* out) {
    HWY_DYNAMIC_DISPATCH(add_dense_f64)(in, weights, count, out);
}

void add_signal_sums(const std::int32_t* in, std::span<const PlacedTap<std::int32_t>> taps,
                     std::int64_t count, std::int32_t* out) {
    HWY_DYNAMIC_DISPATCH(add_i32)(in, taps, count, out);
}
void add_signal_sums(const std::int64_t* in, std::span<const PlacedTap<std::int64_t>> taps,
                     std::int64_t count, std::int64_t* out) {
    HWY_DYNAMIC_DISPATCH(add_i64)(in, taps, count, out);
}
} // namespace kg::cpu
#endif
