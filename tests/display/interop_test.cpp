// CUDA writes the texture: the same bytes as by host upload, and whatever fails, a right picture with its reason. Needs an
// NVIDIA GPU that computes and draws; skipped, and loudly, elsewhere.

#include "display/gl_objects.hpp"
#include "display/interop.hpp"

#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/display/display_support.hpp"
#include "tests/display/gl_test.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <thread>

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

class Interop : public GlTest {
protected:
    void SetUp() override {
        GlTest::SetUp();
        if (IsSkipped()) return;
        gpu_ = gpu::make_engine();
        if (const auto reason = gpu_->usable(); !reason.empty())
            GTEST_SKIP() << "NO CUDA HERE, INTEROP WAS NOT TESTED: " << reason;
        if (const auto renderer = Renderer::current(); !renderer.is_nvidia())
            GTEST_SKIP() << "OPENGL IS NOT NVIDIA'S HERE, INTEROP WAS NOT TESTED: " << renderer.name;
        ASSERT_EQ(live_registrations(), 0);
    }
    void TearDown() override {
        EXPECT_EQ(live_registrations(), 0) << "a test left a texture registered";
        GlTest::TearDown();
    }

    std::shared_ptr<DisplayRoute> route(DisplayMode mode, std::optional<Fault> fault = {}) const {
        return std::make_shared<DisplayRoute>(mode, gpu_, fault);
    }
    void expect_shown(DisplayImage& image, const PixelFormat& format, Extent size, int step = 1) {
        kg::testing::expect_shown(image, gpu_, format, size, ++serial_, step);
    }
    static void expect_host_badge(const DisplayImage& image, InteropStage stage) {
        EXPECT_EQ(image.badge().text, "host upload");
        EXPECT_NE(image.badge().explanation.find("Stage " + std::string(name(stage))), std::string::npos)
            << image.badge().explanation;
        EXPECT_TRUE(image.badge().warning);
    }

    std::shared_ptr<Engine> gpu_;
    std::uint64_t serial_ = 0;
};

TEST_F(Interop, ProbePasses) {
    const auto automatic = route(DisplayMode::automatic);
    EXPECT_FALSE(automatic->failure().has_value()) << automatic->failure()->sentence;
    EXPECT_TRUE(automatic->interop_for(*gpu_));
    EXPECT_FALSE(automatic->interop_for(*cpu::make_engine(1)));
    EXPECT_NO_THROW(route(DisplayMode::interop));
}

TEST_F(Interop, SameBytesAsHostUpload) {
    DisplayImage interop(route(DisplayMode::interop)), host(route(DisplayMode::host));
    for (const auto& format : kFormats)
        for (const auto& size : kSizes) {
            expect_shown(interop, format, size);
            const auto picture = random_picture(size, format, 5);
            const auto frame = on_engine(gpu_, picture.view(), ++serial_);
            interop.present(frame);
            host.present(frame);
            ASSERT_TRUE(show(interop, serial_));
            ASSERT_TRUE(show(host, serial_));
            EXPECT_TRUE(same_bytes(read_texture(interop), read_texture(host)));
        }
    EXPECT_EQ(interop.badge().text, "interop");
    interop.poll(); // lets go of textures of earlier sizes
    EXPECT_EQ(live_registrations(), 1);
}

TEST_F(Interop, NotANumberInfinityAndHalvesTravelAlike) {
    DisplayImage interop(route(DisplayMode::interop)), host(route(DisplayMode::host));
    for (const float scale : {1.0f, 255.0f}) {
        Image floats({4, 1}, {Depth::f32, 1, -1, false, false, scale});
        const float values[] = {std::nanf(""), INFINITY, -INFINITY, -0.0f};
        std::copy_n(values, 4, floats.view().row<float>(0));
        Image halves({256, 256}, {Depth::f16, 1, -1, false, false, scale}); // all there are
        for (int y = 0; y < 256; ++y)
            for (int x = 0; x < 256; ++x)
                halves.view().row<std::uint16_t>(y)[x] = static_cast<std::uint16_t>(y * 256 + x);
        for (const auto* picture : {&floats, &halves}) {
            const auto frame = on_engine(gpu_, picture->view(), ++serial_);
            interop.present(frame);
            host.present(frame);
            ASSERT_TRUE(show(interop, serial_));
            ASSERT_TRUE(show(host, serial_));
            EXPECT_TRUE(same_bytes(read_texture(interop), read_texture(host))) << scale;
        }
    }
}

TEST_F(Interop, HundredResizesLeakNothing) {
    DisplayImage image(route(DisplayMode::interop));
    for (int i = 0; i < 100; ++i) {
        expect_shown(image, {Depth::u8, 1 + i % 4}, {1 + i * 7 % 53, 1 + i * 5 % 31});
        image.poll(); // lets go of the texture of the size before
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
    const auto picture = random_picture({40, 30}, {Depth::u8, 4, 3}, 77);
    auto gate = std::make_shared<Gate>();
    auto next = on_engine(gpu_, picture.view(), 1000);
    next.ready = Completion(gate);
    image.present(next);
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(image.poll());
    EXPECT_TRUE(same_bytes(read_texture(image), before));
    gate->open();
    ASSERT_TRUE(show(image, 1000));
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(picture.view(), 1)));
}

TEST_F(Interop, DrawingGoesOnWhileResultsArrive) {
    DisplayImage image(route(DisplayMode::interop));
    Texture copy(GL_TEXTURE_2D);
    glTextureStorage2D(copy.id(), 1, GL_RGBA8, 512, 512);
    std::vector<Image> pictures;
    for (unsigned i = 0; i < 8; ++i) pictures.push_back(random_picture({512, 512}, {Depth::u8, 4, 3}, i));
    for (std::uint64_t i = 1; i <= 200; ++i) {
        image.present(on_engine(gpu_, pictures[i % 8].view(), i));
        ASSERT_TRUE(show(image, i));
        glCopyImageSubData(image.texture(), GL_TEXTURE_2D, 0, 0, 0, 0, copy.id(), GL_TEXTURE_2D, 0, 0, 0, 0,
                           512, 512, 1);
        if (i % 20 != 0) continue; // the others are not waited for
        std::vector<std::byte> drawn(512 * 512 * 4);
        glGetTextureImage(copy.id(), 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(drawn.size()),
                          drawn.data());
        ASSERT_TRUE(same_bytes(drawn, expected_texels(pictures[i % 8].view(), 1))) << i;
    }
}

TEST_F(Interop, PicturesOverTheTextureLimitAreShownReduced) {
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
    for (int i = 0; i < 6; ++i) {
        expect_shown(image, {Depth::u8, 3}, {30 + i, 20});
        EXPECT_EQ(image.badge().text, "interop");
        kg::testing::expect_shown(image, cpu, {Depth::u8, 3}, {30 + i, 20}, ++serial_);
        EXPECT_EQ(image.badge().text, "host upload");
        EXPECT_FALSE(image.badge().warning);
        EXPECT_EQ(live_registrations(), 0);
    }
}

TEST_F(Interop, EveryStageOfTheProbeMayFail) {
    for (int i = 0; i < kInteropStages; ++i) {
        const auto stage = static_cast<InteropStage>(i);
        SCOPED_TRACE(name(stage));
        const auto automatic = route(DisplayMode::automatic, Fault{stage});
        ASSERT_TRUE(automatic->failure().has_value());
        EXPECT_EQ(automatic->failure()->stage, stage);
        EXPECT_EQ(live_registrations(), 0);
        DisplayImage image(automatic);
        expect_shown(image, {Depth::u8, 3}, {33, 17});
        expect_host_badge(image, stage);
        EXPECT_THROW(route(DisplayMode::interop, Fault{stage}), Unavailable);
        EXPECT_EQ(live_registrations(), 0);
    }
}

TEST_F(Interop, EveryStageMayFailLater) {
    for (const auto stage :
         {InteropStage::registration, InteropStage::map, InteropStage::write, InteropStage::unmap})
        for (const int good : {0, 1, 2}) { // pictures that are shown before it happens
            SCOPED_TRACE(std::string(name(stage)) + " after " + std::to_string(good));
            const auto shared = route(DisplayMode::interop, Fault{stage, 1 + good});
            DisplayImage image(shared), other(shared);
            for (int i = 0; i < good; ++i) {
                expect_shown(image, {Depth::u8, 3}, {40 + i, 30});
                EXPECT_EQ(image.badge().text, "interop");
            }
            const auto texture = image.texture();
            const auto before = good > 0 ? read_texture(image) : std::vector<std::byte>{};
            const auto picture = random_picture({77, 11}, {Depth::f32, 3}, 3);
            image.present(on_engine(gpu_, picture.view(), ++serial_));
            EXPECT_FALSE(image.poll()); // this is where it fails: the old picture stays,
            EXPECT_EQ(image.texture(), texture);
            if (good > 0) {
                EXPECT_TRUE(same_bytes(read_texture(image), before));
            }
            ASSERT_TRUE(show(image, serial_)); // and the new one comes the other way
            EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(picture.view(), 1)));
            expect_host_badge(image, stage);
            EXPECT_EQ(live_registrations(), 0);
            expect_shown(image, {Depth::u8, 4, 3}, {21, 22});
            expect_shown(other, {Depth::u8, 1}, {5, 6}); // so do those of all other images
            expect_host_badge(other, stage);
        }
}

TEST_F(Interop, EveryHandOffTellsItsTimesInOrder) {
    DisplayImage image(route(DisplayMode::interop));
    for (int i = 0; i < 6; ++i) expect_shown(image, {Depth::u8, 4, 3}, {640, 480});
    EXPECT_TRUE(image.is_interop());
    glFinish();
    std::vector<HandOffTimes> all;
    for (int i = 0; i < 2000 && all.size() < 6; ++i) {
        image.poll();
        while (const auto times = image.take_times()) all.push_back(*times);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_EQ(all.size(), 6u);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].serial, serial_ - 5 + i);
        EXPECT_GT(all[i].device_us, 0);
        EXPECT_GT(all[i].submit_us, 0);
        EXPECT_LT(all[i].device_us, 1e6);
    }
}

/// Not a bound, which would depend on the machine: the numbers are printed for the record.
TEST_F(Interop, CostIsMeasured) {
    for (const Extent size : {Extent{1920, 1080}, Extent{3840, 2160}})
        for (const auto mode : {DisplayMode::interop, DisplayMode::host}) {
            DisplayImage image(route(mode));
            const auto picture = random_picture(size, {Depth::u8, 4, 3}, 1);
            std::vector<double> device, submit;
            for (int i = 0; i < 60; ++i) {
                image.present(on_engine(gpu_, picture.view(), ++serial_));
                ASSERT_TRUE(show(image, serial_));
                glFinish();
                std::optional<HandOffTimes> times;
                while (!(times = image.take_times())) image.poll();
                EXPECT_EQ(times->serial, serial_);
                if (i < 10) continue;
                device.push_back(times->device_us);
                submit.push_back(times->submit_us);
            }
            const auto median = [](std::vector<double>& v) {
                std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
                return v[v.size() / 2];
            };
            EXPECT_GT(median(device), 0);
            EXPECT_GT(median(submit), 0);
            std::cout << (mode == DisplayMode::interop ? "interop" : "host upload") << " " << size.width
                      << "x" << size.height << " RGBA8: device " << median(device) << " us, GL thread "
                      << median(submit) << " us (medians of 50)\n";
        }
}

} // namespace
