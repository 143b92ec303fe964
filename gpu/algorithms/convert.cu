// Pixel formats into each other: depth, light, premultiplication, sign. No filter, so it is never chosen by itself; the
// planner puts it where an algorithm does not read or write a format. One kernel whose depths are run-time switches: it
// waits for memory, not for branches that are the same in every thread.

#include "core/conversion.hpp"
#include "core/sample.hpp"
#include "core/step.hpp"
#include "gpu/cuda/device.hpp"
#include "gpu/cuda/stage.hpp"

#include <cuda_fp16.h>

namespace kg::gpu {

namespace {

constexpr int kThreads = 256;

struct ConvertParameters {
    PixelConversion conversion;
    Depth in, out;
    StopFlag stop;
    int width, height, blocks_per_row;
    StageItem items[kMostItems];
};

/// All samples of a pixel, in one access where there are 4 of them.
template <typename Sample, typename Get>
__device__ void load(const std::byte* row, int x, int channels, float* pixel, Get get) {
    struct alignas(4 * sizeof(Sample)) Four {
        Sample sample[4];
    };
    if (channels == 4) {
        const Four four = reinterpret_cast<const Four*>(row)[x];
#pragma unroll
        for (int c = 0; c < 4; ++c) pixel[c] = get(four.sample[c]);
        return;
    }
    const auto* samples = reinterpret_cast<const Sample*>(row) + std::int64_t{x} * channels;
#pragma unroll
    for (int c = 0; c < 3; ++c)
        if (c < channels) pixel[c] = get(samples[c]);
}

template <typename Sample, typename Put>
__device__ void save(std::byte* row, int x, int channels, const float* pixel, Put put) {
    struct alignas(4 * sizeof(Sample)) Four {
        Sample sample[4];
    };
    if (channels == 4) {
        Four four;
#pragma unroll
        for (int c = 0; c < 4; ++c) four.sample[c] = put(pixel[c]);
        reinterpret_cast<Four*>(row)[x] = four;
        return;
    }
    auto* samples = reinterpret_cast<Sample*>(row) + std::int64_t{x} * channels;
#pragma unroll
    for (int c = 0; c < 3; ++c)
        if (c < channels) samples[c] = put(pixel[c]);
}

/// Finite values clamp, NaN and infinities stay (semantics 6).
__device__ unsigned short to_half(float v) {
    const float finite = isfinite(v) ? fminf(fmaxf(v, -65504.0f), 65504.0f) : v;
    return __half_as_ushort(__float2half_rn(finite));
}

__global__ void __launch_bounds__(kThreads) convert_pixels(const __grid_constant__ ConvertParameters p) {
    const int x = static_cast<int>(blockIdx.x) % p.blocks_per_row * kThreads + static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.x) / p.blocks_per_row;
    if (x >= p.width || p.stop.raised()) return;
    const auto& item = p.items[blockIdx.z];
    const auto* from = item.src + y * item.src_pitch;
    auto* to = item.dst + y * item.dst_pitch;
    const int channels = p.conversion.channels;
    float pixel[kMaxChannels];
    switch (p.in) {
    case Depth::u8:
        load<std::uint8_t>(from, x, channels, pixel, [](std::uint8_t v) { return static_cast<float>(v); });
        break;
    case Depth::u16:
        load<std::uint16_t>(from, x, channels, pixel, [](std::uint16_t v) { return static_cast<float>(v); });
        break;
    case Depth::f16:
        load<std::uint16_t>(from, x, channels, pixel,
                            [](std::uint16_t v) { return __half2float(__ushort_as_half(v)); });
        break;
    case Depth::f32: load<float>(from, x, channels, pixel, [](float v) { return v; }); break;
    }
    p.conversion(pixel);
    switch (p.out) {
    case Depth::u8:
        save<std::uint8_t>(to, x, channels, pixel,
                           [](float v) { return SampleTraits<std::uint8_t>::from(v); });
        break;
    case Depth::u16:
        save<std::uint16_t>(to, x, channels, pixel,
                            [](float v) { return SampleTraits<std::uint16_t>::from(v); });
        break;
    case Depth::f16: save<std::uint16_t>(to, x, channels, pixel, [](float v) { return to_half(v); }); break;
    case Depth::f32: save<float>(to, x, channels, pixel, [](float v) { return v; }); break;
    }
}

class ConvertPlan final : public Plan {
public:
    explicit ConvertPlan(const ImageRequest& step)
        : in_(step.in.depth), out_(step.out.depth), conversion_(PixelConversion::from(step)) {}

    Needs needs(const Rect& output) const override { return {output, 0, 1}; }

    void record(Queue& queue, std::span<const Item> items, const BufferView&) const override {
        auto& cuda = static_cast<CudaQueue&>(queue);
        if (items.empty() || cuda.stop_requested()) return;
        const auto& covers = items.front().dst.covers;
        ConvertParameters p{conversion_,
                            in_,
                            out_,
                            cuda.stop_flag(),
                            static_cast<int>(covers.width),
                            static_cast<int>(covers.height),
                            0,
                            {}};
        p.blocks_per_row = (p.width + kThreads - 1) / kThreads;
        const auto blocks = static_cast<unsigned>(std::int64_t{p.blocks_per_row} * p.height);
        for (std::size_t begin = 0; begin < items.size(); begin += kMostItems) {
            const auto some = items.subspan(begin, std::min<std::size_t>(kMostItems, items.size() - begin));
            for (std::size_t i = 0; i < some.size(); ++i) {
                const auto src = some[i].src.crop(some[i].dst.covers);
                p.items[i] = {address_of(src), address_of(some[i].dst), static_cast<std::int64_t>(src.pitch),
                              static_cast<std::int64_t>(some[i].dst.pitch)};
            }
            void* arguments[] = {&p};
            cuda.launch(reinterpret_cast<const void*>(&convert_pixels),
                        {blocks, 1, static_cast<unsigned>(some.size())}, kThreads, 0, arguments);
        }
    }

private:
    Depth in_, out_;
    PixelConversion conversion_;
};

std::string why_not(const Request& request, const Engine&) {
    const auto& r = std::get<ImageRequest>(request);
    if (r.size.width > kLongestSide || r.size.height > kLongestSide)
        return "a side of the picture is longer than 2^28 pixels";
    return why_not_conversion(r);
}

Cost cost(const Request& request, const Engine&) {
    constexpr double kBytesPerMicrosecond = 3e6;
    return {kLaunchMicroseconds + bytes_moved(std::get<ImageRequest>(request)) / kBytesPerMicrosecond};
}

std::shared_ptr<const Plan> plan(const Request& request, Engine&) {
    return std::make_shared<ConvertPlan>(std::get<ImageRequest>(request));
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
