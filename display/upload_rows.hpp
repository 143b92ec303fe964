#pragma once
// Upload of rows in host memory to a texture by OpenGL.

#include "core/image/image.hpp"
#include "display/gl_objects.hpp"

namespace kg::display {

/// `rows`: every reduction-th row of the image, of which every reduction-th pixel becomes one of these
/// texels. OpenGL has read them on return.
void upload_rows(const ConstImageView& rows, int reduction, const Rect& texels, GLuint texture);

} // namespace kg::display
