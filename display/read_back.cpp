#include "display/read_back.hpp"

#include "display/picture_texture.hpp"

#include <string>

namespace kg::display {

Image read_texture(GLuint texture, Extent size, Depth depth) {
    return read_texture(texture, whole(size), depth);
}

Image read_texture(GLuint texture, const Rect& part, Depth depth) {
    const Extent size{part.width, part.height};
    Image texels(size, {depth, 4, 3});
    const auto pitch = texels.view().pitch;
    drain_gl_errors();
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, static_cast<GLint>(pitch / bytes_per_pixel(texels.format())));
    const auto all = pitch * static_cast<std::size_t>(size.height);
    glGetTextureSubImage(texture, 0, static_cast<GLint>(part.x), static_cast<GLint>(part.y), 0,
                         static_cast<GLsizei>(part.width), static_cast<GLsizei>(part.height), 1, GL_RGBA,
                         TexelFormat::of(depth).type, static_cast<GLsizei>(all), texels.view().data);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0); // GL's own defaults, which other code may count on
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    if (const auto error = glGetError(); error != GL_NO_ERROR)
        throw Error("OpenGL did not give back a texture of " + std::to_string(size.width) + "x" +
                    std::to_string(size.height) + " texels (error " + std::to_string(error) + ")");
    return texels;
}

} // namespace kg::display
