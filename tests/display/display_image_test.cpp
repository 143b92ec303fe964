// From a result to a texture through host memory, from every engine: the texels read back are the expected
// bytes.

#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/display/display_support.hpp"
#include "tests/display/gl_test.hpp"
#include "tests/support/detached_engine.hpp"
#include "tests/support/failing_memory.hpp"
#include "tests/support/standstill.hpp"

#include <new>
#include <thread>

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

std::vector<std::shared_ptr<Engine>> every_engine() {
    std::vector<std::shared_ptr<Engine>> all{cpu::make_engine(2), make_detached_engine()};
    if (auto gpu = gpu::make_engine(); gpu->usable().empty()) all.push_back(std::move(gpu));
    return all;
}

class Display : public GlTest {
protected:
    static std::shared_ptr<DisplayRoute> host_route() {
        return std::make_shared<DisplayRoute>(DisplayMode::host, nullptr);
    }

    void expect_shown(DisplayImage& image, const std::shared_ptr<Engine>& engine, const PixelFormat& format,
                      Extent size, int step = 1) {
        kg::testing::expect_shown(image, engine, format, size, ++serial_, step);
    }

    std::uint64_t serial_ = 0;
};

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

TEST_F(Display, FailedResultLeavesTheImageAlone) {
    const auto engine = cpu::make_engine(1);
    DisplayImage image(host_route());
    expect_shown(image, engine, {Depth::u8, 3}, {9, 9});
    const auto before = read_texture(image);
    auto failing = on_engine(engine, random_image({9, 9}, {Depth::u8, 3}, 5).view(), 500);
    auto gate = std::make_shared<Gate>();
    gate->open(true);
    failing.ready = Completion(gate);
    image.present(failing);
    EXPECT_FALSE(image.poll());
    ASSERT_TRUE(comes_to_standstill());
    EXPECT_FALSE(image.poll());
    EXPECT_FALSE(image.busy());
    EXPECT_TRUE(same_bytes(read_texture(image), before));
    expect_shown(image, engine, {Depth::u8, 1}, {3, 8}); // and the next one is shown
}

TEST_F(Display, ShortMemoryThrowsAndLeavesTheImageAlone) {
    DisplayImage image(host_route());
    expect_shown(image, cpu::make_engine(1), {Depth::u8, 3}, {9, 9});
    const auto before = read_texture(image);
    const auto pixels = random_image({9, 9}, {Depth::u8, 3}, 5);
    const auto engine = std::make_shared<FailingMemory>();
    const auto frame = on_engine(engine, pixels.view(), 500);
    engine->fail_staging(1);
    EXPECT_THROW(image.present(frame), std::bad_alloc);
    EXPECT_FALSE(image.busy());
    EXPECT_TRUE(same_bytes(read_texture(image), before));
    expect_shown(image, cpu::make_engine(1), {Depth::u8, 1}, {3, 8});
}

TEST_F(Display, ATransferThatFailsInItsMiddleKeepsItsMemoryUntilWhatItBeganIsOver) {
    const auto engine = std::make_shared<FailingMemory>();
    const PixelFormat format{Depth::u8, 4, 3};
    DisplayImage image(host_route());
    expect_shown(image, engine, format, {64, 64});
    const auto before = read_texture(image);
    const auto staging = engine->staging().back();
    auto failing = on_engine(engine, random_image({64, 64}, format, 5).view(), 500);
    const auto gate = std::make_shared<Gate>();
    failing.ready = Completion(gate);
    failing.changed = {{0, 0, 64, 8}, {0, 8, 64, 8}};
    engine->fail_download(2); // the first of the two waits for the gate, and writes then
    EXPECT_THROW(image.present(failing), std::bad_alloc);
    EXPECT_FALSE(image.busy());

    const auto other = random_image({80, 70}, format, 7); // which needs more memory
    image.present(on_engine(engine, other.view(), 502));
    EXPECT_FALSE(image.poll());
    ASSERT_TRUE(comes_to_standstill());
    EXPECT_FALSE(image.poll());
    EXPECT_FALSE(staging.expired()) << "it is still to be written";
    EXPECT_TRUE(same_bytes(read_texture(image), before));
    gate->open();
    ASSERT_TRUE(show(image, 502));
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(other.view(), 1)));
    EXPECT_TRUE(staging.expired()) << "that was for another size";
}

TEST_F(Display, AResultIsShownThoughTheNextOneFails) {
    const auto engine = std::make_shared<FailingMemory>();
    DisplayImage image(host_route());
    const auto pixels = random_image({64, 64}, {Depth::u8, 3}, 5);
    image.present(on_engine(engine, pixels.view(), 1));
    image.present(on_engine(engine, random_image({90, 64}, {Depth::u8, 3}, 6).view(), 2)); // waits
    engine->fail_staging(1);
    ASSERT_TRUE(show(image, 1));
    EXPECT_THROW(image.poll(), std::bad_alloc);
    EXPECT_FALSE(image.busy());
    EXPECT_FALSE(image.poll());
    EXPECT_EQ(image.shown().serial, 1u);
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(pixels.view(), 1)));
}

TEST_F(Display, WhatIsGivenUpIsNeverShown) {
    for (const auto& engine : every_engine()) {
        DisplayImage image(host_route());
        expect_shown(image, engine, {Depth::u8, 3}, {9, 9});
        const auto before = image.shown().serial;
        const auto gate = std::make_shared<Gate>();
        std::vector<Frame>
            frames; // created before a stream waits at the gate: allocation may wait for all streams
        for (const std::uint64_t serial : {1001u, 1002u}) {
            frames.push_back(on_engine(engine, random_image({12, 9}, {Depth::u8, 3}, 5).view(), serial));
            frames.back().ready = Completion(gate);
        }
        for (const auto& frame : frames) image.present(frame); // one in flight, one behind it
        image.give_up();
        EXPECT_FALSE(image.busy());
        gate->open();
        const auto next = on_engine(engine, random_image({12, 9}, {Depth::u8, 3}, 6).view(), 1003);
        image.present(next); // follows them
        EXPECT_TRUE(eventually([&] {
            const bool is_next = image.poll();
            EXPECT_EQ(image.shown().serial, is_next ? 1003 : before);
            return is_next;
        }));
    }
}

TEST_F(Display, RegionsThatWereGivenUpComeWithTheNextOne) {
    const PixelFormat format{Depth::u8, 4, 3};
    const auto engine = cpu::make_engine(1);
    DisplayImage image(host_route());
    const auto before = random_image({64, 64}, format, 1), after = random_image({64, 64}, format, 2);
    image.present(on_engine(engine, before.view(), 1));
    ASSERT_TRUE(show(image, 1));
    auto frame = on_engine(engine, after.view(), 2);
    frame.changed = {{0, 0, 64, 20}};
    image.present(frame);
    image.give_up();
    frame.serial = 3;
    frame.changed = {{0, 20, 64, 10}};
    image.present(frame);
    ASSERT_TRUE(show(image, 3));
    EXPECT_TRUE(
        same_bytes(read_texture(image), expected_texels(before.view(), after.view(), {{0, 0, 64, 30}}, 1)));
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

TEST_F(Display, OnlyTheRegionsThatChangedAreRead) {
    const std::vector<Rect> regions{{0, 0, 7, 5}, {31, 17, 1, 1}, {90, 2, 11, 60}, {1, 62, 100, 1}};
    for (const auto& engine : every_engine())
        for (const auto& format : kFormats)
            for (const std::int64_t limit : {0, 40}) { // 0 = OpenGL's limit, 40 = one pixel in three
                DisplayImage image(host_route(), {.wake = {}, .texture_limit = limit});
                const auto before = random_image({101, 63}, format, 1),
                           after = random_image({101, 63}, format, 2);
                image.present(on_engine(engine, before.view(), ++serial_));
                ASSERT_TRUE(show(image, serial_));
                auto frame = on_engine(engine, after.view(), ++serial_);
                frame.changed = regions;
                image.present(frame);
                ASSERT_TRUE(show(image, serial_));
                EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(before.view(), after.view(),
                                                                            regions, limit == 0 ? 1 : 3)));
            }
}

TEST_F(Display, RegionsThatWereNotReadYetAreKept) {
    const PixelFormat format{Depth::u8, 4, 3};
    const auto engine = make_detached_engine();
    DisplayImage image(host_route());
    const auto before = random_image({64, 64}, format, 1), after = random_image({64, 64}, format, 2);
    image.present(on_engine(engine, before.view(), 1));
    ASSERT_TRUE(show(image, 1));
    auto frame = on_engine(engine, after.view(), 1);
    auto gate = std::make_shared<Gate>();
    frame.ready = Completion(gate);
    std::vector<Rect> regions;
    for (int i = 0; i < 8;
         ++i) { // the first is in flight until the gate opens, so the others replace each other
        frame.serial = static_cast<std::uint64_t>(2 + i);
        frame.changed = {{8 * i, 4 * i, 8, 30}};
        regions.push_back(frame.changed.front());
        image.present(frame);
    }
    gate->open();
    ASSERT_TRUE(show(image, 9));
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(before.view(), after.view(), regions, 1)));

    const auto other = random_image({64, 64}, format,
                                    3); // regions of a result that was given up are not missing
    auto given_up = on_engine(engine, other.view(), 20), next = on_engine(engine, before.view(), 21);
    auto blocked = std::make_shared<Gate>();
    given_up.ready = Completion(blocked);
    given_up.changed = {{0, 0, 1, 1}};
    image.present(given_up);
    given_up.serial = 22;
    given_up.changed = {{0, 0, 64, 64}};
    image.present(given_up);
    next.changed = {regions.front()};
    image.present(next);
    blocked->open(true);
    ASSERT_TRUE(show(image, 21));
    regions.erase(regions.begin());
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(before.view(), after.view(), regions, 1)));
}

TEST_F(Display, WhatANewTextureHasNotGotYetIsZero) {
    const auto engine = cpu::make_engine(1);
    for (const auto& format : kFormats) {
        DisplayImage image(host_route());
        const auto pixels = random_image({30, 20}, format, 1);
        auto frame = on_engine(engine, pixels.view(), 1);
        frame.changed = {{4, 5, 6, 7}};
        image.present(frame);
        ASSERT_TRUE(show(image, 1));
        auto texels = read_texture(image);
        const auto texel = 4 * bytes(format.depth);
        const auto expected = expected_texels(pixels.view(), 1);
        for (std::size_t y = 0; y < 20; ++y)
            for (std::size_t x = 0; x < 30; ++x) {
                const bool inside = x >= 4 && x < 10 && y >= 5 && y < 12;
                for (std::size_t i = (y * 30 + x) * texel; i < (y * 30 + x + 1) * texel; ++i)
                    ASSERT_EQ(texels[i], inside ? expected[i] : std::byte{0}) << x << "," << y;
            }
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

TEST_F(Display, GoesAwayWhileAResultIsStillComing) {
    const auto engine = make_detached_engine();
    auto gate = std::make_shared<Gate>();
    auto frame = on_engine(engine, random_image({64, 64}, {Depth::f32, 4, 3}, 9).view(), 1);
    frame.ready = Completion(gate);
    std::thread opener;
    {
        DisplayImage image(host_route());
        image.present(frame);
        opener = std::thread([gate, waits = ::gettid()] {
            EXPECT_TRUE(falls_asleep(waits)); // during destruction
            gate->open();
        });
    }
    opener.join();
}

TEST_F(Display, BadgesNameThePathAndTheReason) {
    const auto engine = cpu::make_engine(1);
    DisplayImage asked(host_route());
    EXPECT_EQ(asked.badge().text, ""); // nothing presented, so no badge
    expect_shown(asked, engine, {Depth::u8, 1}, {4, 4});
    EXPECT_EQ(asked.badge().text, "host upload");
    EXPECT_NE(asked.badge().explanation.find("--display host"), std::string::npos);
    EXPECT_FALSE(asked.badge().warning);

    DisplayImage automatic(std::make_shared<DisplayRoute>(DisplayMode::automatic, nullptr));
    expect_shown(automatic, engine, {Depth::u8, 1}, {4, 4});
    EXPECT_EQ(automatic.badge().text, "host upload");
    EXPECT_NE(automatic.badge().explanation.find("host memory"), std::string::npos);
    EXPECT_FALSE(automatic.badge().warning);
}

TEST_F(Display, ForcedInteropThatCannotBeThrows) {
    EXPECT_THROW(DisplayRoute(DisplayMode::interop, nullptr), Unavailable);
    EXPECT_THROW(DisplayRoute(DisplayMode::interop, gpu::make_engine(), Fault{InteropStage::device}),
                 Unavailable);
}

TEST_F(Display, AFailureThatIsNoSurpriseIsNoNews) {
    DisplayRoute host(DisplayMode::host, nullptr), automatic(DisplayMode::automatic, nullptr);
    host.fall_back({InteropStage::map, "Mapping failed", ""});
    automatic.fall_back({InteropStage::map, "Mapping failed", ""});
    EXPECT_FALSE(host.take_news().has_value());
    EXPECT_FALSE(automatic.take_news().has_value());
    EXPECT_EQ(automatic.failure()->stage, InteropStage::device); // why it never started
}

TEST(DisplayWords, ModesAreParsed) {
    EXPECT_EQ(display_mode("auto"), DisplayMode::automatic);
    EXPECT_EQ(display_mode("interop"), DisplayMode::interop);
    EXPECT_EQ(display_mode("host"), DisplayMode::host);
    EXPECT_THROW(display_mode("fast"), Error);
}

TEST(DisplayWords, RemediesFitTheRenderer) {
    const Renderer llvmpipe{"Mesa", "llvmpipe (LLVM 15.0.6, 256 bits)"},
        intel{"Intel", "Mesa Intel(R) UHD Graphics 630"},
        nvidia{"NVIDIA Corporation", "NVIDIA H200/PCIe/SSE2"};
    EXPECT_TRUE(llvmpipe.is_software());
    EXPECT_FALSE(intel.is_software());
    EXPECT_FALSE(intel.is_nvidia());
    EXPECT_TRUE(nvidia.is_nvidia());
    const auto prints = [](const Renderer& renderer, const Surroundings& around, const char* what) {
        return renderer_remedy(renderer, around).find(what) != std::string::npos;
    };
    EXPECT_TRUE(prints(llvmpipe, {}, "Install NVIDIA's OpenGL libraries"));
    EXPECT_TRUE(prints(intel, {}, "__NV_PRIME_RENDER_OFFLOAD=1"));
    EXPECT_TRUE(prints(intel, {.wsl = false, .offload_asked = true}, "did not take effect"));
    EXPECT_FALSE(prints(nvidia, {}, "__NV_PRIME_RENDER_OFFLOAD=1")); // it draws already
    EXPECT_TRUE(prints(nvidia, {}, "newer NVIDIA driver"));
    for (const auto& renderer : {llvmpipe, intel, nvidia})
        EXPECT_TRUE(prints(renderer, {.wsl = true, .offload_asked = true}, "WSL2"));
}

} // namespace
