#pragma once
// Volumes in host memory, and blocks of kernels for volumes run on the CPU, one thread after another.

#include "gpu/kernels/volumes/stencil_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace kg::gpu::testing {

inline std::vector<float> noise(std::mt19937_64& random, std::int64_t count) {
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (auto& number : numbers) number = std::uniform_real_distribution<float>(-1, 1)(random);
    return numbers;
}

/// A volume of noise in rows that begin at multiples of 16 bytes, or do not. A copy has memory of its own.
class HostVolume {
public:
    HostVolume(const VolumeExtent& size, bool aligned, std::mt19937_64& random)
        : pitch_(static_cast<std::size_t>(size.width + 3) / 4 * 4 + (aligned ? 0 : 1)),
          slice_(pitch_ * static_cast<std::size_t>(size.height)),
          samples_(slice_ * static_cast<std::size_t>(size.depth) / 4 + 1) {
        fill(random);
    }

    void fill(std::mt19937_64& random) {
        for (auto& four : samples_)
            for (auto& sample : four.of) sample = std::uniform_real_distribution<float>(-1, 1)(random);
    }
    VolumeMemory memory() {
        return {reinterpret_cast<std::byte*>(samples_.data()), pitch_ * sizeof(float),
                slice_ * sizeof(float)};
    }
    float* row(std::int64_t y, std::int64_t z) { return memory().row(y, z); }

private:
    struct alignas(16) Four {
        float of[4];
    };
    std::size_t pitch_, slice_; ///< samples
    std::vector<Four> samples_;
};

template <typename Body>
void for_samples(const VolumeExtent& size, Body body) {
    for (std::int64_t z = 0; z < size.depth; ++z)
        for (std::int64_t y = 0; y < size.height; ++y)
            for (std::int64_t x = 0; x < size.width; ++x) body(x, y, z);
}

/// Compares numbers: zeros of either sign are equal, and so are those that are not numbers.
inline ::testing::AssertionResult same_samples(const VolumeExtent& size, HostVolume& a, HostVolume& b) {
    auto result = ::testing::AssertionSuccess();
    for_samples(size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        const float one = a.row(y, z)[x], other = b.row(y, z)[x];
        if (result && one != other && !(std::isnan(one) && std::isnan(other)))
            result = ::testing::AssertionFailure()
                     << "column " << x << " of row " << y << " of slice " << z << " of " << size.width
                     << " x " << size.height << " x " << size.depth << ": " << one << " and " << other;
    });
    return result;
}

/// What threads of a row give those beside them, in the order of their calls.
struct Given {
    float first, last; ///< of their own samples
};

/// Records what a thread gives.
struct BesideRecorded {
    std::vector<Given>* given;

    float left(const StencilSamples& row) const {
        given->push_back({row.own[0], row.own[kVolumeColumns - 1]});
        return std::numeric_limits<float>::quiet_NaN();
    }
    float right(const StencilSamples&) const { return std::numeric_limits<float>::quiet_NaN(); }
};

/// Gives a thread what those beside it recorded; NaN if there is none.
struct BesideReplayed {
    const std::vector<Given>*before, *behind;
    mutable std::size_t call = 0;

    float left(const StencilSamples&) const {
        return before ? before->at(call).last : std::numeric_limits<float>::quiet_NaN();
    }
    float right(const StencilSamples&) const {
        const auto at = call++;
        return behind ? behind->at(at).first : std::numeric_limits<float>::quiet_NaN();
    }
};

/// Calls body(thread, beside) for all threads of a block, of which `lanes` are in a row: first to record what
/// they give each other, then to compute. What they load must not depend on what they are given.
template <typename Body>
void run_threads(int lanes, int threads, Body body) {
    std::vector<std::vector<Given>> given(static_cast<std::size_t>(threads));
    for (int thread = 0; thread < threads; ++thread)
        body(thread, BesideRecorded{&given[static_cast<std::size_t>(thread)]});
    for (int thread = 0; thread < threads; ++thread) {
        const auto* own = &given[static_cast<std::size_t>(thread)];
        body(thread, BesideReplayed{thread % lanes > 0 ? own - 1 : nullptr,
                                    thread % lanes < lanes - 1 ? own + 1 : nullptr});
    }
}
template <typename Body>
void run_threads(int lanes, Body body) {
    run_threads(lanes, kVolumeThreads, std::move(body));
}

} // namespace kg::gpu::testing
