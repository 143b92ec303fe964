#include "cpu/kernels/spectrum_sums.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/spectrum_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kg::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Eight sums in registers: real and imaginary part of four filters.
void spectrum_sums(const float* weights, const float* numbers, std::int64_t channels, float* sums) {
    static_assert(kSpectrumFilters == 4);
    const hn::CappedTag<float, static_cast<std::size_t>(kSpectrumBlock)> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t k = 0; k < kSpectrumBlock; k += lanes) {
        auto re0 = hn::Zero(d), re1 = re0, re2 = re0, re3 = re0, im0 = re0, im1 = re0, im2 = re0, im3 = re0;
        const float *weight = weights + k, *number = numbers + k;
        for (std::int64_t c = 0; c < channels; ++c, number += kSpectrumNumbers) {
            const auto re = hn::LoadU(d, number), im = hn::LoadU(d, number + kSpectrumBlock);
            const auto add = [&](auto& sum_re, auto& sum_im) HWY_ATTR {
                const auto by_re = hn::LoadU(d, weight), by_im = hn::LoadU(d, weight + kSpectrumBlock);
                sum_re = hn::NegMulAdd(im, by_im, hn::MulAdd(re, by_re, sum_re));
                sum_im = hn::MulAdd(im, by_re, hn::MulAdd(re, by_im, sum_im));
                weight += kSpectrumNumbers;
            };
            add(re0, im0), add(re1, im1), add(re2, im2), add(re3, im3);
        }
        float* to = sums + k;
        const auto store = [&](auto re, auto im) HWY_ATTR {
            hn::StoreU(re, d, to);
            hn::StoreU(im, d, to + kSpectrumBlock);
            to += kSpectrumNumbers;
        };
        store(re0, im0), store(re1, im1), store(re2, im2), store(re3, im3);
    }
}

} // namespace kg::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kg::cpu {

HWY_EXPORT(spectrum_sums);

void sum_spectra(const float* weights, const float* numbers, std::int64_t channels, float* sums) {
    HWY_DYNAMIC_DISPATCH(spectrum_sums)(weights, numbers, channels, sums);
}

} // namespace kg::cpu
#endif
