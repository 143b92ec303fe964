// Drawing from a texture that CUDA writes.

#include "display/gl_objects.hpp"
#include "display/pass/image_pass.hpp"
#include "tests/display/interop_fixture.hpp"

namespace {

using namespace kg;
using namespace kg::display;
using namespace kg::testing;

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
    ImagePass pass(PassRenderer::shaders);
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
    ImagePass passes[2]{ImagePass(PassRenderer::shaders), ImagePass(PassRenderer::shaders)};
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

} // namespace
