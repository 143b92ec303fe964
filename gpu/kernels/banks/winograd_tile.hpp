#pragma once
// The transforms of one tile of Winograd's F(m x m, 3 x 3), with m = `Side`, by the matrices of
// core/request/winograd.hpp. They are templates of the type of numbers, so that tests on the CPU compute them
// in whole numbers.

#include "core/image/host_device.hpp"

#include <cmath>
#include <type_traits>

namespace kg::gpu {

/// a * b + c; of floats with one rounding.
template <typename Number>
KG_HOST_DEVICE inline Number multiply_add(Number a, Number b, Number c) {
    if constexpr (std::is_same_v<Number, float>) return fmaf(a, b, c);
    else return a * b + c;
}

/// B^T along the Side + 2 numbers v[0], v[Step], v[2 * Step] and so on, in place.
template <int Side, int Step, typename Number>
KG_HOST_DEVICE inline void to_winograd_points(Number* v) {
    static_assert(Side == 2 || Side == 4);
    const Number a = v[0], b = v[Step], c = v[2 * Step], d = v[3 * Step];
    if constexpr (Side == 2) {
        v[0] = a - c;
        v[Step] = b + c;
        v[2 * Step] = c - b;
        v[3 * Step] = b - d;
    } else {
        const Number e = v[4 * Step], f = v[5 * Step];
        const Number even = multiply_add(Number(-4), c, e), odd = multiply_add(Number(-4), b, d),
                     near = e - c, far = d - b;
        v[0] = multiply_add(Number(4), a, multiply_add(Number(-5), c, e));
        v[Step] = even + odd;
        v[2 * Step] = even - odd;
        v[3 * Step] = multiply_add(Number(2), far, near);
        v[4 * Step] = multiply_add(Number(-2), far, near);
        v[5 * Step] = multiply_add(Number(4), b, multiply_add(Number(-5), d, f));
    }
}

/// A^T along the sums m[0], m[Step] and so on, of Side + 2 points, to to[0], to[Step] and so on.
template <int Side, int Step, typename Number>
KG_HOST_DEVICE inline void to_winograd_outputs(const Number* m, Number* to) {
    if constexpr (Side == 2) {
        to[0] = m[0] + m[Step] + m[2 * Step];
        to[Step] = m[Step] - m[2 * Step] - m[3 * Step];
    } else {
        const Number sum = m[Step] + m[2 * Step], difference = m[Step] - m[2 * Step],
                     far_sum = m[3 * Step] + m[4 * Step], far_difference = m[3 * Step] - m[4 * Step];
        to[0] = m[0] + sum + far_sum;
        to[Step] = multiply_add(Number(2), far_difference, difference);
        to[2 * Step] = multiply_add(Number(4), far_sum, sum);
        to[3 * Step] = multiply_add(Number(8), far_difference, difference) + m[5 * Step];
    }
}

/// B^T d B of the numbers d under a tile, row by row, in place.
template <int Side, typename Number>
KG_HOST_DEVICE inline void transform_winograd_numbers(Number (&tile)[(Side + 2) * (Side + 2)]) {
    constexpr int kEdge = Side + 2;
    KG_UNROLL for (int i = 0; i < kEdge; ++i) to_winograd_points<Side, 1>(tile + kEdge * i);
    KG_UNROLL for (int j = 0; j < kEdge; ++j) to_winograd_points<Side, kEdge>(tile + j);
}

/// A^T s A of the sums s at the points of a tile: its outputs, row by row, times WinogradMethod::scale^2.
template <int Side, typename Number>
KG_HOST_DEVICE inline void transform_winograd_sums(const Number (&sums)[(Side + 2) * (Side + 2)],
                                                   Number (&outputs)[Side * Side]) {
    constexpr int kEdge = Side + 2;
    Number rows[Side * kEdge]; // down each column first
    KG_UNROLL for (int j = 0; j < kEdge; ++j) to_winograd_outputs<Side, kEdge>(sums + j, rows + j);
    KG_UNROLL for (int i = 0; i < Side; ++i)
        to_winograd_outputs<Side, 1>(rows + kEdge * i, outputs + Side * i);
}

} // namespace kg::gpu
