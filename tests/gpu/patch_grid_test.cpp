// The warps of `patches` compute every output once, and inner ones load and store inside the images, aligned.

#include "gpu/kernels/patch_grid.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kg::gpu {
namespace {

constexpr PatchShape kShapes[] = {{3, 4, true}, {5, 8, true}, {9, 2, true}};

/// A launch for a rectangle of an image, all of which is there, at an address.
StageCommon launch_of(int width, int height, int channels, int margin, std::int64_t address,
                      std::int64_t alignment = 256) {
    StageCommon c{};
    c.width = c.src_width = width, c.height = c.src_height = height, c.channels = channels;
    c.dst_x = c.dst_y = margin, c.dst_width = width - 2 * margin, c.dst_height = height - 2 * margin;
    const auto pitch = (std::int64_t{width} * channels + alignment - 1) / alignment * alignment;
    c.items[0] = {reinterpret_cast<const std::byte*>(address), reinterpret_cast<std::byte*>(1 << 20), pitch,
                  pitch};
    return c;
}

void expect_each_output_once(const StageCommon& c, const PatchShape& shape) {
    const auto grid = patch_grid(c, 1, shape, 1000);
    std::vector<int> computed(static_cast<std::size_t>(c.dst_width) * static_cast<std::size_t>(c.dst_height));
    const auto add = [&](int strip, int top, int bottom) {
        for (int y = top; y < bottom; ++y)
            for (int x = strip * kPatchAcross - grid.shift; x < (strip + 1) * kPatchAcross - grid.shift; ++x)
                if (x >= 0 && x < c.dst_width)
                    ++computed[static_cast<std::size_t>(y) * static_cast<std::size_t>(c.dst_width) +
                               static_cast<std::size_t>(x)];
    };
    for (int number = 0; number < grid.edge_blocks * kPatchWarps; ++number) {
        const auto edge = patch_edge(grid, c.dst_height, number);
        add(edge.strip, edge.top, std::min(edge.bottom, edge.top + grid.edge_rows));
    }
    const int across = (grid.inner_end - grid.inner_begin + kPatchWarps - 1) / kPatchWarps;
    for (int block = 0; block < grid.inner_blocks; ++block)
        for (int warp = 0; warp < kPatchWarps; ++warp) {
            const int strip = grid.inner_begin + block % across * kPatchWarps + warp,
                      y = grid.inner_top + block / across * grid.inner_rows;
            if (strip < grid.inner_end) add(strip, y, std::min(y + grid.inner_rows, grid.inner_bottom));
        }
    for (std::size_t i = 0; i < computed.size(); ++i)
        ASSERT_EQ(computed[i], 1) << c.dst_width << "x" << c.dst_height << "x" << c.channels << " square "
                                  << shape.square << " output " << i;
    if (grid.inner_blocks == 0) return;
    const int reach = shape.square / 2, x = c.dst_x - c.src_x - grid.shift;
    EXPECT_GE(x + grid.inner_begin * kPatchAcross - kPatchBefore, 0);
    EXPECT_LE(x + (grid.inner_end - 1) * kPatchAcross - kPatchBefore + kPatchInput, c.src_width);
    EXPECT_GE(grid.inner_begin * kPatchAcross - grid.shift, 0);
    EXPECT_LE(grid.inner_end * kPatchAcross - grid.shift, c.dst_width);
    EXPECT_GE(c.dst_y - c.src_y + grid.inner_top - reach, 0);
    EXPECT_LE(c.dst_y - c.src_y + grid.inner_bottom + reach, c.src_height);
    EXPECT_EQ((grid.inner_bottom - grid.inner_top) % 2, 0);
    EXPECT_EQ(grid.inner_rows % 2, 0);
}

TEST(PatchGrid, ComputesEveryOutputOnce) {
    for (const auto& shape : kShapes)
        for (const int channels : {1, 3, 4})
            for (const int width : {1, 63, 71, 72, 73, 136, 140, 300})
                for (const int height : {1, 4, 9, 17, 50})
                    for (const int margin : {0, 1, 2, 6})
                        if (2 * margin < width && 2 * margin < height)
                            expect_each_output_once(launch_of(width, height, channels, margin, 4096), shape);
}

TEST(PatchGrid, LeavesFewOutputsOfALargeImageToEdgeWarps) {
    const auto grid = patch_grid(launch_of(4096, 4096, 4, 0, 4096), 1, kShapes[0], 1000);
    EXPECT_EQ(grid.inner_begin, 1);
    EXPECT_EQ(grid.inner_end, 63);
    EXPECT_EQ(grid.inner_top, 4);
    EXPECT_EQ(grid.inner_bottom, 4094);
}

TEST(PatchGrid, BeginsWhereLoadsAreAligned) {
    for (const int x : {0, 1, 2, 3, 4, 5}) {
        const auto grid = patch_grid(launch_of(400, 400, 4, x, 4096), 1, kShapes[0], 1000);
        EXPECT_EQ(grid.shift, x % 4);
        EXPECT_EQ(grid.wide_stores, x % 2 == 0) << "results begin at an aligned address of their own";
        EXPECT_EQ(grid.inner_blocks > 0, x % 2 == 0);
    }
    auto c = launch_of(400, 400, 3, 1, 4096);
    EXPECT_EQ(patch_grid(c, 1, kShapes[0], 1000).shift, 1) << "three bytes a pixel";
    c = launch_of(401, 400, 1, 0, 4096, 1);
    EXPECT_EQ(patch_grid(c, 1, kShapes[0], 1000).inner_blocks, 0) << "rows of odd length";
    c = launch_of(400, 400, 1, 0, 4096);
    c.items[1] = c.items[0];
    c.items[1].src += 1;
    EXPECT_EQ(patch_grid(c, 2, kShapes[0], 1000).inner_blocks, 0) << "items differ";
    EXPECT_EQ(patch_grid(launch_of(400, 400, 4, 0, 4096), 1, {3, 4, false}, 1000).inner_blocks, 0)
        << "results are not bytes";
}

TEST(PatchGrid, GivesLargeImagesLongerWarps) {
    EXPECT_EQ(patch_grid(launch_of(512, 512, 4, 0, 4096), 1, kShapes[0], 4224).inner_rows, 8);
    EXPECT_EQ(patch_grid(launch_of(4096, 4096, 4, 0, 4096), 1, kShapes[0], 4224).inner_rows, 16);
}

} // namespace
} // namespace kg::gpu
