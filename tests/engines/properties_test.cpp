// Properties of every filter and every algorithm that need no expected numbers.

#include "core/support/error.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/error_code.hpp"

#include <cmath>
#include <random>

namespace kg::testing {
namespace {

Kernel any_kernel(int width, int height, std::mt19937& random) {
    std::vector<float> weights(static_cast<std::size_t>(width * height));
    for (auto& w : weights) w = static_cast<float>(static_cast<int>(random() % 9)) - 3;
    return make_kernel(width, height, std::move(weights));
}

Stage box_stage(int kernel_size) {
    Stage stage{{make_kernel(kernel_size, kernel_size,
                             std::vector<float>(static_cast<std::size_t>(kernel_size * kernel_size), 1.0f),
                             static_cast<float>(kernel_size * kernel_size))}};
    stage.generator = BoxGenerator{kernel_size, kernel_size};
    const std::vector<int> ones(static_cast<std::size_t>(kernel_size), 1);
    stage.factors = {{ones, ones}};
    return stage;
}

ImageRequest plain_request(Extent size, Depth depth, std::vector<Stage> stages, Border border) {
    ImageRequest request{size, {depth, 1}, {depth, 1}, std::move(stages)};
    request.border = border;
    return request;
}

constexpr Border kKeepConstants[] = {Border::replicate, Border::reflect, Border::reflect101, Border::wrap};

TEST(Properties, AConstantImageStaysUnderAGainOfOne) {
    for (const auto border : kKeepConstants)
        for (const int kernel_size : {3, 8, 15}) {
            const auto request = plain_request({40, 21}, Depth::u8, {box_stage(kernel_size)}, border);
            for (const int level : {0, 1, 127, 255}) {
                Image image(request.size, request.in);
                for (int y = 0; y < 21; ++y)
                    for (int x = 0; x < 40; ++x) store(image.view(), x, y, 0, level);
                for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
                    EXPECT_TRUE(
                        same_pixels(image.view(), run(engine, request, image.view(), algorithm.id).view()));
                });
            }
        }
}

TEST(Properties, AnImpulseGivesTheRotatedKernel) { // correlation: out[p - (i - a)] = k[i]
    std::mt19937 random(5);
    auto kernel = any_kernel(4, 7, random);
    kernel.anchor_x = 3, kernel.anchor_y = 1;
    for (const bool flip : {false, true}) {
        kernel.flip = flip;
        const auto request = plain_request({30, 30}, Depth::f32, {Stage{{kernel}}}, Border::zero);
        Image image(request.size, request.in);
        for (int i = 0; i < 900; ++i) store(image.view(), i % 30, i / 30, 0, i == 15 * 30 + 14);
        for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
            const auto result = run(engine, request, image.view(), algorithm.id);
            for (int i = 0; i < 7; ++i)
                for (int j = 0; j < 4; ++j) {
                    const int dy = i - kernel.anchor_y, dx = j - kernel.anchor_x, sign = flip ? 1 : -1;
                    EXPECT_EQ(sample(result.view(), 14 + sign * dx, 15 + sign * dy, 0),
                              static_cast<double>(kernel.weights[static_cast<std::size_t>(i * 4 + j)]));
                }
        });
    }
}

TEST(Properties, SumsArePreserved) { // linearity, exactly, because all sums are small integers
    std::mt19937 random(6);
    for (const auto border : kBorders) {
        const auto request = plain_request({33, 18}, Depth::f32, {Stage{{any_kernel(5, 3, random)}}}, border);
        Image a(request.size, request.in), b(request.size, request.in), both(request.size, request.in);
        for (int y = 0; y < 18; ++y)
            for (int x = 0; x < 33; ++x) {
                const double u = random() % 256, v = random() % 256;
                store(a.view(), x, y, 0, u), store(b.view(), x, y, 0, v);
                store(both.view(), x, y, 0, 2 * u - 3 * v);
            }
        for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
            const auto fa = run(engine, request, a.view(), algorithm.id),
                       fb = run(engine, request, b.view(), algorithm.id),
                       f = run(engine, request, both.view(), algorithm.id);
            for (int y = 0; y < 18; ++y)
                for (int x = 0; x < 33; ++x)
                    ASSERT_EQ(sample(f.view(), x, y, 0),
                              2 * sample(fa.view(), x, y, 0) - 3 * sample(fb.view(), x, y, 0));
        });
    }
}

TEST(Properties, TheMiddleOfALargerImageIsFilteredAlike) {
    std::mt19937 random(7);
    const Stage stages[] = {Stage{{any_kernel(5, 5, random)}}, box_stage(9)};
    for (const auto& stage : stages) {
        const auto large = plain_request({90, 70}, Depth::u8, {stage}, Border::reflect101);
        auto small = large;
        small.size = {60, 40};
        const auto image = random_image(large.size, large.in, 3);
        const auto cut = image.view().crop({15, 15, 60, 40});
        Image small_image(small.size, small.in);
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 60; ++x) store(small_image.view(), x, y, 0, sample(cut, x, y, 0));
        for_each_algorithm(large, [&](Engine& engine, const Algorithm& algorithm) {
            const auto from_large = run(engine, large, image.view(), algorithm.id),
                       from_small = run(engine, small, small_image.view(), algorithm.id);
            EXPECT_TRUE(same_pixels(from_large.view().crop({25, 25, 40, 20}),
                                    from_small.view().crop({10, 10, 40, 20})));
        });
    }
}

TEST(Properties, ResultsInThePlaceOfTheirSourceAreRefused) { // a neighbour would read overwritten samples
    for (const auto& engine : engines()) {
        const auto request = plain_request({16, 16}, Depth::u8, {box_stage(3)}, Border::zero);
        const auto prepared = plan(*engine, request);
        const auto view = allocate_view(*engine, request.in, whole(request.size));
        const Item in_place{view, view};
        const auto queue = engine->queue();
        EXPECT_EQ(code_of([&] {
                      queue->run(prepared, {&in_place, 1});
                  }),
                  "overlapping-images")
            << label(*engine);
        auto twice_as_large = allocate_view(*engine, request.in, {0, 0, 16, 32});
        auto upper = twice_as_large, lower = twice_as_large;
        upper.covers = lower.covers = whole(request.size);
        lower.offset += 16 * lower.pitch; // adjacent regions of one buffer are valid
        const Item side_by_side{upper, lower};
        EXPECT_NO_THROW(queue->run(prepared, {&side_by_side, 1}));
        queue->fence().wait();
    }
}

} // namespace
} // namespace kg::testing
