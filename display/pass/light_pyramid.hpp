#pragma once
// The halved sizes of an image in linear light, for minification by the processor.

#include "display/pass/host_texels.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kg::display {

/// Two neighbouring texels and the second one's share.
struct Between {
    std::int32_t first = 0, second = 0;
    float share = 0;

    /// `place`: from 0 to 1 along `size` texels.
    static Between of(double place, std::int64_t size);
};

/// Level 0 is half the texels' size in linear light, premultiplied; each further one is half the one before
/// it.
class LightPyramid {
public:
    struct Level {
        Extent size;
        std::vector<Colour> texels;
        const Colour* row(std::int64_t y) const { return texels.data() + y * size.width; }
        Colour* row(std::int64_t y) { return texels.data() + y * size.width; }
        /// Keeps its memory where that suffices: new memory costs a page fault every 256 texels.
        void resize(Extent to);
    };
    /// Makes levels 0 to `last`, which exist unless the texels changed.
    void refresh(const HostTexels& texels, bool changed, int last);
    std::span<const Level> levels() const { return std::span(levels_).first(count_); }

private:
    std::vector<Level> levels_;
    std::size_t count_ = 0; ///< levels that are valid; the memory of the others is kept
};

} // namespace kg::display
