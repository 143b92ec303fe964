#include "tests/display/display_support.hpp"

#include "display/picture_texture.hpp"

#include <cstring>

namespace kg::testing {

using namespace kg::display;

Frame on_engine(const std::shared_ptr<Engine>& engine, const ConstImageView& picture, std::uint64_t serial) {
    const auto roomy = allocate_view(*engine, picture.format,
                                     {0, 0, picture.size.width + 3, picture.size.height + 2});
    auto pixels = roomy.crop({1, 2, picture.size.width, picture.size.height});
    pixels.covers = whole(picture.size);
    const auto queue = engine->queue();
    queue->upload(picture, pixels);
    const auto ready = queue->fence();
    ready.wait(); // the picture lives with the caller
    return {engine, pixels, ready, serial};
}

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
        const auto* from = picture.row<std::byte>(y) +
                           static_cast<std::size_t>(x * f.channels + c) * sample_bytes;
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

std::vector<std::byte> expected_texels(const ConstImageView& before, const ConstImageView& after,
                                       const std::vector<Rect>& parts, int step) {
    Image both(before.size, before.format);
    const auto copy = [&](const ConstImageView& from, const Rect& part) {
        const auto to = both.view().crop(part);
        const auto row = static_cast<std::size_t>(part.width) * bytes_per_pixel(before.format);
        for (std::int64_t y = 0; y < part.height; ++y)
            std::memcpy(to.row<std::byte>(y), from.crop(part).row<std::byte>(y), row);
    };
    copy(before, whole(before.size));
    for (const auto& part : parts) copy(after, part);
    return expected_texels(both.view(), step);
}

std::vector<std::byte> read_texture(const DisplayImage& image) {
    const auto now = image.shown();
    const auto type = TexelFormat::of(now.format.depth).type;
    std::vector<std::byte> texels(static_cast<std::size_t>(now.texture_size.width * now.texture_size.height) *
                                  4 * bytes(now.format.depth));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGetTextureImage(image.texture(), 0, GL_RGBA, type, static_cast<GLsizei>(texels.size()), texels.data());
    EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
    return texels;
}

::testing::AssertionResult same_bytes(const std::vector<std::byte>& got, const std::vector<std::byte>& want) {
    if (got.size() != want.size())
        return ::testing::AssertionFailure() << got.size() << " bytes instead of " << want.size();
    for (std::size_t i = 0; i < got.size(); ++i)
        if (got[i] != want[i])
            return ::testing::AssertionFailure()
                   << "byte " << i << " of " << got.size() << " is " << static_cast<int>(got[i])
                   << ", should be " << static_cast<int>(want[i]);
    return ::testing::AssertionSuccess();
}

::testing::AssertionResult show(DisplayImage& image, std::uint64_t serial) {
    const bool came = eventually([&] {
        image.poll();
        return image.texture() != 0 && image.shown().serial == serial;
    });
    if (came) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "serial " << serial << " did not come";
}

namespace {

std::string words(const PixelFormat& f, Extent size) {
    return std::string(name(f.depth)) + "x" + std::to_string(f.channels) + " alpha " +
           std::to_string(f.alpha) + " scale " + std::to_string(f.scale) + " " + std::to_string(size.width) +
           "x" + std::to_string(size.height);
}

} // namespace

void expect_shown(DisplayImage& image, const std::shared_ptr<Engine>& engine, const PixelFormat& format,
                  Extent size, std::uint64_t serial, int step) {
    SCOPED_TRACE(engine->device().id + " " + words(format, size));
    const auto picture = random_picture(size, format, static_cast<unsigned>(serial));
    image.present(on_engine(engine, picture.view(), serial));
    ASSERT_TRUE(show(image, serial));
    EXPECT_EQ(image.shown().size, size);
    EXPECT_EQ(image.shown().format, format);
    EXPECT_FALSE(image.busy());
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(picture.view(), step)));
}

} // namespace kg::testing
