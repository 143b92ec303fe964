#pragma once
// Reads a texture's content, for verification and measurement: here because OpenGL stays in this room. Waits
// for OpenGL, so code that draws a window must not call it.

#include "core/image/geometry.hpp"
#include "core/image/image.hpp"

#include <epoxy/gl.h>

namespace kg::display {

/// The texels of level 0: RGBA of this depth, row 0 first. Throws Error if OpenGL fails.
Image read_texture(GLuint texture, Extent size, Depth depth);
/// The texels of one rectangle.
Image read_texture(GLuint texture, const Rect& part, Depth depth);

} // namespace kg::display
