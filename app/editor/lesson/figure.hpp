#pragma once
// What a page of a lesson draws over its image: how results are divided among tiles or blocks of threads, and
// what those at one pixel read. Counted here, so that drawing and text agree.

#include "core/image/geometry.hpp"
#include "core/request/stage.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kg {

struct LessonFigure {
    enum class Kind : std::uint8_t {
        tiles,   ///< tiles of results; one with the halo that it reads
        rows,    ///< blocks of threads, numbered along the rows, and a warp of 32
        columns, ///< the same, numbered down the columns
    };
    Kind kind = Kind::tiles;
    int width = 16, height = 16; ///< size of a tile or block, in pixels
    bool operator==(const LessonFigure&) const = default;
};

/// Reads "tiles 16x16", "rows 32x8" or "columns 8x32". Blocks have whole warps, at most 1024 threads. Throws
/// Error.
LessonFigure parse_figure(std::string_view text);

/// A figure at one pixel.
struct FigureAtPixel {
    Rect block; ///< the tile or block that the pixel is in, as far as the image goes
    Rect reads; ///< what a tile reads, with the halo: it may reach beyond the image; empty for blocks
    Rect warp;  ///< pixels of the warp that the pixel is in; empty for tiles
    std::vector<std::string> text;
};

/// `pixel` lies in the image. Warps read one number of 4 bytes for each pixel, from rows that begin at
/// multiples of 32 bytes.
FigureAtPixel figure_at(const LessonFigure& figure, Extent image, const Reach& reach,
                        std::pair<std::int64_t, std::int64_t> pixel);

} // namespace kg
