#include "cpu/samples.hpp"

#include "core/half.hpp"
#include "core/sample.hpp"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/samples.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using F32 = hn::ScalableTag<float>;

template <typename Stored>
void widen_integers(const Stored* from, std::size_t n, float* to) {
    const F32 d;
    const hn::RebindToSigned<F32> wide;
    const hn::Rebind<Stored, F32> stored;
    const auto N = hn::Lanes(d);
    std::size_t i = 0;
    for (; i + N <= n; i += N)
        hn::StoreU(hn::ConvertTo(d, hn::PromoteTo(wide, hn::LoadU(stored, from + i))), d, to + i);
    for (; i < n; ++i) to[i] = static_cast<float>(from[i]);
}

template <typename Stored>
void narrow_integers(const float* from, std::size_t n, Stored* to) {
    const F32 d;
    const hn::Rebind<Stored, F32> stored;
    const auto N = hn::Lanes(d), whole = n / N * N;
    const auto largest = hn::Set(d, static_cast<float>(full_scale(SampleTraits<Stored>::depth)));
    for (std::size_t i = 0; i < whole; i += N) {
        const auto v = hn::LoadU(d, from + i);
        const auto positive = hn::IfThenElseZero(hn::Gt(v, hn::Zero(d)), v); // NaN > 0 is false
        hn::StoreU(hn::DemoteTo(stored, hn::NearestInt(hn::Min(positive, largest))), stored, to + i);
    }
    for (std::size_t i = whole; i < n; ++i) to[i] = SampleTraits<Stored>::from(from[i]);
}

// Halves by the vector's own conversion where there is one; the older targets round in other ways.
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
    }
}

void narrow(const float* from, Depth depth, std::size_t n, void* to) {
    switch (depth) {
    case Depth::u8: return narrow_integers(from, n, static_cast<std::uint8_t*>(to));
    case Depth::u16: return narrow_integers(from, n, static_cast<std::uint16_t*>(to));
    case Depth::f16: return narrow_halves(from, n, static_cast<std::uint16_t*>(to));
    case Depth::f32: std::memcpy(to, from, n * sizeof(float)); return;
    }
}

const char* target_name() { return hwy::TargetName(HWY_TARGET); }

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(widen);
HWY_EXPORT(narrow);
HWY_EXPORT(target_name);

void widen(const void* from, Depth depth, std::size_t n, float* to) {
    HWY_DYNAMIC_DISPATCH(widen)(from, depth, n, to);
}
void narrow(const float* from, Depth depth, std::size_t n, void* to) {
    HWY_DYNAMIC_DISPATCH(narrow)(from, depth, n, to);
}
std::string simd_target() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

} // namespace kg::cpu
#endif
