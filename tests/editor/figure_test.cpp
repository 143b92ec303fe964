// Figures of lessons: tiles, halos and warps, counted pixel by pixel.

#include "app/editor/lesson/figure.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace kg {
namespace {

using namespace kg::testing;
using FigureKind = LessonFigure::Kind;

TEST(LessonFigures, AreReadAndRefused) {
    EXPECT_EQ(parse_figure("tiles 16x16"), (LessonFigure{FigureKind::tiles, 16, 16}));
    EXPECT_EQ(parse_figure("rows 32x8"), (LessonFigure{FigureKind::rows, 32, 8}));
    EXPECT_EQ(parse_figure("columns 8x64"), (LessonFigure{FigureKind::columns, 8, 64}));
    EXPECT_EQ(parse_figure("rows 16x2"), (LessonFigure{FigureKind::rows, 16, 2}));
    for (const auto* text :
         {"", "tiles", "tile 16x16", "tiles 16", "tiles 0x16", "tiles 16x257", "tiles 1.5x2", "rows 20x8",
          "rows 32x64", "columns 32x12", "rows 8x3", "tiles 16x16 5x5"})
        EXPECT_EQ(code_of([&] { parse_figure(text); }), "bad-value") << text;
}

/// Every tile of an image reads what its results read, and no more.
TEST(LessonFigures, TilesReadWhatTheirResultsRead) {
    const LessonFigure figure{FigureKind::tiles, 16, 8};
    const Extent image{50, 21};
    const Reach reach{1, 3, 2, 0};
    for (const auto& [x, y] : {std::pair{0, 0}, {17, 9}, {49, 20}, {15, 7}, {16, 8}}) {
        const auto at = figure_at(figure, image, reach, {x, y});
        std::set<std::pair<std::int64_t, std::int64_t>> read;
        for (auto j = at.block.y; j < at.block.bottom(); ++j)
            for (auto i = at.block.x; i < at.block.right(); ++i)
                for (int dy = -reach.up; dy <= reach.down; ++dy)
                    for (int dx = -reach.left; dx <= reach.right; ++dx) read.insert({i + dx, j + dy});
        EXPECT_TRUE(at.block.contains({x, y, 1, 1}));
        EXPECT_TRUE(whole(image).contains(at.block));
        EXPECT_EQ(at.reads.width * at.reads.height, static_cast<std::int64_t>(read.size()));
        EXPECT_NE(at.text.at(0).find("= " + std::to_string(read.size()) + " pixels"), std::string::npos)
            << at.text[0];
        std::size_t outside = 0;
        for (const auto& [i, j] : read) outside += !whole(image).contains({i, j, 1, 1});
        ASSERT_EQ(at.text.size(), outside > 0 ? 3u : 2u);
        EXPECT_TRUE(outside == 0 || at.text[2].starts_with(std::to_string(outside) + " "));
    }
}

/// The warps of a block have each of its pixels once, 32 of them, and the sectors of memory are counted.
TEST(LessonFigures, WarpsDivideABlock) {
    const Extent image{256, 128};
    for (const auto& figure : {LessonFigure{FigureKind::rows, 32, 8},
                               {FigureKind::rows, 8, 16},
                               {FigureKind::rows, 64, 2},
                               {FigureKind::columns, 8, 32},
                               {FigureKind::columns, 2, 64},
                               {FigureKind::columns, 16, 4}}) {
        std::set<std::pair<std::int64_t, std::int64_t>> warps;
        for (int y = 0; y < figure.height; ++y)
            for (int x = 0; x < figure.width; ++x) {
                const auto at = figure_at(figure, image, {}, {128 + x, 64 + y});
                EXPECT_EQ(at.warp.width * at.warp.height, 32);
                EXPECT_TRUE(at.warp.contains({128 + x, 64 + y, 1, 1}));
                EXPECT_TRUE(at.block.contains(at.warp));
                warps.insert({at.warp.x, at.warp.y});
                std::set<std::pair<std::int64_t, std::int64_t>> sectors;
                for (auto j = at.warp.y; j < at.warp.bottom(); ++j)
                    for (auto i = at.warp.x; i < at.warp.right(); ++i) sectors.insert({j, i * 4 / 32});
                EXPECT_NE(at.text.at(1).find(" in " + std::to_string(sectors.size()) + " sector"),
                          std::string::npos)
                    << at.text[1];
            }
        EXPECT_EQ(warps.size(), static_cast<std::size_t>(figure.width * figure.height / 32));
    }
    EXPECT_EQ(figure_at({FigureKind::columns, 8, 32}, {100, 40}, {}, {99, 39}).warp, (Rect{99, 32, 1, 8}))
        << "as far as the image goes";
}

} // namespace
} // namespace kg
