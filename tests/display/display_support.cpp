#include "tests/display/display_support.hpp"

#include "display/image_texture.hpp"

#include <cstring>

namespace kg::testing {

using namespace kg::display;

Frame on_engine(const std::shared_ptr<Engine>& engine, const ConstImageView& image, std::uint64_t serial) {
    const auto roomy = allocate_view(*engine, image.format,
                                     {0, 0, image.size.width + 3, image.size.height + 2});
    auto pixels = roomy.crop({1, 2, image.size.width, image.size.height});
    pixels.covers = whole(image.size);
    const auto queue = engine->queue();
    queue->upload(image, pixels);
    const auto ready = queue->fence();
    ready.wait(); // the image lives with the caller
    return {engine, pixels, ready, serial};
}

std::vector<std::byte> expected_texels(const ConstImageView& image, int step) {
    const auto sample_bytes = bytes(image.format.depth);
    const auto& f = image.format;
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
        case Depth::f64: break; // only between steps
        }
    };
    const auto put_channel = [&](std::int64_t x, std::int64_t y, int c) {
        const auto* from = image.row<std::byte>(y) +
                           static_cast<std::size_t>(x * f.channels + c) * sample_bytes;
        if (f.scale == 1.0f || is_integer(f.depth)) return put(from);
        float value = 0;
        std::memcpy(&value, from, sizeof value); // the tests scale f32 only
        value /= f.scale;
        put(&value);
    };
    for (std::int64_t y = 0; y < image.size.height; y += step)
        for (std::int64_t x = 0; x < image.size.width; x += step) {
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
                                       const std::vector<Rect>& regions, int step) {
    Image both(before.size, before.format);
    const auto copy = [&](const ConstImageView& from, const Rect& region) {
        const auto to = both.view().crop(region);
        const auto row = static_cast<std::size_t>(region.width) * bytes_per_pixel(before.format);
        for (std::int64_t y = 0; y < region.height; ++y)
            std::memcpy(to.row<std::byte>(y), from.crop(region).row<std::byte>(y), row);
    };
    copy(before, whole(before.size));
    for (const auto& region : regions) copy(after, region);
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

std::string description(const PixelFormat& f, Extent size) {
    return std::string(name(f.depth)) + "x" + std::to_string(f.channels) + " alpha " +
           std::to_string(f.alpha) + " scale " + std::to_string(f.scale) + " " + std::to_string(size.width) +
           "x" + std::to_string(size.height);
}

} // namespace

void expect_shown(DisplayImage& image, const std::shared_ptr<Engine>& engine, const PixelFormat& format,
                  Extent size, std::uint64_t serial, int step) {
    SCOPED_TRACE(engine->device().id + " " + description(format, size));
    const auto pixels = random_image(size, format, static_cast<unsigned>(serial));
    image.present(on_engine(engine, pixels.view(), serial));
    ASSERT_TRUE(show(image, serial));
    EXPECT_EQ(image.shown().size, size);
    EXPECT_EQ(image.shown().format, format);
    EXPECT_FALSE(image.busy());
    EXPECT_TRUE(same_bytes(read_texture(image), expected_texels(pixels.view(), step)));
}

} // namespace kg::testing
