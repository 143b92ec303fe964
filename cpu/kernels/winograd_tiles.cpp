#include "cpu/kernels/winograd_tiles.hpp"

#include "cpu/kernels/unrolled.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/winograd_tiles.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Vec = hn::Vec<Floats>;

HWY_INLINE Vec number(float value) { return hn::Set(Floats(), value); }

/// B^T along four vectors, which are `step` apart.
template <int step>
HWY_INLINE void to_points_2(Vec* v) {
    const auto a = v[0], b = v[step], c = v[2 * step], d = v[3 * step];
    v[0] = hn::Sub(a, c);
    v[step] = hn::Add(b, c);
    v[2 * step] = hn::Sub(c, b);
    v[3 * step] = hn::Sub(b, d);
}

/// The same along six vectors.
template <int step>
HWY_INLINE void to_points_4(Vec* v) {
    const auto a = v[0], b = v[step], c = v[2 * step], d = v[3 * step], e = v[4 * step], f = v[5 * step];
    const auto even = hn::NegMulAdd(number(4), c, e), odd = hn::NegMulAdd(number(4), b, d),
               near = hn::Sub(e, c), far = hn::Sub(d, b);
    v[0] = hn::MulAdd(number(4), a, hn::NegMulAdd(number(5), c, e));
    v[step] = hn::Add(even, odd);
    v[2 * step] = hn::Sub(even, odd);
    v[3 * step] = hn::MulAdd(number(2), far, near);
    v[4 * step] = hn::NegMulAdd(number(2), far, near);
    v[5 * step] = hn::MulAdd(number(4), b, hn::NegMulAdd(number(5), d, f));
}

template <int side, int step>
HWY_INLINE void to_points(Vec* v) {
    if constexpr (side == 2) to_points_2<step>(v);
    else to_points_4<step>(v);
}

/// A^T along the vectors m to `side` vectors, which are `step` apart.
template <int side, int step>
HWY_INLINE void to_outputs(const Vec* m, Vec* outputs) {
    if constexpr (side == 2) {
        outputs[0] = hn::Add(hn::Add(m[0], m[1]), m[2]);
        outputs[step] = hn::Sub(hn::Sub(m[1], m[2]), m[3]);
    } else {
        const auto sum = hn::Add(m[1], m[2]), difference = hn::Sub(m[1], m[2]);
        const auto far_sum = hn::Add(m[3], m[4]), far_difference = hn::Sub(m[3], m[4]);
        outputs[0] = hn::Add(hn::Add(m[0], sum), far_sum);
        outputs[step] = hn::MulAdd(number(2), far_difference, difference);
        outputs[2 * step] = hn::MulAdd(number(4), far_sum, sum);
        outputs[3 * step] = hn::Add(hn::MulAdd(number(8), far_difference, difference), m[5]);
    }
}

template <int side>
HWY_INLINE void input(float* points, std::int64_t step, std::int64_t count) {
    constexpr int kPoints = side + 2;
    const Floats d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t t = 0; t < count; t += lanes) {
        Vec tile[kPoints * kPoints];
        KG_UNROLLED for (int i = 0; i < kPoints; ++i) {
            KG_UNROLLED for (int j = 0; j < kPoints; ++j)
                tile[kPoints * i + j] = hn::LoadU(d, points + (kPoints * i + j) * step + t);
            to_points<side, 1>(tile + kPoints * i);
        }
        KG_UNROLLED for (int j = 0; j < kPoints; ++j) {
            to_points<side, kPoints>(tile + j);
            KG_UNROLLED for (int i = 0; i < kPoints; ++i)
                hn::StoreU(tile[kPoints * i + j], d, points + (kPoints * i + j) * step + t);
        }
    }
}

template <int side>
HWY_INLINE bool output(const float* sums, std::int64_t step, std::int64_t count, float bias, float* outputs,
                       std::int64_t output_step) {
    constexpr int kPoints = side + 2;
    const Floats d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto finite = hn::FirstN(d, hn::Lanes(d));
    for (std::int64_t t = 0; t < count; t += lanes) {
        Vec rows[side * kPoints];
        KG_UNROLLED for (int j = 0; j < kPoints; ++j) {
            Vec column[kPoints];
            KG_UNROLLED for (int i = 0; i < kPoints; ++i)
                column[i] = hn::LoadU(d, sums + (kPoints * i + j) * step + t);
            to_outputs<side, kPoints>(column, rows + j);
        }
        KG_UNROLLED for (int i = 0; i < side; ++i) {
            Vec row[side];
            to_outputs<side, 1>(rows + kPoints * i, row);
            KG_UNROLLED for (int j = 0; j < side; ++j) {
                // The float next to 1/9 gives the ninth of a multiple of 9 exactly.
                if constexpr (side == 4) row[j] = hn::Mul(row[j], number(1.0f / 9));
                row[j] = hn::Add(row[j], number(bias));
                finite = hn::And(finite, hn::IsFinite(row[j]));
            }
            float* const to = outputs + i * output_step + side * t;
            if constexpr (side == 2) hn::StoreInterleaved2(row[0], row[1], d, to);
            else hn::StoreInterleaved4(row[0], row[1], row[2], row[3], d, to);
        }
    }
    return hn::AllTrue(d, finite);
}

void input_2(float* points, std::int64_t step, std::int64_t count) { input<2>(points, step, count); }
void input_4(float* points, std::int64_t step, std::int64_t count) { input<4>(points, step, count); }
bool output_2(const float* sums, std::int64_t step, std::int64_t count, float bias, float* outputs,
              std::int64_t output_step) {
    return output<2>(sums, step, count, bias, outputs, output_step);
}
bool output_4(const float* sums, std::int64_t step, std::int64_t count, float bias, float* outputs,
              std::int64_t output_step) {
    return output<4>(sums, step, count, bias, outputs, output_step);
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(input_2);
HWY_EXPORT(input_4);
HWY_EXPORT(output_2);
HWY_EXPORT(output_4);

void transform_winograd_input(std::int64_t side, float* points, std::int64_t step, std::int64_t count) {
    if (side == 2) HWY_DYNAMIC_DISPATCH(input_2)(points, step, count);
    else HWY_DYNAMIC_DISPATCH(input_4)(points, step, count);
}

bool transform_winograd_sums(std::int64_t side, const float* sums, std::int64_t step, std::int64_t count,
                             float bias, float* outputs, std::int64_t output_step) {
    if (side == 2) return HWY_DYNAMIC_DISPATCH(output_2)(sums, step, count, bias, outputs, output_step);
    return HWY_DYNAMIC_DISPATCH(output_4)(sums, step, count, bias, outputs, output_step);
}

} // namespace kg::cpu
#endif
