#pragma once
// Methods to write CUDA's pixels into a texture, compared by kernelglass bench display. Images use the first
// (display/interop/interop.cpp); no window uses another.

#include "core/plan/engine.hpp"
#include "display/presentation.hpp"

#include <memory>
#include <optional>

namespace kg {

enum class TextureWrite : std::uint8_t {
    surface, ///< a kernel writes the mapped texture
    /// a copy into the mapped texture's array, after a kernel into a buffer where texels are not pixels
    copy,
    pixel_buffer, ///< a kernel writes a mapped pixel buffer, from which OpenGL fills the texture
};

struct WriteSetup {
    TextureWrite path = TextureWrite::surface;
    bool default_stream = false; ///< CUDA's stream 0 instead of a separate one
    int textures = 1;            ///< written alike, mapped by one call; one where a pixel buffer fills it
};

/// GL thread only; throws display::StageError where a call fails.
class TextureWriter {
public:
    virtual ~TextureWriter() = default; ///< waits for work in flight
    /// Queues CUDA's work: map, write, unmap. Does not wait. `pixels` are ready and stay valid until the
    /// times are taken.
    virtual void write(const BufferView& pixels) = 0;
    /// OpenGL's work, if any: drawing from then on uses the new pixels.
    virtual void take_over() = 0;
    /// Times of the oldest finished write that has not been taken: map, write, unmap on both clocks.
    virtual std::optional<display::PresentationTimes> take_times() = 0;
    virtual std::size_t in_flight() const = 0; ///< writes whose times have not been taken
    virtual GLuint texture(int which) const = 0;
};

/// RGBA textures of this size and depth. `gpu` is an engine for which interop_for() is true.
std::unique_ptr<TextureWriter> make_texture_writer(std::shared_ptr<Engine> gpu, const WriteSetup& setup,
                                                   Extent size, Depth depth);

} // namespace kg
