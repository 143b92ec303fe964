// Conversion of vectors of samples from memory to f32 and back, for the files compiled once per SIMD target.
// Each file includes it again for every target, after Highway.

#include "core/request/sample.hpp"

#include <limits>
#include <type_traits>

#if defined(KG_CPU_VECTOR_SAMPLES) == defined(HWY_TARGET_TOGGLE)
#ifdef KG_CPU_VECTOR_SAMPLES
#undef KG_CPU_VECTOR_SAMPLES
#else
#define KG_CPU_VECTOR_SAMPLES
#endif

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

/// One vector of stored samples, as floats.
template <typename Stored>
HWY_INLINE auto load_samples(hwy::HWY_NAMESPACE::ScalableTag<float> d, const Stored* from) {
    namespace hn = hwy::HWY_NAMESPACE;
    if constexpr (std::is_same_v<Stored, float>) {
        return hn::LoadU(d, from);
    } else {
        const hn::RebindToSigned<decltype(d)> wide;
        return hn::ConvertTo(d, hn::PromoteTo(wide, hn::LoadU(hn::Rebind<Stored, decltype(d)>(), from)));
    }
}
/// One vector of stored samples, as doubles.
template <typename Stored>
HWY_INLINE auto load_samples(hwy::HWY_NAMESPACE::ScalableTag<double> d, const Stored* from) {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto stored = hn::LoadU(hn::Rebind<Stored, decltype(d)>(), from);
    if constexpr (std::is_same_v<Stored, double>) return stored;
    else if constexpr (std::is_same_v<Stored, float>) return hn::PromoteTo(d, stored);
    else return hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<std::int32_t, decltype(d)>(), stored));
}
template <typename Stored>
HWY_INLINE auto load_samples(const Stored* from) {
    return load_samples(hwy::HWY_NAMESPACE::ScalableTag<float>(), from);
}

/// The root of a sum of squares. If the sum overflowed, the root of smaller(): the same sum of quotients
/// times kSmallerSquares.
template <typename V, typename Smaller>
HWY_INLINE V root_of_squares(V sum, Smaller smaller) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::DFromV<V> d;
    using Number = hn::TFromV<V>;
    const auto overflown = hn::Gt(sum, hn::Set(d, Number{std::numeric_limits<float>::max()}));
    const auto root = hn::Sqrt(sum);
    if (hn::AllFalse(d, overflown)) return root;
    return hn::IfThenElse(overflown, hn::Mul(hn::Sqrt(smaller()), hn::Set(d, Number{kLargerRoot})), root);
}

/// Rounds to integers that fit.
template <typename V, typename Stored>
HWY_INLINE void store_clamped(V value, Stored* to) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::ScalableTag<float> d;
    // A sum of this size has no fraction bits, so the addition rounds, ties to even, and the lowest bits are
    // the integer. The dedicated conversions take twice as many steps.
    const auto bits = hn::BitCast(hn::RebindToUnsigned<decltype(d)>(), hn::Add(value, hn::Set(d, 0x1.8p23f)));
    const hn::Rebind<Stored, decltype(d)> stored;
    hn::StoreU(hn::TruncateTo(stored, bits), stored, to);
}

/// Clamped and rounded for the depth (semantics 6).
template <typename V>
HWY_INLINE void store_samples(V value, float* to) {
    hwy::HWY_NAMESPACE::StoreU(value, hwy::HWY_NAMESPACE::ScalableTag<float>(), to);
}
template <typename V, typename Stored>
HWY_INLINE void store_samples(V value, Stored* to) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::ScalableTag<float> d;
    const auto largest = hn::Set(d, static_cast<float>(full_scale(SampleTraits<Stored>::depth)));
    const auto positive = hn::IfThenElseZero(hn::Gt(value, hn::Zero(d)), value); // NaN > 0 is false
    store_clamped(hn::Min(positive, largest), to);
}

/// The same for doubles, rounded once.
template <typename V, typename Stored>
HWY_INLINE void store_doubles(V value, Stored* to) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::ScalableTag<double> d;
    const hn::Rebind<Stored, decltype(d)> stored;
    if constexpr (std::is_same_v<Stored, double>) {
        hn::StoreU(value, d, to);
    } else if constexpr (std::is_same_v<Stored, float>) {
        hn::StoreU(hn::DemoteTo(stored, value), stored, to);
    } else {
        const auto largest = hn::Set(d, full_scale(SampleTraits<Stored>::depth));
        const auto positive = hn::IfThenElseZero(hn::Gt(value, hn::Zero(d)), value); // NaN > 0 is false
        const auto whole = hn::DemoteTo(hn::Rebind<std::int32_t, decltype(d)>(),
                                        hn::Round(hn::Min(positive, largest)));
        hn::StoreU(hn::DemoteTo(stored, whole), stored, to);
    }
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
