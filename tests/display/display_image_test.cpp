// From a result to a texture, on every engine there is and both ways: the texels read back are the expected bytes.

#include "display/display_image.hpp"

#include "core/half.hpp"
#include "cpu/engine.hpp"
#include "display/interop.hpp"
#include "display/packing.hpp"
#include "display/picture_texture.hpp"
#include "gpu/engine.hpp"
#include "tests/display/gl_test.hpp"
#include "tests/support/check.hpp"
#include "tests/support/detached_engine.hpp"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

using namespace kg;
using namespace kg::display;
using kg::testing::random_picture;

/// A completion that a test opens when it likes.
class Gate final : public CompletionState {
public:
    bool ready() override {
        std::lock_guard lock(mutex_);
        return open_;
    }
    void wait() override {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return open_; });
        if (fails_) throw Error("the filter failed");
    }
    Report report() override { return {}; }
    void open(bool fails = false) {
        std::lock_guard lock(mutex_);
        open_ = true;
        fails_ = fails;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false, fails_ = false;
};

/// The picture on the engine, with room around it, so that offsets and pitches are not those of a fresh buffer.
Frame on_engine(const std::shared_ptr<Engine>& engine, const ConstImageView& picture, std::uint64_t serial) {
    const auto roomy = allocate_view(*engine, picture.format, {0, 0, picture.size.width + 3, picture.size.height + 2});
    auto pixels = roomy.crop({1, 2, picture.size.width, picture.size.height});
    pixels.covers = whole(picture.size);
    const auto queue = engine->queue();
    queue->upload(picture, pixels);
    const auto ready = queue->fence();
    ready.wait(); // the picture lives with the caller
    return {engine, pixels, ready, serial};
}

/// Texels as the table in packing.hpp promises them, written again from its words: no code shared with what is tested.
std::vector<std::byte> expected_texels(const ConstImageView& picture, int step) {
    const auto sample_bytes = bytes(picture.format.depth);
    const auto& f = picture.format;
    std::vector<int> colours;
    for (int c = 0; c < f.channels; ++c)
        if (c != f.alpha) colours.push_back(c);
    std::vector<std::byte> texels;
    const auto put = [&](const void* sample) {
        const auto* from = static_cast<const std::byte*>(sample);
        texels.insert(texels.end(), from, from + sample_bytes);
    };
    const auto put_constant = [&](bool one) {
        const std::uint8_t u8 = one ? 255 : 0;
        const std::uint16_t u16 = one ? 65535 : 0, f16 = one ? 0x3c00 : 0;
        const float f32 = one ? 1.0f : 0.0f;
        switch (f.depth) {
        case Depth::u8: return put(&u8);
        case Depth::u16: return put(&u16);
        case Depth::f16: return put(&f16);
        case Depth::f32: return put(&f32);
        }
    };
    const auto put_channel = [&](std::int64_t x, std::int64_t y, int c) {
        const auto* from = picture.row<std::byte>(y) + static_cast<std::size_t>(x * f.channels + c) * sample_bytes;
        if (f.scale == 1.0f || is_integer(f.depth)) return put(from);
        float value = 0;
        std::memcpy(&value, from, sizeof value); // the tests scale f32 only
        value /= f.scale;
        put(&value);
    };
    for (std::int64_t y = 0; y < picture.size.height; y += step)
        for (std::int64_t x = 0; x < picture.size.width; x += step) {
            for (std::size_t c = 0; c < 3; ++c) {
                if (colours.size() == 1) put_channel(x, y, colours[0]);
                else if (c < colours.size()) put_channel(x, y, colours[c]);
                else put_constant(false);
            }
            if (f.alpha >= 0) put_channel(x, y, f.alpha);
            else put_constant(true);
        }
    return texels;
}

std::vector<std::byte> read_texture(const DisplayImage& image) {
    const auto now = image.shown();
    const auto type = TexelFormat::of(now.format.depth).type;
    std::vector<std::byte> texels(static_cast<std::size_t>(now.texture_size.width * now.texture_size.height) * 4 * bytes(now.format.depth));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGetTextureImage(image.texture(), 0, GL_RGBA, type, static_cast<GLsizei>(texels.size()), texels.data());
    EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
    return texels;
}

::testing::AssertionResult same_bytes(const std::vector<std::byte>& got, const std::vector<std::byte>& want) {
    if (got.size() != want.size()) return ::testing::AssertionFailure() << got.size() << " bytes instead of " << want.size();
    for (std::size_t i = 0; i < got.size(); ++i)
        if (got[i] != want[i])
            return ::testing::AssertionFailure() << "byte " << i << " of " << got.size() << " is " << static_cast<int>(got[i]) << ", should be "
                                                 << static_cast<int>(want[i]);
    return ::testing::AssertionSuccess();
}

/// Polls as a window does, until the serial is shown.
::testing::AssertionResult show(DisplayImage& image, std::uint64_t serial) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < end) {
        image.poll();
        if (image.texture() != 0 && image.shown().serial == serial) return ::testing::AssertionSuccess();
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return ::testing::AssertionFailure() << "serial " << serial << " did not come within 20 s";
}

const std::vector<PixelFormat> kFormats{
    {Depth::u8, 1},
    {Depth::u8, 2, 1},
    {Depth::u8, 3},
    {Depth::u8, 4, 3},
    {Depth::u8, 4},
    {Depth::u16, 1},
    {Depth::u16, 3},
    {Depth::u16, 4, 3},
    {Depth::f16, 3},
    {Depth::f16, 4, 3},
    {Depth::f32, 1},
    {Depth::f32, 3},
    {Depth::f32, 4, 3},
    {Depth::f32, 3, -1, false, false, 255.0f},
    {Depth::f32, 4, 3, true, true},
};

const std::vector<Extent> kSizes{{1, 1}, {1, 4097}, {4097, 3}, {17, 13}, {761, 512}, {2, 2}, {1023, 7}};

std::string words(const PixelFormat& f, Extent size) {
    return std::string(name(f.depth)) + "x" + std::to_string(f.channels) + " alpha " + std::to_string(f.alpha) + " scale " +
           std::to_string(f.scale) + " " + std::to_string(size.width) + "x" + std::to_string(size.height);
}

/// Engines that are not CUDA: those every machine has.
std::vector<std::shared_ptr<Engine>> host_engines() { return {cpu::make_engine(2), kg::testing::make_detached_engine()}; }

class Display : public kg::testing::GlTest {
protected:
    static std::shared_ptr<DisplayRoute> host_route() { return std::make_shared<DisplayRoute>(DisplayMode::host, nullptr); }

    void expect_shown(DisplayImage& image, const std::shared_ptr<Engine>& engine, const PixelFormat& format, Extent size, int step = 1) {
        SCOPED_TRACE(engine->device().id + " " + words(format, size));
        const auto picture = random_picture(size, format, static_cast<unsigned>(++serial_));
        image.present(on_engine(engine, picture.view(), serial_));
        ASSERT_TRUE(show(image, serial_));
        EXPECT_EQ(image.shown().size, size);
        EXPECT_EQ(image.shown().format, format);
        EXPECT_FALSE(image.busy());
        EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(picture.view(), step)));
    }

    std::uint64_t serial_ = 0;
};

TEST_F(Display, TextureHoldsTheResult) {
    for (const auto& engine : host_engines()) {
        DisplayImage image(host_route());
        for (const auto& format : kFormats)
            for (const auto& size : kSizes) expect_shown(image, engine, format, size);
    }
}

TEST_F(Display, HundredResizes) {
    for (const auto& engine : host_engines()) {
        DisplayImage image(host_route());
        for (int i = 0; i < 100; ++i) expect_shown(image, engine, {Depth::u8, 1 + i % 4}, {1 + i * 7 % 53, 1 + i * 5 % 31});
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
    for (const auto& engine : host_engines()) {
        DisplayImage image(host_route());
        expect_shown(image, engine, {Depth::u8, 3}, {40, 30});
        const auto before = read_texture(image);
        const auto old_texture = image.texture();
        const auto old_serial = image.shown().serial;

        const auto picture = random_picture({50, 20}, {Depth::f32, 1}, 77);
        auto gate = std::make_shared<Gate>();
        auto next = on_engine(engine, picture.view(), 1000);
        next.ready = Completion(gate);
        const auto began = std::chrono::steady_clock::now();
        image.present(next);
        for (int i = 0; i < 20; ++i) {
            EXPECT_FALSE(image.poll());
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(2)); // it did not wait for the gate
        EXPECT_TRUE(image.busy());
        EXPECT_EQ(image.texture(), old_texture);
        EXPECT_EQ(image.shown().serial, old_serial);
        EXPECT_TRUE(same_bytes(read_texture(image), before));

        gate->open();
        ASSERT_TRUE(show(image, 1000));
        EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(picture.view(), 1)));
    }
}

TEST_F(Display, NewestResultWins) {
    const auto engine = kg::testing::make_detached_engine();
    DisplayImage image(host_route());
    std::vector<Image> pictures;
    for (unsigned i = 0; i < 30; ++i) {
        pictures.push_back(random_picture({31, 17}, {Depth::u8, 4, 3}, i));
        image.present(on_engine(engine, pictures.back().view(), 1 + i));
    }
    ASSERT_TRUE(show(image, 30));
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(pictures.back().view(), 1)));
    EXPECT_FALSE(image.poll()); // nothing older comes after it
}

TEST_F(Display, FailedResultLeavesThePictureAlone) {
    const auto engine = cpu::make_engine(1);
    DisplayImage image(host_route());
    expect_shown(image, engine, {Depth::u8, 3}, {9, 9});
    const auto before = read_texture(image);
    auto failing = on_engine(engine, random_picture({9, 9}, {Depth::u8, 3}, 5).view(), 500);
    auto gate = std::make_shared<Gate>();
    gate->open(true);
    failing.ready = Completion(gate);
    image.present(failing);
    for (int i = 0; i < 50; ++i) {
        EXPECT_FALSE(image.poll());
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_FALSE(image.busy());
    EXPECT_TRUE(same_bytes(read_texture(image), before));
    expect_shown(image, engine, {Depth::u8, 1}, {3, 8}); // and the next one is shown
}

TEST_F(Display, SameSerialIsNotTransferredAgain) {
    const auto engine = cpu::make_engine(1);
    DisplayImage image(host_route());
    const auto picture = random_picture({8, 8}, {Depth::u8, 1}, 1);
    const auto frame = on_engine(engine, picture.view(), 3);
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
    const auto engine = kg::testing::make_detached_engine();
    DisplayImage image(host_route(), {.wake = [&] {
        std::lock_guard lock(mutex);
        ++wakes;
        changed.notify_all();
    }});
    const auto picture = random_picture({20, 20}, {Depth::u8, 3}, 4);
    image.present(on_engine(engine, picture.view(), 1));
    {
        std::unique_lock lock(mutex);
        ASSERT_TRUE(changed.wait_for(lock, std::chrono::seconds(20), [&] { return wakes > 0; }));
    }
    EXPECT_TRUE(image.poll()); // woken means there is something to do
    EXPECT_EQ(image.shown().serial, 1u);
}

TEST_F(Display, PicturesOverTheTextureLimitAreShownReducedAndSaySo) {
    for (const auto& engine : host_engines())
        for (const auto& format : kFormats) {
            DisplayImage image(host_route(), {.wake = {}, .texture_limit = 64});
            expect_shown(image, engine, format, {65, 20}, 2);
            expect_shown(image, engine, format, {3, 200}, 4);
            EXPECT_EQ(image.shown().texture_size, (Extent{1, 50}));
            EXPECT_EQ(image.badge().text, "host upload, shown 1:4");
            EXPECT_NE(image.badge().explanation.find("64 pixels a side"), std::string::npos);
            EXPECT_TRUE(image.badge().warning);
            expect_shown(image, engine, format, {64, 64}, 1);
            EXPECT_EQ(image.badge().text, "host upload");
        }
}

TEST_F(Display, OneImageShowsResultsOfDifferentEngines) {
    DisplayImage image(host_route());
    const auto engines = host_engines();
    for (int i = 0; i < 10; ++i) expect_shown(image, engines[static_cast<std::size_t>(i % 2)], {Depth::u8, 3}, {33, 21});
}

TEST_F(Display, TimesAreReportedOncePerPicture) {
    DisplayImage image(host_route());
    expect_shown(image, kg::testing::make_detached_engine(), {Depth::f32, 4, 3}, {300, 200});
    const auto times = image.take_times();
    ASSERT_TRUE(times.has_value());
    EXPECT_EQ(times->serial, image.shown().serial);
    EXPECT_GT(times->device_us, 0);
    EXPECT_GT(times->submit_us, 0);
    EXPECT_FALSE(image.take_times().has_value());
}

TEST_F(Display, GoesAwayWhileAResultIsStillComing) {
    const auto engine = kg::testing::make_detached_engine();
    auto gate = std::make_shared<Gate>();
    auto frame = on_engine(engine, random_picture({64, 64}, {Depth::f32, 4, 3}, 9).view(), 1);
    frame.ready = Completion(gate);
    std::thread opener;
    {
        DisplayImage image(host_route());
        image.present(frame);
        opener = std::thread([gate] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            gate->open();
        });
    }
    opener.join();
}

TEST_F(Display, BadgesSayWhichWayAndWhy) {
    const auto engine = cpu::make_engine(1);
    DisplayImage asked(host_route());
    EXPECT_EQ(asked.badge().text, ""); // nothing presented, nothing to say
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

TEST_F(Display, ModesAreWords) {
    EXPECT_EQ(display_mode("auto"), DisplayMode::automatic);
    EXPECT_EQ(display_mode("interop"), DisplayMode::interop);
    EXPECT_EQ(display_mode("host"), DisplayMode::host);
    EXPECT_THROW(display_mode("fast"), Error);
}

TEST_F(Display, ForcedInteropThatCannotBeThrows) {
    EXPECT_THROW(DisplayRoute(DisplayMode::interop, nullptr), Unavailable);
    EXPECT_THROW(DisplayRoute(DisplayMode::interop, gpu::make_engine(), Fault{InteropStage::device}), Unavailable);
}

} // namespace
