// Every n-th output has the bytes that the whole result has there.

#include "cpu/runtime/sampled_plan.hpp"
#include "cpu/kernels/sampled_products.hpp"

#include "core/plan/cut.hpp"
#include "cpu/engine.hpp"
#include "filters/recipe.hpp"
#include "tests/support/check.hpp"
#include "tests/support/stopping.hpp"

namespace kg::testing {
namespace {

using cpu::sampled_plan;
using cpu::sampled_size;

/// The outputs `part` of the small picture, from a source that holds no more than they need.
Image sampled(Engine& engine, const ImageRequest& step, const ConstImageView& picture, int every,
              const Rect& part) {
    const auto plan = sampled_plan(step, every, engine);
    const auto needed = plan->needs(part).source;
    const auto queue = engine.queue();
    const auto source = allocate_view(engine, step.in, needed),
               result = allocate_view(engine, step.out, part);
    queue->upload(picture.crop(needed), source);
    const Item item{source, result};
    queue->run(plan, {&item, 1});
    Image image({part.width, part.height}, step.out);
    queue->download(result, image.view());
    queue->fence().wait();
    return image;
}

::testing::AssertionResult has_every(const Image& samples, const Image& whole, int every, const Rect& part) {
    const auto bytes = bytes_per_pixel(whole.format());
    for (std::int64_t v = 0; v < part.height; ++v)
        for (std::int64_t u = 0; u < part.width; ++u) {
            const auto* expected = whole.view().row<std::byte>((part.y + v) * every) +
                                   static_cast<std::size_t>((part.x + u) * every) * bytes;
            const auto* got = samples.view().row<std::byte>(v) + static_cast<std::size_t>(u) * bytes;
            if (!std::equal(got, got + bytes, expected))
                return ::testing::AssertionFailure() << "output " << u << "," << v << " of every " << every;
        }
    return ::testing::AssertionSuccess();
}

/// All of the samples, and a part in their middle.
void expect_samples_of_the_whole(Engine& engine, const ImageRequest& step, const ConstImageView& picture,
                                 int every) {
    const auto way = sampled_plan(step, every, engine)->algorithm;
    const auto all = run(engine, step, picture, way);
    const auto size = sampled_size(step.size, every);
    ASSERT_TRUE(has_every(sampled(engine, step, picture, every, whole(size)), all, every, whole(size)))
        << way << " " << describe(step);
    const Rect part{size.width / 3, size.height / 4, (size.width + 2) / 3, (size.height + 1) / 2};
    ASSERT_TRUE(has_every(sampled(engine, step, picture, every, part), all, every, part))
        << "a part, " << way << " " << describe(step);
}

Stage uneven(int width, int height, int anchor_x, int anchor_y, bool flip = false) {
    std::vector<float> weights(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i * 7919 % 23) - 9;
    auto kernel = make_kernel(width, height, std::move(weights), 8192);
    kernel.anchor_x = anchor_x, kernel.anchor_y = anchor_y, kernel.flip = flip, kernel.offset = 0.25f;
    return {{std::move(kernel)}};
}

std::vector<Stage> stages() {
    return {
        uneven(1, 1, 0, 0),
        uneven(3, 3, 1, 1),
        uneven(4, 6, 0, 5),
        uneven(7, 2, 6, 0, true),
        uneven(21, 19, 3, 11),
        stage_of({"sobel", {}, {}, true}),                  // two kernels, their magnitude
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
                    ImageRequest step{{61, 47}, format, format, {stage}, border};
                    step.alpha = AlphaMode::straight;
                    if (!cpu::why_not_sampled(step).empty()) continue;
                    const auto picture = random_picture(step.size, format, 4);
                    expect_samples_of_the_whole(*engine, step, picture.view(), every);
                    if (HasFatalFailure()) return;
                }
}

TEST(SampledPlan, KernelsLargerThanThePictureAndAnyNumberOfThreads) {
    for (const int threads : {1, 2, 7}) {
        const auto engine = cpu::make_engine(threads);
        for (const Extent size :
             {Extent{1, 1}, Extent{1, 90}, Extent{200, 1}, Extent{23, 131}, Extent{301, 40}})
            for (const auto& stage :
                 {uneven(65, 33, 60, 2), stage_of({"gaussian", {{"sigma", "30"}}, {}, true})})
                for (const int every : {3, 8, 64}) {
                    const ImageRequest step{size, {Depth::u8, 3}, {Depth::u8, 3}, {stage}};
                    const auto picture = random_picture(size, step.in, 9);
                    expect_samples_of_the_whole(*engine, step, picture.view(), every);
                    if (HasFatalFailure()) return;
                }
    }
}

TEST(SampledPlan, ChannelsThatAreNotComputedPassThrough) {
    const auto engine = cpu::make_engine(2);
    for (const unsigned mask : {1u, 6u, 8u}) {
        ImageRequest step{{50, 40}, {Depth::u8, 4, 3}, {Depth::u8, 4, 3}, {uneven(5, 5, 2, 2)}};
        step.alpha = AlphaMode::straight;
        step.channels = mask;
        const auto picture = random_picture(step.size, step.in, 2);
        expect_samples_of_the_whole(*engine, step, picture.view(), 4);
        if (HasFatalFailure()) return;
    }
}

TEST(SampledPlan, WritesFloatsOfIntegersAndSaysWhatItDoesNotDo) {
    const auto engine = cpu::make_engine(2);
    ImageRequest step{
        {50, 40}, {Depth::u8, 1}, {Depth::f32, 1, -1, false, false, 255.0f}, {uneven(5, 5, 2, 2)}};
    const auto picture = random_picture(step.size, step.in, 2);
    expect_samples_of_the_whole(*engine, step, picture.view(), 3);
    step.float64_sums = true;
    EXPECT_NE(cpu::why_not_sampled(step), "");
}

TEST(SampledPlan, TakesTheWayThatIsLessWorkForTheWhole) {
    const auto engine = cpu::make_engine(1);
    ImageRequest step{
        {640, 480}, {Depth::u8, 3}, {Depth::u8, 3}, {stage_of({"gaussian", {{"sigma", "10"}}, {}, true})}};
    EXPECT_EQ(sampled_plan(step, 2, *engine)->algorithm, "separable");
    EXPECT_EQ(sampled_plan(step, 200, *engine)->algorithm, "separable")
        << "as the whole, however few they are";
    const auto products = cpu::sampled_products(step.stages.front());
    const auto cost = [&](int every) {
        return cpu::sampled_cost(step, products, every, sampled_size(step.size, every), *engine).microseconds;
    };
    EXPECT_LT(cost(8), cost(4));
    EXPECT_LT(cost(4), cost(2));
    step.stages = {uneven(5, 5, 2, 2)};
    EXPECT_EQ(sampled_plan(step, 2, *engine)->algorithm, "direct");
}

} // namespace
} // namespace kg::testing
