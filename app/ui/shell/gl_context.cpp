#include "app/ui/shell/gl_context.hpp"

namespace kg::ui {

Image GlContext::screenshot() const {
    const auto size = framebuffer_size();
    Image image(size, {.depth = Depth::u8, .channels = 4, .alpha = 3});
    Image upside_down(size, image.format());
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer());
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, static_cast<GLint>(upside_down.view().pitch / 4));
    glReadPixels(0, 0, static_cast<GLsizei>(size.width), static_cast<GLsizei>(size.height), GL_RGBA,
                 GL_UNSIGNED_BYTE, upside_down.view().data);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    for (std::int64_t y = 0; y < size.height; ++y) {
        const auto* from = upside_down.view().row<std::uint8_t>(size.height - 1 - y);
        auto* to = image.view().row<std::uint8_t>(y);
        for (std::int64_t x = 0; x < size.width * 4; ++x) to[x] = x % 4 == 3 ? std::uint8_t{255} : from[x];
    }
    return image;
}

} // namespace kg::ui
