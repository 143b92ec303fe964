#pragma once
// Fourier transforms of 256, 512 and 1024 complex float32 numbers: sixteen numbers a thread, Size / 16 threads a transform, each
// pass in registers and between two passes an exchange through shared memory.
//
// With N = 16 T, sample t + T j stands in slot j of thread t. The first pass transforms the sixteen of a thread; what remains are
// sixteen transforms of T numbers, of which the second pass does sixteen each and the third the rest, two or four. The way
// back undoes the passes in the opposite order, so that no number ever has to be brought into another order: what stood where
// comes back to where it stood. Source: Cooley and Tukey 1965; Van Loan, Computational Frameworks for the FFT, 1992.

#include <cuda_runtime.h>

namespace kg::gpu {

inline constexpr int kPoints = 16; // numbers of a thread

/// exp(-2 pi i k / 16), k not negative.
struct Turn {
    float re, im;
};
__host__ __device__ constexpr Turn turn16(int k) {
    constexpr float c = 0.923879532511286756f, s = 0.382683432365089772f, r = 0.707106781186547524f;
    constexpr Turn kFirst[] = {{1.0f, 0.0f}, {c, -s}, {r, -r}, {s, -c}}; // of a quarter
    Turn turn = kFirst[k % 4];
    for (int quarter = 0; quarter < k / 4 % 4; ++quarter) turn = {turn.im, -turn.re};
    return turn;
}

__device__ inline float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline float2 operator-(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ inline float2 product(float2 a, float2 b) {
    return {fmaf(a.x, b.x, -(a.y * b.y)), fmaf(a.x, b.y, a.y * b.x)};
}
__device__ inline float2 conjugate(float2 a) { return {a.x, -a.y}; }

enum class Way { to_spectrum, to_samples };

template <Way kWay>
__device__ float2 turned(float2 a, float2 by) {
    return product(a, kWay == Way::to_spectrum ? by : conjugate(by));
}

template <Way kWay>
__device__ float2 by_a_quarter(float2 a) {
    return kWay == Way::to_spectrum ? float2{a.y, -a.x} : float2{-a.y, a.x};
}

template <Way kWay>
__device__ void transform2(float2& a, float2& b) {
    const float2 sum = a + b;
    b = a - b;
    a = sum;
}

template <Way kWay>
__device__ void transform4(float2& a, float2& b, float2& c, float2& d) {
    const float2 even = a + c, odd = a - c, sum = b + d, quarter = by_a_quarter<kWay>(b - d);
    a = even + sum, b = odd + quarter, c = even - sum, d = odd - quarter;
}

/// After transform16 slot s holds number 4 (s % 4) + s / 4, which it expects there on the way back.
__device__ constexpr int number_in(int slot) { return slot / 4 + 4 * (slot % 4); }

template <Way kWay>
__device__ void transform16(float2 (&v)[kPoints]) {
    const auto columns = [&] {
#pragma unroll
        for (int a = 0; a < 4; ++a) transform4<kWay>(v[a], v[a + 4], v[a + 8], v[a + 12]);
    };
    const auto turns = [&] {
#pragma unroll
        for (int a = 1; a < 4; ++a)
#pragma unroll
            for (int b = 1; b < 4; ++b)
                v[a + 4 * b] = a * b == 4 ? by_a_quarter<kWay>(v[a + 4 * b])
                                          : turned<kWay>(v[a + 4 * b], {turn16(a * b).re, turn16(a * b).im});
    };
    const auto rows = [&] {
#pragma unroll
        for (int b = 0; b < 4; ++b) transform4<kWay>(v[4 * b], v[4 * b + 1], v[4 * b + 2], v[4 * b + 3]);
    };
    if constexpr (kWay == Way::to_spectrum) {
        columns(), turns(), rows();
    } else {
        rows(), turns(), columns();
    }
}

/// Transforms of `Size` numbers. Several of them share a block: `Neighbours` stand beside each other, so that a thread's
/// numbers are that far apart in shared memory.
template <int Size, int Neighbours>
struct Transforms {
    static_assert(Size == 256 || Size == 512 || Size == 1024);
    static constexpr int kThreads = Size / kPoints;
    static constexpr int kRest = Size / 256; ///< of the third pass; 1: there is none
    static constexpr int kSharedNumbers = Size / kPoints * (kPoints + 1) * Neighbours;

    /// Where a slot's number stands in the samples; in the spectrum.
    static __device__ int sample_of(int thread, int slot) { return thread + sample_of(slot); }
    static __device__ int frequency_of(int thread, int slot) { return thread + frequency_of(slot); }
    /// The same from where slot 0's of thread 0 stands: known when compiled, so that an address is one for all slots.
    static __device__ constexpr int sample_of(int slot) { return kThreads * slot; }
    static __device__ constexpr int frequency_of(int slot) {
        if constexpr (kRest == 1) return kPoints * number_in(slot);
        return kPoints * kRest * (slot / kRest) + 256 * (slot % kRest);
    }

    /// `shared` is the transform's own first number; `turns` is what turns_of() fills.
    static __device__ void to_spectrum(float2 (&v)[kPoints], float2* shared, int thread,
                                       const float2* turns) {
        constexpr auto kWay = Way::to_spectrum;
        const auto at = places_of(shared, thread);
        const auto* own_turns = turns + thread;
        transform16<kWay>(v);
        wait();
#pragma unroll
        for (int s = 0; s < kPoints; ++s) {
            const int k = number_in(s);
            at.first[k * Neighbours] = k == 0 ? v[s] : turned<kWay>(v[s], own_turns[k * kThreads]);
        }
        wait();
#pragma unroll
        for (int s = 0; s < kPoints; ++s) v[s] = at.second[s * kSecondStep];
        transform16<kWay>(v);
        if constexpr (kRest > 1) {
            own_turns = turns + Size + thread / kPoints;
            wait();
#pragma unroll
            for (int s = 0; s < kPoints; ++s) {
                const int k = number_in(s);
                at.first[k * Neighbours] = k == 0 ? v[s] : turned<kWay>(v[s], own_turns[k * kRest]);
            }
            wait();
#pragma unroll
            for (int s = 0; s < kPoints; ++s) v[s] = at.rest[rest_step(s)];
            transform_rest<kWay>(v);
        }
    }

    /// The way back, not divided by Size.
    static __device__ void to_samples(float2 (&v)[kPoints], float2* shared, int thread, const float2* turns) {
        constexpr auto kWay = Way::to_samples;
        const auto at = places_of(shared, thread);
        const float2* own_turns = nullptr;
        if constexpr (kRest > 1) {
            own_turns = turns + Size + thread / kPoints;
            transform_rest<kWay>(v);
            wait();
#pragma unroll
            for (int s = 0; s < kPoints; ++s) at.rest[rest_step(s)] = v[s];
            wait();
#pragma unroll
            for (int s = 0; s < kPoints; ++s) {
                const int k = number_in(s);
                v[s] = at.first[k * Neighbours];
                if (k != 0) v[s] = turned<kWay>(v[s], own_turns[k * kRest]);
            }
        }
        transform16<kWay>(v);
        wait();
#pragma unroll
        for (int s = 0; s < kPoints; ++s) at.second[s * kSecondStep] = v[s];
        wait();
        own_turns = turns + thread;
#pragma unroll
        for (int s = 0; s < kPoints; ++s) {
            const int k = number_in(s);
            v[s] = at.first[k * Neighbours];
            if (k != 0) v[s] = turned<kWay>(v[s], own_turns[k * kThreads]);
        }
        transform16<kWay>(v);
    }

private:
    static constexpr int kPitch =
        kPoints + 1; ///< of sixteen, so that threads that go in steps of them meet different banks
    static constexpr int kSecondStep = kRest * kPitch * Neighbours;

    /// Where a thread's slots stand between the passes: one address each, and steps that are known when compiled.
    struct Places {
        float2 *first, ///< sixteen in a row
            *second,   ///< one of sixteen each, kRest apart
            *rest;     ///< of the last pass: number s % kRest of the transform s / kRest
    };
    static __device__ Places places_of(float2* shared, int thread) {
        const int low = thread % kPoints, high = thread / kPoints;
        return {shared + thread * kPitch * Neighbours, shared + (high * kPitch + low) * Neighbours,
                shared + (low * kPitch + high) * Neighbours};
    }
    static __device__ constexpr int rest_step(int s) {
        return (s % kRest * kPoints * kPitch + kRest * (s / kRest)) * Neighbours;
    }
    template <Way kWay>
    static __device__ void transform_rest(float2 (&v)[kPoints]) {
#pragma unroll
        for (int s = 0; s < kPoints; s += kRest) {
            if constexpr (kRest == 2) transform2<kWay>(v[s], v[s + 1]);
            if constexpr (kRest == 4) transform4<kWay>(v[s], v[s + 1], v[s + 2], v[s + 3]);
        }
    }
    /// For all threads of a transform; before numbers are written that others may still read, and after.
    static __device__ void wait() {
        if constexpr (Neighbours == 1 && kThreads <= 32) {
            __syncwarp();
        } else {
            __syncthreads();
        }
    }
};

} // namespace kg::gpu
