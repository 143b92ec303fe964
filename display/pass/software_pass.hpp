#pragma once
// The image pass by the processor: the shaders' rules (shaders/show.frag), row by row on all cores. For
// OpenGL that draws in software, where a fragment costs a hundred nanoseconds.

#include "display/pass/light_pyramid.hpp"
#include "display/pass/pass_settings.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace kg::display {

class SoftwarePass {
public:
    /// Pixels of the view, RGBA of 8 bits, opaque, row 0 at the top; valid until the next call.
    std::span<const std::uint32_t> draw(Extent view, const PassImage& a, const PassImage& b,
                                        const PassSettings& settings);

private:
    /// Texels and halved sizes of an image. Samples alternate with the whole image, so each of the two has
    /// its own.
    struct Source {
        HostTexels texels;
        LightPyramid pyramid;
    };
    Source& source_of(std::size_t i, const PassImage& image) {
        return sources_[2 * i + (image.reduction > 1 ? 1 : 0)];
    }

    std::array<Source, 4> sources_;
    std::vector<std::uint32_t> pixels_;
};

} // namespace kg::display
