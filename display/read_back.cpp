#include "display/read_back.hpp"

#include "display/image_texture.hpp"

namespace kg::display {

Image read_texture(GLuint texture, Extent size, Depth depth) {
    return read_texture(texture, whole(size), depth);
}

Image read_texture(GLuint texture, const Rect& rectangle, Depth depth) {
    const Extent size{rectangle.width, rectangle.height};
    Image texels(size, {depth, 4, 3});
    const auto pitch = texels.view().pitch;
    drain_gl_errors();
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, static_cast<GLint>(pitch / bytes_per_pixel(texels.format())));
    const auto all = pitch * static_cast<std::size_t>(size.height);
    glGetTextureSubImage(texture, 0, static_cast<GLint>(rectangle.x), static_cast<GLint>(rectangle.y), 0,
                         static_cast<GLsizei>(rectangle.width), static_cast<GLsizei>(rectangle.height), 1,
                         GL_RGBA, TexelFormat::of(depth).type, static_cast<GLsizei>(all), texels.view().data);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0); // GL's defaults, which other code may rely on
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    if (const auto error = glGetError(); error != GL_NO_ERROR)
        throw Error("texture-not-read", "OpenGL did not give back a texture of {}x{} texels (error {})",
                    size.width, size.height, error);
    return texels;
}

} // namespace kg::display
