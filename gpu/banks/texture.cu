// Numbers through the texture unit, which is zero outside or clamps a coordinate at no instruction's cost:
// one texture for each channel. Its rows must be aligned, which those of a tensor are not in general, so
// the numbers are copied first, without their border. For teaching.

#include "gpu/kernels/banks/number_copy.cuh"
#include "gpu/kernels/linear_texture.hpp"
#include "gpu/kernels/stage.hpp"

namespace kg::gpu::banks {

namespace {

constexpr std::int64_t kMostChannels = 64;

struct ChannelTextures {
    cudaTextureObject_t channels[kMostChannels];
};

//   blockIdx   x: 256 outputs of a channel in rows, y: filter
//
__global__ void __launch_bounds__(kOutputsPerBlock)
    sum_texture(const __grid_constant__ BankLaunch b, const __grid_constant__ ChannelTextures t, Rect covers,
                unsigned item, const float* weights) {
    const auto index = std::int64_t{blockIdx.x} * kOutputsPerBlock + threadIdx.x;
    const auto row_of_outputs = index / b.outputs.width;
    if (row_of_outputs >= b.outputs.height || b.stop.raised()) return;
    const auto k = b.first_block + blockIdx.y, p = b.outputs.y + row_of_outputs,
               q = b.outputs.x + (index - row_of_outputs * b.outputs.width);
    const auto* const first = t.channels + k / b.filters * b.channels;
    const float sum = sum_terms(b, weights, k, p, q, [&](std::int64_t c, std::int64_t row) {
        return [channel = first[c], y = static_cast<float>(row - covers.y) + 0.5f,
                left = covers.x](std::int64_t column) {
            return tex2D<float>(channel, static_cast<float>(column - left) + 0.5f, y);
        };
    });
    *output_place(b, item, k, p, q) = sum + bias_of(b, k);
}

class TexturePlan final : public BankPlan {
public:
    TexturePlan(const BankRequest& request, Engine& engine)
        : BankPlan(request, engine), weights_(device_copy(std::span(request.weights), engine)) {}

private:
    static std::size_t pitch_of(const Rect& numbers) {
        return static_cast<std::size_t>(
                   parts_of(numbers.width * std::int64_t{sizeof(float)}, std::int64_t{kTextureAlignment})) *
               kTextureAlignment;
    }
    std::size_t scratch_bytes(const Rect& outputs) const override {
        const auto numbers = source_rect(request(), outputs);
        return kTextureAlignment +
               pitch_of(numbers) * static_cast<std::size_t>(numbers.height * request().channels);
    }

    void launch(CudaQueue& queue, BankLaunch& b, unsigned count, std::byte* scratch) const override {
        const auto* weights = weights_->device_address();
        auto numbers = source_rect(request(), b.outputs);
        const auto begin = (reinterpret_cast<std::uintptr_t>(scratch) + kTextureAlignment - 1) /
                           kTextureAlignment * kTextureAlignment;
        const auto pitch = pitch_of(numbers), plane = pitch * static_cast<std::size_t>(numbers.height);
        auto* const memory = reinterpret_cast<std::byte*>(begin);
        const auto floats = [](std::size_t bytes) {
            return static_cast<std::int64_t>(bytes / sizeof(float));
        };
        NumberCopy copy{reinterpret_cast<float*>(memory), numbers, floats(pitch), floats(plane),
                        request().channels};
        ChannelTextures textures{};
        for (std::int64_t c = 0; c < request().channels; ++c) {
            auto texture = std::make_shared<LinearTexture>(memory + static_cast<std::size_t>(c) * plane,
                                                           pitch, numbers.width, numbers.height,
                                                           cudaCreateChannelDesc<float>(), request().border);
            textures.channels[c] = texture->get();
            queue.keep_until_done(std::move(texture));
        }
        sum_copies(queue, b, copy, count, request().filters, [&](unsigned item, dim3 grid) {
            void* arguments[] = {&b, &textures, &numbers, &item, &weights};
            queue.launch(reinterpret_cast<const void*>(&sum_texture), grid, {kOutputsPerBlock}, 0, arguments);
        });
    }

    std::shared_ptr<CudaBuffer> weights_;
};

std::string why_not(const PlanStep& step, const Engine&) {
    const auto& r = std::get<BankRequest>(step);
    if (r.border != Border::zero && r.border != Border::replicate)
        return "the texture unit knows the borders zero and replicate";
    if (r.channels > kMostChannels) return "it has textures for up to 64 channels";
    if (r.size.width > kWidestTexture || r.size.height > kHighestTexture)
        return "the texture unit reads at most 131072 x 65000 numbers";
    constexpr std::int64_t kMost = 1 << 23; // from here on floats have no halves
    const auto read = numbers_read(r, whole(output_size(r)));
    if (std::max({read.right(), read.bottom(), r.padding.left, r.padding.top}) > kMost)
        return "coordinates of the texture unit are floats";
    return {};
}

Cost cost(const PlanStep& step, const Engine&) {
    constexpr double kProductsPerUs = 0.8e6, kCopyUs = 10;
    const auto& request = std::get<BankRequest>(step);
    return {static_cast<double>(request.items) * kCopyUs +
            bank_microseconds(request, bank_products(request), kProductsPerUs)};
}

std::shared_ptr<const Plan> plan(const PlanStep& step, Engine& engine, const PlanContext&) {
    return std::make_shared<TexturePlan>(std::get<BankRequest>(step), engine);
}

} // namespace

extern const Algorithm kTexture{"texture",
                                "Texture",
                                "A thread per output; the texture unit resolves the border",
                                "CUDA C++ Programming Guide, Texture and Surface Memory",
                                why_not,
                                cost,
                                plan};

} // namespace kg::gpu::banks
