#pragma once
// Complex Fourier transforms of 2^n numbers, with real and imaginary parts in arrays of their own. The
// forward transform leaves its result in digit-reversed order and the inverse begins there: what multiplies
// spectra needs no other order, and no pass for sorting.
// Source: Gentleman and Sande, "Fast Fourier Transforms: for fun and profit", AFIPS 1966 (decimation in
// frequency), with four points at a time.

#include <cstddef>
#include <span>
#include <vector>

namespace kg::cpu {

/// T is float or double. Immutable, for any number of threads.
template <typename T>
class FourierTransform {
public:
    /// `size` is a power of two from kSmallest on.
    explicit FourierTransform(std::size_t size);
    static constexpr std::size_t kSmallest = 64;

    std::size_t size() const { return size_; }
    /// In place; the spectrum is in digit-reversed order.
    void forward(T* re, T* im) const;
    /// In place, from that order; the result is `size` times what the forward transform began with.
    void inverse(T* re, T* im) const;

    /// Four points, or two in the first pass of some sizes, are `distance` apart.
    struct Pass {
        std::size_t distance = 1;
        int points = 4;
        std::size_t factors = 0; ///< where its twiddle factors begin: re and im of each point but the first
    };

private:
    std::size_t size_;
    std::vector<Pass> passes_;
    std::vector<T> factors_;
};

/// (re, im)[i] *= (by_re, by_im)[i]
void multiply_spectra(std::span<const float> by_re, std::span<const float> by_im, float* re, float* im);
void multiply_spectra(std::span<const double> by_re, std::span<const double> by_im, double* re, double* im);

} // namespace kg::cpu
