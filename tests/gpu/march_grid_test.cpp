// The strips of marching warps and the columns of threads cover every output once, from aligned addresses.

#include "gpu/kernels/march/column_grid.hpp"
#include "gpu/kernels/march/march.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kg::gpu {
namespace {

constexpr int kFloat = 4; // bytes of a sample

/// A launch for all pixels but a margin of an image at an address.
StageCommon launch_of(int width, int height, int channels, int margin, std::int64_t address) {
    StageCommon c{};
    c.width = c.src_width = width, c.height = c.src_height = height;
    c.channels = channels, c.computed = (1u << channels) - 1u, c.floats = true;
    c.dst_x = c.dst_y = margin, c.dst_width = width - 2 * margin, c.dst_height = height - 2 * margin;
    const std::int64_t pitch = (std::int64_t{width} * channels * 4 + 255) / 256 * 256;
    c.items[0] = {reinterpret_cast<const std::byte*>(address), reinterpret_cast<std::byte*>(1 << 20), pitch,
                  pitch};
    return c;
}

TEST(MarchGrid, StripsCoverAllOutputs) {
    for (const int width : {1, 5, 128, 129, 1000, 1030, 4096})
        for (const int height : {1, 7, 160, 161, 4096})
            for (const int channels : {1, 3, 4}) {
                const double edge = channels == 3 ? 1 : 1.3;
                auto c = launch_of(width, height, channels, 0, 4096);
                c.left = 15, c.reach_width = 31;
                const auto grid = march_grid(c, 1, kFloat, 128, 132 * 8, edge);
                EXPECT_GE(grid.across * 128, width * channels);
                EXPECT_LT((grid.across - 1) * 128, width * channels);
                EXPECT_LE(grid.rows, kMostStripRows);
                EXPECT_LE(grid.edge_rows, grid.rows);
                if (width == 1030 && channels == 1) {
                    EXPECT_EQ(grid.edges, 3) << "the last but one reaches the end";
                }
                std::vector<int> rows(static_cast<std::size_t>(grid.across)); // of each column of strips
                for (int i = 0; i < grid.strips; ++i) {
                    const auto place = march_place(grid, i);
                    auto& end = rows[static_cast<std::size_t>(place.column)];
                    EXPECT_EQ(place.row, end) << "strips of a column follow each other";
                    EXPECT_LT(end, height) << "no strip is empty";
                    end += place.rows;
                }
                for (const int end : rows) EXPECT_GE(end, height);
            }
}

TEST(MarchGrid, DividesAnImageEvenlyAmongTheMultiprocessors) {
    const auto grid = march_grid(launch_of(4096, 4096, 1, 0, 4096), 1, kFloat, 256, 132 * 8, 1);
    EXPECT_LE(grid.strips, 132 * 8);
    EXPECT_GT(grid.strips, 132 * 8 * 95 / 100);
}

/// A wave that is begun for a few strips takes as long as a full one.
TEST(MarchGrid, LeavesNoStripForOneMoreWave) {
    for (const int width : {640, 1280, 1920, 2560, 4096})
        for (const int height : {128, 160, 480, 1080, 1440, 4096})
            for (const int channels : {1, 3, 4})
                for (const unsigned count : {1u, 16u, 64u})
                    for (const int warps : {132 * 8, 132 * 12, 132 * 16}) {
                        auto c = launch_of(width, height, channels, 0, 4096);
                        for (unsigned i = 1; i < count; ++i) c.items[i] = c.items[0];
                        const auto grid = march_grid(c, count, kFloat, 128, warps, 1.3);
                        const auto strips = std::int64_t{grid.strips} * count,
                                   fewest = std::int64_t{grid.across} * count *
                                            ((height + kMostStripRows - 1) / kMostStripRows);
                        EXPECT_TRUE(grid.rows == (channels == 4 ? 8 : 4) ||
                                    strips <= (fewest + warps - 1) / warps * warps)
                            << width << "x" << height << "x" << channels << ", " << count
                            << " images: " << strips;
                        EXPECT_LE(grid.rows, kMostStripRows);
                    }
}

TEST(MarchGrid, SixteenBitsBeginWhereEightBytesAreAligned) {
    for (const int x : {0, 1, 2, 3, 4, 5}) {
        auto c = launch_of(100, 100, 1, x, 4096);
        EXPECT_EQ(march_grid(c, 1, 2, 128, 1056, 1).shift, x % 4);
        EXPECT_EQ(march_grid(c, 1, 2, 128, 1056, 1).wide_stores, x % 4 == 0);
        c.floats = false;
        c.items[0].dst += 8;
        EXPECT_EQ(march_grid(c, 1, 2, 128, 1056, 1).wide_stores, x % 4 == 0);
    }
}

TEST(MarchGrid, BeginsWhereSixteenBytesAreAligned) {
    for (const int x : {0, 1, 2, 3, 4, 5}) {
        const auto grid = march_grid(launch_of(100, 100, 1, x, 4096), 1, kFloat, 128, 1056, 1);
        EXPECT_TRUE(grid.wide_loads);
        EXPECT_EQ(grid.shift, x % 4);
        EXPECT_EQ(grid.wide_stores, x % 4 == 0) << "results begin at an aligned address of their own";
    }
    auto c = launch_of(100, 100, 1, 0, 4096);
    c.items[0].src_pitch = 404;
    EXPECT_FALSE(march_grid(c, 1, kFloat, 128, 1056, 1).wide_loads);
    c = launch_of(100, 100, 1, 0, 4096);
    c.items[1] = c.items[0];
    c.items[1].src += 4;
    EXPECT_FALSE(march_grid(c, 2, kFloat, 128, 1056, 1).wide_loads) << "items differ";
}

TEST(ColumnGrid, WholeColumnsAndSinglePixelsCoverARow) {
    const ColumnShape shape{4, 4, 4, 3};
    for (const int width : {1, 4, 9, 12, 13, 64, 1001})
        for (const int channels : {1, 3, 4})
            for (const int margin : {0, 1, 3}) {
                if (2 * margin >= width) continue;
                const auto c = launch_of(width, 20, channels, margin, 4096);
                const auto grid = column_grid(c, 1, shape, 4);
                const int samples = c.dst_width * channels;
                for (int s = 0; s < samples; ++s) {
                    const int column = s + grid.shift, x = s / channels;
                    const bool whole = column >= grid.whole_begin * 4 && column < grid.whole_end * 4;
                    const bool single = x < grid.left || x >= c.dst_width - grid.right;
                    EXPECT_TRUE(whole || single) << width << "x" << channels << " sample " << s;
                }
                if (grid.whole_end > grid.whole_begin) {
                    const int first = margin * channels + grid.whole_begin * 4 - grid.shift - shape.before,
                              last = margin * channels + grid.whole_end * 4 - grid.shift + shape.before;
                    EXPECT_TRUE(first >= 0 && last <= width * channels) << "windows lie in the source";
                }
            }
}

} // namespace
} // namespace kg::gpu
