// Every n-th output has the same bytes as in the whole result.

#include "cpu/kernels/sampled_products.hpp"
#include "cpu/runtime/sampled_plan.hpp"

#include "core/plan/cut.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe.hpp"
#include "tests/support/check.hpp"
#include "tests/support/stopping.hpp"

namespace kg::testing {
namespace {

using cpu::sampled_plan;
using cpu::sampled_size;

/// The outputs `region` of the small image, from a source that holds no more than they need.
Image sampled(Engine& engine, const ImageStep& step, const ConstImageView& pixels, int every,
              const Rect& region) {
    const auto plan = sampled_plan(step, every, engine);
    const auto needed = plan->needs(region).source;
    const auto queue = engine.queue();
    const auto source = allocate_view(engine, step.in, needed),
               result = allocate_view(engine, step.out, region);
    queue->upload(pixels.crop(needed), source);
    const Item item{source, result};
    queue->run(plan, {&item, 1});
    Image small_image({region.width, region.height}, step.out);
    queue->download(result, small_image.view());
    queue->fence().wait();
    return small_image;
}

::testing::AssertionResult has_every(const Image& samples, const Image& whole, int every,
                                     const Rect& region) {
    const auto bytes = bytes_per_pixel(whole.format());
    for (std::int64_t v = 0; v < region.height; ++v)
        for (std::int64_t u = 0; u < region.width; ++u) {
            const auto* expected = whole.view().row<std::byte>((region.y + v) * every) +
                                   static_cast<std::size_t>((region.x + u) * every) * bytes;
            const auto* got = samples.view().row<std::byte>(v) + static_cast<std::size_t>(u) * bytes;
            if (!std::equal(got, got + bytes, expected))
                return ::testing::AssertionFailure() << "output " << u << "," << v << " of every " << every;
        }
    return ::testing::AssertionSuccess();
}

/// All samples, and a region in their middle.
void expect_samples_of_the_whole(Engine& engine, const ImageStep& step, const ConstImageView& image,
                                 int every) {
    const auto algorithm = sampled_plan(step, every, engine)->algorithm;
    const auto all = run(engine, step, image, algorithm);
    const auto size = sampled_size(step.size, every);
    ASSERT_TRUE(has_every(sampled(engine, step, image, every, whole(size)), all, every, whole(size)))
        << algorithm << " " << describe(step);
    const Rect region{size.width / 3, size.height / 4, (size.width + 2) / 3, (size.height + 1) / 2};
    ASSERT_TRUE(has_every(sampled(engine, step, image, every, region), all, every, region))
        << "a region, " << algorithm << " " << describe(step);
}

Stage uneven_stage(int width, int height, int anchor_x, int anchor_y, bool flip = false) {
    std::vector<float> weights(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i * 7919 % 23) - 9;
    auto kernel = make_kernel(width, height, std::move(weights), 8192);
    kernel.anchor_x = anchor_x, kernel.anchor_y = anchor_y, kernel.flip = flip, kernel.offset = 0.25f;
    return {{std::move(kernel)}};
}

std::vector<Stage> stages() {
    return {
        uneven_stage(1, 1, 0, 0),
        uneven_stage(3, 3, 1, 1),
        uneven_stage(4, 6, 0, 5),
        uneven_stage(7, 2, 6, 0, true),
        uneven_stage(21, 19, 3, 11),
        stage_of({"sobel", {}, {}, true}),                  // two kernels and their magnitude
        stage_of({"gaussian", {{"sigma", "3"}}, {}, true}), // a column times a row
        generated_stage(BoxGenerator{5, 8}),
    };
}

TEST(SampledPlan, HasTheBytesOfTheWholeForEveryBorderDepthAndKernel) {
    const auto engine = cpu::make_engine(2);
    for (const auto border : kBorders)
        for (const auto& format :
             {PixelFormat{Depth::u8, 4}, PixelFormat{Depth::u8, 3}, PixelFormat{Depth::u16, 1},
              PixelFormat{Depth::f32, 4}, PixelFormat{Depth::f16, 2}})
            for (const auto& stage : stages())
                for (const int every : {1, 2, 5, 13}) {
                    ImageStep step(ImageRequest{{61, 47}, format, format, {stage}, border});
                    step.alpha = AlphaMode::straight;
                    if (!cpu::why_not_sampled(step).empty()) continue;
                    const auto image = random_image(step.size, format, 4);
                    expect_samples_of_the_whole(*engine, step, image.view(), every);
                    if (HasFatalFailure()) return;
                }
}

TEST(SampledPlan, KernelsLargerThanTheImageAndAnyNumberOfThreads) {
    for (const int threads : {1, 2, 7}) {
        const auto engine = cpu::make_engine(threads);
        for (const Extent size :
             {Extent{1, 1}, Extent{1, 90}, Extent{200, 1}, Extent{23, 131}, Extent{301, 40}})
            for (const auto& stage :
                 {uneven_stage(65, 33, 60, 2), stage_of({"gaussian", {{"sigma", "30"}}, {}, true})})
                for (const int every : {3, 8, 64}) {
                    const ImageStep step(ImageRequest{size, {Depth::u8, 3}, {Depth::u8, 3}, {stage}});
                    const auto image = random_image(size, step.in, 9);
                    expect_samples_of_the_whole(*engine, step, image.view(), every);
                    if (HasFatalFailure()) return;
                }
    }
}

TEST(SampledPlan, ChannelsThatAreNotComputedPassThrough) {
    const auto engine = cpu::make_engine(2);
    for (const unsigned mask : {1u, 6u, 8u}) {
        ImageStep step(
            ImageRequest{{50, 40}, {Depth::u8, 4, 3}, {Depth::u8, 4, 3}, {uneven_stage(5, 5, 2, 2)}});
        step.alpha = AlphaMode::straight;
        step.channels = mask;
        const auto image = random_image(step.size, step.in, 2);
        expect_samples_of_the_whole(*engine, step, image.view(), 4);
        if (HasFatalFailure()) return;
    }
}

TEST(SampledPlan, WritesFloatsOfIntegersAndReportsWhatItDoesNotSupport) {
    const auto engine = cpu::make_engine(2);
    ImageStep step(ImageRequest{
        {50, 40}, {Depth::u8, 1}, {Depth::f32, 1, -1, false, false, 255.0f}, {uneven_stage(5, 5, 2, 2)}});
    const auto image = random_image(step.size, step.in, 2);
    expect_samples_of_the_whole(*engine, step, image.view(), 3);
    step.float64_sums = true;
    EXPECT_NE(cpu::why_not_sampled(step), "");
}

TEST(SampledPlan, TakesTheAlgorithmThatIsCheaperForTheWhole) {
    const auto engine = cpu::make_engine(1);
    ImageStep step(ImageRequest{
        {640, 480}, {Depth::u8, 3}, {Depth::u8, 3}, {stage_of({"gaussian", {{"sigma", "10"}}, {}, true})}});
    EXPECT_EQ(sampled_plan(step, 2, *engine)->algorithm, "separable");
    EXPECT_EQ(sampled_plan(step, 200, *engine)->algorithm, "separable")
        << "as for the whole, however few they are";
    const auto products = cpu::sampled_products(step.stages.front());
    const auto cost = [&](int every) {
        return cpu::sampled_cost(step, products, every, sampled_size(step.size, every), *engine).microseconds;
    };
    EXPECT_LT(cost(8), cost(4));
    EXPECT_LT(cost(4), cost(2));
    step.stages = {uneven_stage(5, 5, 2, 2)};
    EXPECT_EQ(sampled_plan(step, 2, *engine)->algorithm, "direct");
}

} // namespace
} // namespace kg::testing
