// `running_sums` beyond the registry walk's small windows and images: strips of every width, several waves of
// thread blocks, rectangles that begin anywhere, and results that are not stored at once. Weights of 1, so
// that every algorithm has the same bytes (semantics 11): here `box` of the CPU.

#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "gpu/kernels/running_sums.hpp"
#include "tests/support/check.hpp"

namespace kg::testing {
namespace {

class RunningSums : public ::testing::Test {
protected:
    void SetUp() override {
        engine = gpu::make_engine();
        if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    }

    static ImageRequest request_of(Extent size, PixelFormat format, int width, int height, Border border) {
        const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
        ImageRequest request{size,
                             format,
                             format,
                             {Stage{{make_kernel(width, height, std::vector<float>(count, 1.0f),
                                                 static_cast<float>(count))}}}};
        request.alpha = AlphaMode::straight;
        request.border = border;
        return request;
    }

    void expect_bytes_of_box(const ImageRequest& request, const Rect& area) const {
        const auto image = random_image(request.size, request.in, 8);
        EXPECT_TRUE(same_pixels(run(*engine, request, image.view(), "running_sums", area).view(),
                                run(*cpu, request, image.view(), "box", area).view()))
            << describe(request) << ", from " << area.x << ", " << area.y;
    }

    std::shared_ptr<Engine> engine, cpu = cpu::make_engine(0);
};

TEST_F(RunningSums, LargeImagesHaveTheBytesOfBox) {
    const Extent size{2313, 1709};
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const int channels : {1, 3, 4})
            for (const auto& [width, height] : {std::pair{3, 3}, {16, 31}, {101, 101}, {150, 20}, {1, 99}}) {
                if (depth == Depth::u16 && width * height > 256) continue; // not exact
                for (const auto border : {Border::reflect101, Border::zero}) {
                    const auto request = request_of(size, {depth, channels}, width, height, border);
                    expect_bytes_of_box(request, whole(size));
                    expect_bytes_of_box(request, {width, 3, 2048 + channels, 1200});
                }
            }
}

TEST_F(RunningSums, WindowsLargerThanTheImageAndTheLargestHaveTheBytesOfBox) {
    for (const int channels : {1, 3, 4}) {
        const PixelFormat format{Depth::u8, channels};
        for (const auto border : {Border::reflect, Border::wrap, Border::replicate})
            expect_bytes_of_box(request_of({63, 41}, format, 257, 127, border), whole(Extent{63, 41}));
        expect_bytes_of_box(request_of({1500, 300}, format, 1025, 31, Border::reflect),
                            whole(Extent{1500, 300}));
        expect_bytes_of_box(request_of({300, 1500}, format, 31, 1025, Border::wrap),
                            whole(Extent{300, 1500}));
    }
}

TEST_F(RunningSums, OtherResultsHaveThoseOfBox) {
    const Extent size{700, 500};
    for (const int channels : {1, 3, 4}) {
        auto request = request_of(size, {Depth::u8, channels}, 31, 22, Border::reflect101);
        if (channels > 1) request.channels = 0b010;
        expect_bytes_of_box(request, whole(size));
        request.channels = ~0u;
        request.out.depth = Depth::f32;
        expect_bytes_of_box(request, whole(size));
        expect_bytes_of_box(request, {65, 64, 400, 300});
        request = request_of(size, {Depth::u8, channels}, 9, 9, Border::replicate);
        request.stages.front().kernels.front().divisor = 30; // most results are clamped
        expect_bytes_of_box(request, whole(size));
        request.stages.front().kernels.front().offset = 0.25f;
        expect_bytes_of_box(request, {1, 2, 613, 400});
    }
}

TEST(RunningGrid, CoversTheOutputsAndFitsIntoSharedMemory) {
    using gpu::RunningWork;
    for (const auto& [multiprocessors, shared_kib] : {std::pair{132, 227}, {84, 99}, {40, 64}})
        for (const unsigned count : {1u, 16u})
            for (const int channels : {1, 3, 4})
                for (const std::size_t bytes : {1u, 2u})
                    for (const int k : {1, 2, 31, 101, 257, 1025})
                        for (const auto& [width, height] :
                             {std::pair{1, 1}, {4096, 4096}, {3568, 4096}, {20000, 3}, {5, 300000}}) {
                            const RunningWork work{width,
                                                   height,
                                                   channels,
                                                   bytes,
                                                   count,
                                                   multiprocessors,
                                                   static_cast<std::size_t>(shared_kib) << 10};
                            gpu::RunningGrid window{};
                            window.width = window.height = k;
                            auto grid = gpu::running_grid(work, window);
                            SCOPED_TRACE(std::to_string(shared_kib) + " KiB, " + std::to_string(channels) +
                                         " channels of " + std::to_string(bytes) + " bytes, window " +
                                         std::to_string(k) + ", " + std::to_string(width) + " x " +
                                         std::to_string(height));
                            const int pixels = gpu::running_pixels(channels);
                            if (grid.threads == 0) { // the larger blocks that the window needs do not fit
                                EXPECT_EQ(k, 1025);
                                EXPECT_EQ(shared_kib, 64);
                                continue;
                            }
                            EXPECT_GE(grid.across * grid.outputs, width);
                            EXPECT_LT((grid.across - 1) * grid.outputs, width);
                            EXPECT_EQ(grid.outputs % pixels, 0);
                            EXPECT_GT(grid.rows, 0);
                            EXPECT_EQ(grid.rows % gpu::running_rows_at_once(bytes), 0);
                            EXPECT_LE(gpu::running_bytes(grid, channels, bytes), work.shared_bytes);
                            EXPECT_GT(gpu::running_microseconds(work, grid), 0);
                            // The last window's end lies in the prefix sums of the thread block.
                            gpu::set_lead(grid, grid.lead, channels);
                            EXPECT_LT((grid.outputs / pixels - 1) * gpu::running_pitch(channels) +
                                          grid.behind[pixels - 1],
                                      grid.threads * gpu::running_pitch(channels));
                        }
}

} // namespace
} // namespace kg::testing
