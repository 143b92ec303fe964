#pragma once
// Fourier transforms of 256 to 2048 complex float32 numbers: sixteen numbers per thread, Size / 16 threads
// per transform. Each pass runs in registers; between two passes the threads exchange numbers through
// shared memory.
//
// With N = 16 T, sample t + T j is in slot j of thread t. The first pass transforms the sixteen numbers of a
// thread. Sixteen transforms of T numbers remain, of which the second pass does sixteen numbers each and the
// third the rest, two, four or eight. The inverse direction undoes the passes in the opposite order, so that
// no number needs reordering: each returns to the slot it came from. Source: Cooley and Tukey 1965; Van Loan,
// Computational Frameworks for the FFT, 1992.

#include "gpu/kernels/fourier/direction.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <cuda_runtime.h>

namespace kg::gpu {

inline constexpr int kPoints = 16; // complex numbers per thread

/// Twiddle factor exp(-2 pi i k / 16), k not negative.
struct Twiddle {
    float re, im;
};
__host__ __device__ constexpr Twiddle twiddle16(int k) {
    constexpr float c = 0.923879532511286756f, s = 0.382683432365089772f, r = 0.707106781186547524f;
    constexpr Twiddle kFirst[] = {{1.0f, 0.0f}, {c, -s}, {r, -r}, {s, -c}}; // first quarter
    Twiddle twiddle = kFirst[k % 4];
    for (int quarter = 0; quarter < k / 4 % 4; ++quarter) twiddle = {twiddle.im, -twiddle.re};
    return twiddle;
}

__device__ inline float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline float2 operator-(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ inline float2 product(float2 a, float2 b) {
    return {fmaf(a.x, b.x, -(a.y * b.y)), fmaf(a.x, b.y, a.y * b.x)};
}
__device__ inline float2 conjugate(float2 a) { return {a.x, -a.y}; }

template <Direction kDirection>
__device__ float2 twiddled(float2 a, float2 by) {
    return product(a, kDirection == Direction::forward ? by : conjugate(by));
}

template <Direction kDirection>
__device__ float2 by_a_quarter(float2 a) {
    return kDirection == Direction::forward ? float2{a.y, -a.x} : float2{-a.y, a.x};
}

template <Direction kDirection>
__device__ void transform2(float2& a, float2& b) {
    const float2 sum = a + b;
    b = a - b;
    a = sum;
}

template <Direction kDirection>
__device__ void transform4(float2& a, float2& b, float2& c, float2& d) {
    const float2 even = a + c, odd = a - c, sum = b + d, quarter = by_a_quarter<kDirection>(b - d);
    a = even + sum, b = odd + quarter, c = even - sum, d = odd - quarter;
}

/// Times exp(-2 pi i eighths / 8), or its conjugate in the inverse direction.
template <Direction kDirection>
__device__ float2 by_eighths(float2 a, int eighths) {
    constexpr float r = 0.707106781186547524f;
    for (int quarter = 0; quarter < eighths / 2; ++quarter) a = by_a_quarter<kDirection>(a);
    if (eighths % 2 == 0) return a;
    const float2 next = by_a_quarter<kDirection>(a);
    return {(a.x + next.x) * r, (a.y + next.y) * r};
}

/// Eight adjacent numbers.
template <Direction kDirection>
__device__ void transform8(float2* v) {
    float2 a = v[0], b = v[2], c = v[4], d = v[6], e = v[1], f = v[3], g = v[5], h = v[7];
    transform4<kDirection>(a, b, c, d);
    transform4<kDirection>(e, f, g, h);
    f = by_eighths<kDirection>(f, 1), g = by_eighths<kDirection>(g, 2), h = by_eighths<kDirection>(h, 3);
    v[0] = a + e, v[1] = b + f, v[2] = c + g, v[3] = d + h;
    v[4] = a - e, v[5] = b - f, v[6] = c - g, v[7] = d - h;
}

/// After transform16, slot s holds number 4 (s % 4) + s / 4; the inverse direction expects it there.
__device__ constexpr int number_in(int slot) { return slot / 4 + 4 * (slot % 4); }

/// Sixteen adjacent numbers.
template <Direction kDirection>
__device__ void transform16(float2* v) {
    const auto columns = [&] {
#pragma unroll
        for (int a = 0; a < 4; ++a) transform4<kDirection>(v[a], v[a + 4], v[a + 8], v[a + 12]);
    };
    const auto twiddles = [&] {
#pragma unroll
        for (int a = 1; a < 4; ++a)
#pragma unroll
            for (int b = 1; b < 4; ++b)
                v[a + 4 * b] = a * b == 4 ? by_a_quarter<kDirection>(v[a + 4 * b])
                                          : twiddled<kDirection>(v[a + 4 * b],
                                                                 {twiddle16(a * b).re, twiddle16(a * b).im});
    };
    const auto rows = [&] {
#pragma unroll
        for (int b = 0; b < 4; ++b)
            transform4<kDirection>(v[4 * b], v[4 * b + 1], v[4 * b + 2], v[4 * b + 3]);
    };
    if constexpr (kDirection == Direction::forward) {
        columns(), twiddles(), rows();
    } else {
        rows(), twiddles(), columns();
    }
}

/// Transforms of `Size` numbers. A block runs several of them: `Neighbours` are interleaved, so a thread's
/// numbers are that far apart in shared memory.
template <int Size, int Neighbours>
struct Transforms {
    static_assert(Size == 256 || Size == 512 || Size == 1024 || Size == 2048);
    static constexpr int kThreads = Size / kPoints;
    static constexpr int kRest = Size / 256; ///< length of the third pass; 1: there is none
    static constexpr int kSharedNumbers = Size / kPoints * (kPoints + 1) * Neighbours;

    /// Index of a slot's number in the samples; in the spectrum.
    static __device__ int sample_of(int thread, int slot) { return thread + sample_of(slot); }
    static __device__ int frequency_of(int thread, int slot) { return thread + frequency_of(slot); }
    /// The same, relative to slot 0 of thread 0. Known at compile time, so that one address serves all slots.
    static __device__ constexpr int sample_of(int slot) { return kThreads * slot; }
    static __device__ constexpr int frequency_of(int slot) {
        if constexpr (kRest == 1) return kPoints * number_in(slot);
        return kPoints * kRest * (slot / kRest) + 256 * (slot % kRest);
    }

    /// `shared` is the transform's own first number; `twiddles` is filled by twiddles_of().
    static __device__ void to_spectrum(float2 (&v)[kPoints], float2* shared, int thread,
                                       const float2* twiddles) {
        constexpr auto kDirection = Direction::forward;
        const auto at = places_of(shared, thread);
        const auto* own_twiddles = twiddles + thread;
        transform16<kDirection>(v);
        wait();
#pragma unroll
        for (int s = 0; s < kPoints; ++s) {
            const int k = number_in(s);
            at.first[k * Neighbours] = k == 0 ? v[s] : twiddled<kDirection>(v[s], own_twiddles[k * kThreads]);
        }
        wait();
#pragma unroll
        for (int s = 0; s < kPoints; ++s) v[s] = at.second[s * kSecondStep];
        transform16<kDirection>(v);
        if constexpr (kRest > 1) {
            own_twiddles = twiddles + Size + thread / kPoints;
            wait();
#pragma unroll
            for (int s = 0; s < kPoints; ++s) {
                const int k = number_in(s);
                at.first[k * Neighbours] = k == 0 ? v[s]
                                                  : twiddled<kDirection>(v[s], own_twiddles[k * kRest]);
            }
            wait();
#pragma unroll
            for (int s = 0; s < kPoints; ++s) v[s] = at.rest[rest_step(s)];
            transform_rest<kDirection>(v);
        }
    }

    /// The inverse direction, not divided by Size.
    static __device__ void to_samples(float2 (&v)[kPoints], float2* shared, int thread,
                                      const float2* twiddles) {
        constexpr auto kDirection = Direction::inverse;
        const auto at = places_of(shared, thread);
        const float2* own_twiddles = nullptr;
        if constexpr (kRest > 1) {
            own_twiddles = twiddles + Size + thread / kPoints;
            transform_rest<kDirection>(v);
            wait();
#pragma unroll
            for (int s = 0; s < kPoints; ++s) at.rest[rest_step(s)] = v[s];
            wait();
#pragma unroll
            for (int s = 0; s < kPoints; ++s) {
                const int k = number_in(s);
                v[s] = at.first[k * Neighbours];
                if (k != 0) v[s] = twiddled<kDirection>(v[s], own_twiddles[k * kRest]);
            }
        }
        transform16<kDirection>(v);
        wait();
#pragma unroll
        for (int s = 0; s < kPoints; ++s) at.second[s * kSecondStep] = v[s];
        wait();
        own_twiddles = twiddles + thread;
#pragma unroll
        for (int s = 0; s < kPoints; ++s) {
            const int k = number_in(s);
            v[s] = at.first[k * Neighbours];
            if (k != 0) v[s] = twiddled<kDirection>(v[s], own_twiddles[k * kThreads]);
        }
        transform16<kDirection>(v);
    }

private:
    /// Pitch of sixteen numbers, so that threads that go in steps of them meet different banks.
    static constexpr int kPitch = kPoints + 1;
    static constexpr int kSecondStep = kRest * kPitch * Neighbours;

    /// Addresses of a thread's slots between the passes: one address each, with strides known at compile
    /// time.
    struct Places {
        float2* first;  ///< sixteen contiguous numbers
        float2* second; ///< one number of each sixteen, kRest apart
        float2* rest;   ///< last pass: number s % kRest of the transform s / kRest
    };
    static __device__ Places places_of(float2* shared, int thread) {
        const int low = thread % kPoints, high = thread / kPoints;
        return {shared + thread * kPitch * Neighbours, shared + (high * kPitch + low) * Neighbours,
                shared + (low * kPitch + high) * Neighbours};
    }
    static __device__ constexpr int rest_step(int s) {
        return (s % kRest * kPoints * kPitch + kRest * (s / kRest)) * Neighbours;
    }
    template <Direction kDirection>
    static __device__ void transform_rest(float2 (&v)[kPoints]) {
#pragma unroll
        for (int s = 0; s < kPoints; s += kRest) {
            if constexpr (kRest == 2) transform2<kDirection>(v[s], v[s + 1]);
            if constexpr (kRest == 4) transform4<kDirection>(v[s], v[s + 1], v[s + 2], v[s + 3]);
            if constexpr (kRest == 8) transform8<kDirection>(v + s);
        }
    }
    /// Barrier for all threads of a transform: before numbers are overwritten that others may still read, and
    /// after.
    static __device__ void wait() {
        if constexpr (Neighbours == 1 && kThreads <= 32) {
            __syncwarp();
        } else {
            __syncthreads();
        }
    }
};

/// Twiddle factors exp(-2 pi i a b / N) of the passes of Transforms, as pairs; b is the number of the slot.
inline std::vector<float> twiddles_of(int size) {
    std::vector<float> twiddles;
    const auto table = [&](int n, int others) {
        for (int b = 0; b < kPoints; ++b)
            for (int a = 0; a < others; ++a) {
                const double angle = -2 * std::numbers::pi * a * b / n;
                twiddles.push_back(static_cast<float>(std::cos(angle)));
                twiddles.push_back(static_cast<float>(std::sin(angle)));
            }
    };
    table(size, size / kPoints);
    table(size / kPoints, size / 256);
    return twiddles;
}

} // namespace kg::gpu
