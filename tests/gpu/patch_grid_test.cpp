// The warps of `patches` compute every output once, and inner ones load and store inside the images, aligned.

#include "gpu/kernels/tensor/patch_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace kg::gpu {
namespace {

constexpr PatchShape kShapes[] = {{3, true}, {5, true}, {7, true}, {9, true}};
constexpr std::int64_t kSource = 1 << 16, kResult = 1 << 20; // addresses

/// A launch for rectangles of an image in the order left, top, width, height, whose source begins at an
/// aligned address. `result`: the bytes of the result's address over an aligned one.
StageCommon launch_of(const int (&source)[4], const int (&result)[4], int channels, int over = 0,
                      std::int64_t alignment = 256) {
    StageCommon c{};
    c.width = source[0] + source[2] + 5, c.height = source[1] + source[3] + 5, c.channels = channels;
    c.src_x = source[0], c.src_y = source[1], c.src_width = source[2], c.src_height = source[3];
    c.dst_x = result[0], c.dst_y = result[1], c.dst_width = result[2], c.dst_height = result[3];
    const auto pitch = [&](int width) {
        return (std::int64_t{width} * channels + alignment - 1) / alignment * alignment;
    };
    c.items[0] = {reinterpret_cast<const std::byte*>(kSource), reinterpret_cast<std::byte*>(kResult + over),
                  pitch(source[2]), pitch(result[2] + over)};
    return c;
}

StageCommon whole_image(int width, int height, int channels, std::int64_t alignment = 256) {
    return launch_of({0, 0, width, height}, {0, 0, width, height}, channels, 0, alignment);
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
        EXPECT_LE(edge.bottom - edge.top, grid.edge_rows);
        add(edge.strip, edge.top, edge.bottom);
    }
    for (int number = 0; number < grid.inner_blocks * kPatchWarps; ++number) {
        const auto inner = patch_inner(grid, number);
        add(inner.strip, inner.top, inner.bottom);
    }
    const auto wrong = std::ranges::find_if(computed, [](int times) { return times != 1; });
    ASSERT_EQ(wrong, computed.end()) << c.dst_width << "x" << c.dst_height << "x" << c.channels << " square "
                                     << shape.square << " output " << wrong - computed.begin();
}

void expect_inner_access_inside(const StageCommon& c, const PatchShape& shape) {
    const auto grid = patch_grid(c, 1, shape, 1000);
    if (grid.inner_blocks == 0) return;
    const int reach = shape.square / 2, x = c.dst_x - c.src_x - grid.shift, y = c.dst_y - c.src_y;
    const int first = x + grid.inner_begin * kPatchAcross - grid.before;
    EXPECT_GE(first, 0);
    EXPECT_LE(x + (grid.inner_end - 1) * kPatchAcross - grid.before + kPatchInput, c.src_width);
    EXPECT_GE(grid.inner_begin * kPatchAcross - grid.shift, 0);
    EXPECT_LE(grid.inner_end * kPatchAcross - grid.shift, c.dst_width);
    EXPECT_GE(y + grid.inner_top - reach, 0);
    EXPECT_LE(y + grid.inner_bottom + reach, c.src_height);
    EXPECT_LE(grid.inner_bottom, c.dst_height);
    EXPECT_EQ((grid.inner_bottom - grid.inner_top) % 2, 0);
    EXPECT_EQ(grid.inner_rows % 2, 0);
    const auto& item = c.items[0];
    EXPECT_EQ((kSource + std::int64_t{first} * c.channels) % (c.channels == 4 ? 16 : 4), 0);
    const auto to = reinterpret_cast<std::int64_t>(item.dst) +
                    (std::int64_t{grid.inner_begin} * kPatchAcross - grid.shift) * c.channels;
    EXPECT_TRUE(grid.wide_stores);
    EXPECT_EQ(to % 4, 0);
    EXPECT_TRUE(to % 8 == 0 || !grid.pairs);
}

TEST(PatchGrid, ComputesEveryOutputOnceFromInsideTheSource) {
    int inner = 0, shifted = 0;
    for (const auto& shape : kShapes)
        for (const int channels : {1, 3, 4})
            for (const int width : {1, 63, 72, 73, 136, 300})
                for (const int height : {1, 4, 17, 50})
                    for (const int left : {-3, 0, 1, 4, 6})
                        for (const int right : {0, 5})
                            for (const int over : {0, 1, 2, 3, 4}) {
                                if (left + right >= width) continue;
                                // Above and below the source has what a kernel reaches, or less.
                                const auto c = launch_of({10, 20, width, height},
                                                         {10 + left, 20 + left % 3, width - left - right,
                                                          std::max(height - left % 3 - right, 1)},
                                                         channels, over * channels);
                                expect_each_output_once(c, shape);
                                expect_inner_access_inside(c, shape);
                                const auto grid = patch_grid(c, 1, shape, 1000);
                                inner += grid.inner_blocks > 0;
                                shifted += grid.inner_blocks > 0 && grid.shift > 0;
                            }
    EXPECT_GT(inner, 1000);
    EXPECT_GT(shifted, 100);
}

TEST(PatchGrid, LeavesFewOutputsOfALargeImageToEdgeWarps) {
    const auto grid = patch_grid(whole_image(4096, 4096, 4), 1, kShapes[0], 1000);
    EXPECT_EQ(grid.inner_begin, 1);
    EXPECT_EQ(grid.inner_end, 63);
    EXPECT_EQ(grid.inner_top, 2);
    EXPECT_EQ(grid.inner_bottom, 4094);
    EXPECT_TRUE(grid.wide_stores && grid.pairs);
}

TEST(PatchGrid, BeginsWhereLoadsAreAligned) {
    for (const int x : {0, 1, 2, 3, 4, 5}) {
        const auto grid = patch_grid(launch_of({0, 0, 400, 400}, {x, 0, 300, 400}, 4), 1, kShapes[0], 1000);
        EXPECT_EQ((x - grid.shift - grid.before) % 4, 0);
        EXPECT_TRUE(grid.wide_stores && grid.pairs) << "results begin at an aligned address of their own";
        const auto full = patch_grid(launch_of({0, 0, 400, 400}, {x, 0, 300, 400}, 4), 1, kShapes[3], 1000);
        EXPECT_EQ(full.before, kPatchBefore) << "taps of 9 x 9 and 8 outputs fill 16 pixels";
        EXPECT_EQ(full.shift, x % 4);
        EXPECT_TRUE(full.wide_stores) << "pixels are words";
        EXPECT_EQ(full.pairs, x % 2 == 0);
    }
    for (const int channels : {1, 3})
        for (const auto& shape : {kShapes[0], kShapes[1]})
            for (const int x : {1, 2, 3, 4, 5}) {
                const auto c = launch_of({0, 0, 400, 400}, {x, 0, 300, 400}, channels);
                EXPECT_GT(patch_grid(c, 1, shape, 1000).inner_blocks, 0) << "small squares leave room";
                expect_inner_access_inside(c, shape);
            }
    auto c = whole_image(401, 400, 1, 1);
    EXPECT_EQ(patch_grid(c, 1, kShapes[0], 1000).inner_blocks, 0) << "rows of odd length";
    c = whole_image(400, 400, 1);
    c.items[1] = c.items[0];
    c.items[1].src += 1;
    EXPECT_EQ(patch_grid(c, 2, kShapes[0], 1000).inner_blocks, 0) << "items differ";
    EXPECT_EQ(patch_grid(whole_image(400, 400, 4), 1, {3, false}, 1000).inner_blocks, 0)
        << "results are not words";
}

TEST(PatchGrid, GivesLargeImagesLongerWarps) {
    const auto small = patch_grid(whole_image(512, 512, 4), 1, kShapes[0], 4224),
               large = patch_grid(whole_image(4096, 4096, 4), 1, kShapes[0], 4224);
    EXPECT_EQ(small.inner_rows, 8);
    EXPECT_EQ(small.edge_rows, kFewestEdgeRows);
    EXPECT_EQ(large.inner_rows, 16);
    EXPECT_EQ(large.edge_rows, kMostEdgeRows);
    const auto many = patch_grid(whole_image(256, 256, 4), 64, kShapes[0], 4224);
    EXPECT_EQ(many.inner_rows, 16);
    EXPECT_EQ(many.edge_rows, kMostEdgeRows);
}

} // namespace
} // namespace kg::gpu
