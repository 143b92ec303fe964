// What the algorithm `fourier` decides before anything runs. Needs no GPU.

#include "gpu/kernels/fourier/fourier_frames.hpp"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace kg::gpu {
namespace {

ImageStep request_of(Extent size, Depth depth, int channels, int size_of_kernel) {
    const auto count = static_cast<std::size_t>(size_of_kernel) * static_cast<std::size_t>(size_of_kernel);
    return ImageStep(
        {size,
         {depth, channels},
         {depth, channels},
         {Stage{{make_kernel(size_of_kernel, size_of_kernel, std::vector<float>(count, 1.0f), 1)}}}});
}
constexpr Extent kLarge{6000, 5000};
constexpr std::size_t kMegabyte = std::size_t{1} << 20;

TEST(FourierFrames, HoldTheKernelWhateverIsPredicted) {
    for (const auto depth : {Depth::u8, Depth::f32})
        for (const int channels : {1, 2, 3, 4})
            for (const auto& [kernel, smallest] :
                 {std::pair{1, 256}, {192, 256}, {193, 512}, {384, 512}, {385, 1024}, {768, 1024}}) {
                const auto frames = choose_frames(request_of(kLarge, depth, channels, kernel), 0);
                EXPECT_GE(frames.size, smallest) << kernel;
                EXPECT_EQ(frames.tile_width, frames.size - kernel + 1);
                EXPECT_EQ(frames.tile_height, frames.size - kernel + 1);
                EXPECT_GE(frames.at_once, 1);
            }
    EXPECT_EQ(choose_frames(request_of(kLarge, Depth::u8, 1, 769), 0).size, 0);
    EXPECT_EQ(choose_frames(request_of(kLarge, Depth::f32, 1, 769), 0).size, 2048);
    EXPECT_EQ(choose_frames(request_of(kLarge, Depth::f32, 4, 1025), 0).size, 2048);
}

TEST(FourierFrames, StayWithinAFifthOfALimit) {
    for (const auto depth : {Depth::u8, Depth::f32})
        for (const int channels : {1, 2, 3, 4})
            for (const std::size_t limit :
                 {3 * kMegabyte, 9 * kMegabyte, 35 * kMegabyte, 200 * kMegabyte, 2000 * kMegabyte}) {
                const auto request = request_of(kLarge, depth, channels, 31);
                const auto frames = choose_frames(request, limit);
                const auto length = static_cast<std::size_t>(frames.size);
                EXPECT_LE(length * length *
                              static_cast<std::size_t>(frames.at_once * pairs_of_group(request)) * 8,
                          limit / 5);
                EXPECT_EQ(frames.size == 0,
                          limit / 5 <
                              std::size_t{256} * 256 * static_cast<std::size_t>(pairs_of_group(request)) * 8);
            }
}

TEST(FourierFrames, KernelAndLimitLeaveOneSize) { // as in the test of every size on a GPU
    for (const auto& [size, kernel, limit] : {std::tuple{256, 31, std::size_t{8960} << 10},
                                              {512, 333, 35 * kMegabyte},
                                              {1024, 701, 150 * kMegabyte}})
        for (const auto depth : {Depth::u8, Depth::f32})
            for (const int channels : {1, 2, 3})
                for (const auto image : {kLarge, Extent{600, 500}})
                    EXPECT_EQ(choose_frames(request_of(image, depth, channels, kernel), limit).size, size);
}

TEST(FourierFrames, OnlyPlanesOfOneTileOrOneChannelArePaired) {
    const auto expect = [](Depth depth, int channels, int tiles, int pairs) {
        const auto request = request_of(kLarge, depth, channels, 3);
        EXPECT_EQ(tiles_of_group(request), tiles) << channels;
        EXPECT_EQ(pairs_of_group(request), pairs) << channels;
    };
    expect(Depth::u8, 1, 2, 1), expect(Depth::u8, 2, 1, 1), expect(Depth::u8, 3, 2, 3),
        expect(Depth::u8, 4, 1, 2);
    expect(Depth::f32, 1, 2, 1), expect(Depth::f32, 2, 2, 2), expect(Depth::f32, 3, 2, 3),
        expect(Depth::f32, 4, 2, 4);
}

} // namespace
} // namespace kg::gpu
