// The Fourier algorithms, `cufft` and `fourier`, beyond the registry walk's small images: several tiles,
// float32 transforms, samples that cannot be transformed at the seams, shared handles. Skipped with the
// reason where there is no GPU or no cuFFT.

#include "core/plan/cut.hpp"
#include "core/plan/parts.hpp"
#include "core/plan/verification.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/kernels/cufft_transform.hpp"
#include "gpu/engine.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

namespace kg::testing {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

TEST(CufftAbsent, NamesTheLibraryAndThePackageThatProvidesIt) {
    const auto& why = gpu::why_no_cufft();
    if (why.empty()) GTEST_SKIP() << "cuFFT is here";
    EXPECT_NE(why.find("libcufft.so.12"), std::string::npos) << why;
    EXPECT_NE(why.find("KERNELGLASS_LIBRARIES"), std::string::npos) << why;
    const auto engine = gpu::make_engine();
    const ImageRequest plain{{64, 64}, {Depth::f32, 1}, {Depth::f32, 1}, {Stage{{Kernel{}}}}};
    const auto all = engine->algorithms();
    const auto algorithm = std::ranges::find(all, "cufft", &Algorithm::id);
    ASSERT_NE(algorithm, all.end());
    EXPECT_EQ((*algorithm)->why_not(ImageStep(plain), *engine), why);
}

Stage random_stage(int width, int height, bool whole_numbers, unsigned seed) {
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

ImageRequest request_of(Extent size, const PixelFormat& in, Depth out, Stage stage,
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
    /// `fourier` leaves requests to `cufft` that exceed float32, its frames or one kernel.
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

INSTANTIATE_TEST_SUITE_P(, FourierAlgorithms, ::testing::Values("cufft", "fourier"),
                         [](const auto& each) { return std::string(each.param); });

constexpr Extent kSeveralTiles{3000, 2000};

TEST_P(FourierAlgorithms, FloatsInSeveralTilesByEveryBorder) {
    for (const auto border : kBorders) {
        const auto request = request_of(kSeveralTiles, {Depth::f32, 1}, Depth::f32,
                                        random_stage(31, 24, false, 1), border);
        if (of_cufft()) {
            EXPECT_EQ(choice_for(request).precision, gpu::Precision::float32);
        }
        EXPECT_LT(tile_of(request).width, request.size.width);
        expect_right(request, 3);
    }
    EXPECT_EQ(taken, static_cast<int>(std::size(kBorders)));
}

TEST_P(FourierAlgorithms, KernelsOfEverySize) {
    for (const int size : {3, 31, 150, 333, 701})
        for (const auto depth : {Depth::u8, Depth::f32})
            for (const int channels : {1, 3})
                expect_right(
                    request_of({1000, 700}, {depth, channels}, depth, random_stage(size, size - 1, false, 2)),
                    3);
    EXPECT_EQ(taken, 5 * 2 * 2);
}

TEST_P(FourierAlgorithms, FramesOfEverySize) {
    if (of_cufft()) GTEST_SKIP() << "its frames have more sizes than a test can name";
    // Independent of the estimates: smaller frames do not hold the kernel, and larger ones exceed the rest of
    // the limit.
    struct Case {
        int frame, size;
        std::size_t limit;
    };
    for (const auto& [frame, size, limit] :
         {Case{256, 31, 8960 << 10}, {512, 333, 35 << 20}, {1024, 701, 200 << 20}}) {
        const auto limited = gpu::make_engine(0, limit);
        const auto stage = random_stage(size, size - 1, false, 2);
        const auto large = request_of({6000, 5000}, {Depth::u8, 2}, Depth::u8,
                                      stage); // its middle is whole
        EXPECT_EQ(tile_of(large, *limited).width + size - 1, frame);
        for (const auto depth : {Depth::u8, Depth::f32})
            for (const int channels : {1, 3}) {
                const auto request = request_of({600, 500}, {depth, channels}, depth, stage);
                const auto image = random_image(request.size, request.in, 3);
                Image result(request.size, request.out);
                run_in_parts(*limited, plan(*limited, request, algorithm->id), image.view(), result.view());
                expect_right(request, image, result);
            }
    }
}

TEST_P(FourierAlgorithms, ChannelsDepthsMasksAndCombinations) {
    auto gradient = random_stage(17, 9, false, 2);
    gradient.kernels.push_back(random_stage(9, 15, false, 3).kernels.front());
    gradient.combine = Combine::l2;
    gradient.offset = 0.125f;
    for (const auto& [in, out] : {std::pair{Depth::u8, Depth::u8},
                                  {Depth::u8, Depth::f32},
                                  {Depth::u16, Depth::u16},
                                  {Depth::u16, Depth::f32},
                                  {Depth::f32, Depth::f32}})
        for (const int channels : {1, 2, 3, 4}) {
            expect_right(request_of({1500, 1100}, {in, channels}, out, random_stage(21, 21, false, 4)), 5);
            expect_right(request_of({1500, 1100}, {in, channels}, out, gradient), 6);
            auto masked = request_of({1500, 1100}, {in, channels}, out, random_stage(5, 33, false, 7));
            masked.channels = 1u << (channels - 1);
            expect_right(masked, 8);
        }
}

TEST_P(FourierAlgorithms, AChannelOfLargeSamplesTakesAnotherNoDigits) {
    const auto request = request_of({900, 700}, {Depth::f32, 3}, Depth::f32, random_stage(31, 31, false, 30));
    auto image = random_image(request.size, request.in, 31);
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x) {
            image.view().row<float>(y)[3 * x] *= 1e6f;
            image.view().row<float>(y)[3 * x + 2] *= 1e5f;
        }
    const auto got = run(*engine, request, image.view(), algorithm->id),
               want = run(*engine, request, image.view(), "float64");
    double largest = 0;
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x)
            largest = std::max(largest,
                               std::fabs(sample(got.view(), x, y, 1) - sample(want.view(), x, y, 1)));
    EXPECT_LE(largest, gpu::fourier_bound(gpu::Precision::float32, 1024.0 * 1024)); // of samples up to 1
    if (!of_cufft()) {
        EXPECT_GT(largest, 0); // by float32
    }
}

TEST_P(FourierAlgorithms, NoNumberInOneChannelOfSeveral) {
    for (const int channels : {2, 3, 4}) {
        auto request = request_of({900, 700}, {Depth::f32, channels}, Depth::f32,
                                  random_stage(31, 31, false, 34));
        request.channels = channels == 4 ? 0b1011u : ~0u;
        auto image = random_image(request.size, request.in, 35);
        image.view().row<float>(300)[400 * channels + 1] = kNaN;
        image.view().row<float>(310)[410 * channels] = kInf;
        const auto result = run(*engine, request, image.view(), algorithm->id);
        for (const auto& place : {Rect{380, 290, 40, 40}, Rect{0, 0, 8, 8}, Rect{880, 690, 20, 10}}) {
            const auto verification = compare_with_reference(request, image.view(), place,
                                                             result.view().crop(place), algorithm);
            EXPECT_TRUE(verification.right()) << channels << " " << verification.first_wrong;
        }
    }
}

TEST_P(FourierAlgorithms, DivisorsOfEverySize) {
    for (const float divisor : {1e-14f, -3.0f, 1e14f}) {
        auto stage = random_stage(31, 31, false, 32);
        stage.kernels.front().divisor = divisor;
        const auto request = request_of({900, 700}, {Depth::f32, 1}, Depth::f32, stage);
        auto image = random_image(request.size, request.in, 33);
        image.view().row<float>(350)[450] = 1e31f; // not transformed
        const auto got = run(*engine, request, image.view(), algorithm->id),
                   want = run(*engine, request, image.view(), "float64");
        const double allowed = 961 / std::fabs(static_cast<double>(divisor)) *
                               gpu::fourier_bound(gpu::Precision::float32, 1024.0 * 1024);
        for (std::int64_t y = 0; y < request.size.height; ++y)
            for (std::int64_t x = 0; x < request.size.width; ++x) {
                if (std::abs(x - 450) <= 31 && std::abs(y - 350) <= 31) continue; // its reach
                ASSERT_NEAR(sample(got.view(), x, y, 0), sample(want.view(), x, y, 0), allowed)
                    << x << " " << y;
            }
    }
}

TEST_P(FourierAlgorithms, WholeSumsHaveTheBytesOfEveryOtherAlgorithm) {
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const auto out : {depth, Depth::f32})
            for (const int size : {7, 15, 16}) {
                const auto request = request_of({1700, 1300}, {depth, 3}, out,
                                                random_stage(size, size, true, 9));
                ASSERT_TRUE(gpu::sums_are_whole(cut_into_steps(request).front()));
                if (!takes(request)) continue;
                ++taken;
                const auto image = random_image(request.size, request.in, 10);
                EXPECT_TRUE(same_pixels(run(*engine, request, image.view(), algorithm->id).view(),
                                        run(*engine, request, image.view(), "tiled").view()))
                    << describe(request);
            }
    EXPECT_GE(taken, 2); // sums of large kernels may exceed float32
}

TEST_P(FourierAlgorithms, AnyRectangleHasTheBytesOfTheWhole) {
    for (const auto& [depth, channels] :
         {std::pair{Depth::f32, 2}, {Depth::f32, 1}, {Depth::u8, 3}, {Depth::u16, 2}}) {
        const auto request = request_of(kSeveralTiles, {depth, channels}, depth,
                                        random_stage(31, 31, false, 11), Border::wrap);
        if (!takes(request)) continue;
        ++taken;
        const auto image = random_image(request.size, request.in, 12);
        const auto all = run(*engine, request, image.view(), algorithm->id);
        const auto tile = tile_of(request);
        const auto seam_x = std::min(tile.width, request.size.width - 1),
                   seam_y = std::min(tile.height, request.size.height - 1);
        for (const auto& area : {Rect{0, 0, 1, 1}, Rect{seam_x - 1, seam_y - 1, 2, 2},
                                 Rect{0, 700, 3000, 300}, Rect{2999, 0, 1, 2000}, Rect{1234, 567, 890, 123}})
            EXPECT_TRUE(same_pixels(all.view().crop(area),
                                    run(*engine, request, image.view(), algorithm->id, area).view()))
                << area.x << "," << area.y;
    }
    EXPECT_GE(taken, 3);
}

TEST_P(FourierAlgorithms, WhatIsNoNumberReachesExactlyTheOutputsWhoseTapsCoverIt) {
    auto stage = random_stage(31, 24, false, 13);
    auto& kernel = stage.kernels.front();
    for (std::size_t i = 0; i < kernel.weights.size(); i += 3) kernel.weights[i] = 0; // not taps
    const auto request = request_of(kSeveralTiles, {Depth::f32, 1}, Depth::f32, stage, Border::replicate);
    const auto [seam_x, seam_y] = tile_of(request);
    struct Place {
        std::int64_t x, y;
        float value;
    };
    const Place places[] = {{seam_x, seam_y, kNaN},
                            {seam_x - 1, 500, kInf},
                            {300, seam_y - 1, -kInf},
                            {301, seam_y + 3, kInf},
                            {0, 0, kNaN},
                            {request.size.width - 1, request.size.height - 1, kInf},
                            {1000, 100, 3e38f}};
    auto clean = random_image(request.size, request.in, 14);
    auto image = clean.clone();
    for (const auto& p : places) {
        image.view().row<float>(p.y)[p.x] = p.value;
        clean.view().row<float>(p.y)[p.x] = 0;
    }
    const auto result = run(*engine, request, image.view(), algorithm->id),
               without = run(*engine, request, clean.view(), algorithm->id);
    const auto r = reach(stage);
    // Pixels out of their reach have the same bytes as without them; pixels within it equal the reference.
    Image reached({request.size}, {Depth::u8, 1});
    for (std::int64_t y = 0; y < request.size.height; ++y)
        std::fill_n(reached.view().row<std::uint8_t>(y), request.size.width, std::uint8_t{0});
    for (const auto& p : places) {
        const auto around = intersect({p.x - r.right, p.y - r.down, r.left + r.right + 1, r.up + r.down + 1},
                                      whole(request.size));
        for (auto y = around.y; y < around.bottom(); ++y)
            std::fill_n(reached.view().row<std::uint8_t>(y) + around.x, around.width, std::uint8_t{1});
        const auto values = reference_values(request, image.view(), around);
        for (auto y = around.y; y < around.bottom(); ++y)
            for (auto x = around.x; x < around.right(); ++x) {
                const double want = values[static_cast<std::size_t>(y * request.size.width + x)],
                             got = sample(result.view(), x, y, 0);
                const bool right = std::isnan(want) ? std::isnan(got)
                                   : std::isinf(want)
                                       ? got == want
                                       : std::fabs(got - want) <= 1e-5 + 1e-5 * std::fabs(want);
                ASSERT_TRUE(right) << "at " << x << "," << y << ": " << got << ", should be " << want;
            }
    }
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x)
            if (reached.view().row<std::uint8_t>(y)[x] == 0) {
                ASSERT_EQ(result.view().row<float>(y)[x], without.view().row<float>(y)[x]) << x << " " << y;
            }
}

TEST_P(FourierAlgorithms, ALargeSampleTakesIntegersNoDigits) {
    auto request = request_of({1100, 900}, {Depth::f32, 1}, Depth::f32, random_stage(31, 31, false, 15));
    request.out = {Depth::u16, 1};
    if (!takes(request)) GTEST_SKIP() << "it takes no floats that end as integers";
    auto image = random_image(request.size, request.in, 16);
    for (const float value : {1e6f, 1e12f, 3e38f, kInf, kNaN}) {
        image.view().row<float>(450)[550] = value;
        const auto result = run(*engine, request, image.view(), algorithm->id);
        for (const auto& place : {Rect{560, 460, 12, 12}, Rect{570, 470, 12, 12}, Rect{700, 500, 12, 12}}) {
            const auto verification = compare_with_reference(request, image.view(), place,
                                                             result.view().crop(place), algorithm);
            EXPECT_TRUE(verification.right()) << value << " " << verification.first_wrong;
        }
    }
}

TEST_P(FourierAlgorithms, NothingButNoNumbers) {
    const auto request = request_of({400, 300}, {Depth::f32, 1}, Depth::f32, random_stage(9, 9, true, 17));
    Image image(request.size, request.in);
    for (std::int64_t y = 0; y < 300; ++y) std::fill_n(image.view().row<float>(y), 400, kNaN);
    const auto result = run(*engine, request, image.view(), algorithm->id);
    for (std::int64_t y = 0; y < 300; ++y)
        for (int x = 0; x < 400; ++x)
            ASSERT_TRUE(std::isnan(result.view().row<float>(y)[x])) << x << " " << y;
}

TEST_P(FourierAlgorithms, KernelsOf1025ASide) {
    for (const auto depth : {Depth::u8, Depth::u16, Depth::f32}) {
        const auto request = request_of({1400, 1200}, {depth, 1}, depth, random_stage(1025, 1025, false, 18));
        if (!takes(request)) continue;
        const auto image = random_image(request.size, request.in, 19);
        const auto result = run(*engine, request, image.view(), algorithm->id);
        for (const auto& place : {Rect{0, 0, 3, 3}, Rect{700, 600, 3, 3}, Rect{1397, 1197, 3, 3}}) {
            const auto verification = compare_with_reference(request, image.view(), place,
                                                             result.view().crop(place), algorithm);
            EXPECT_TRUE(verification.right()) << verification.first_wrong << "; " << describe(request);
        }
    }
}

TEST_P(FourierAlgorithms, ImagesOfOneRowOrColumn) {
    for (const auto size : {Extent{1, 1}, Extent{1, 70000}, Extent{70000, 1}, Extent{2, 3}})
        for (const auto depth : {Depth::u8, Depth::f32})
            for (const auto border : kBorders) {
                expect_right(request_of(size, {depth, 1}, depth, random_stage(1, 33, false, 20), border), 21);
                expect_right(request_of(size, {depth, 1}, depth, random_stage(63, 2, false, 22), border), 23);
            }
    EXPECT_GT(taken, 0);
}

TEST_P(FourierAlgorithms, TwoThreadsShareHandlesAndNothingElse) {
    std::atomic<int> wrong = 0;
    const auto work = [&](unsigned seed) {
        const auto request = request_of({1200, 1000}, {Depth::f32, 1}, Depth::f32,
                                        random_stage(31, 31, false, seed));
        const auto image = random_image(request.size, request.in, seed);
        const auto prepared = plan(*engine, request, algorithm->id);
        const Item item{allocate_view(*engine, request.in, whole(request.size)),
                        allocate_view(*engine, request.out, whole(request.size))};
        const auto queue = engine->queue();
        Image first(request.size, request.out), again(request.size, request.out);
        queue->upload(image.view(), item.src);
        queue->run(prepared, {&item, 1});
        queue->download(item.dst, first.view());
        queue->fence().wait();
        const Rect place{600, 500, 16, 16};
        if (!compare_with_reference(request, image.view(), place, first.view().crop(place), algorithm)
                 .right())
            ++wrong;
        for (int round = 0; round < 60; ++round) {
            queue->run(prepared, {&item, 1});
            queue->download(item.dst, again.view());
            queue->fence().wait();
            if (!same_pixels(first.view(), again.view())) ++wrong;
        }
    };
    std::thread a([&] { work(1); }), b([&] { work(2); }), c([&] { work(3); });
    a.join(), b.join(), c.join();
    EXPECT_EQ(wrong, 0);
}

TEST_P(FourierAlgorithms, ItemsOfOneShapeOneAfterTheOther) {
    const auto request = request_of({700, 500}, {Depth::u8, 3}, Depth::u8, random_stage(19, 19, false, 24));
    const auto prepared = plan(*engine, request, algorithm->id);
    const auto queue = engine->queue();
    std::vector<Image> images, results;
    std::vector<Item> items;
    for (unsigned i = 0; i < 18; ++i) { // more than one launch's
        images.push_back(random_image(request.size, request.in, 30 + i));
        results.emplace_back(request.size, request.out);
        items.push_back({allocate_view(*engine, request.in, whole(request.size)),
                         allocate_view(*engine, request.out, whole(request.size))});
        queue->upload(images.back().view(), items.back().src);
    }
    queue->run(prepared, items);
    for (std::size_t i = 0; i < items.size(); ++i) queue->download(items[i].dst, results[i].view());
    queue->fence().wait();
    for (std::size_t i = 0; i < items.size(); ++i)
        EXPECT_TRUE(
            same_pixels(results[i].view(), run(*engine, request, images[i].view(), algorithm->id).view()));
}

TEST_P(FourierAlgorithms, ManyItemsShareTheScratchOfAFew) {
    const auto request = request_of({2048, 1500}, {Depth::f32, 2}, Depth::f32,
                                    random_stage(45, 45, false, 28));
    const auto prepared = plan(*engine, request, algorithm->id);
    const auto each = prepared->needs(whole(request.size)).scratch_bytes;
    constexpr std::size_t kGroup = std::size_t{256} << 20;
    const std::size_t count = 2 * (kGroup / each) + 3, of_images = count * 2 * 2048 * 1500 * 8;
    const auto limited = gpu::make_engine(0, of_images + kGroup + 2 * each); // less than all would take
    const auto own = plan(*limited, request, algorithm->id);
    const auto queue = limited->queue();
    std::vector<Image> images, results;
    std::vector<Item> items;
    for (unsigned i = 0; i < count; ++i) {
        images.push_back(random_image(request.size, request.in, 60 + i));
        results.emplace_back(request.size, request.out);
        items.push_back({allocate_view(*limited, request.in, whole(request.size)),
                         allocate_view(*limited, request.out, whole(request.size))});
        queue->upload(images.back().view(), items.back().src);
    }
    queue->run(own, items);
    for (std::size_t i = 0; i < items.size(); ++i) queue->download(items[i].dst, results[i].view());
    queue->fence().wait();
    for (const auto i : {std::size_t{0}, count - 3, count - 1})
        EXPECT_LE(
            largest_difference(results[i].view(), run(*engine, request, images[i].view(), "tiled").view()),
            2e-5)
            << i << " of " << count;
}

TEST_P(FourierAlgorithms, ALimitLeavesASmallerFrameOrAnotherAlgorithm) {
    const auto request = request_of({3000, 2000}, {Depth::f32, 1}, Depth::f32,
                                    random_stage(63, 63, false, 29));
    const auto image = random_image(request.size, request.in, 30);
    const auto want = run(*engine, request, image.view(), "tiled");
    for (const std::size_t megabytes : {64, 8, 2}) {
        const auto limited = gpu::make_engine(0, megabytes << 20);
        const auto prepared = plan(*limited, request, of_cufft() ? algorithm->id : "");
        Image result(request.size, request.out);
        const auto report = run_in_parts(*limited, prepared, image.view(), result.view());
        if (megabytes == 64) {
            EXPECT_EQ(prepared->algorithm, algorithm->id);
        }
        std::printf("%zu MB: %s in %lld parts\n", megabytes, prepared->algorithm.c_str(),
                    static_cast<long long>(report.parts));
        EXPECT_LE(largest_difference(result.view(), want.view()), 2e-5) << megabytes << " MB";
    }
}

TEST_P(FourierAlgorithms, AChainGoesThroughItInStrips) {
    auto request = request_of({2500, 3100}, {Depth::f32, 1}, Depth::f32, random_stage(31, 31, false, 25));
    request.stages.push_back(random_stage(15, 41, false, 26));
    const auto image = random_image(request.size, request.in, 27);
    const auto result = run(*engine, request, image.view(), algorithm->id);
    const auto tiled = run(*engine, request, image.view(), "tiled");
    EXPECT_LE(largest_difference(result.view(), tiled.view()), 2e-5);
    const Rect area{100, 1400, 700, 333};
    EXPECT_TRUE(same_pixels(result.view().crop(area),
                            run(*engine, request, image.view(), algorithm->id, area).view()));
}

} // namespace
} // namespace kg::testing
