#include "cpu/kernels/samples.hpp"

#include "core/image/half.hpp"
#include "core/request/conversion.hpp"
#include "core/request/sample.hpp"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/samples.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/vector_samples.hpp"

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using F32 = hn::ScalableTag<float>;

template <typename Stored>
void widen_integers(const Stored* from, std::size_t n, float* to) {
    const F32 d;
    const auto N = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + N <= n; i += N) hn::StoreU(load_samples(from + i), d, to + i);
    for (; i < n; ++i) to[i] = static_cast<float>(from[i]);
}

template <typename Stored>
void narrow_integers(const float* from, std::size_t n, Stored* to) {
    const F32 d;
    const auto N = hn::Lanes(d), whole = n / N * N;
    for (std::size_t i = 0; i < whole; i += N) store_samples(hn::LoadU(d, from + i), to + i);
    for (std::size_t i = whole; i < n; ++i) to[i] = SampleTraits<Stored>::from(from[i]);
}

// Half floats use the vector conversion where one exists; older targets round differently.
#define KG_VECTOR_HALVES (HWY_TARGET <= HWY_AVX2)

void widen_halves(const std::uint16_t* from, std::size_t n, float* to) {
    std::size_t i = 0;
#if KG_VECTOR_HALVES
    const F32 d;
    const hn::Rebind<hwy::float16_t, F32> stored;
    for (const auto N = hn::Lanes(d); i + N <= n; i += N)
        hn::StoreU(hn::PromoteTo(d, hn::LoadU(stored, reinterpret_cast<const hwy::float16_t*>(from + i))), d,
                   to + i);
#endif
    for (; i < n; ++i) to[i] = half_to_float(from[i]);
}

void narrow_halves(const float* from, std::size_t n, std::uint16_t* to) {
    constexpr float kLargest = 65504.0f;
    std::size_t i = 0;
#if KG_VECTOR_HALVES
    const F32 d;
    const hn::Rebind<hwy::float16_t, F32> stored;
    const auto largest = hn::Set(d, kLargest);
    for (const auto N = hn::Lanes(d); i + N <= n; i += N) {
        const auto v = hn::LoadU(d, from + i);
        const auto clamped = hn::Max(hn::Min(v, largest), hn::Neg(largest));
        const auto kept = hn::IfThenElse(hn::IsFinite(v), clamped, v);
        hn::StoreU(hn::DemoteTo(stored, kept), stored, reinterpret_cast<hwy::float16_t*>(to + i));
    }
#endif
    for (; i < n; ++i)
        to[i] = float_to_half(std::isfinite(from[i]) ? std::clamp(from[i], -kLargest, kLargest) : from[i]);
}

void widen(const void* from, Depth depth, std::size_t n, float* to) {
    switch (depth) {
    case Depth::u8: return widen_integers(static_cast<const std::uint8_t*>(from), n, to);
    case Depth::u16: return widen_integers(static_cast<const std::uint16_t*>(from), n, to);
    case Depth::f16: return widen_halves(static_cast<const std::uint16_t*>(from), n, to);
    case Depth::f32: std::memcpy(to, from, n * sizeof(float)); return;
    case Depth::f64: return; // unreachable: no f64 is read as f32
    }
}

void narrow(const float* from, Depth depth, std::size_t n, void* to) {
    switch (depth) {
    case Depth::u8: return narrow_integers(from, n, static_cast<std::uint8_t*>(to));
    case Depth::u16: return narrow_integers(from, n, static_cast<std::uint16_t*>(to));
    case Depth::f16: return narrow_halves(from, n, static_cast<std::uint16_t*>(to));
    case Depth::f32: std::memcpy(to, from, n * sizeof(float)); return;
    case Depth::f64: return; // unreachable: no f32 is written as f64
    }
}

template <typename Stored>
void widen_to_doubles(const Stored* from, std::size_t n, double* to) {
    const hn::ScalableTag<double> d;
    const auto N = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + N <= n; i += N) hn::StoreU(load_samples(d, from + i), d, to + i);
    for (; i < n; ++i) to[i] = static_cast<double>(from[i]);
}

template <typename Stored>
void narrow_doubles(const double* from, std::size_t n, Stored* to) {
    const hn::ScalableTag<double> d;
    const auto N = hn::Lanes(d), whole = n / N * N;
    for (std::size_t i = 0; i < whole; i += N) store_doubles(hn::LoadU(d, from + i), to + i);
    if (whole == n) return;
    double last[hn::MaxLanes(d)] = {};
    Stored stored[hn::MaxLanes(d)];
    std::copy(from + whole, from + n, last);
    store_doubles(hn::LoadU(d, last), stored);
    std::copy_n(stored, n - whole, to + whole);
}

constexpr std::size_t kHalves = 256; // floats between half floats and doubles

void widen_float64(const void* from, Depth depth, std::size_t n, double* to) {
    switch (depth) {
    case Depth::u8: return widen_to_doubles(static_cast<const std::uint8_t*>(from), n, to);
    case Depth::u16: return widen_to_doubles(static_cast<const std::uint16_t*>(from), n, to);
    case Depth::f16:
        for (std::size_t i = 0; i < n; i += kHalves) {
            float floats[kHalves];
            const auto some = std::min(kHalves, n - i);
            widen_halves(static_cast<const std::uint16_t*>(from) + i, some, floats);
            widen_to_doubles(floats, some, to + i);
        }
        return;
    case Depth::f32: return widen_to_doubles(static_cast<const float*>(from), n, to);
    case Depth::f64: std::memcpy(to, from, n * sizeof(double)); return;
    }
}

void narrow_float64(const double* from, Depth depth, std::size_t n, void* to) {
    switch (depth) {
    case Depth::u8: return narrow_doubles(from, n, static_cast<std::uint8_t*>(to));
    case Depth::u16: return narrow_doubles(from, n, static_cast<std::uint16_t*>(to));
    case Depth::f16:
        for (std::size_t i = 0; i < n; i += kHalves) {
            float floats[kHalves];
            const auto some = std::min(kHalves, n - i);
            narrow_doubles(from + i, some, floats);
            narrow_halves(floats, some, static_cast<std::uint16_t*>(to) + i);
        }
        return;
    case Depth::f32: return narrow_doubles(from, n, static_cast<float*>(to));
    case Depth::f64: std::memcpy(to, from, n * sizeof(double)); return;
    }
}

#if HWY_TARGET == HWY_SCALAR // vectors smaller than a pixel
void convert_one_by_one(PixelConversion conversion, float* pixels, std::size_t n, float scale,
                        unsigned computed) {
    conversion.channels = 4, conversion.alpha = 3, conversion.computed = computed;
    conversion.in_scale = conversion.out_scale = scale;
    for (std::size_t i = 0; i < n; ++i) conversion(pixels + 4 * i);
}
void premultiply_rgba(float* pixels, std::size_t n, float scale, unsigned computed) {
    convert_one_by_one({.premultiply = true}, pixels, n, scale, computed);
}
void unpremultiply_rgba(float* pixels, std::size_t n, float scale, unsigned computed) {
    convert_one_by_one({.unpremultiply = true}, pixels, n, scale, computed);
}
#else

/// Vectors of whole pixels: value(pixels, their alpha in every lane) for channels in `computed`, else
/// unchanged.
template <typename Value>
HWY_INLINE void change_rgba(float* pixels, std::size_t n, unsigned computed, Value value) {
    const F32 d;
    const auto N = hn::Lanes(d);
    HWY_ALIGN std::int32_t lanes[hn::MaxLanes(d)];
    for (std::size_t i = 0; i < N; ++i) lanes[i] = computed >> (i % 4) & 1u ? -1 : 0;
    const auto changed = hn::MaskFromVec(hn::BitCast(d, hn::Load(hn::RebindToSigned<decltype(d)>(), lanes)));
    for (std::size_t i = 0; i < 4 * n; i += N) {
        const auto v = hn::LoadU(d, pixels + i);
        hn::StoreU(hn::IfThenElse(changed, value(d, v, hn::Broadcast<3>(v)), v), d, pixels + i);
    }
}

template <typename D>
HWY_INLINE auto alpha_lanes(D d) {
    const hn::RebindToSigned<D> whole;
    const auto three = hn::Set(whole, 3);
    return hn::RebindMask(d, hn::Eq(hn::And(hn::Iota(whole, 0), three), three));
}

/// Clamps to the range from 0 to 1; NaN becomes 0.
template <typename D, typename V>
HWY_INLINE V in_range(D d, V ratio) {
    return hn::IfThenElseZero(hn::Gt(ratio, hn::Zero(d)), hn::Min(ratio, hn::Set(d, 1.0f)));
}

void premultiply_rgba(float* pixels, std::size_t n, float scale, unsigned computed) {
    const bool alpha_passes_on = !(computed >> 3 & 1u);
    change_rgba(pixels, n, computed, [=](auto d, auto v, auto alpha) HWY_ATTR {
        const auto ratio = hn::Div(alpha, hn::Set(d, scale));
        const auto alpha_weighting = alpha_passes_on ? in_range(d, ratio) : ratio;
        return hn::IfThenElse(alpha_lanes(d), v, hn::Mul(v, alpha_weighting));
    });
}

void unpremultiply_rgba(float* pixels, std::size_t n, float scale, unsigned computed) {
    change_rgba(pixels, n, computed, [scale](auto d, auto v, auto alpha) HWY_ATTR {
        const auto zero = hn::Zero(d);
        const auto alpha_weighting = in_range(d, hn::Div(alpha, hn::Set(d, scale)));
        const auto colour = hn::IfThenElse(hn::Eq(alpha_weighting, zero), zero, hn::Div(v, alpha_weighting));
        return hn::IfThenElse(alpha_lanes(d), hn::Mul(alpha_weighting, hn::Set(d, scale)), colour);
    });
}

#endif

const char* target_name() { return hwy::TargetName(HWY_TARGET); }

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(widen);
HWY_EXPORT(narrow);
HWY_EXPORT(widen_float64);
HWY_EXPORT(narrow_float64);
HWY_EXPORT(premultiply_rgba);
HWY_EXPORT(unpremultiply_rgba);
HWY_EXPORT(target_name);

void widen(const void* from, Depth depth, std::size_t n, float* to) {
    HWY_DYNAMIC_DISPATCH(widen)(from, depth, n, to);
}
void narrow(const float* from, Depth depth, std::size_t n, void* to) {
    HWY_DYNAMIC_DISPATCH(narrow)(from, depth, n, to);
}
void widen(const void* from, Depth depth, std::size_t n, double* to) {
    HWY_DYNAMIC_DISPATCH(widen_float64)(from, depth, n, to);
}
void narrow(const double* from, Depth depth, std::size_t n, void* to) {
    HWY_DYNAMIC_DISPATCH(narrow_float64)(from, depth, n, to);
}
void premultiply_rgba(float* pixels, std::size_t n, float scale, unsigned computed) {
    HWY_DYNAMIC_DISPATCH(premultiply_rgba)(pixels, n, scale, computed);
}
void unpremultiply_rgba(float* pixels, std::size_t n, float scale, unsigned computed) {
    HWY_DYNAMIC_DISPATCH(unpremultiply_rgba)(pixels, n, scale, computed);
}
std::string simd_target() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

} // namespace kg::cpu
#endif
