// CUDA writes the texture: the same bytes as by host upload. Needs an NVIDIA GPU that computes and draws;
// skipped with the reason elsewhere.

#include "cpu/engine.hpp"
#include "display/gl_objects.hpp"
#include "tests/display/interop_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

TEST_F(Interop, ProbePasses) {
    const auto automatic = route(DisplayMode::automatic);
    EXPECT_FALSE(automatic->failure().has_value()) << automatic->failure()->message;
    EXPECT_TRUE(automatic->interop_for(*gpu_));
    EXPECT_FALSE(automatic->interop_for(*cpu::make_engine(1)));
    EXPECT_NO_THROW(route(DisplayMode::interop));
}

TEST_F(Interop, SameBytesAsHostUpload) {
    DisplayImage interop(route(DisplayMode::interop)), host(route(DisplayMode::host));
    for (const auto& format : kFormats)
        for (const auto& size : kSizes) {
            expect_shown(interop, format, size);
            const auto image = random_image(size, format, 5);
            ASSERT_TRUE(alike(interop, host, on_engine(gpu_, image.view(), ++serial_)));
        }
    EXPECT_EQ(interop.badge().text, "interop");
    interop.poll(); // releases textures of earlier sizes
    EXPECT_EQ(live_registrations(), 1);
}

TEST_F(Interop, LargeImagesHaveTheSameBytesAsByHostUpload) {
    DisplayImage interop(route(DisplayMode::interop)), host(route(DisplayMode::host));
    for (const auto& format : kFormats) {
        SCOPED_TRACE(std::string(name(format.depth)) + "x" + std::to_string(format.channels));
        const auto image = random_image({4096, 4096}, format, 5);
        EXPECT_TRUE(alike(interop, host, on_engine(gpu_, image.view(), ++serial_)));
    }
}

TEST_F(Interop, NotANumberInfinityAndHalvesTravelAlike) {
    DisplayImage interop(route(DisplayMode::interop)), host(route(DisplayMode::host));
    for (const float scale : {1.0f, 255.0f}) {
        Image floats({4, 1}, {Depth::f32, 1, -1, false, false, scale});
        const float values[] = {std::nanf(""), INFINITY, -INFINITY, -0.0f};
        std::copy_n(values, 4, floats.view().row<float>(0));
        Image halves({256, 256}, {Depth::f16, 1, -1, false, false, scale}); // all values of f16
        for (int y = 0; y < 256; ++y)
            for (int x = 0; x < 256; ++x)
                halves.view().row<std::uint16_t>(y)[x] = static_cast<std::uint16_t>(y * 256 + x);
        for (const auto* image : {&floats, &halves}) {
            EXPECT_TRUE(alike(interop, host, on_engine(gpu_, image->view(), ++serial_))) << scale;
        }
    }
}

TEST_F(Interop, HundredResizesLeakNothing) {
    DisplayImage image(route(DisplayMode::interop));
    for (int i = 0; i < 100; ++i) {
        expect_shown(image, {Depth::u8, 1 + i % 4}, {1 + i * 7 % 53, 1 + i * 5 % 31});
        image.poll(); // releases the texture of the previous size
        EXPECT_EQ(live_registrations(), 1);
    }
}

TEST_F(Interop, SameSizeIsRegisteredOnce) {
    DisplayImage image(route(DisplayMode::interop));
    expect_shown(image, {Depth::u8, 3}, {200, 100});
    const auto texture = image.texture();
    for (int i = 0; i < 20; ++i) {
        expect_shown(image, {Depth::u8, 1 + i % 4}, {200, 100});
        EXPECT_EQ(image.texture(), texture);
    }
}

TEST_F(Interop, OldTextureStaysUntilTheNextResultIsReady) {
    DisplayImage image(route(DisplayMode::interop));
    expect_shown(image, {Depth::u8, 3}, {40, 30});
    const auto before = read_texture(image);
    const auto pixels = random_image({40, 30}, {Depth::u8, 4, 3}, 77);
    auto gate = std::make_shared<Gate>();
    auto next = on_engine(gpu_, pixels.view(), 1000);
    next.ready = Completion(gate);
    image.present(next);
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(image.poll());
    EXPECT_TRUE(same_bytes(read_texture(image), before));
    gate->open();
    ASSERT_TRUE(show(image, 1000));
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(pixels.view(), 1)));
}

TEST_F(Interop, ImagesOverTheTextureLimitAreShownReduced) {
    DisplayImage image(route(DisplayMode::interop), {.wake = {}, .texture_limit = 64});
    for (const auto& format : kFormats) {
        expect_shown(image, format, {65, 20}, 2);
        expect_shown(image, format, {3, 200}, 4);
    }
    EXPECT_EQ(image.badge().text, "interop, shown 1:4");
}

TEST_F(Interop, EnginesMayAlternate) {
    DisplayImage image(route(DisplayMode::automatic));
    const auto cpu = cpu::make_engine(2);
    const auto before = registrations_made();
    for (int i = 0; i < 6; ++i) {
        expect_shown(image, {Depth::u8, 3}, {30, 20});
        EXPECT_EQ(image.badge().text, "interop");
        kg::testing::expect_shown(image, cpu, {Depth::u8, 3}, {30, 20}, ++serial_);
        EXPECT_EQ(image.badge().text, "host upload");
        EXPECT_FALSE(image.badge().warning);
        EXPECT_EQ(live_registrations(), 1) << "it is kept for its next result";
    }
    EXPECT_EQ(registrations_made(), before + 1);
    for (const PixelFormat& format : {PixelFormat{Depth::u8, 3}, PixelFormat{Depth::f32, 3}}) {
        kg::testing::expect_shown(image, cpu, format, {31, 20}, ++serial_); // another size, another depth
        EXPECT_EQ(live_registrations(), 0);
        expect_shown(image, format, {31, 20});
        EXPECT_EQ(live_registrations(), 1);
        kg::testing::expect_shown(image, cpu, format, {31, 20}, ++serial_);
    }
    EXPECT_EQ(registrations_made(), before + 3);
}

TEST_F(Interop, SamplesFromTheProcessorAndWholesAlternateWithoutRegisteringAnew) {
    DisplayImage image(route(DisplayMode::automatic));
    const auto cpu = cpu::make_engine(2);
    const PixelFormat format{Depth::u8, 4, 3};
    expect_shown(image, format, {100, 50});
    const auto before = registrations_made();
    for (unsigned i = 0; i < 6; ++i) {
        const auto samples = random_image({17, 9}, format, i);
        auto frame = on_engine(cpu, samples.view(), ++serial_);
        frame.every = 6;
        frame.size = {100, 50};
        image.present(frame);
        ASSERT_TRUE(show(image, serial_));
        EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(samples.view(), 1)));
        expect_shown(image, format, {100, 50});
    }
    EXPECT_EQ(registrations_made(), before);
    EXPECT_EQ(live_registrations(), 1);
}

/// Without the fixture's context: each GPU has its own.
TEST(DrawingDevice, IsTheOneThatComputesAndAnotherGpuUsesHostUpload) {
    int found = 0;
    for (int i = 0; i < 16; ++i) {
        std::unique_ptr<EglDevice> context;
        try {
            context = std::make_unique<EglDevice>(std::to_string(i));
        } catch (const Unavailable&) {
            continue;
        }
        const auto device = drawing_device();
        if (!Renderer::current().is_nvidia()) {
            EXPECT_FALSE(device.has_value()) << context->description();
            continue;
        }
        SCOPED_TRACE(context->description());
        if (!device && std::getenv("CUDA_VISIBLE_DEVICES")) continue; // it draws and is hidden from CUDA
        ASSERT_TRUE(device.has_value());
        for (const int other : {*device, *device == 0 ? 1 : 0}) {
            const auto gpu = gpu::make_engine(other);
            if (!gpu->usable().empty()) continue;
            const auto route = std::make_shared<DisplayRoute>(DisplayMode::automatic, gpu);
            DisplayImage image(route);
            expect_shown(image, gpu, {Depth::u8, 3}, {640, 480}, 1);
            const auto badge = image.badge();
            if (other == *device) {
                EXPECT_EQ(badge.text, "interop") << badge.explanation;
                ++found;
                continue;
            }
            EXPECT_EQ(badge.text, "host upload");
            EXPECT_NE(badge.explanation.find("--device " + std::to_string(*device)), std::string::npos)
                << badge.explanation;
        }
        EXPECT_EQ(live_registrations(), 0);
    }
    RecordProperty("gpus", found);
    if (found == 0) GTEST_SKIP() << "NO GPU DRAWS AND COMPUTES HERE, NOTHING WAS TESTED";
}

} // namespace
