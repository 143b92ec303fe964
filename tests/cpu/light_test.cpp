// The sRGB curve by tables equals the formula to the bit.

#include "core/request/sample.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernels/light.hpp"
#include "tests/support/check.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace kg::testing {
namespace {

std::uint8_t by_formula(float light) {
    return SampleTraits<std::uint8_t>::from(linear_to_srgb(light) * 255.0f);
}

TEST(Light, EncodesEveryNumberNearABoundaryAsTheFormula) {
    const auto next = [](float v, int steps) {
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(v) + static_cast<std::uint32_t>(steps));
    };
    for (int code = 1; code < 256; ++code) {
        // The light halfway between two bytes, and a thousand floats below and above it.
        const double half = srgb_to_linear((code - 0.5) / 255);
        int changes = 0;
        for (int steps = -1000; steps <= 1000; ++steps) {
            const float light = next(static_cast<float>(half), steps);
            ASSERT_EQ(cpu::encoded_byte(light), by_formula(light)) << "code " << code << " light " << light;
            changes += by_formula(light) != by_formula(next(light, -1));
        }
        EXPECT_EQ(changes, 1) << "code " << code; // the curve is monotonic there
    }
}

TEST(Light, EncodesAllOverTheRangeAsTheFormula) {
    // Step in the bits of floats: some 430,000 numbers up to infinity, of both signs.
    constexpr auto kStep = 9973u;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += kStep) {
        const auto light = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        ASSERT_EQ(cpu::encoded_byte(light), by_formula(light)) << light;
    }
    for (const float light :
         {0.0f, -0.0f, 1.0f, std::nextafter(1.0f, 0.0f), std::numeric_limits<float>::infinity(),
          -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
        EXPECT_EQ(cpu::encoded_byte(light), by_formula(light)) << light;
}

/// Runs conversions by the CPU engine and pixel by pixel.
void compare(const PixelFormat& in, const PixelFormat& out, unsigned channels) {
    const Extent size{300, 220}; // more pixels than 16-bit codes
    ImageRequest request{size, in, out, {}};
    request.alpha = AlphaMode::straight;
    request.channels = channels;
    auto image = random_image(size, in, 9);
    if (in.depth == Depth::u16)
        for (std::int64_t i = 0; i < 65536; ++i)
            image.view().row<std::uint16_t>(i / 300)[i % 300 * in.channels] = static_cast<std::uint16_t>(i);
    const auto engine = cpu::make_engine(2);
    const Algorithm* convert = nullptr;
    for (const auto* algorithm : engine->algorithms())
        if (algorithm->id == "convert") convert = algorithm;
    const Item item{allocate_view(*engine, in, whole(size)), allocate_view(*engine, out, whole(size))};
    const auto queue = engine->queue();
    queue->upload(image.view(), item.src);
    queue->run(convert->plan(ImageStep(request), *engine, {}), {&item, 1});
    Image result(size, out), expected(size, out);
    queue->download(item.dst, result.view());
    queue->fence().wait();
    const auto conversion = PixelConversion::from(ImageStep(request));
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < size.width; ++x) {
            float pixel[kMaxChannels];
            for (int c = 0; c < in.channels; ++c)
                pixel[c] = static_cast<float>(sample(image.view(), x, y, c));
            conversion(pixel);
            for (int c = 0; c < in.channels; ++c)
                store(expected.view(), x, y, c, static_cast<double>(pixel[c]));
        }
    EXPECT_TRUE(same_pixels(result.view(), expected.view()));
}

TEST(Light, ConversionsByTableAreThoseOfTheFormula) {
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const int channels : {1, 3, 4})
            for (const unsigned computed : {~0u, 0b1010u})
                for (const bool premultiplied : {false, true}) {
                    const int alpha = channels == 4 ? 3 : -1;
                    if (premultiplied && alpha < 0) continue;
                    const PixelFormat stored{depth, channels, alpha},
                        linear{Depth::f32, channels, alpha, true, premultiplied};
                    compare(stored, linear, computed);
                    compare(linear, stored, computed);
                }
}

} // namespace
} // namespace kg::testing
