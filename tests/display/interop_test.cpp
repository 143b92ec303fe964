// CUDA writes the texture: the same bytes as by host upload, and after any failure a right image with the
// reason. Needs an NVIDIA GPU that computes and draws; skipped with the reason elsewhere.

#include "display/gl_objects.hpp"
#include "display/image_pass.hpp"
#include "display/interop.hpp"

#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/display/display_support.hpp"
#include "tests/display/gl_test.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

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
    /// Shows the frame on both paths, and compares the two textures.
    static ::testing::AssertionResult alike(DisplayImage& interop, DisplayImage& host, const Frame& frame) {
        interop.present(frame);
        host.present(frame);
        for (auto* image : {&interop, &host})
            if (auto shown = show(*image, frame.serial); !shown) return shown;
        return same_bytes(read_texture(interop), read_texture(host));
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

TEST_F(Interop, OnlyTheRegionsThatChangedAreRead) {
    const std::vector<Rect> regions{{0, 0, 7, 5}, {31, 17, 1, 1}, {90, 2, 11, 60}, {1, 62, 100, 1}};
    for (const auto& format : kFormats)
        for (const std::int64_t limit : {0, 40}) { // 0 = OpenGL's limit, 40 = one pixel in three
            DisplayImage image(route(DisplayMode::interop), {.wake = {}, .texture_limit = limit});
            const auto before = random_image({101, 63}, format, 1),
                       after = random_image({101, 63}, format, 2);
            image.present(on_engine(gpu_, before.view(), ++serial_));
            ASSERT_TRUE(show(image, serial_));
            auto frame = on_engine(gpu_, after.view(), ++serial_);
            for (const auto& region : regions) { // only the last is polled for: none is lost
                frame.changed = {region};
                frame.serial = ++serial_;
                image.present(frame);
            }
            ASSERT_TRUE(show(image, serial_));
            EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(before.view(), after.view(), regions,
                                                                        limit == 0 ? 1 : 3)));
        }
}

TEST_F(Interop, WhatANewTextureHasNotGotYetIsZero) {
    for (const auto& format : kFormats) {
        DisplayImage interop(route(DisplayMode::interop)), host(route(DisplayMode::host));
        const auto image = random_image({300, 200}, format, 1);
        auto frame = on_engine(gpu_, image.view(), ++serial_);
        frame.changed = {{40, 50, 60, 70}};
        EXPECT_TRUE(alike(interop, host, frame));
        EXPECT_EQ(read_texture(interop).front(), std::byte{0});
    }
}

TEST_F(Interop, AfterAFailureTheOtherPathGetsAllRegionsSoFar) {
    const auto pixels = random_image({120, 90}, {Depth::u8, 4, 3}, 1);
    DisplayImage image(route(DisplayMode::interop, Fault{InteropStage::write, 3})); // the third region
    auto frame = on_engine(gpu_, pixels.view(), 0);
    for (const Rect& region : {Rect{0, 0, 120, 30}, Rect{0, 30, 50, 60}, Rect{50, 30, 70, 60}}) {
        frame.changed = {region};
        frame.serial = ++serial_;
        image.present(frame);
        ASSERT_TRUE(show(image, serial_));
    }
    expect_host_badge(image, InteropStage::write);
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(pixels.view(), 1)));
}

/// The rectangles of `outer` outside `inner`.
std::vector<Rect> ring(const Rect& outer, const Rect& inner) {
    if (inner.empty()) return {outer};
    std::vector<Rect> all;
    for (const Rect& r : {Rect{outer.x, outer.y, outer.width, inner.y - outer.y},
                          Rect{outer.x, inner.y, inner.x - outer.x, inner.height},
                          Rect{inner.right(), inner.y, outer.right() - inner.right(), inner.height},
                          Rect{outer.x, inner.bottom(), outer.width, outer.bottom() - inner.bottom()}})
        if (!r.empty()) all.push_back(r);
    return all;
}

/// A result computed from its middle outward, like a preview; its regions are never waited for.
class GrowingResult {
public:
    static constexpr int kRegions = 6;

    GrowingResult(std::shared_ptr<Engine> engine, const PixelFormat& format)
        : engine_(std::move(engine)), queue_(engine_->queue(Priority::high)) {
        request_.size = {1504, 1088};
        request_.in = request_.out = format;
        for (const int size : {9, 5}) {
            std::vector<float> weights(static_cast<std::size_t>(size * size), 1);
            weights.front() = 3; // no structure for a shortcut
            request_.stages.push_back(
                {{make_kernel(size, size, weights, static_cast<float>(size * size + 2))}});
        }
        source_ = on_engine(engine_, random_image(request_.size, format, 9).view(), 0).pixels;
        plan_ = plan(*engine_, request_);
        pixels_ = allocate_view(*engine_, format, whole(request_.size));
    }

    Frame next(std::uint64_t serial) {
        constexpr std::int64_t kStepX = 112, kStepY = 80; // towards every edge
        const auto left = kRegions - ++regions_;
        const Rect wider{left * kStepX, left * kStepY, request_.size.width - 2 * left * kStepX,
                         request_.size.height - 2 * left * kStepY};
        auto changed = ring(wider, covered_);
        for (const auto& region : changed) compute(pixels_.crop(region));
        covered_ = wider;
        return {engine_, pixels_, queue_->fence(), serial, std::move(changed)};
    }

    /// In a buffer of its own.
    Frame whole_result(std::uint64_t serial) {
        const auto pixels = allocate_view(*engine_, request_.out, whole(request_.size));
        compute(pixels);
        return {engine_, pixels, queue_->fence(), serial};
    }

private:
    void compute(const BufferView& to) {
        const Item item{source_, to};
        queue_->run(plan_, {&item, 1});
    }

    std::shared_ptr<Engine> engine_;
    std::unique_ptr<Queue> queue_;
    ImageRequest request_;
    BufferView source_, pixels_;
    std::shared_ptr<const Plan> plan_;
    Rect covered_;
    int regions_ = 0;
};

TEST_F(Interop, AGrowingResultIsTheSameOnBothPathsWhateverFails) {
    const std::optional<Fault> faults[] = {std::nullopt, Fault{InteropStage::map, 3},
                                           Fault{InteropStage::write, 3}, Fault{InteropStage::unmap, 4}};
    for (const auto& format :
         {PixelFormat{Depth::u8, 4, 3}, PixelFormat{Depth::u8, 3}, PixelFormat{Depth::f32, 4}})
        for (const auto& fault : faults)
            for (const bool waits : {true, false}) { // for each region on the screen, or only for the last
                SCOPED_TRACE(std::string(name(format.depth)) + "x" + std::to_string(format.channels) + " " +
                             (fault ? std::string(name(fault->stage)) : "no fault") +
                             (waits ? "" : ", together"));
                DisplayImage interop(route(DisplayMode::interop, fault)), host(route(DisplayMode::host));
                GrowingResult result(gpu_, format);
                for (int i = 1; i <= GrowingResult::kRegions; ++i) {
                    const auto frame = result.next(++serial_);
                    if (waits || i == GrowingResult::kRegions) {
                        ASSERT_TRUE(alike(interop, host, frame)) << i;
                    } else {
                        interop.present(frame);
                        host.present(frame);
                        interop.poll();
                    }
                }
                if (fault && waits) expect_host_badge(interop, fault->stage);
                const auto grown = read_texture(interop);
                ASSERT_TRUE(alike(interop, host, result.whole_result(++serial_)));
                EXPECT_TRUE(same_bytes(grown, read_texture(host)));
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

TEST_F(Interop, DrawingGoesOnWhileResultsArrive) {
    DisplayImage image(route(DisplayMode::interop));
    Texture copy(GL_TEXTURE_2D);
    glTextureStorage2D(copy.id(), 1, GL_RGBA8, 512, 512);
    std::vector<Image> images;
    for (unsigned i = 0; i < 8; ++i) images.push_back(random_image({512, 512}, {Depth::u8, 4, 3}, i));
    for (std::uint64_t i = 1; i <= 200; ++i) {
        image.present(on_engine(gpu_, images[i % 8].view(), i));
        ASSERT_TRUE(show(image, i));
        glCopyImageSubData(image.texture(), GL_TEXTURE_2D, 0, 0, 0, 0, copy.id(), GL_TEXTURE_2D, 0, 0, 0, 0,
                           512, 512, 1);
        if (i % 20 != 0) continue; // the others are not waited for
        std::vector<std::byte> drawn(512 * 512 * 4);
        glGetTextureImage(copy.id(), 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(drawn.size()),
                          drawn.data());
        ASSERT_TRUE(same_bytes(drawn, expected_texels(images[i % 8].view(), 1))) << i;
    }
}

TEST_F(Interop, DrawingThatIsStillQueuedSeesTheImageBefore) {
    constexpr Extent size{1024, 1024};
    DisplayImage image(route(DisplayMode::interop));
    ImagePass pass;
    Texture before(GL_TEXTURE_2D), after(GL_TEXTURE_2D);
    std::vector<Image> images;
    for (unsigned i = 0; i < 4; ++i) images.push_back(random_image(size, {Depth::u8, 4, 3}, i));
    for (const auto* copy : {&before, &after})
        glTextureStorage2D(copy->id(), 1, GL_RGBA8, static_cast<GLsizei>(size.width),
                           static_cast<GLsizei>(size.height));
    const auto copy_to = [&](const Texture& copy) {
        glCopyImageSubData(image.texture(), GL_TEXTURE_2D, 0, 0, 0, 0, copy.id(), GL_TEXTURE_2D, 0, 0, 0, 0,
                           static_cast<GLsizei>(size.width), static_cast<GLsizei>(size.height), 1);
    };
    const auto texels_of = [&](const Texture& copy) {
        std::vector<std::byte> texels(static_cast<std::size_t>(size.width * size.height) * 4);
        glGetTextureImage(copy.id(), 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(texels.size()),
                          texels.data());
        return texels;
    };
    image.present(on_engine(gpu_, images[0].view(), ++serial_));
    ASSERT_TRUE(show(image, serial_));
    for (std::size_t i = 1; i <= 40; ++i) {
        const auto shown = image.shown();
        const PassImage drawn{image.texture(),    shown.serial,    shown.size,
                              shown.texture_size, shown.reduction, shown.format};
        const auto frame = on_engine(gpu_, images[i % 4].view(), ++serial_);
        PassSettings settings;
        for (int j = 0; j < 40; ++j) { // milliseconds of drawing, without waiting
            settings.view.origin.x = -j;
            pass.draw({2048, 2048}, {}, drawn, settings);
        }
        copy_to(before);
        image.present(frame);
        ASSERT_TRUE(image.poll()); // mapped, written and unmapped, as seen by this thread
        copy_to(after);
        ASSERT_TRUE(same_bytes(texels_of(before), expected_texels(images[(i - 1) % 4].view(), 1))) << i;
        ASSERT_TRUE(same_bytes(texels_of(after), expected_texels(images[i % 4].view(), 1))) << i;
    }
}

TEST_F(Interop, MinifiedImagesAreDrawnAlike) {
    DisplayImage interop(route(DisplayMode::interop)), host(route(DisplayMode::host));
    constexpr Extent kView{97, 61};
    ImagePass passes[2];
    for (const auto& format :
         {PixelFormat{Depth::u8, 3}, PixelFormat{Depth::u8, 4, 3}, PixelFormat{Depth::f32, 4}})
        // into one texture, so that it contains the last one written
        for (unsigned seed = 0; seed < 6; ++seed) {
            const auto pixels = random_image({777, 489}, format, seed);
            ASSERT_TRUE(alike(interop, host, on_engine(gpu_, pixels.view(), ++serial_)));
            std::vector<std::byte> drawn[2];
            for (std::size_t i = 0; i < 2; ++i) {
                const auto& image = i == 0 ? interop : host;
                const auto shown = image.shown();
                PassSettings settings;
                settings.view = ViewTransform::fit(shown.size, kView);
                const auto texture = passes[i].draw(kView, {},
                                                    {image.texture(), shown.serial, shown.size,
                                                     shown.texture_size, shown.reduction, shown.format},
                                                    settings);
                drawn[i].resize(static_cast<std::size_t>(kView.width * kView.height) * 4);
                glGetTextureImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                                  static_cast<GLsizei>(drawn[i].size()), drawn[i].data());
            }
            EXPECT_TRUE(same_bytes(drawn[0], drawn[1])) << seed;
        }
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

TEST_F(Interop, OpenGlsClockHoldsAllThatCudaDoesMeanwhile) {
    DisplayImage image(route(DisplayMode::interop));
    for (int i = 0; i < 20; ++i) {
        expect_shown(image, {Depth::f32, 4, 3}, {2048, 2048});
        glFinish();
        std::optional<PresentationTimes> times;
        while (!(times = image.take_times())) image.poll();
        const auto held_up = image.take_gl_time();
        ASSERT_TRUE(held_up.has_value());
        EXPECT_EQ(held_up->serial, serial_);
        EXPECT_FALSE(image.take_gl_time().has_value());
        for (const auto& span : times->device_parts)
            if (span.name == "pack") {
                EXPECT_GT(held_up->microseconds, span.microseconds)
                    << "both clocks count microseconds, so that a longer stretch is longer on either";
            }
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
        for (const int good : {0, 1, 2}) { // images that are shown before it happens
            SCOPED_TRACE(std::string(name(stage)) + " after " + std::to_string(good));
            const auto shared = route(DisplayMode::interop, Fault{stage, 1 + good});
            DisplayImage image(shared), other(shared);
            for (int i = 0; i < good; ++i) {
                expect_shown(image, {Depth::u8, 3}, {40 + i, 30});
                EXPECT_EQ(image.badge().text, "interop");
            }
            const auto texture = image.texture();
            const auto before = good > 0 ? read_texture(image) : std::vector<std::byte>{};
            const auto pixels = random_image({77, 11}, {Depth::f32, 3}, 3);
            image.present(on_engine(gpu_, pixels.view(), ++serial_));
            EXPECT_FALSE(image.poll()); // it fails here: the old image stays,
            EXPECT_EQ(image.texture(), texture);
            if (good > 0) {
                EXPECT_TRUE(same_bytes(read_texture(image), before));
            }
            ASSERT_TRUE(show(image, serial_)); // and the new one comes on the other path
            const auto news = shared->take_news();
            ASSERT_TRUE(news.has_value()); // reported once
            EXPECT_NE(news->find("Stage " + std::string(name(stage))), std::string::npos) << *news;
            EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(pixels.view(), 1)));
            expect_host_badge(image, stage);
            EXPECT_EQ(live_registrations(), 0);
            expect_shown(image, {Depth::u8, 4, 3}, {21, 22});
            expect_shown(other, {Depth::u8, 1}, {5, 6}); // as do those of all other images
            expect_host_badge(other, stage);
            EXPECT_FALSE(shared->take_news().has_value());
        }
}

TEST_F(Interop, EveryPresentationReturnsItsTimesInOrder) {
    DisplayImage image(route(DisplayMode::interop));
    for (int i = 0; i < 6; ++i) expect_shown(image, {Depth::u8, 4, 3}, {640, 480});
    EXPECT_TRUE(image.is_interop());
    glFinish();
    std::vector<PresentationTimes> all;
    eventually([&] {
        image.poll();
        while (const auto times = image.take_times()) all.push_back(*times);
        return all.size() >= 6;
    });
    ASSERT_EQ(all.size(), 6u);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].serial, serial_ - 5 + i);
        EXPECT_GT(all[i].device_us, 0);
        EXPECT_GT(all[i].submit_us, 0);
    }
}

TEST_F(Interop, TimesHaveTheirSpans) {
    DisplayImage image(route(DisplayMode::interop));
    using Names = std::vector<std::string>;
    for (const Names& submitted :
         {Names{"register", "map", "pack", "unmap"}, Names{"map", "pack", "unmap"}}) {
        expect_shown(image, {Depth::u8, 4, 3}, {640, 480});
        glFinish();
        std::optional<PresentationTimes> times;
        while (!(times = image.take_times())) image.poll();
        EXPECT_EQ(times->serial, serial_);
        EXPECT_FALSE(image.take_times().has_value());
        double device_us = 0, submit_us = 0;
        const auto names_and_sum = [](const std::vector<TimedSpan>& spans, double& sum) {
            Names names;
            for (const auto& span : spans) {
                names.push_back(span.name);
                EXPECT_GT(span.microseconds, 0) << span.name;
                sum += span.microseconds;
            }
            return names;
        };
        EXPECT_EQ(names_and_sum(times->device_parts, device_us), (Names{"map", "pack", "unmap"}));
        EXPECT_EQ(names_and_sum(times->submit_parts, submit_us), submitted);
        EXPECT_DOUBLE_EQ(times->device_us, device_us);
        EXPECT_GE(times->submit_us, submit_us); // the fence is added
    }
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
