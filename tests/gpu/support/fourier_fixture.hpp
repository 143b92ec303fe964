#pragma once
// The Fourier algorithms, `cufft`, `fourier` and `fourier_fused`, each with the same tests.

#include "core/plan/cut.hpp"
#include "core/plan/verification.hpp"
#include "gpu/engine.hpp"
#include "gpu/kernels/fourier/cufft_transform.hpp"
#include "gpu/runtime/device.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace kg::testing {

inline constexpr Extent kSeveralTiles{3000, 2000};

inline Stage random_stage(int width, int height, bool whole_numbers, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> weights(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    float sum = 0;
    for (auto& w : weights) {
        w = whole_numbers ? static_cast<float>(random() % 3) : static_cast<float>(random() % 1000) / 1000.0f;
        sum += w;
    }
    auto kernel = make_kernel(width, height, std::move(weights), std::max(sum, 1.0f));
    kernel.anchor_x = width / 3; // off the middle, so that nothing is symmetric
    return Stage{{std::move(kernel)}};
}

inline ImageRequest request_of(Extent size, const PixelFormat& in, Depth out, Stage stage,
                               Border border = Border::reflect101) {
    ImageRequest request{size, in, in, {std::move(stage)}, border};
    request.out.depth = out;
    if (is_integer(in.depth) && out == Depth::f32) request.out.scale = static_cast<float>(full_scale(in));
    request.alpha = AlphaMode::straight;
    return request;
}

class FourierAlgorithms : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        engine = gpu::make_engine();
        if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
        if (const auto& why = gpu::why_no_cufft(); of_cufft() && !why.empty()) GTEST_SKIP() << why;
        const auto all = engine->algorithms();
        algorithm = *std::ranges::find(all, GetParam(), &Algorithm::id);
    }
    bool of_cufft() const { return GetParam() == std::string_view("cufft"); }
    bool of_fused() const { return GetParam() == std::string_view("fourier_fused"); }
    /// Others leave requests to `cufft` that exceed float32, their frames or one kernel.
    bool takes(const ImageRequest& request) const {
        const auto steps = cut_into_steps(request);
        const auto why = algorithm->why_not(steps.front(), *engine);
        EXPECT_TRUE(why.empty() || !of_cufft()) << why;
        return why.empty();
    }
    gpu::CufftChoice choice_for(const ImageRequest& request) const {
        const auto steps = cut_into_steps(request);
        return gpu::choose_cufft(steps.front(), gpu::cuda_engine(*engine).limits().cache_bytes);
    }
    /// Outputs of a frame.
    Extent tile_of(const ImageRequest& request) const { return tile_of(request, *engine); }
    Extent tile_of(const ImageRequest& request, Engine& of) const {
        const auto needed = plan(of, request, algorithm->id)
                                ->needs({request.size.width / 2, request.size.height / 2, 1, 1})
                                .source;
        const auto r = reach(request.stages.front());
        return {needed.width - r.left - r.right, needed.height - r.up - r.down};
    }
    /// Compares every sample with the definition in float64 on the same GPU, unrounded.
    void expect_right(const ImageRequest& request, const Image& image, const Image& result) const {
        constexpr double kLargestFrame = 4096.0 * 4096;
        auto unrounded = request;
        unrounded.out.depth = Depth::f32;
        unrounded.out.scale = static_cast<float>(full_scale(request.in));
        const auto want = run(*engine, unrounded, image.view(), "float64");
        const auto& stage = request.stages.front();
        const double white = full_scale(request.in), eps = 0x1p-23;
        const bool integers = is_integer(request.out.depth);
        const double size = stage.kernels.front().width + stage.kernels.front().height;
        const double most = request.out.depth == Depth::u8 ? 0.5 + 1.0 / 64
                            : request.out.depth == Depth::u16
                                ? 0.5 + size / 512
                                : gpu::fourier_bound(gpu::Precision::float32, kLargestFrame) *
                                      absolute_gain(stage) * 1.5 * white;
        std::int64_t wrong = 0, differing = 0;
        for (std::int64_t y = 0; y < request.size.height; ++y)
            for (std::int64_t x = 0; x < request.size.width; ++x)
                for (int c = 0; c < request.in.channels; ++c) {
                    const double got = sample(result.view(), x, y, c);
                    double value = sample(want.view(), x, y, c);
                    if (integers) value = std::clamp(value, 0.0, full_scale(request.out));
                    differing += got != (integers ? std::rint(value) : value);
                    if (std::fabs(got - value) <= most + 4 * eps * std::fabs(value)) continue;
                    if (wrong++ > 0) continue;
                    ADD_FAILURE() << "at x " << x << " y " << y << " channel " << c << ": " << got
                                  << ", should be " << value << " within " << most << "; "
                                  << describe(request);
                }
        EXPECT_EQ(wrong, 0);
        if (integers) { // values rounded in the other direction are rare
            EXPECT_LE(differing, 1 + request.size.width * request.size.height * request.in.channels / 50);
        }
    }
    void expect_right(const ImageRequest& request, unsigned seed) {
        if (!takes(request)) return;
        ++taken;
        const auto image = random_image(request.size, request.in, seed);
        expect_right(request, image, run(*engine, request, image.view(), algorithm->id));
    }
    std::shared_ptr<Engine> engine;
    const Algorithm* algorithm = nullptr;
    int taken = 0;
};

} // namespace kg::testing
