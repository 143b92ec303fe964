#pragma once
// Semantics 15 term by term: what reference and verification of signals share.

#include "core/image/tensor.hpp"
#include "core/request/signal_request.hpp"
#include "core/request/signal_sum.hpp"

#include <cmath>
#include <cstring>

namespace kg {

/// A sum that is rounded once, at its end.
template <typename T>
struct SignalSum {
    T total = 0;
    void add(T a, T b) { total = add_product(total, a, b); } // integers wrap
    T value() const { return total; }
};

/// A product of two floats is exact in float64.
template <>
struct SignalSum<float> {
    double total = 0;
    void add(float a, float b) { total += static_cast<double>(a) * static_cast<double>(b); }
    float value() const { return static_cast<float>(total); }
};

/// Each product and each sum with its rounding error, and the errors summed apart.
/// Source: Ogita, Rump and Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 2005 (Dot2).
template <>
struct SignalSum<double> {
    double total = 0, errors = 0;
    void add(double a, double b) {
        const double product = a * b, product_error = std::fma(a, b, -product);
        const double next = total + product, part = next - total;
        errors += ((total - (next - part)) + (product - part)) + product_error;
        total = next;
    }
    // The errors of infinite terms are NaN, and mean nothing.
    double value() const { return std::isfinite(total) && std::isfinite(errors) ? total + errors : total; }
};

template <typename T>
T signal_number(const ConstTensorView& view, std::int64_t x, std::int64_t y) {
    T number;
    std::memcpy(&number, view.at(x, y), sizeof number);
    return number;
}

/// Calls term(weight, sample) for the taps of output i that are not zero, by the definition: the tap j of a
/// correlation is over sample i * stride + (j - anchor) * dilation, and a convolution reverses taps and
/// anchor. In the full mode the last tap is the anchor, in the valid mode the first.
template <typename T, typename Term>
void for_each_signal_term(const SignalRequest& r, const ConstTensorView& signals, std::int64_t signal,
                          std::int64_t i, Term term) {
    const auto& taps = std::get<std::vector<T>>(r.taps);
    const auto m = static_cast<std::int64_t>(taps.size());
    std::int64_t anchor = 0;
    switch (r.mode) {
    case SignalMode::full: anchor = m - 1; break;
    case SignalMode::same: anchor = r.anchor.value_or(m / 2); break;
    case SignalMode::valid: anchor = 0; break;
    }
    if (r.mode == SignalMode::same && r.flip) anchor = m - 1 - anchor;
    for (std::int64_t j = 0; j < m; ++j) {
        const T weight = taps[static_cast<std::size_t>(r.flip ? m - 1 - j : j)];
        if (weight == 0) continue;
        const auto x = border_index(r.border, i * r.stride + (j - anchor) * r.dilation, r.samples);
        if (x >= 0) term(weight, signal_number<T>(signals, x, signal));
        else if (r.border == Border::constant) term(weight, static_cast<T>(r.outside));
    }
}

} // namespace kg
