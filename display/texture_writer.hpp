#pragma once
// Ways in which CUDA's pixels can come into a texture, to be measured beside each other (kernelglass bench display). Pictures
// take the first, in interop.cpp; nothing that a window shows takes another.

#include "core/plan/engine.hpp"
#include "display/hand_off.hpp"

#include <epoxy/gl.h>

#include <memory>
#include <optional>

namespace kg::display {

enum class TextureWrite : std::uint8_t {
    surface, ///< a kernel writes the mapped texture
    copy, ///< a copy into the mapped texture's array, after a kernel into a buffer where texels are not pixels
    pixel_buffer, ///< a kernel writes a mapped pixel buffer, from which OpenGL fills the texture
};

struct WriteSetup {
    TextureWrite way = TextureWrite::surface;
    bool default_stream = false; ///< CUDA's stream 0 in place of one of its own
    int textures = 1;            ///< written alike, mapped by one call; one where a pixel buffer fills it
};

/// GL thread only; throws StageError where a call fails.
class TextureWriter {
public:
    virtual ~TextureWriter() = default; ///< waits for what is under way
    /// Queues CUDA's part: map, write, unmap. Waits for nothing. `pixels` are there, and stay until the times are taken.
    virtual void write(const BufferView& pixels) = 0;
    /// OpenGL's part, where there is one: what it draws from then on has the pixels.
    virtual void take_over() = 0;
    /// Of the oldest write that is done and has not been taken: map, write, unmap on both clocks.
    virtual std::optional<HandOffTimes> take_times() = 0;
    virtual std::size_t under_way() const = 0; ///< writes whose times have not been taken
    virtual GLuint texture(int which) const = 0;
};

/// RGBA textures of this size and depth. `gpu` is an engine that interop_for() says yes to.
std::unique_ptr<TextureWriter> make_texture_writer(std::shared_ptr<Engine> gpu, const WriteSetup& setup,
                                                   Extent size, Depth depth);

} // namespace kg::display
