#pragma once
// Fourier transforms of 128 x 128 complex float32 numbers by one thread block: 32 numbers per thread in
// registers, three passes over both dimensions, between which the threads exchange numbers through shared
// memory.
//
//   pass 1, rows      pass 2, rows and columns     pass 3, columns
//   32 of 128         the other 4, and 8 of 128    the other 16
//
// Row 4 n1 + n2 and column 16 m1 + m2 of the frame become the frequencies k1 + 32 k2 and q1 + 8 q2. Thread t
// holds column t % 128 of the rows 4 s + t / 128 before the first pass, and the inverse direction returns
// them there. The order of the spectrum matters to nobody: both factors of a product have the same. A pass
// writes to the places that it read from, so one barrier between two passes suffices. Source: Cooley and
// Tukey 1965; passes over several dimensions at once as in Van Loan, Computational Frameworks for the FFT,
// 1992.

#include "gpu/kernels/fourier/fft.cuh"

#include <cstddef>

namespace kg::gpu {

inline constexpr int kFusedSize = 128, kFusedThreads = 512, kFusedPoints = 32;
inline constexpr std::size_t kFusedBytes = sizeof(float2) * kFusedSize * kFusedSize; ///< shared memory

/// exp(-2 pi i k / 32), k not negative.
__host__ __device__ constexpr Twiddle twiddle32(int k) {
    constexpr float a = 0.980785280403230449f, b = 0.195090322016128268f, c = 0.831469612302545237f,
                    d = 0.555570233019602225f;
    if (k % 2 == 0) return twiddle16(k / 2);
    constexpr Twiddle kOdd[] = {{a, -b}, {c, -d}, {d, -c}, {b, -a}}; // first quarter
    Twiddle twiddle = kOdd[k / 2 % 4];
    for (int quarter = 0; quarter < k / 8 % 4; ++quarter) twiddle = {twiddle.im, -twiddle.re};
    return twiddle;
}

/// After transform32, slot s holds number fused_number_in(s); the inverse direction expects it there.
__host__ __device__ constexpr int fused_number_in(int slot) { return slot / 8 + 4 * (slot % 8); }

template <Direction kDirection>
__device__ void transform32(float2 (&v)[kFusedPoints]) {
    const auto columns = [&] {
#pragma unroll
        for (int a = 0; a < 8; ++a) transform4<kDirection>(v[a], v[a + 8], v[a + 16], v[a + 24]);
    };
    const auto twiddles = [&] {
#pragma unroll
        for (int a = 1; a < 8; ++a)
#pragma unroll
            for (int b = 1; b < 4; ++b)
                v[a + 8 * b] = a * b % 4 == 0 ? by_eighths<kDirection>(v[a + 8 * b], a * b / 4)
                                              : twiddled<kDirection>(
                                                    v[a + 8 * b], {twiddle32(a * b).re, twiddle32(a * b).im});
    };
    const auto rows = [&] {
#pragma unroll
        for (int b = 0; b < 4; ++b) transform8<kDirection>(v + 8 * b);
    };
    if constexpr (kDirection == Direction::forward) {
        columns(), twiddles(), rows();
    } else {
        rows(), twiddles(), columns();
    }
}

/// A thread's part of the transform of one frame. `frame`: kFusedBytes of shared memory. `twiddles`: exp(-2
/// pi i k / 128) for k < 128, in shared memory. All threads of the block take part.
class FusedTransform {
public:
    __device__ FusedTransform(float2* frame, const float2* twiddles) : frame_(frame), twiddles_(twiddles) {}

    __device__ void to_spectrum(float2 (&v)[kFusedPoints]) const {
        constexpr auto kDirection = Direction::forward;
        transform32<kDirection>(v);
        {
            const auto own = first_place();
#pragma unroll
            for (int s = 0; s < kFusedPoints; ++s)
                frame_[own.at(s)] = s == 0 ? v[s] : twiddled<kDirection>(v[s], own.twiddle(twiddles_, s));
        }
        __syncthreads();
        {
            const auto own = second_place();
            float2 by[8];
            own.twiddles(twiddles_, by);
            read(own, v);
#pragma unroll
            for (int m = 0; m < 8; ++m) transform4<kDirection>(v[m], v[m + 8], v[m + 16], v[m + 24]);
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                transform8<kDirection>(v + 8 * k);
#pragma unroll
                for (int q = 1; q < 8; ++q) v[8 * k + q] = twiddled<kDirection>(v[8 * k + q], by[q]);
            }
            write(own, v);
        }
        __syncthreads();
        {
            const auto own = third_place();
            read(own, v);
            transform16<kDirection>(v), transform16<kDirection>(v + 16);
        }
    }

    /// The inverse direction, not divided by the number of samples.
    __device__ void to_samples(float2 (&v)[kFusedPoints]) const {
        constexpr auto kDirection = Direction::inverse;
        {
            const auto own = third_place();
            transform16<kDirection>(v), transform16<kDirection>(v + 16);
            write(own, v);
        }
        __syncthreads();
        {
            const auto own = second_place();
            float2 by[8];
            own.twiddles(twiddles_, by);
            read(own, v);
#pragma unroll
            for (int k = 0; k < 4; ++k) {
#pragma unroll
                for (int q = 1; q < 8; ++q) v[8 * k + q] = twiddled<kDirection>(v[8 * k + q], by[q]);
                transform8<kDirection>(v + 8 * k);
            }
#pragma unroll
            for (int m = 0; m < 8; ++m) transform4<kDirection>(v[m], v[m + 8], v[m + 16], v[m + 24]);
            write(own, v);
        }
        __syncthreads();
        const auto own = first_place();
#pragma unroll
        for (int s = 0; s < kFusedPoints; ++s) {
            v[s] = frame_[own.at(s)];
            if (s != 0) v[s] = twiddled<kDirection>(v[s], own.twiddle(twiddles_, s));
        }
        transform32<kDirection>(v);
    }

private:
    /// Place of a number in shared memory. Exclusive or with q1 and k1 puts the numbers that half a warp
    /// reads or writes at once into different banks, in every pass.
    static __device__ int place(int k1, int of_4, int of_8, int of_16) {
        return ((k1 * 4 + of_4) * 8 + of_8) * 16 + (of_16 ^ (of_8 | (k1 & 1) << 3));
    }
    /// The thread's number, unknown to the compiler, which would otherwise keep the addresses of all passes
    /// in registers throughout a loop over frames.
    static __device__ int thread() {
        int own = static_cast<int>(threadIdx.x);
        asm volatile("" : "+r"(own));
        return own;
    }

    template <typename Place>
    __device__ void read(const Place& own, float2 (&v)[kFusedPoints]) const {
#pragma unroll
        for (int s = 0; s < kFusedPoints; ++s) v[s] = frame_[own.at(s)];
    }
    template <typename Place>
    __device__ void write(const Place& own, const float2 (&v)[kFusedPoints]) const {
#pragma unroll
        for (int s = 0; s < kFusedPoints; ++s) frame_[own.at(s)] = v[s];
    }

    struct FirstPlace { ///< slots are the 32 numbers of k1
        int n2, m1, m2;
        __device__ int at(int s) const { return place(fused_number_in(s), n2, m1, m2); }
        __device__ float2 twiddle(const float2* twiddles, int s) const {
            return twiddles[n2 * fused_number_in(s)];
        }
    };
    struct SecondPlace { ///< slots are 4 x 8 numbers
        int k1, m2;
        __device__ int at(int s) const { return place(k1, s / 8, s % 8, m2); }
        __device__ void twiddles(const float2* all, float2 (&by)[8]) const {
#pragma unroll
            for (int q = 1; q < 8; ++q) by[q] = all[m2 * q];
        }
    };
    struct ThirdPlace { ///< slots are 16 numbers of two frequencies k2
        int k1, half, q1;
        __device__ int at(int s) const { return place(k1, 2 * half + s / 16, q1, s % 16); }
    };
    static __device__ FirstPlace first_place() {
        const int t = thread();
        return {t / 128, t / 16 % 8, t % 16};
    }
    static __device__ SecondPlace second_place() {
        const int t = thread();
        return {t / 16, t % 16};
    }
    static __device__ ThirdPlace third_place() {
        const int t = thread();
        return {t / 8 % 32, t / 256, t % 8};
    }

    float2* frame_;
    const float2* twiddles_;
};

} // namespace kg::gpu
