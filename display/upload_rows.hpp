#pragma once
// From rows in host memory into a texture, by OpenGL's own way.

#include "core/image/image.hpp"
#include "display/gl_objects.hpp"

namespace kg::display {

/// `rows`: every reduction-th row of the picture, of which every reduction-th pixel becomes one of these texels. OpenGL has read them
/// when it returns.
void upload_rows(const ConstImageView& rows, int reduction, const Rect& texels, GLuint texture);

} // namespace kg::display
