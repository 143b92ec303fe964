// Conversion between pixel formats: depth, light, premultiplication, sign. It is not a filter and is never
// chosen by itself; the planner inserts it where an algorithm does not read or write a format.
//
// Depths are run-time switches: the kernel is bound by memory bandwidth, not by uniform branches. Where only
// depth and scale change, as around most filters, samples are converted regardless of their pixel, eight per
// thread. RGBA of integers times alpha, and back, as around alpha-weighted filters, has kernels of its own:
// their divisions are those of alpha_weighting.cuh, and a thread has four pixels in flight.

#include "core/request/conversion.hpp"
#include "core/request/sample.hpp"
#include "core/request/step.hpp"
#include "gpu/kernels/alpha_weighting.cuh"
#include "gpu/runtime/device.hpp"

#include <cuda_fp16.h>

#include <cassert>

namespace kg::gpu {

namespace {

constexpr int kThreads = 256;
constexpr int kTogether = 4, kGroups = 2; // samples per read, and reads per thread
constexpr int kPixels = 4;                // pixels of a thread, where alpha is multiplied or divided by

struct ConvertParameters {
    PixelConversion conversion;
    Depth in, out;
    bool wide; ///< every row begins at an address where 16 bytes may be read and written at once
    StopFlag stop;
    /// Width in pixels, or in samples where they are converted one by one.
    int width, height, blocks_per_row;
    StageItem items[kMostItems];
};

struct HalfBits {
    std::uint16_t bits;
};

/// The one place that maps depths to types: body(Sample{}).
template <typename Body>
__device__ void with_depth(Depth depth, Body body) {
    switch (depth) {
    case Depth::u8: body(std::uint8_t{}); return;
    case Depth::u16: body(std::uint16_t{}); return;
    case Depth::f16: body(HalfBits{}); return;
    case Depth::f32: body(float{}); return;
    case Depth::f64: body(double{}); return;
    }
}

/// The same in kernels that compute in `Number`: only those in double meet f64.
template <typename Number, typename Body>
__device__ void with_depth_for(Depth depth, Body body) {
    with_depth(depth, [&](auto sample) {
        if constexpr (!std::is_same_v<decltype(sample), double> || std::is_same_v<Number, double>)
            body(sample);
    });
}

template <typename Number, typename Sample>
__device__ Number widened(Sample v) {
    if constexpr (std::is_same_v<Sample, HalfBits>) return __half2float(__ushort_as_half(v.bits));
    else return static_cast<Number>(v);
}

/// Semantics 6. For half floats, finite values clamp; NaN and infinities stay.
template <typename Sample>
__device__ Sample narrowed(float v) {
    if constexpr (std::is_same_v<Sample, HalfBits>) {
        const float finite = isfinite(v) ? fminf(fmaxf(v, -65504.0f), 65504.0f) : v;
        return {__half_as_ushort(__float2half_rn(finite))};
    } else {
        return SampleTraits<Sample>::from(v);
    }
}

/// The same, rounded once.
template <typename Sample>
__device__ Sample narrowed(double v) {
    if constexpr (std::is_same_v<Sample, double>) return v;
    else if constexpr (std::is_integral_v<Sample>) return narrowed<Sample>(static_cast<float>(rint(v)));
    else return narrowed<Sample>(static_cast<float>(v));
}

template <typename Sample>
struct alignas(kTogether * sizeof(Sample)) Four {
    Sample sample[kTogether];
};

/// `count` samples of a row from `at` on; `wide`: all four at once.
template <typename Sample, typename Number>
__device__ void load(const std::byte* row, std::int64_t at, int count, bool wide,
                     Number (&values)[kTogether]) {
    const auto* samples = reinterpret_cast<const Sample*>(row) + at;
    if (wide) {
        const auto four = *reinterpret_cast<const Four<Sample>*>(samples);
#pragma unroll
        for (int s = 0; s < kTogether; ++s) values[s] = widened<Number>(four.sample[s]);
        return;
    }
#pragma unroll
    for (int s = 0; s < kTogether; ++s) values[s] = s < count ? widened<Number>(samples[s]) : Number{0};
}

template <typename Sample, typename Number>
__device__ void save(std::byte* row, std::int64_t at, int count, bool wide,
                     const Number (&values)[kTogether]) {
    auto* samples = reinterpret_cast<Sample*>(row) + at;
    if (wide) {
        Four<Sample> four;
#pragma unroll
        for (int s = 0; s < kTogether; ++s) four.sample[s] = narrowed<Sample>(values[s]);
        *reinterpret_cast<Four<Sample>*>(samples) = four;
        return;
    }
#pragma unroll
    for (int s = 0; s < kTogether; ++s)
        if (s < count) samples[s] = narrowed<Sample>(values[s]);
}

/// `Number`: double where either format is f64, else float.
template <typename Number>
__global__ void __launch_bounds__(kThreads) convert_pixels(const __grid_constant__ ConvertParameters p) {
    const int x = static_cast<int>(blockIdx.x) % p.blocks_per_row * kThreads + static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.x) / p.blocks_per_row;
    if (p.stop.raised_for_block() || x >= p.width) return;
    assert(y < p.height);
    const auto& item = p.items[blockIdx.z];
    const int channels = p.conversion.channels;
    const bool wide = channels == kTogether;
    Number pixel[kTogether];
    with_depth_for<Number>(p.in, [&](auto sample) {
        load<decltype(sample)>(item.src + y * item.src_pitch, std::int64_t{x} * channels, channels, wide,
                               pixel);
    });
    p.conversion(pixel);
    with_depth_for<Number>(p.out, [&](auto sample) {
        save<decltype(sample)>(item.dst + y * item.dst_pitch, std::int64_t{x} * channels, channels, wide,
                               pixel);
    });
}

__global__ void __launch_bounds__(kThreads) convert_samples(const __grid_constant__ ConvertParameters p) {
    const int first = (static_cast<int>(blockIdx.x) % p.blocks_per_row * kThreads * kGroups +
                       static_cast<int>(threadIdx.x)) *
                      kTogether;
    const int y = static_cast<int>(blockIdx.x) / p.blocks_per_row;
    if (p.stop.raised_for_block()) return;
    assert(y < p.height);
    const auto& item = p.items[blockIdx.z];
    const float in_scale = p.conversion.in_scale, out_scale = p.conversion.out_scale;
    float values[kGroups][kTogether];
    const auto for_each_group = [&](auto body) { // body(group, first sample, samples, all at once)
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            const int at = first + g * kThreads * kTogether, count = min(p.width - at, kTogether);
            if (count > 0) body(g, at, count, p.wide && count == kTogether);
        }
    };
    with_depth_for<float>(p.in, [&](auto sample) {
        for_each_group([&](int g, int at, int count, bool wide) {
            load<decltype(sample)>(item.src + y * item.src_pitch, at, count, wide, values[g]);
        });
    });
    if (p.conversion.rescales()) {
#pragma unroll
        for (auto& group : values)
#pragma unroll
            for (float& v : group) v = v / in_scale * out_scale;
    }
    with_depth_for<float>(p.out, [&](auto sample) {
        for_each_group([&](int g, int at, int count, bool wide) {
            save<decltype(sample)>(item.dst + y * item.dst_pitch, at, count, wide, values[g]);
        });
    });
}

/// body(i, x) for each of a thread's pixels, which are kThreads apart, so that a warp's are adjacent.
template <typename Body>
__device__ void for_each_pixel(const ConvertParameters& p, Body body) {
    const int first = static_cast<int>(blockIdx.x) % p.blocks_per_row * kThreads * kPixels +
                      static_cast<int>(threadIdx.x);
#pragma unroll
    for (int i = 0; i < kPixels; ++i)
        if (const int x = first + i * kThreads; x < p.width) body(i, x);
}

/// RGBA of integers to colour times alpha in floats of the same scale.
template <typename Sample>
__global__ void __launch_bounds__(kThreads) premultiply_pixels(const __grid_constant__ ConvertParameters p) {
    const int y = static_cast<int>(blockIdx.x) / p.blocks_per_row;
    if (p.stop.raised_for_block()) return;
    const auto& item = p.items[blockIdx.z];
    const auto* from = reinterpret_cast<const Four<Sample>*>(item.src + y * item.src_pitch);
    auto* to = reinterpret_cast<float4*>(item.dst + y * item.dst_pitch);
    Four<Sample> pixels[kPixels];
    for_each_pixel(p, [&](int i, int x) { pixels[i] = from[x]; });
    for_each_pixel(p, [&](int i, int x) {
        const auto& s = pixels[i].sample;
        to[x] = premultiplied<Sample>(s[0], s[1], s[2], s[3]);
    });
}

/// The inverse, with clamped alpha.
template <typename Sample>
__global__ void __launch_bounds__(kThreads)
    unpremultiply_pixels(const __grid_constant__ ConvertParameters p) {
    const int y = static_cast<int>(blockIdx.x) / p.blocks_per_row;
    if (p.stop.raised_for_block()) return;
    const auto& item = p.items[blockIdx.z];
    const auto* from = reinterpret_cast<const float4*>(item.src + y * item.src_pitch);
    auto* to = reinterpret_cast<Four<Sample>*>(item.dst + y * item.dst_pitch);
    float4 pixels[kPixels];
    for_each_pixel(p, [&](int i, int x) { pixels[i] = from[x]; });
    for_each_pixel(p, [&](int i, int x) {
        float values[] = {pixels[i].x, pixels[i].y, pixels[i].z, pixels[i].w};
        // False for NaN, too. Colour may be small: its quotient then rounds to 0.
        bool ordinary = values[3] <= 0.0f || values[3] >= 0x1p-60f;
#pragma unroll
        for (const float v : values) ordinary &= fabsf(v) <= 0x1p40f;
        divide_by_alpha<Sample>(values, ordinary);
        Four<Sample> pixel;
#pragma unroll
        for (int c = 0; c < 4; ++c) pixel.sample[c] = narrowed<Sample>(values[c]);
        to[x] = pixel;
    });
}

/// The kernel that multiplies RGBA of integers by alpha, or divides by it, and does nothing else; nullptr for
/// other conversions.
const void* alpha_kernel(Depth in, Depth out, const PixelConversion& conversion) {
    PixelConversion rest = conversion;
    rest.premultiply = rest.unpremultiply = false;
    if (!rest.plain() || rest.rescales() || rest.channels != 4 || rest.alpha != 3 ||
        (rest.computed & all_channels(4)) != all_channels(4))
        return nullptr;
    if (conversion.premultiply && out == Depth::f32) {
        if (in == Depth::u8) return reinterpret_cast<const void*>(&premultiply_pixels<std::uint8_t>);
        if (in == Depth::u16) return reinterpret_cast<const void*>(&premultiply_pixels<std::uint16_t>);
    }
    if (conversion.unpremultiply && in == Depth::f32) {
        if (out == Depth::u8) return reinterpret_cast<const void*>(&unpremultiply_pixels<std::uint8_t>);
        if (out == Depth::u16) return reinterpret_cast<const void*>(&unpremultiply_pixels<std::uint16_t>);
    }
    return nullptr;
}

class ConvertPlan final : public Plan {
public:
    explicit ConvertPlan(const ImageStep& step)
        : in_(step.in.depth), out_(step.out.depth), conversion_(PixelConversion::from(step)) {
        const bool doubles = in_ == Depth::f64 || out_ == Depth::f64;
        by_samples_ = conversion_.plain() && !doubles;
        const auto* alpha = alpha_kernel(in_, out_, conversion_);
        per_thread_ = by_samples_ ? kTogether * kGroups : alpha ? kPixels : 1;
        kernel_ = doubles       ? reinterpret_cast<const void*>(&convert_pixels<double>)
                  : by_samples_ ? reinterpret_cast<const void*>(&convert_samples)
                  : alpha       ? alpha
                                : reinterpret_cast<const void*>(&convert_pixels<float>);
    }

    Needs needs(const Rect& output) const override { return {output, 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& cuda = static_cast<CudaQueue&>(queue);
        if (items.empty() || cuda.stop_requested()) return;
        const auto& covers = items.front().dst.covers;
        ConvertParameters p{};
        p.conversion = conversion_;
        p.in = in_, p.out = out_;
        p.stop = cuda.stop_flag();
        p.width = static_cast<int>(covers.width) * (by_samples_ ? conversion_.channels : 1);
        p.height = static_cast<int>(covers.height);
        const int width_of_block = kThreads * per_thread_;
        p.blocks_per_row = (p.width + width_of_block - 1) / width_of_block;
        const auto blocks = static_cast<unsigned>(std::int64_t{p.blocks_per_row} * p.height);
        const auto at_16_bytes = [](const StageItem& item) {
            return (reinterpret_cast<std::uintptr_t>(item.src) | reinterpret_cast<std::uintptr_t>(item.dst) |
                    static_cast<std::uintptr_t>(item.src_pitch) |
                    static_cast<std::uintptr_t>(item.dst_pitch)) %
                       16 ==
                   0;
        };
        for (std::size_t begin = 0; begin < items.size(); begin += kMostItems) {
            const auto some = items.subspan(begin, std::min<std::size_t>(kMostItems, items.size() - begin));
            p.wide = true;
            for (std::size_t i = 0; i < some.size(); ++i) {
                const auto src = some[i].src.crop(some[i].dst.covers);
                p.items[i] = {address_of(src), address_of(some[i].dst), static_cast<std::int64_t>(src.pitch),
                              static_cast<std::int64_t>(some[i].dst.pitch)};
                p.wide &= at_16_bytes(p.items[i]);
            }
            void* arguments[] = {&p};
            cuda.launch(kernel_, {blocks, 1, static_cast<unsigned>(some.size())}, kThreads, 0, arguments);
        }
    }

private:
    Depth in_, out_;
    PixelConversion conversion_;
    bool by_samples_;
    int per_thread_; ///< samples, or pixels
    const void* kernel_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& r = std::get<ImageStep>(request);
    if (r.size.width > kLongestSide || r.size.height > kLongestSide)
        return "the image is wider or higher than 2^28 pixels";
    return why_not_conversion(r);
}

Cost cost(const PlanStep& request, const Engine&) {
    constexpr double kMicroseconds = 3, kBytesPerMicrosecond = 3e6;
    return {kMicroseconds + bytes_moved(std::get<ImageStep>(request)) / kBytesPerMicrosecond};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    return std::make_shared<ConvertPlan>(std::get<ImageStep>(request));
}

} // namespace

extern const Algorithm kConvert{
    "convert",
    "Convert",
    "Changes depth, light and premultiplication; put between steps by the planner",
    "IEC 61966-2-1 for the sRGB curve",
    why_not,
    cost,
    plan};

} // namespace kg::gpu
