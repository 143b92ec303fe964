// The warps of `patches` compute every output, and inner ones load and store inside the images, aligned.

#include "core/image/border.hpp"
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
    auto c = launch_of({0, 0, width, height}, {0, 0, width, height}, channels, 0, alignment);
    c.width = width, c.height = height;
    return c;
}

/// Those included that the last inner strip has in common with its neighbour.
void expect_each_output_once(const StageCommon& c, const PatchShape& shape) {
    const auto grid = patch_grid(c, 1, shape, 1000);
    std::vector<int> computed(static_cast<std::size_t>(c.dst_width) * static_cast<std::size_t>(c.dst_height));
    const auto add = [&](int begin, int end, int top, int bottom) {
        for (int y = top; y < bottom; ++y)
            for (int x = std::max(begin, 0); x < std::min(end, c.dst_width); ++x)
                ++computed[static_cast<std::size_t>(y) * static_cast<std::size_t>(c.dst_width) +
                           static_cast<std::size_t>(x)];
    };
    for (int number = 0; number < grid.edge_blocks * kPatchWarps; ++number) {
        const auto edge = patch_edge(grid, c.dst_height, number);
        EXPECT_LE(edge.bottom - edge.top, grid.edge_rows);
        const int x = edge.strip * kPatchAcross - grid.shift;
        add(x, x + kPatchAcross, edge.top, edge.bottom);
    }
    for (int number = 0; number < grid.inner_blocks * kPatchWarps; ++number) {
        const auto inner = patch_inner(grid, number);
        const int x = inner.strip * kPatchAcross - grid.shift, first = patch_inner_x(grid, inner.strip);
        EXPECT_LE(first, x);
        add(x, first + kPatchAcross, inner.top, inner.bottom);
    }
    const auto wrong = std::ranges::find_if(computed, [](int times) { return times != 1; });
    ASSERT_EQ(wrong, computed.end()) << c.dst_width << "x" << c.dst_height << "x" << c.channels << " square "
                                     << shape.square << " output " << wrong - computed.begin();
}

/// The four pixels that a lane of an inner warp takes from column `column` of the image on lie inside the
/// source, and those beside the image are the border's.
void expect_lane_inside(const StageCommon& c, const PatchShape& shape, const PatchGrid& grid, int column) {
    PatchBeside four{column, 0x3210, {}};
    if (column < 0) four = grid.left;
    else if (column >= c.width) four = grid.right;
    EXPECT_GE(four.column, c.src_x);
    EXPECT_LE(four.column + 4, c.src_x + c.src_width);
    EXPECT_EQ((kSource + std::int64_t{four.column - c.src_x} * c.channels) % (c.channels == 4 ? 16 : 4), 0);
    for (int i = 0; i < 4; ++i) {
        const int distance = column < 0 ? -column - i : column + i - c.width + 1;
        if (distance > shape.square / 2) continue;
        const int byte = static_cast<int>(four.order >> 4 * i & 7u),
                  pixel = byte < 4 ? four.column + byte : -1;
        EXPECT_EQ(pixel, border_index(c.border, column + i, c.width)) << name(c.border);
    }
}

/// Returns how many inner strips there are.
int expect_inner_access_inside(const StageCommon& c, const PatchShape& shape) {
    const auto grid = patch_grid(c, 1, shape, 1000);
    if (grid.inner_blocks == 0) return 0;
    const int reach = shape.square / 2, y = c.dst_y - c.src_y;
    EXPECT_GE(y + grid.inner_top - reach, 0);
    EXPECT_LE(y + grid.inner_bottom + reach, c.src_height);
    EXPECT_LE(grid.inner_bottom, c.dst_height);
    EXPECT_EQ((grid.inner_bottom - grid.inner_top) % 2, 0);
    EXPECT_EQ(grid.inner_rows % 2, 0);
    EXPECT_TRUE(grid.wide_stores);
    for (int strip = grid.inner_begin; strip < grid.inner_end; ++strip) {
        const int x = patch_inner_x(grid, strip);
        EXPECT_GE(x, 0);
        EXPECT_LE(x + kPatchAcross, c.dst_width);
        for (int first = 0; first < kPatchInput; first += 4)
            expect_lane_inside(c, shape, grid, c.dst_x + x - grid.before + first);
        const auto to = reinterpret_cast<std::int64_t>(c.items[0].dst) + std::int64_t{x} * c.channels;
        EXPECT_EQ(to % 4, 0);
        EXPECT_TRUE(to % 8 == 0 || !grid.pairs);
    }
    return grid.inner_end - grid.inner_begin;
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

TEST(PatchGrid, TakesPixelsBesideTheImageFromItsEdges) {
    for (const auto& shape : kShapes)
        for (const int channels : {1, 3, 4})
            for (const auto border : kBorders)
                for (const int width : {60, 64, 67, 68, 100, 128, 256}) {
                    auto c = whole_image(width, 50, channels);
                    c.border = border;
                    expect_each_output_once(c, shape);
                    const int strips = expect_inner_access_inside(c, shape);
                    const bool zeros = border == Border::zero && channels > 1,
                               nine = border == Border::reflect101 && shape.square == 9;
                    if (width >= 64 && width % 4 == 0 && !zeros && !nine) {
                        EXPECT_EQ(strips, (width + kPatchAcross - 1) / kPatchAcross);
                    }
                    c.dst_x = 4, c.dst_width -= 4; // an edge to the right only
                    expect_each_output_once(c, shape);
                    expect_inner_access_inside(c, shape);
                }
}

TEST(PatchGrid, LeavesFewOutputsOfALargeImageToEdgeWarps) {
    auto c = whole_image(4096, 4096, 4);
    c.border = Border::reflect101;
    const auto grid = patch_grid(c, 1, kShapes[0], 1000);
    EXPECT_EQ(grid.inner_begin, 0);
    EXPECT_EQ(grid.inner_end, 64);
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
               hd = patch_grid(whole_image(1920, 1080, 4), 1, kShapes[0], 4224),
               large = patch_grid(whole_image(4096, 4096, 4), 1, kShapes[0], 4224);
    EXPECT_EQ(small.inner_rows, 8);
    EXPECT_EQ(small.edge_rows, kFewestEdgeRows);
    EXPECT_EQ(hd.inner_rows, 16);
    EXPECT_EQ(large.inner_rows, 32);
    EXPECT_EQ(large.edge_rows, kMostEdgeRows);
    const auto many = patch_grid(whole_image(256, 256, 4), 64, kShapes[0], 4224);
    EXPECT_EQ(many.inner_rows, 16);
    EXPECT_EQ(many.edge_rows, kMostEdgeRows);
}

} // namespace
} // namespace kg::gpu
