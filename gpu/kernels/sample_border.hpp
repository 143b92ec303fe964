#pragma once
// border_index() for kernels of tensors, whose extents have 64 bits.

#include "core/image/border.hpp"
#include "core/image/host_device.hpp"

#include <cmath>
#include <cstdint>

namespace kg::gpu {

/// border_index() of one axis without a division of 64 bits, which would be most of a kernel's code.
struct SampleBorder {
    Border border;
    std::int64_t samples, period; ///< the border repeats after a period
    double per_period;            ///< its reciprocal

    SampleBorder() = default;
    SampleBorder(Border of, std::int64_t count) : border(of), samples(count), period(count) {
        if (count > 1 && of == Border::reflect) period = 2 * count;
        if (count > 1 && of == Border::reflect101) period = 2 * count - 2;
        per_period = 1 / static_cast<double>(period);
    }

    KG_HOST_DEVICE bool has(std::int64_t index) const { return index >= 0 && index < samples; }

    /// As border_index() for any index outside; indices are a few times kMostSamples at most.
    KG_HOST_DEVICE std::int64_t inside(std::int64_t index) const {
        if (border == Border::zero || border == Border::constant) return -1;
        if (border == Border::replicate) return index < 0 ? 0 : samples - 1;
        // The number of periods before the index; rounding is off by one at most.
        const auto periods = static_cast<std::int64_t>(floor(static_cast<double>(index) * per_period));
        std::int64_t m = index - periods * period;
        if (m < 0) m += period;
        if (m >= period) m -= period;
        return m < samples ? m : period - m - (border == Border::reflect ? 1 : 0);
    }

    /// As border_index() for any index: the sample that it maps to; -1 = outside.
    KG_HOST_DEVICE std::int64_t index(std::int64_t i) const { return has(i) ? i : inside(i); }

    /// The same for an index that is at most one beyond an end, or two under `wrap`, in few instructions.
    KG_HOST_DEVICE std::int64_t nearby(std::int64_t i) const {
        if (has(i)) return i;
        const auto n = samples;
        switch (border) {
        case Border::zero:
        case Border::constant: return -1;
        case Border::replicate:
        case Border::reflect: return i < 0 ? 0 : n - 1;
        case Border::reflect101: return n == 1 ? 0 : i < 0 ? 1 : n - 2;
        case Border::wrap: break;
        }
        if (n == 1) return 0;
        return i < 0 ? i + n : i - n;
    }
};

} // namespace kg::gpu
