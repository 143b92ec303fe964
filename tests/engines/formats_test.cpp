// Requests whose images are already linear or premultiplied, in every meaningful combination.

#include "core/support/error.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"

#include <algorithm>

namespace kg::testing {
namespace {

Stage smoothing() { return {{make_kernel(3, 3, {1, 2, 1, 2, 4, 2, 1, 2, 1}, 16)}}; }
Stage slope() { return {{make_kernel(3, 1, {-1, 0, 1})}}; }

/// Noise whose premultiplied colour does not exceed its alpha. Float alpha occasionally leaves its range.
Image image_in(const PixelFormat& format, Extent size) {
    auto image = random_image(size, format, 8);
    for (std::int64_t y = 0; y < size.height && !is_integer(format.depth); ++y)
        for (std::int64_t x = y % 3; x < size.width; x += 3)
            store(image.view(), x, y, format.alpha, 1.5 * sample(image.view(), x, y, format.alpha) - 0.25);
    if (format.premultiplied)
        for (std::int64_t y = 0; y < size.height; ++y)
            for (std::int64_t x = 0; x < size.width; ++x)
                for (int c = 0; c < format.channels; ++c)
                    if (c != format.alpha)
                        store(image.view(), x, y, c,
                              sample(image.view(), x, y, c) * sample(image.view(), x, y, format.alpha) /
                                  full_scale(format));
    return image;
}

struct Mode {
    AlphaMode alpha;
    unsigned channels;
};
constexpr Mode kModes[] = {{AlphaMode::premultiplied, ~0u},
                           {AlphaMode::straight, ~0u},
                           {AlphaMode::straight, 0b0101}, // neither green nor alpha
                           {AlphaMode::keep, ~0u}};

template <typename Body>
void for_each_combination(Body body) {
    for (int bits = 0; bits < 64; ++bits)
        for (const auto depth : {Depth::u8, Depth::f32})
            for (const auto& [mode, channels] : kModes) {
                ImageRequest request{{23, 9}, {depth, 4, 3}, {Depth::f32, 4, 3}, {}};
                request.in.linear = bits & 1, request.in.premultiplied = bits & 2;
                request.out.linear = bits & 4, request.out.premultiplied = bits & 8;
                request.light = bits & 16 ? Light::linear : Light::stored;
                request.alpha = mode, request.channels = channels;
                request.stages = {bits & 32 ? slope() : smoothing(), smoothing()};
                body(request);
            }
}

bool makes_sense(const ImageRequest& request) {
    try {
        validate(request);
        return true;
    } catch (const Error&) {
        return false;
    }
}

TEST(Formats, LinearAndPremultipliedImagesAreFilteredByTheirFormat) {
    for (const auto& engine : engines()) {
        int ran = 0;
        for_each_combination([&](const ImageRequest& request) {
            if (!makes_sense(request)) return;
            const auto image = image_in(request.in, request.size);
            const auto result = run(*engine, request, image.view());
            ASSERT_TRUE(is_right(request, image.view(), result.view()))
                << label(*engine) << " in linear " << request.in.linear << " premultiplied "
                << request.in.premultiplied << ", out " << request.out.linear << request.out.premultiplied;
            ++ran;
        });
        EXPECT_GT(ran, 100);
    }
}

TEST(Formats, TheCurveOfColourMultipliedByAlphaIsRefused) {
    ImageRequest request{{4, 4}, {Depth::f32, 4, 3}, {Depth::f32, 4, 3}, {}};
    request.in.premultiplied = true;
    request.out.linear = true;
    EXPECT_EQ(code_of([&] { validate(request); }), "premultiplied-curve");
    request.out.linear = false;
    EXPECT_NO_THROW(validate(request));
    request.stages = {smoothing()};
    request.light = Light::linear;
    EXPECT_EQ(code_of([&] { validate(request); }), "premultiplied-curve");
    request.in.premultiplied = false;
    EXPECT_NO_THROW(validate(request));
    // Numbers weighted by alpha during the sums cannot become linear premultiplied colour.
    request.out.linear = request.out.premultiplied = true;
    EXPECT_NO_THROW(validate(request));
    request.light = Light::stored;
    EXPECT_EQ(code_of([&] { validate(request); }), "premultiplied-curve");
    request.alpha = AlphaMode::straight;
    EXPECT_NO_THROW(validate(request));
}

TEST(Formats, AnAverageOfPremultipliedInputIsAlphaWeighted) {
    // A transparent red pixel next to an opaque blue one: no red may appear. 0, 0, 1 with alpha 1 and 0, 0, 0
    // with alpha 0.
    ImageRequest request{{2, 1}, {Depth::f32, 4, 3}, {Depth::f32, 4, 3}, {}};
    request.in.premultiplied = true;
    request.border = Border::replicate;
    request.stages = {Stage{{make_kernel(3, 1, {1, 2, 1}, 4)}}};
    Image image(request.size, request.in);
    const float pixels[] = {0, 0, 0, 0, 0, 0, 1, 1};
    std::copy(std::begin(pixels), std::end(pixels), image.view().row<float>(0));
    const auto values = reference_values(request, image.view());
    EXPECT_DOUBLE_EQ(values[2], 1.0);  // straight colour: entirely blue
    EXPECT_DOUBLE_EQ(values[3], 0.25); // with a quarter of the alpha
}

} // namespace
} // namespace kg::testing
