#pragma once
// One signal of a source buffer, read through its border.

#include "core/request/signal_request.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kg::cpu {

template <typename T>
struct SignalLine {
    const std::byte* data = nullptr; ///< sample `held.begin`
    std::size_t stride = sizeof(T);  ///< bytes from a sample to the next
    Span held;                       ///< the samples in memory
    std::int64_t samples = 0;        ///< of the whole signal
    Border border = Border::zero;
    T outside{};

    /// Any sample; those outside are resolved by the border.
    T at(std::int64_t index) const {
        const auto inside = border_index(border, index, samples);
        return inside < 0 ? outside : stored(inside);
    }

    /// out[k] = at(first + k * step) for k in [0, count).
    void load(std::int64_t first, std::int64_t count, std::int64_t step, T* out) const {
        // Samples before the signal, in it, and behind it.
        const auto before = std::clamp<std::int64_t>(first < 0 ? (step - 1 - first) / step : 0, 0, count);
        const auto room = samples - first - before * step;
        const auto inside = std::clamp<std::int64_t>(room > 0 ? (room + step - 1) / step : 0, 0,
                                                     count - before);
        for (std::int64_t k = 0; k < before; ++k) out[k] = at(first + k * step);
        const auto begin = first + before * step;
        if (inside > 0 && step == 1 && stride == sizeof(T))
            std::memcpy(out + before, data + static_cast<std::size_t>(begin - held.begin) * sizeof(T),
                        static_cast<std::size_t>(inside) * sizeof(T));
        else
            for (std::int64_t k = 0; k < inside; ++k) out[before + k] = stored(begin + k * step);
        for (auto k = before + inside; k < count; ++k) out[k] = at(first + k * step);
    }

private:
    T stored(std::int64_t index) const {
        T value;
        std::memcpy(&value, data + static_cast<std::size_t>(index - held.begin) * stride, sizeof value);
        return value;
    }
};

} // namespace kg::cpu
