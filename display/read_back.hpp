#pragma once
// What a texture holds, and when drawing is done: for proofs and measurements. Both wait for OpenGL, so nothing that draws
// a window may call them.

#include "core/image.hpp"

#include <epoxy/gl.h>

namespace kg::display {

/// The texels of level 0: RGBA of this depth, row 0 first. Throws Error if OpenGL does not give them.
Image read_texture(GLuint texture, Extent size, Depth depth);

/// Returns when all that was drawn so far is done.
void finish_drawing();

} // namespace kg::display
