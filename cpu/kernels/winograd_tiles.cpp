#include "cpu/kernels/winograd_tiles.hpp"

#include "cpu/kernels/unrolled.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/winograd_tiles.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Vec = hn::Vec<hn::ScalableTag<float>>;

/// B^T along four vectors.
HWY_INLINE void transform(Vec& a, Vec& b, Vec& c, Vec& d) {
    const auto first = hn::Sub(a, c), second = hn::Add(b, c), third = hn::Sub(c, b), fourth = hn::Sub(b, d);
    a = first;
    b = second;
    c = third;
    d = fourth;
}

void input(float* points, std::int64_t step, std::int64_t count) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t t = 0; t < count; t += lanes) {
        Vec tile[4][4];
        KG_UNROLLED for (int i = 0; i < 4; ++i) KG_UNROLLED for (int j = 0; j < 4; ++j)
            tile[i][j] = hn::LoadU(d, points + (4 * i + j) * step + t);
        KG_UNROLLED for (int i = 0; i < 4; ++i) transform(tile[i][0], tile[i][1], tile[i][2], tile[i][3]);
        KG_UNROLLED for (int j = 0; j < 4; ++j) transform(tile[0][j], tile[1][j], tile[2][j], tile[3][j]);
        KG_UNROLLED for (int i = 0; i < 4; ++i) KG_UNROLLED for (int j = 0; j < 4; ++j)
            hn::StoreU(tile[i][j], d, points + (4 * i + j) * step + t);
    }
}

void output(const float* sums, std::int64_t step, std::int64_t count, float* outputs,
            std::int64_t output_step) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t t = 0; t < count; t += lanes) {
        Vec rows[2][4];
        KG_UNROLLED for (int j = 0; j < 4; ++j) {
            const auto at = [&](int i) { return hn::LoadU(d, sums + (4 * i + j) * step + t); };
            const auto b = at(1), c = at(2);
            rows[0][j] = hn::Add(hn::Add(at(0), b), c);
            rows[1][j] = hn::Sub(hn::Sub(b, c), at(3));
        }
        KG_UNROLLED for (int i = 0; i < 2; ++i) {
            const auto* m = rows[i];
            hn::StoreU(hn::Add(hn::Add(m[0], m[1]), m[2]), d, outputs + 2 * i * output_step + t);
            hn::StoreU(hn::Sub(hn::Sub(m[1], m[2]), m[3]), d, outputs + (2 * i + 1) * output_step + t);
        }
    }
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(input);
HWY_EXPORT(output);

void transform_winograd_input(float* points, std::int64_t step, std::int64_t count) {
    HWY_DYNAMIC_DISPATCH(input)(points, step, count);
}

void transform_winograd_sums(const float* sums, std::int64_t step, std::int64_t count, float* outputs,
                             std::int64_t output_step) {
    HWY_DYNAMIC_DISPATCH(output)(sums, step, count, outputs, output_step);
}

} // namespace kg::cpu
#endif
