// Kernels of up to 1025 x 1025, images of a million pixels in one line and of 2^31 pixels. Where the
// reference would take hours, `float64` of the same engine replaces it, after the reference has verified
// regions of its result.

#include "gpu/engine.hpp"
#include "measure/verify.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/sanitizers.hpp"

#include <cmath>
#include <cstring>
#include <random>
#include <set>

#include <unistd.h>

namespace kg::testing {
namespace {

constexpr std::string_view kMeasure = "float64";
constexpr double kEps = 0x1p-23;

Stage noise(int width, int height, bool integers = false) {
    std::mt19937 random(static_cast<unsigned>(width * 2000 + height));
    std::vector<float> weights(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    float sum = 0;
    for (auto& w : weights) {
        w = integers ? static_cast<float>(random() % 2)
                     : static_cast<float>(random() % 2001) / 1000.0f - 0.7f;
        sum += w;
    }
    auto kernel = make_kernel(width, height, std::move(weights));
    kernel.divisor = integers ? std::max(1.0f, sum) : sum;
    return {{std::move(kernel)}};
}

Stage large_gaussian(int width, int height) {
    const double sigma = std::max(width, height) / 7.0;
    auto stage = generated_stage(GaussianGenerator{sigma, width, height});
    for (const double p : gaussian_profile(sigma, height))
        for (const double q : gaussian_profile(sigma, width))
            stage.kernels.front().weights.push_back(static_cast<float>(p * q));
    return stage;
}

Stage box(int width, int height) {
    auto stage = generated_stage(BoxGenerator{width, height});
    stage.kernels.front().weights.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                                         1);
    return stage;
}

Stage slopes() {
    Stage stage{{make_kernel(3, 3, {-1, 0, 1, -2, 0, 2, -1, 0, 1}),
                 make_kernel(3, 3, {-1, -2, -1, 0, 0, 0, 1, 2, 1})},
                Combine::l2};
    stage.factors = {{{1, 2, 1}, {-1, 0, 1}}, {{-1, 0, 1}, {1, 2, 1}}};
    return stage;
}

ImageRequest request_for(Extent size, const PixelFormat& format, Stage stage, Border border) {
    return {size, format, format, {std::move(stage)}, border};
}

/// sum |w x| at each pixel, over the divisor: the unit of the error bound of f32 sums (semantics 12).
Image magnitudes(Engine& engine, Queue& queue, ImageRequest request, const ConstImageView& image) {
    Image positive(image.size, image.format);
    for (std::int64_t y = 0; y < image.size.height; ++y)
        for (std::int64_t x = 0; x < image.size.width; ++x)
            store(positive.view(), x, y, 0, std::fabs(sample(image, x, y, 0)));
    auto& kernel = request.stages.front().kernels.front();
    for (auto& w : kernel.weights) w = std::fabs(w);
    kernel.divisor = std::fabs(kernel.divisor);
    request.stages.front().factors.clear();
    request.stages.front().generator = {};
    return run(engine, queue, request, positive.view(), kMeasure);
}

/// Fails for the first sample of `result` that differs from `exact` by more than its bound; f32 x 1. `stated`
/// is the error stated by the algorithm.
::testing::AssertionResult is_within(const ConstImageView& result, const ConstImageView& exact,
                                     const ConstImageView& magnitude, double kernel_extents, double stated) {
    for (std::int64_t y = 0; y < exact.size.height; ++y)
        for (std::int64_t x = 0; x < exact.size.width; ++x) {
            const double got = static_cast<double>(result.row<float>(y)[x]),
                         want = static_cast<double>(exact.row<float>(y)[x]);
            const double bound = 2 * kernel_extents * kEps * static_cast<double>(magnitude.row<float>(y)[x]) +
                                 kEps * std::fabs(want) + stated;
            if (!(std::fabs(got - want) <= bound))
                return ::testing::AssertionFailure() << "at x " << x << " y " << y << ": " << got
                                                     << ", should be " << want << " within " << bound;
        }
    return ::testing::AssertionSuccess();
}

/// Verifies squares in the corners, in the middle and at random positions against the reference.
void expect_regions_right(const ImageRequest& request, const ConstImageView& image,
                          const ConstImageView& result, std::int64_t extent,
                          const Algorithm* algorithm = nullptr) {
    const auto width = std::min(extent, request.size.width), height = std::min(extent, request.size.height);
    const auto right = request.size.width - width, bottom = request.size.height - height;
    const std::set<std::pair<std::int64_t, std::int64_t>> corners{
        {0, 0}, {right, 0}, {right / 2, bottom / 2}, {0, bottom}, {right, bottom}, {right / 3, bottom / 7}};
    for (const auto& [x, y] : corners) {
        const Rect part{x, y, width, height};
        const auto verification = compare_with_reference(request, image, part, result.crop(part), algorithm);
        EXPECT_TRUE(verification.right()) << verification.first_wrong << "; " << describe(request);
    }
}

/// Compares every algorithm of the engine with its `float64`, which the reference verifies on squares of
/// `extent`; f32 x 1.
void expect_right_at_points(Engine& engine, const ImageRequest& request, std::int64_t extent) {
    Queues queues;
    auto& queue = queues.of(engine);
    const auto image = random_image(request.size, request.in, 7);
    const auto exact = run(engine, queue, request, image.view(), kMeasure);
    expect_regions_right(request, image.view(), exact.view(), extent);
    const auto magnitude = magnitudes(engine, queue, request, image.view());
    const auto& kernel = request.stages.front().kernels.front();
    for_each_algorithm(
        {std::shared_ptr<Engine>(std::shared_ptr<Engine>(), &engine)}, request,
        [&](Engine&, const Algorithm& algorithm) {
            if (algorithm.id == kMeasure || algorithm.whole_requests) return;
            // Samples of up to 1.5.
            const double stated = algorithm.error ? algorithm.error(ImageStep(request)) * 1.5 : 0;
            EXPECT_TRUE(is_within(run(engine, queue, request, image.view(), algorithm.id).view(),
                                  exact.view(), magnitude.view(), kernel.width + kernel.height + 2, stated))
                << describe(request);
        });
}

/// Integer weights: identical bytes from every algorithm.
void expect_every_algorithm_alike(Engine& engine, const ImageRequest& request, std::int64_t extent) {
    Queues queues;
    auto& queue = queues.of(engine);
    const auto image = random_image(request.size, request.in, 8);
    const auto exact = run(engine, queue, request, image.view(), kMeasure);
    expect_regions_right(request, image.view(), exact.view(), extent);
    for_each_algorithm({std::shared_ptr<Engine>(std::shared_ptr<Engine>(), &engine)}, request,
                       [&](Engine&, const Algorithm& algorithm) {
                           if (algorithm.id == kMeasure || algorithm.whole_requests) return;
                           EXPECT_TRUE(same_pixels(
                               run(engine, queue, request, image.view(), algorithm.id).view(), exact.view()))
                               << describe(request);
                       });
}

/// Any format: regions of every algorithm's result by the reference.
void expect_every_algorithm_right_in_regions(Engine& engine, const ImageRequest& request,
                                             std::int64_t extent) {
    Queues queues;
    const auto image = random_image(request.size, request.in, 9);
    for_each_algorithm({std::shared_ptr<Engine>(std::shared_ptr<Engine>(), &engine)}, request,
                       [&](Engine&, const Algorithm& algorithm) {
                           if (algorithm.whole_requests) return;
                           const auto result = run(engine, queues.of(engine), request, image.view(),
                                                   algorithm.id);
                           expect_regions_right(request, image.view(), result.view(), extent, &algorithm);
                       });
}

std::vector<std::shared_ptr<Engine>> both() {
    std::vector<std::shared_ptr<Engine>> all{cpu::make_engine()};
    if (auto gpu = gpu::make_engine(); gpu->usable().empty()) all.push_back(std::move(gpu));
    return all;
}

class LargeKernels : public ::testing::TestWithParam<int> {};

TEST_P(LargeKernels, AreRightByEveryAlgorithm) {
    const int kernel_size = GetParam();
    for (const auto& engine : both()) {
        const bool on_gpu = engine->device().id == "cuda";
        if (kSanitized && kernel_size > 255) GTEST_SKIP() << "a thousand million sums under a sanitizer";
        const Extent size = on_gpu ? Extent{601, 407} : kernel_size > 255 ? Extent{37, 29} : Extent{157, 101};
        const PixelFormat f32{Depth::f32, 1}, u8{Depth::u8, 1};
        // The share of the reference: kernel_size^2 products per sample of a square, twice.
        const std::int64_t square = kernel_size > 255 ? 2 : kernel_size > 127 ? 4 : 8;
        auto dense = noise(kernel_size, kernel_size);
        dense.kernels.front().anchor_x = kernel_size / 5;
        dense.kernels.front().flip = true;
        expect_right_at_points(*engine, request_for(size, f32, dense, Border::reflect101), square);
        expect_right_at_points(*engine, request_for(size, f32, noise(kernel_size - 1, 3), Border::wrap), 16);
        expect_right_at_points(*engine, request_for(size, f32, noise(2, kernel_size), Border::zero), 16);
        expect_right_at_points(
            *engine, request_for(size, f32, large_gaussian(kernel_size, kernel_size), Border::replicate),
            square);
        expect_right_at_points(
            *engine, request_for(size, f32, box(kernel_size, kernel_size - 1), Border::reflect), square);
        if (kernel_size <= 255) {
            expect_every_algorithm_right_in_regions(
                *engine, request_for(size, {Depth::u16, 3}, noise(kernel_size, kernel_size), Border::wrap),
                kernel_size > 63 ? 2 : 3);
            expect_every_algorithm_right_in_regions(
                *engine,
                request_for(size, {Depth::u8, 4, 3}, noise(kernel_size, kernel_size - 1), Border::reflect),
                kernel_size > 63 ? 2 : 3);
        }
        if (kernel_size <= 127) // integer sums below 2^24 (semantics 11)
            expect_every_algorithm_alike(
                *engine, request_for(size, u8, noise(kernel_size, kernel_size, true), Border::reflect101),
                square);
        expect_every_algorithm_alike(*engine, request_for(size, u8, box(kernel_size, 31), Border::wrap), 16);
    }
}

INSTANTIATE_TEST_SUITE_P(, LargeKernels, ::testing::Values(63, 127, 255, 1025),
                         [](const auto& kernel_size) { return std::to_string(kernel_size.param); });

TEST(LongImages, OfOneRowAndOfOneColumnAreRightByEveryAlgorithm) {
    for (const auto& engine : both()) {
        // The CPU's algorithms would take seconds each.
        const bool on_gpu = engine->device().id == "cuda";
        for (const bool tall : {false, true}) {
            const auto sized = [&](std::int64_t along, int across) {
                return tall ? Extent{across, along} : Extent{along, across};
            };
            const auto expect_right = [&](std::int64_t length, const Stage& stage, Border border) {
                expect_right_at_points(*engine, request_for(sized(length, 1), {Depth::f32, 1}, stage, border),
                                       16);
            };
            const auto dense = [&](int along, int across) {
                const auto size = sized(along, across);
                return noise(static_cast<int>(size.width), static_cast<int>(size.height));
            };
            constexpr std::int64_t kLongest = std::int64_t{1} << 20;
            const auto length = on_gpu ? kLongest : (std::int64_t{1} << 16) + 5;
            expect_right(kSanitized ? length : kLongest, dense(5, 7), Border::reflect101);
            expect_right(length, dense(9, 1), Border::zero);
            expect_right(length, dense(255, 1), Border::replicate);
            expect_right(length, dense(1025, 1), Border::reflect);
            expect_right(length, large_gaussian(tall ? 3 : 31, tall ? 31 : 3), Border::wrap);
            expect_every_algorithm_alike(
                *engine, request_for(sized(length, 1), {Depth::u8, 3}, box(31, 31), Border::wrap), 16);
            expect_every_algorithm_alike(
                *engine, request_for(sized(length, 1), {Depth::u8, 1}, slopes(), Border::reflect101), 16);
        }
    }
}

/// Periodic rows of noise, generated as fast as memory is filled. The period shares no factor with any tile.
Image repeating_image(Extent size, const PixelFormat& format) {
    constexpr std::int64_t kDifferent = 97;
    const auto rows = random_image({size.width, kDifferent}, format, 6);
    Image image(size, format);
    for (std::int64_t y = 0; y < size.height; ++y)
        std::memcpy(image.view().row<std::byte>(y), rows.view().row<std::byte>(y % kDifferent),
                    static_cast<std::size_t>(size.width) * bytes_per_pixel(format));
    return image;
}

/// Uploads once, then verifies regions of every algorithm's result: corners, edges, the middle, and random
/// positions.
void expect_huge_right(Engine& engine, const std::vector<ImageRequest>& requests) {
    const auto image = repeating_image(requests.front().size, requests.front().in);
    const auto everything = whole(requests.front().size);
    Queues queues;
    auto& queue = queues.of(engine);
    const Item item{allocate_view(engine, requests.front().in, everything),
                    allocate_view(engine, requests.front().out, everything)};
    Image result(requests.front().size, requests.front().out);
    queue.upload(image.view(), item.src);
    for (const auto& request : requests)
        for_each_algorithm({std::shared_ptr<Engine>(std::shared_ptr<Engine>(), &engine)}, request,
                           [&](Engine&, const Algorithm& algorithm) {
                               if (algorithm.whole_requests) return;
                               std::memset(result.view().data, 0xA5, result.size_in_bytes());
                               queue.upload(result.view(), item.dst);
                               queue.run(plan(engine, request, algorithm.id), {&item, 1});
                               queue.download(item.dst, result.view());
                               queue.fence().wait();
                               const auto verification = measure::verify(request, image.view(), result.view(),
                                                                         &algorithm, 1e6);
                               EXPECT_TRUE(verification.right())
                                   << verification.first_wrong << "; " << describe(request);
                           });
}

TEST(HugeImages, OfTwoThousandMillionPixelsAreRightByEveryAlgorithm) {
    constexpr std::size_t kNeeded = std::size_t{16} << 30;
    const auto engine = gpu::make_engine();
    if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    const auto host = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (engine->device().memory_bytes < kNeeded || host < kNeeded)
        GTEST_SKIP() << "it takes 16 GiB of memory here and on the GPU";
    const Extent size{65536, 32768}; // 2^31
    const PixelFormat grey{Depth::u8, 1};
    expect_huge_right(*engine, {request_for(size, grey, noise(5, 5, true), Border::reflect101),
                                request_for(size, grey, large_gaussian(9, 9), Border::wrap),
                                request_for(size, grey, slopes(), Border::replicate)});
    expect_huge_right(*engine, {request_for({32768, 16384}, {Depth::u8, 4}, box(7, 7), Border::zero)});
}

} // namespace
} // namespace kg::testing
