#include "app/editor/lesson/figure.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <array>

namespace kg {

namespace {

constexpr std::array<std::string_view, 3> kKinds{"tiles", "rows", "columns"};
constexpr int kWarp = 32, kMostThreads = 1024, kMostSide = 256;
constexpr std::int64_t kPixelBytes = 4, kSectorBytes = 32; // a number; the least that the memory delivers

/// The pixels of a warp within its block, whose threads are numbered along rows of `width` pixels.
Rect warp_in_block(int width, std::int64_t x, std::int64_t y) {
    if (width >= kWarp) return {x / kWarp * kWarp, y, kWarp, 1};
    const int rows = kWarp / width;
    return {0, y / rows * rows, width, rows};
}

Rect moved(const Rect& rect, std::int64_t x, std::int64_t y) {
    return {rect.x + x, rect.y + y, rect.width, rect.height};
}

std::int64_t area(const Rect& rect) { return rect.empty() ? 0 : rect.width * rect.height; }

/// Sectors of memory that have the pixels of a rectangle.
std::int64_t sectors(const Rect& rect) {
    const auto first = rect.x * kPixelBytes / kSectorBytes,
               last = ((rect.x + rect.width) * kPixelBytes - 1) / kSectorBytes;
    return (last - first + 1) * rect.height;
}

std::string product(std::int64_t width, std::int64_t height) {
    return std::to_string(width) + " x " + std::to_string(height);
}

std::vector<std::string> tile_text(const FigureAtPixel& at, Extent image, const Reach& reach) {
    const auto results = area(at.block), reads = area(at.reads);
    const std::int64_t columns = reach.left + reach.right + 1, rows = reach.up + reach.down + 1;
    std::vector<std::string> text{
        "This tile's " + product(at.block.width, at.block.height) + " results read " +
            product(at.reads.width, at.reads.height) + " = " + std::to_string(reads) + " pixels, " +
            short_number(static_cast<double>(reads) / static_cast<double>(results), 3) + " for each.",
        "By itself each reads up to " + product(columns, rows) + " = " + std::to_string(columns * rows) +
            ": " + std::to_string(columns * rows * results) + " together."};
    const auto outside = reads - area(intersect(at.reads, whole(image)));
    if (outside > 0)
        text.push_back(std::to_string(outside) +
                       " of the tile's pixels lie outside the image: the border defines them.");
    return text;
}

std::vector<std::string> warp_text(const LessonFigure& figure, const FigureAtPixel& at) {
    const auto used = area(at.warp) * kPixelBytes, read = sectors(at.warp);
    return {"A block of " + product(figure.width, figure.height) + " threads has " +
                std::to_string(figure.width * figure.height / kWarp) + " warps of 32.",
            "The " + std::to_string(area(at.warp)) + " pixels of this warp lie in " + std::to_string(read) +
                (read == 1 ? " sector" : " sectors") +
                " of 32 bytes: " + std::to_string(read * kSectorBytes) + " bytes are read, and " +
                std::to_string(used) + " of them used."};
}

} // namespace

LessonFigure parse_figure(std::string_view text) {
    const auto words = split(text, ' ');
    const auto kind = std::ranges::find(kKinds, words.front());
    if (kind == kKinds.end())
        throw Error("bad-value", "figure is one of {}, not {}{}", listed(kKinds), in_quotes(words.front()),
                    suggestion(words.front(), kKinds));
    LessonFigure figure{static_cast<LessonFigure::Kind>(kind - kKinds.begin())};
    const auto sides = words.size() == 2 ? split(words[1], 'x') : std::vector<std::string_view>{};
    const auto side = [](std::string_view word) {
        const double value = parse_number(word, "width or height");
        return value >= 1 && value <= kMostSide && value == static_cast<int>(value) ? static_cast<int>(value)
                                                                                    : 0;
    };
    if (sides.size() == 2) figure.width = side(sides[0]), figure.height = side(sides[1]);
    if (sides.size() != 2 || figure.width == 0 || figure.height == 0)
        throw Error("bad-value", "figure needs a width and a height from 1 to {}, such as {} 16x16, not {}",
                    kMostSide, words.front(), in_quotes(text));
    if (figure.kind == LessonFigure::Kind::tiles) return figure;
    const int along = figure.kind == LessonFigure::Kind::rows ? figure.width : figure.height,
              threads = figure.width * figure.height;
    if (threads % kWarp != 0 || threads > kMostThreads || (along % kWarp != 0 && kWarp % along != 0))
        throw Error("bad-value",
                    "a block has whole warps of 32 threads, at most {}, in whole rows or columns, such as "
                    "rows 32x8, not {}",
                    kMostThreads, in_quotes(text));
    return figure;
}

FigureAtPixel figure_at(const LessonFigure& figure, Extent image, const Reach& reach,
                        std::pair<std::int64_t, std::int64_t> pixel) {
    const auto x = pixel.first / figure.width * figure.width,
               y = pixel.second / figure.height * figure.height;
    FigureAtPixel at;
    at.block = intersect({x, y, figure.width, figure.height}, whole(image));
    if (figure.kind == LessonFigure::Kind::tiles) {
        at.reads = {at.block.x - reach.left, at.block.y - reach.up, at.block.width + reach.left + reach.right,
                    at.block.height + reach.up + reach.down};
        at.text = tile_text(at, image, reach);
        return at;
    }
    Rect warp;
    if (figure.kind == LessonFigure::Kind::rows) {
        warp = warp_in_block(figure.width, pixel.first - x, pixel.second - y);
    } else {
        const auto transposed = warp_in_block(figure.height, pixel.second - y, pixel.first - x);
        warp = {transposed.y, transposed.x, transposed.height, transposed.width};
    }
    at.warp = intersect(moved(warp, x, y), whole(image));
    at.text = warp_text(figure, at);
    return at;
}

} // namespace kg
