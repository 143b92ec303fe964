// From a result to a texture through host memory, from every engine: the texels read back are the expected
// bytes.

#include "tests/display/display_fixture.hpp"
#include "tests/support/failing_memory.hpp"

#include <condition_variable>
#include <mutex>
#include <new>

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

TEST_F(Display, TextureHoldsTheResult) {
    for (const auto& engine : every_engine()) {
        DisplayImage image(host_route());
        for (const auto& format : kFormats)
            for (const auto& size : kSizes) expect_shown(image, engine, format, size);
    }
}

TEST_F(Display, WhatFitsTheEnginesMemoryFitsTheScreen) {
    const PixelFormat format{Depth::u8, 4};
    const Extent size{256, 64}; // pitches without padding
    const auto bytes = static_cast<std::size_t>(size.width * size.height) * bytes_per_pixel(format);
    const auto engine = cpu::make_engine(1, 5 * bytes / 2);
    const auto source = allocate_view(*engine, format, whole(size)); // lives as long as the result is used
    DisplayImage image(host_route());
    const auto pixels = random_image(size, format, 7);
    const auto result = allocate_view(*engine, format, whole(size));
    const auto queue = engine->queue();
    queue->upload(pixels.view(), result);
    image.present({engine, result, queue->fence(), 1});
    EXPECT_TRUE(show(image, 1));
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(pixels.view(), 1)));
    EXPECT_THROW(engine->allocate(bytes), std::bad_alloc) << "the limit holds for what is computed in";
}

TEST_F(Display, HundredResizes) {
    for (const auto& engine : every_engine()) {
        DisplayImage image(host_route());
        for (int i = 0; i < 100; ++i)
            expect_shown(image, engine, {Depth::u8, 1 + i % 4}, {1 + i * 7 % 53, 1 + i * 5 % 31});
    }
}

TEST_F(Display, TextureIsImmutableAndNeverThreeChannels) {
    DisplayImage image(host_route());
    expect_shown(image, cpu::make_engine(1), {Depth::u8, 3}, {5, 4});
    GLint immutable = 0, internal = 0;
    glGetTextureParameteriv(image.texture(), GL_TEXTURE_IMMUTABLE_FORMAT, &immutable);
    glGetTextureLevelParameteriv(image.texture(), 0, GL_TEXTURE_INTERNAL_FORMAT, &internal);
    EXPECT_EQ(immutable, GL_TRUE);
    EXPECT_EQ(internal, GL_RGBA8);
}

TEST_F(Display, OldTextureStaysUntilTheNextResultIsReady) {
    for (const auto& engine : every_engine()) {
        DisplayImage image(host_route());
        expect_shown(image, engine, {Depth::u8, 3}, {40, 30});
        const auto before = read_texture(image);
        const auto old_texture = image.texture();
        const auto old_serial = image.shown().serial;

        const auto pixels = random_image({50, 20}, {Depth::f32, 1}, 77);
        auto gate = std::make_shared<Gate>();
        auto next = on_engine(engine, pixels.view(), 1000);
        next.ready = Completion(gate);
        image.present(next); // does not wait for the gate
        for (int i = 0; i < 20; ++i) EXPECT_FALSE(image.poll());
        EXPECT_TRUE(image.busy());
        EXPECT_EQ(image.texture(), old_texture);
        EXPECT_EQ(image.shown().serial, old_serial);
        EXPECT_TRUE(same_bytes(read_texture(image), before));

        gate->open();
        ASSERT_TRUE(show(image, 1000));
        EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(pixels.view(), 1)));
    }
}

TEST_F(Display, NewestResultWins) {
    const auto engine = make_detached_engine();
    DisplayImage image(host_route());
    std::vector<Image> images;
    for (unsigned i = 0; i < 30; ++i) {
        images.push_back(random_image({31, 17}, {Depth::u8, 4, 3}, i));
        image.present(on_engine(engine, images.back().view(), 1 + i));
    }
    ASSERT_TRUE(show(image, 30));
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(images.back().view(), 1)));
    EXPECT_FALSE(image.poll()); // nothing older follows it
}

TEST_F(Display, SamplesOfALargerImageStandForIt) {
    const auto engine = cpu::make_engine(1);
    DisplayImage image(host_route());
    const auto samples = random_image({17, 9}, {Depth::u8, 4, 3}, 3);
    auto frame = on_engine(engine, samples.view(), 1);
    frame.every = 6;
    frame.size = {100, 50};
    image.present(frame);
    ASSERT_TRUE(show(image, 1));
    EXPECT_EQ(image.shown().size, (Extent{100, 50}));
    EXPECT_EQ(image.shown().texture_size, (Extent{17, 9}));
    EXPECT_EQ(image.shown().reduction, 6);
    EXPECT_EQ(image.badge().text, "host upload") << "the texture limit has nothing to do with it";
}

TEST_F(Display, SamplesAndTheWholeKeepATextureEachUntilTheImageIsAnotherOne) {
    const PixelFormat format{Depth::u8, 4, 3};
    for (const auto& engine : every_engine()) {
        DisplayImage image(host_route());
        GLuint of_whole = 0, of_samples = 0;
        for (unsigned i = 0; i < 4; ++i) {
            expect_shown(image, engine, format, {100, 50});
            if (i > 0) {
                EXPECT_EQ(image.texture(), of_whole);
            }
            of_whole = image.texture();
            const auto samples = random_image({17, 9}, format, 90 + i);
            auto frame = on_engine(engine, samples.view(), ++serial_);
            frame.every = 6;
            frame.size = {100, 50};
            image.present(frame);
            ASSERT_TRUE(show(image, serial_));
            EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(samples.view(), 1)));
            if (i > 0) {
                EXPECT_EQ(image.texture(), of_samples);
            }
            of_samples = image.texture();
        }
        EXPECT_EQ(glIsTexture(of_whole), GL_TRUE);
        expect_shown(image, engine, format, {100, 51});
        EXPECT_EQ(glIsTexture(of_samples), GL_FALSE);
        EXPECT_EQ(glIsTexture(of_whole), of_whole == image.texture() ? GL_TRUE : GL_FALSE);
    }
}

TEST_F(Display, StagingMemoryOfALargeImageGoesWithIt) {
    const auto engine = std::make_shared<FailingMemory>();
    DisplayImage image(host_route());
    expect_shown(image, engine, {Depth::f32, 4, 3}, {500, 400});
    const auto large = engine->staging().back();
    EXPECT_FALSE(large.expired());
    expect_shown(image, engine, {Depth::f32, 4, 3}, {5, 4});
    EXPECT_TRUE(large.expired());
}

TEST_F(Display, OpenGlsTimeOfAnUploadIsReturnedOnce) {
    DisplayImage image(host_route());
    for (int i = 0; i < 12; ++i) { // more than the ring of stamps holds at once
        expect_shown(image, cpu::make_engine(1), {Depth::f32, 4, 3}, {300, 200});
        glFinish();
        const auto time = image.take_gl_time();
        ASSERT_TRUE(time.has_value());
        EXPECT_EQ(time->serial, image.shown().serial);
        EXPECT_GT(time->microseconds, 0);
        EXPECT_FALSE(image.take_gl_time().has_value());
    }
}

TEST_F(Display, SameSerialIsNotTransferredAgain) {
    const auto engine = cpu::make_engine(1);
    DisplayImage image(host_route());
    const auto pixels = random_image({8, 8}, {Depth::u8, 1}, 1);
    const auto frame = on_engine(engine, pixels.view(), 3);
    image.present(frame);
    ASSERT_TRUE(show(image, 3));
    ASSERT_TRUE(image.take_times().has_value());
    image.present(frame);
    EXPECT_FALSE(image.busy());
    EXPECT_FALSE(image.poll());
    EXPECT_FALSE(image.take_times().has_value());
}

TEST_F(Display, WakesTheWindow) {
    std::mutex mutex;
    std::condition_variable changed;
    int wakes = 0;
    const auto engine = make_detached_engine();
    DisplayImage image(host_route(), {.wake = [&] {
                           std::lock_guard lock(mutex);
                           ++wakes;
                           changed.notify_all();
                       }});
    const auto pixels = random_image({20, 20}, {Depth::u8, 3}, 4);
    image.present(on_engine(engine, pixels.view(), 1));
    {
        std::unique_lock lock(mutex);
        ASSERT_TRUE(changed.wait_for(lock, kHang, [&] { return wakes > 0; }));
    }
    EXPECT_TRUE(image.poll()); // a wake-up means that poll() has work
    EXPECT_EQ(image.shown().serial, 1u);
}

TEST_F(Display, ImagesOverTheTextureLimitAreShownReducedWithANote) {
    for (const auto& engine : every_engine())
        for (const auto& format : kFormats) {
            DisplayImage image(host_route(), {.wake = {}, .texture_limit = 64});
            expect_shown(image, engine, format, {65, 20}, 2);
            expect_shown(image, engine, format, {3, 200}, 4);
            EXPECT_EQ(image.shown().texture_size, (Extent{1, 50}));
            EXPECT_EQ(image.badge().text, "host upload, shown 1:4");
            EXPECT_NE(image.badge().explanation.find("64 pixels wide or high"), std::string::npos);
            EXPECT_TRUE(image.badge().warning);
            expect_shown(image, engine, format, {64, 64}, 1);
            EXPECT_EQ(image.badge().text, "host upload");
        }
}

TEST_F(Display, OneImageShowsResultsOfDifferentEngines) {
    DisplayImage image(host_route());
    const auto all = every_engine();
    for (std::size_t i = 0; i < 10; ++i) expect_shown(image, all[i % all.size()], {Depth::u8, 3}, {33, 21});
}

TEST_F(Display, TimesAreReportedOncePerImage) {
    DisplayImage image(host_route());
    expect_shown(image, make_detached_engine(), {Depth::f32, 4, 3}, {300, 200});
    const auto times = image.take_times();
    ASSERT_TRUE(times.has_value());
    EXPECT_EQ(times->serial, image.shown().serial);
    EXPECT_GT(times->device_us, 0);
    EXPECT_GT(times->submit_us, 0);
    EXPECT_FALSE(image.take_times().has_value());
    const auto last = times->serial;
    for (int i = 0; i < 2; ++i) expect_shown(image, make_detached_engine(), {Depth::u8, 1}, {30, 20});
    EXPECT_EQ(image.take_times()->serial, last + 1) << "not lost because the next came before it was taken";
    EXPECT_EQ(image.take_times()->serial, last + 2);
    EXPECT_FALSE(image.take_times().has_value());
    EXPECT_FALSE(image.is_interop());
}

} // namespace
