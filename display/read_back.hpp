#pragma once
// What a texture holds, for proofs and measurements. That waits for OpenGL, so nothing that draws a window may ask.

#include "core/image/geometry.hpp"
#include "core/image/image.hpp"

#include <epoxy/gl.h>

namespace kg::display {

/// The texels of level 0: RGBA of this depth, row 0 first. Throws Error if OpenGL does not give them.
Image read_texture(GLuint texture, Extent size, Depth depth);
/// Those of a part alone.
Image read_texture(GLuint texture, const Rect& part, Depth depth);

} // namespace kg::display
