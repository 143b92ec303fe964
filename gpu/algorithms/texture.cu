// Taps through the texture unit, which resolves the border in hardware.
//
// The sampler clamps a coordinate (`replicate`) or returns zero (`zero`) at no instruction's cost, and its
// cache layout favours neighbours in both directions. Its mirror mode repeats the edge pixel and, like its
// wrap mode, needs normalised coordinates, so other algorithms serve those borders. It is the fastest of the
// algorithms with one output per thread at 3 x 3 (docs/performance.md), but each tap is still a request to
// another unit.

#include "core/request/step.hpp"
#include "gpu/kernels/linear_texture.hpp"
#include "gpu/kernels/one_output.cuh"
#include "gpu/runtime/device.hpp"

namespace kg::gpu {

namespace {

struct TextureParameters {
    StageParameters<kFewWeights> stage;
    cudaTextureObject_t images[kMostItems];
};

template <typename In, int Channels>
struct Texel;
template <>
struct Texel<std::uint8_t, 1> : std::type_identity<uchar1> {};
template <>
struct Texel<std::uint8_t, 2> : std::type_identity<uchar2> {};
template <>
struct Texel<std::uint8_t, 4> : std::type_identity<uchar4> {};
template <>
struct Texel<float, 1> : std::type_identity<float1> {};
template <>
struct Texel<float, 2> : std::type_identity<float2> {};
template <>
struct Texel<float, 4> : std::type_identity<float4> {};

template <typename In, int Channels>
__device__ float fetch(cudaTextureObject_t image, int x, int y, int channel) {
    const auto texel = tex2D<typename Texel<In, Channels>::type>(image, static_cast<float>(x) + 0.5f,
                                                                 static_cast<float>(y) + 0.5f);
    if constexpr (Channels == 1) return static_cast<float>(texel.x);
    else if constexpr (Channels == 2) return static_cast<float>(channel == 0 ? texel.x : texel.y);
    else
        return static_cast<float>(channel == 0   ? texel.x
                                  : channel == 1 ? texel.y
                                  : channel == 2 ? texel.z
                                                 : texel.w);
}

template <typename In, typename Out, int Channels>
__global__ void __launch_bounds__(kOutputColumns* kOutputRows, 4)
    filter_texture(const __grid_constant__ TextureParameters p) {
    const auto& c = p.stage.common;
    const auto own = own_output(c);
    if (!own.exists || c.stop.raised()) return;
    const auto image = p.images[blockIdx.z];
    const float value = output_value(c, own, p.stage.weights, [&](int x, int y) {
        return fetch<In, Channels>(image, x - c.src_x, y - c.src_y, own.channel);
    });
    store_output<Out>(c, c.items[blockIdx.z], own, value);
}

cudaChannelFormatDesc texel_of(const PixelFormat& format) {
    const int bits = static_cast<int>(8 * bytes(format.depth)), c = format.channels;
    return {bits, c > 1 ? bits : 0, c > 2 ? bits : 0, c > 3 ? bits : 0,
            format.depth == Depth::f32 ? cudaChannelFormatKindFloat : cudaChannelFormatKindUnsigned};
}

class TexturePlan final : public StagePlan {
public:
    explicit TexturePlan(const ImageStep& step) : StagePlan(step, pack(step, false)) {
        kernel_ = with_samples(step.in, step.out, [&](auto in, auto out) {
            const auto with = [&](auto channels) {
                return reinterpret_cast<const void*>(
                    &filter_texture<decltype(in), decltype(out), decltype(channels)::value>);
            };
            return step.in.channels == 1   ? with(Constant<1>{})
                   : step.in.channels == 2 ? with(Constant<2>{})
                                           : with(Constant<4>{});
        });
    }

    /// Scratch for a copy where the image's rows are not aligned as the texture unit requires.
    Needs needs(const Rect& output) const override {
        auto needs = StagePlan::needs(output);
        needs.scratch_bytes = copy_bytes(needs.source);
        return needs;
    }

private:
    std::size_t copy_pitch(std::int64_t width) const {
        const auto row = static_cast<std::size_t>(width) * bytes_per_pixel(step().in);
        return (row + kTextureAlignment - 1) / kTextureAlignment * kTextureAlignment;
    }
    std::size_t copy_bytes(const Rect& source) const {
        return kTextureAlignment + copy_pitch(source.width) * static_cast<std::size_t>(source.height);
    }

    void launch(CudaQueue& queue, StageParameters<kMostWeights>& parameters, unsigned count,
                std::byte* scratch) const override {
        TextureParameters p;
        p.stage.common = parameters.common;
        std::copy_n(parameters.weights, packed().weights.size(), p.stage.weights);
        auto& c = p.stage.common;
        const Rect outputs{c.dst_x, c.dst_y, c.dst_width, c.dst_height};
        const auto source = StagePlan::needs(outputs).source;
        const bool in_place = [&] {
            for (unsigned i = 0; i < count; ++i)
                if (reinterpret_cast<std::uintptr_t>(c.items[i].src) % kTextureAlignment != 0 ||
                    static_cast<std::size_t>(c.items[i].src_pitch) % kTexturePitchAlignment != 0)
                    return false;
            return true;
        }();
        if (!in_place) copy_sources(queue, c, count, source, scratch);
        for (unsigned i = 0; i < count; ++i) {
            const auto& item = c.items[i];
            auto texture = std::make_shared<LinearTexture>(item.src, static_cast<std::size_t>(item.src_pitch),
                                                           c.src_width, c.src_height, texel_of(step().in),
                                                           c.border);
            p.images[i] = texture->get();
            queue.keep_until_done(std::move(texture));
        }
        void* arguments[] = {&p};
        queue.launch(kernel_, output_blocks(c, count), kOutputThreads, 0, arguments);
    }

    void copy_sources(CudaQueue& queue, StageCommon& c, unsigned count, const Rect& source,
                      std::byte* scratch) const {
        const auto pixel = bytes_per_pixel(step().in), pitch = copy_pitch(source.width);
        for (unsigned i = 0; i < count; ++i) {
            auto& item = c.items[i];
            const auto own = reinterpret_cast<std::uintptr_t>(scratch + i * copy_bytes(source));
            auto* to = reinterpret_cast<std::byte*>((own + kTextureAlignment - 1) / kTextureAlignment *
                                                    kTextureAlignment);
            const auto* from = item.src + (source.y - c.src_y) * item.src_pitch +
                               (source.x - c.src_x) * static_cast<std::int64_t>(pixel);
            check(cudaMemcpy2DAsync(to, pitch, from, static_cast<std::size_t>(item.src_pitch),
                                    static_cast<std::size_t>(source.width) * pixel,
                                    static_cast<std::size_t>(source.height), cudaMemcpyDeviceToDevice,
                                    queue.stream()));
            item.src = to, item.src_pitch = static_cast<std::int64_t>(pitch);
        }
        c.src_x = static_cast<int>(source.x), c.src_y = static_cast<int>(source.y);
        c.src_width = static_cast<int>(source.width), c.src_height = static_cast<int>(source.height);
    }

    const void* kernel_;
};

std::string why_not(const PlanStep& request, const Engine&) {
    const auto& step = std::get<ImageStep>(request);
    if (auto why = why_not_plain_stage(step); !why.empty()) return why;
    if (step.border != Border::zero && step.border != Border::replicate)
        return "the texture unit knows the borders zero and replicate";
    if (step.in.channels == 3) return "the texture unit reads pixels of 1, 2 and 4 channels";
    if (step.size.width > kWidestTexture || step.size.height > kHighestTexture ||
        step.size.width * static_cast<std::int64_t>(bytes_per_pixel(step.in)) > kLongestTexturePitch)
        return "the texture unit reads at most 131072 x 65000 pixels and rows of 2 MB";
    if (auto why = why_not_packable(step); !why.empty()) return why;
    return pack(step, false).few() ? "" : "it carries at most " + std::to_string(kFewWeights) + " weights";
}

constexpr Speed kSpeed{4, 0.12e6, 0.94e6};

Cost cost(const PlanStep& request, const Engine&) {
    return {stage_microseconds(std::get<ImageStep>(request), {kSpeed, kSpeed})};
}

std::shared_ptr<const Plan> plan(const PlanStep& request, Engine&, const PlanContext&) {
    return std::make_shared<TexturePlan>(std::get<ImageStep>(request));
}

} // namespace

extern const Algorithm kTexture{"texture",
                                "Texture",
                                "Taps through the texture unit, which resolves the border",
                                "CUDA C++ Programming Guide, Texture and Surface Memory",
                                why_not,
                                cost,
                                plan};

} // namespace kg::gpu
