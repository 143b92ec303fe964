// Images larger than a GPU's memory, at realistic sizes. Skipped with the reason where there is no usable
// GPU.

#include "core/plan/parts.hpp"
#include "gpu/engine.hpp"
#include "tests/support/check.hpp"

#include <unistd.h>

#include <cstring>
#include <new>

namespace kg::testing {
namespace {

std::size_t free_host_bytes() {
    return static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
}

/// Fast and without a pattern that a shift by a few pixels would hide.
void fill(const ImageView& image) {
    std::uint64_t state = 0x9e3779b97f4a7c15;
    for (std::int64_t y = 0; y < image.size.height; ++y) {
        auto* row = image.row<std::byte>(y);
        for (std::int64_t x = 0; x < image.size.width; x += 8) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            std::memcpy(row + x, &state,
                        static_cast<std::size_t>(std::min<std::int64_t>(8, image.size.width - x)));
        }
    }
}

/// Every output is the pixel one to the right and two below, borders replicated: the expected result needs no
/// reference.
ImageRequest shift(Extent size) {
    ImageRequest request{size, {Depth::u8, 1}, {Depth::u8, 1}, {}};
    request.border = Border::replicate;
    auto kernel = make_kernel(3, 5, std::vector<float>(15, 0.0f));
    kernel.weights.back() = 1;
    request.stages = {Stage{{kernel}}};
    return request;
}

::testing::AssertionResult is_shifted(const ConstImageView& from, const ConstImageView& to) {
    const auto width = from.size.width, height = from.size.height;
    for (std::int64_t y = 0; y < height; ++y) {
        const auto* expected = from.row<std::byte>(std::min(y + 2, height - 1));
        const auto* row = to.row<std::byte>(y);
        if (std::memcmp(row, expected + 1, static_cast<std::size_t>(width - 1)) != 0 ||
            row[width - 1] != expected[width - 1])
            return ::testing::AssertionFailure() << "row " << y;
    }
    return ::testing::AssertionSuccess();
}

class LimitedCuda : public ::testing::TestWithParam<Extent> {
protected:
    void SetUp() override {
        if (const auto why = gpu::make_engine()->usable(); !why.empty())
            GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
        const auto bytes = static_cast<std::size_t>(GetParam().width) *
                           static_cast<std::size_t>(GetParam().height);
        if (free_host_bytes() < 3 * bytes)
            GTEST_SKIP() << "two images of this size do not fit into host memory";
    }
};

TEST_P(LimitedCuda, LargeImagesInPartsAreRight) {
    const auto request = shift(GetParam());
    const auto bytes = static_cast<std::size_t>(request.size.width) *
                       static_cast<std::size_t>(request.size.height);
    Image image(request.size, request.in), result(request.size, request.out);
    fill(image.view());
    const auto engine = gpu::make_engine(0, bytes / 2);
    const auto report = run_in_parts(*engine, plan(*engine, request), image.view(), result.view());
    EXPECT_GT(report.parts, 1);
    std::printf("%lld x %lld in %lld parts\n", static_cast<long long>(request.size.width),
                static_cast<long long>(request.size.height), static_cast<long long>(report.parts));
    EXPECT_TRUE(is_shifted(image.view(), result.view()));
}

INSTANTIATE_TEST_SUITE_P(Sizes, LimitedCuda,
                         ::testing::Values(Extent{1 << 20, 256}, Extent{512, 1 << 20}, Extent{46341, 46340}),
                         [](const auto& size) {
                             return std::to_string(size.param.width) + "x" +
                                    std::to_string(size.param.height);
                         });

/// Exhausts the real memory instead of setting a limit.
TEST(FullCuda, ScratchThatDoesNotFitMeansParts) {
    const auto engine = gpu::make_engine();
    if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    ImageRequest request{{8000, 6000}, {Depth::u8, 4, 3}, {Depth::u8, 4, 3}, {}};
    request.stages = {generated_stage(GaussianGenerator{2, 13, 13}),
                      generated_stage(GaussianGenerator{3, 19, 19})};
    Image image(request.size, request.in), all(request.size, request.out), some(request.size, request.out);
    fill({image.view().data,
          image.view().pitch,
          {4 * request.size.width, request.size.height},
          {Depth::u8, 1}});
    const auto prepared = plan(*engine, request);
    EXPECT_EQ(run_in_parts(*engine, prepared, image.view(), all.view()).parts, 1);

    auto spare = engine->allocate(std::size_t{160} << 20); // less than one of the two images on the device
    std::vector<std::shared_ptr<Buffer>> taken;
    for (std::size_t block = std::size_t{8} << 30; block >= std::size_t{64} << 20; block /= 2) try {
            for (;;) taken.push_back(engine->allocate(block));
        } catch (const std::bad_alloc&) { // a smaller block may still fit; the rest is for the driver
        }
    spare.reset();
    const auto report = run_in_parts(*engine, prepared, image.view(), some.view());
    EXPECT_GT(report.parts, 1);
    EXPECT_TRUE(same_pixels(all.view(), some.view()));
}

} // namespace
} // namespace kg::testing
