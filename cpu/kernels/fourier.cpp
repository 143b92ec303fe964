#include "cpu/kernels/fourier.hpp"

#include <cmath>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/fourier.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename V>
struct Complex {
    V re, im;
};
template <typename V>
HWY_INLINE Complex<V> operator+(Complex<V> a, Complex<V> b) {
    return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <typename V>
HWY_INLINE Complex<V> operator-(Complex<V> a, Complex<V> b) {
    return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
template <typename V>
HWY_INLINE Complex<V> operator*(Complex<V> a, Complex<V> b) {
    return {hn::NegMulAdd(a.im, b.im, hn::Mul(a.re, b.re)), hn::MulAdd(a.re, b.im, hn::Mul(a.im, b.re))};
}
/// a times the conjugate of b.
template <typename V>
HWY_INLINE Complex<V> times_conjugate(Complex<V> a, Complex<V> b) {
    return {hn::MulAdd(a.im, b.im, hn::Mul(a.re, b.re)), hn::NegMulAdd(a.re, b.im, hn::Mul(a.im, b.re))};
}

/// The transform of four numbers, or `size` times its inverse.
template <typename V>
HWY_INLINE void four_points(Complex<V>& a, Complex<V>& b, Complex<V>& c, Complex<V>& d, bool inverse) {
    const auto even = a + c, odd = a - c, sum = b + d, difference = b - d;
    const Complex<V> minus_i{difference.im, hn::Neg(difference.re)};
    a = even + sum;
    c = even - sum;
    b = inverse ? odd - minus_i : odd + minus_i;
    d = inverse ? odd + minus_i : odd - minus_i;
}

template <typename D, typename T>
HWY_INLINE Complex<hn::Vec<D>> load(D d, const T* re, const T* im) {
    return {hn::LoadU(d, re), hn::LoadU(d, im)};
}
template <typename D, typename T>
HWY_INLINE void store(Complex<hn::Vec<D>> v, D d, T* re, T* im) {
    hn::StoreU(v.re, d, re);
    hn::StoreU(v.im, d, im);
}

template <bool Inverse, typename V>
HWY_INLINE Complex<V> turned(Complex<V> point, Complex<V> factor) {
    if constexpr (Inverse) return times_conjugate(point, factor);
    else return point * factor;
}

/// A pass over four points `s` apart, a vector of neighbours at a time. The forward pass multiplies by the
/// twiddle factors behind the butterfly, the inverse before it.
template <bool Inverse, typename D, typename T>
void pass_of_four(D d, T* re, T* im, std::size_t size, std::size_t s, const T* factors) {
    for (std::size_t block = 0; block < size; block += 4 * s)
        for (std::size_t k = 0; k < s; k += hn::Lanes(d)) {
            T *r = re + block + k, *i = im + block + k;
            auto a = load(d, r, i), b = load(d, r + s, i + s), c = load(d, r + 2 * s, i + 2 * s),
                 e = load(d, r + 3 * s, i + 3 * s);
            const auto factor = [&](std::size_t point) {
                return load(d, factors + (2 * point - 2) * s + k, factors + (2 * point - 1) * s + k);
            };
            if constexpr (Inverse) {
                b = turned<true>(b, factor(1)), c = turned<true>(c, factor(2)),
                e = turned<true>(e, factor(3));
                four_points(a, b, c, e, true);
            } else {
                four_points(a, b, c, e, false);
                b = turned<false>(b, factor(1)), c = turned<false>(c, factor(2)),
                e = turned<false>(e, factor(3));
            }
            store(a, d, r, i);
            store(b, d, r + s, i + s);
            store(c, d, r + 2 * s, i + 2 * s);
            store(e, d, r + 3 * s, i + 3 * s);
        }
}

/// The pass over four neighbours, whose twiddle factors are 1.
template <bool Inverse, typename T>
void pass_of_neighbours(T* re, T* im, std::size_t size) {
    const hn::ScalableTag<T> d;
    using V = hn::Vec<decltype(d)>;
    for (std::size_t k = 0; k < size; k += 4 * hn::Lanes(d)) {
        Complex<V> a, b, c, e;
        hn::LoadInterleaved4(d, re + k, a.re, b.re, c.re, e.re);
        hn::LoadInterleaved4(d, im + k, a.im, b.im, c.im, e.im);
        four_points(a, b, c, e, Inverse);
        hn::StoreInterleaved4(a.re, b.re, c.re, e.re, d, re + k);
        hn::StoreInterleaved4(a.im, b.im, c.im, e.im, d, im + k);
    }
}

/// The pass over the two halves.
template <bool Inverse, typename T>
void pass_of_two(T* re, T* im, std::size_t s, const T* factors) {
    const hn::ScalableTag<T> d;
    for (std::size_t k = 0; k < s; k += hn::Lanes(d)) {
        auto a = load(d, re + k, im + k), b = load(d, re + s + k, im + s + k);
        const auto factor = load(d, factors + k, factors + s + k);
        if constexpr (Inverse) b = turned<true>(b, factor);
        const auto sum = a + b;
        auto difference = a - b;
        if constexpr (!Inverse) difference = turned<false>(difference, factor);
        store(sum, d, re + k, im + k);
        store(difference, d, re + s + k, im + s + k);
    }
}

template <bool Inverse, typename T>
void run_pass(const typename FourierTransform<T>::Pass& pass, const T* factors, std::size_t size, T* re,
              T* im) {
    constexpr std::size_t kShort = 4; // the distance that may be shorter than a vector
    const auto s = pass.distance;
    const T* own = factors + pass.factors;
    if (pass.points == 2) return pass_of_two<Inverse>(re, im, s, own);
    if (s == 1) return pass_of_neighbours<Inverse>(re, im, size);
    if (s == kShort) return pass_of_four<Inverse>(hn::CappedTag<T, kShort>(), re, im, size, s, own);
    pass_of_four<Inverse>(hn::ScalableTag<T>(), re, im, size, s, own);
}

template <typename T>
void multiply(const T* by_re, const T* by_im, std::size_t size, T* re, T* im) {
    const hn::ScalableTag<T> d;
    for (std::size_t k = 0; k < size; k += hn::Lanes(d))
        store(load(d, re + k, im + k) * load(d, by_re + k, by_im + k), d, re + k, im + k);
}

void forward_f32(const FourierTransform<float>::Pass& pass, const float* factors, std::size_t size, float* re,
                 float* im) {
    run_pass<false>(pass, factors, size, re, im);
}
void inverse_f32(const FourierTransform<float>::Pass& pass, const float* factors, std::size_t size, float* re,
                 float* im) {
    run_pass<true>(pass, factors, size, re, im);
}
void forward_f64(const FourierTransform<double>::Pass& pass, const double* factors, std::size_t size,
                 double* re, double* im) {
    run_pass<false>(pass, factors, size, re, im);
}
void inverse_f64(const FourierTransform<double>::Pass& pass, const double* factors, std::size_t size,
                 double* re, double* im) {
    run_pass<true>(pass, factors, size, re, im);
}
void multiply_f32(const float* by_re, const float* by_im, std::size_t size, float* re, float* im) {
    multiply(by_re, by_im, size, re, im);
}
void multiply_f64(const double* by_re, const double* by_im, std::size_t size, double* re, double* im) {
    multiply(by_re, by_im, size, re, im);
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(forward_f32);
HWY_EXPORT(inverse_f32);
HWY_EXPORT(forward_f64);
HWY_EXPORT(inverse_f64);
HWY_EXPORT(multiply_f32);
HWY_EXPORT(multiply_f64);

template <typename T>
FourierTransform<T>::FourierTransform(std::size_t size) : size_(size) {
    std::size_t rest = size; // the length of the transforms that are left to do
    const bool odd_power = __builtin_ctzll(size) % 2 == 1;
    for (int points = odd_power ? 2 : 4; rest > 1; points = 4) {
        const auto distance = rest / static_cast<std::size_t>(points);
        passes_.push_back({distance, points, factors_.size()});
        for (int point = 1; point < points && distance > 1; ++point)
            for (const bool imaginary : {false, true})
                for (std::size_t k = 0; k < distance; ++k) {
                    const double angle = -2 * std::numbers::pi * static_cast<double>(point) *
                                         static_cast<double>(k) / static_cast<double>(rest);
                    factors_.push_back(static_cast<T>(imaginary ? std::sin(angle) : std::cos(angle)));
                }
        rest = distance;
    }
}

template <>
void FourierTransform<float>::forward(float* re, float* im) const {
    for (const auto& pass : passes_) HWY_DYNAMIC_DISPATCH(forward_f32)(pass, factors_.data(), size_, re, im);
}
template <>
void FourierTransform<double>::forward(double* re, double* im) const {
    for (const auto& pass : passes_) HWY_DYNAMIC_DISPATCH(forward_f64)(pass, factors_.data(), size_, re, im);
}
template <>
void FourierTransform<float>::inverse(float* re, float* im) const {
    for (auto pass = passes_.rbegin(); pass != passes_.rend(); ++pass)
        HWY_DYNAMIC_DISPATCH(inverse_f32)(*pass, factors_.data(), size_, re, im);
}
template <>
void FourierTransform<double>::inverse(double* re, double* im) const {
    for (auto pass = passes_.rbegin(); pass != passes_.rend(); ++pass)
        HWY_DYNAMIC_DISPATCH(inverse_f64)(*pass, factors_.data(), size_, re, im);
}
template class FourierTransform<float>;
template class FourierTransform<double>;

void multiply_spectra(std::span<const float> by_re, std::span<const float> by_im, float* re, float* im) {
    HWY_DYNAMIC_DISPATCH(multiply_f32)(by_re.data(), by_im.data(), by_re.size(), re, im);
}
void multiply_spectra(std::span<const double> by_re, std::span<const double> by_im, double* re, double* im) {
    HWY_DYNAMIC_DISPATCH(multiply_f64)(by_re.data(), by_im.data(), by_re.size(), re, im);
}

} // namespace kg::cpu
#endif
