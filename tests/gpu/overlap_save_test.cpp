// What the Fourier algorithms decide before anything runs: frames, and their precision. Needs no GPU.

#include "gpu/kernels/fourier/overlap_save.hpp"

#include "core/request/rounding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kg::gpu {
namespace {

constexpr std::size_t kCache = std::size_t{60} << 20; // the cache of an H200

ImageStep request_of(Extent size, Depth in, Depth out, int width, int height, float weight, float divisor) {
    ImageStep request(ImageRequest{size, {in, 1}, {out, 1}, {}});
    request.stages = {Stage{{make_kernel(
        width, height,
        std::vector<float>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), weight),
        divisor)}}};
    return request;
}
/// A mean of fractions, so that sums are not whole.
ImageStep blur(Extent size, Depth in, Depth out, int kernel) {
    return request_of(size, in, out, kernel, kernel, 1 / static_cast<float>(kernel * kernel), 1);
}
constexpr Extent kLarge{4096, 4096}, kSmall{64, 64};

bool is_smooth(int n) {
    for (const int p : {2, 3, 5, 7})
        while (n % p == 0) n /= p;
    return n == 1;
}

TEST(OverlapSave, ATilingIsOfItsOwnRequestWhateverWasAskedBefore) {
    const auto same = [](const Tiling& a, const Tiling& b) {
        return a.frame_width == b.frame_width && a.frame_height == b.frame_height && a.across == b.across &&
               a.down == b.down && a.at_once == b.at_once && a.microseconds == b.microseconds;
    };
    const auto of = [](Extent size, int kernel, Precision precision, std::size_t cache, std::size_t most) {
        return tiling_of(blur(size, Depth::f32, Depth::f32, kernel), precision, cache, most);
    };
    const auto plain = of(kLarge, 31, Precision::float32, kCache, kMostFrameBytes);
    for (const auto& other : {of({4096, 4000}, 31, Precision::float32, kCache, kMostFrameBytes),
                              of({4000, 4096}, 31, Precision::float32, kCache, kMostFrameBytes),
                              of(kLarge, 63, Precision::float32, kCache, kMostFrameBytes),
                              of(kLarge, 31, Precision::float64, kCache, kMostFrameBytes),
                              of(kLarge, 31, Precision::float32, kCache / 8, kMostFrameBytes),
                              of(kLarge, 31, Precision::float32, kCache, std::size_t{4} << 20)}) {
        EXPECT_FALSE(same(other, plain));
        EXPECT_TRUE(same(of(kLarge, 31, Precision::float32, kCache, kMostFrameBytes), plain));
    }
    auto colour = blur(kLarge, Depth::f32, Depth::f32, 31);
    colour.in.channels = colour.out.channels = 3;
    EXPECT_FALSE(same(tiling_of(colour, Precision::float32, kCache), plain));
}

TEST(OverlapSave, ExactSumsOfFractionsBecomeWhole) {
    auto quarters = request_of(kSmall, Depth::u8, Depth::u8, 2, 2, 0.25f, 3);
    quarters.stages.front().generator = GaussianGenerator{1, 2, 2};
    EXPECT_TRUE(sums_are_whole(quarters));
    const auto whole = with_whole_sums(quarters);
    EXPECT_EQ(whole.stages.front().kernels.front().weights, std::vector<float>(4, 1));
    EXPECT_EQ(whole.stages.front().kernels.front().divisor, 12);
    // The error that rounding removes is that of sums in units of 2^-13.
    const auto fine = request_of(kSmall, Depth::u8, Depth::u8, 3, 3, 0x1p-13f + 0x1p-2f, 1);
    EXPECT_TRUE(sums_are_whole(fine));
    EXPECT_FALSE(float32_suffices(fine, 256 * 256));
    EXPECT_TRUE(float32_suffices(quarters, 256 * 256));
    // Nothing changes where sums are not exact, or whole already.
    for (const auto& same :
         {blur(kSmall, Depth::u8, Depth::u8, 3), request_of(kSmall, Depth::u8, Depth::u8, 3, 3, 2, 9),
          request_of(kSmall, Depth::f32, Depth::f32, 2, 2, 0.25f, 1)})
        EXPECT_EQ(with_whole_sums(same).stages, same.stages);
    EXPECT_FALSE(sums_are_whole(request_of(kSmall, Depth::u8, Depth::u8, 2, 2, 0x1p-100f, 0x1p100f)))
        << "its divisor has no such multiple";
}

TEST(OverlapSave, TilesCoverTheImageAndFramesHoldWhatTheyReach) {
    for (const auto size : {Extent{1, 1}, Extent{1, 5000}, Extent{5000, 1}, Extent{17, 13}, Extent{640, 480},
                            Extent{1920, 1080}, kLarge, Extent{46340, 46340}, Extent{1 << 28, 1}})
        for (const auto image :
             {Extent{1, 1}, Extent{3, 3}, Extent{31, 31}, Extent{1, 255}, Extent{2, 64}, Extent{1025, 1025}})
            for (const auto precision : {Precision::float32, Precision::float64}) {
                const int width = static_cast<int>(image.width), height = static_cast<int>(image.height);
                const auto t = tiling_of(request_of(size, Depth::f32, Depth::f32, width, height, 1, 1),
                                         precision, kCache);
                SCOPED_TRACE(std::to_string(size.width) + " x " + std::to_string(size.height) + ", kernel " +
                             std::to_string(width) + " x " + std::to_string(height));
                EXPECT_EQ(t.frame_width, t.tile_width + width - 1);
                EXPECT_EQ(t.frame_height, t.tile_height + height - 1);
                EXPECT_GE(std::int64_t{t.across} * t.tile_width, size.width);
                EXPECT_LT(std::int64_t{t.across - 1} * t.tile_width, size.width);
                EXPECT_GE(std::int64_t{t.down} * t.tile_height, size.height);
                EXPECT_LT(std::int64_t{t.down - 1} * t.tile_height, size.height);
                for (const int n : {t.frame_width, t.frame_height})
                    EXPECT_TRUE(n % 2 == 0 && n <= kLongestFrame && is_smooth(n)) << n;
                ASSERT_GE(t.at_once, 1);
                EXPECT_LE(t.at_once, std::int64_t{t.across} * t.down);
                EXPECT_TRUE(t.at_once % t.across == 0 || t.at_once < t.across); // runs are whole rows
                if (t.at_once > 1) {
                    EXPECT_LE(t.at_once * t.samples() * static_cast<double>(bytes(precision)), kCache / 2.0);
                }
                EXPECT_TRUE(std::isfinite(t.microseconds) && t.microseconds > 0);
            }
}

TEST(OverlapSave, ASmallImageIsOneFrameThatJustHoldsIt) {
    const auto t = tiling_of(blur({100, 70}, Depth::f32, Depth::f32, 9), Precision::float32, kCache);
    EXPECT_EQ(t.frame_width, 108); // 100 + 8
    EXPECT_EQ(t.frame_height, 80); // 78, the next even number of small factors
    EXPECT_EQ(t.across * t.down * t.at_once, 1);
}

TEST(OverlapSave, LargeImagesGoThroughTheCacheInTiles) {
    for (const int kernel : {15, 31, 63, 127}) {
        const auto t = tiling_of(blur(kLarge, Depth::f32, Depth::f32, kernel), Precision::float32, kCache);
        EXPECT_LT(t.at_once, t.across * t.down) << kernel;
        EXPECT_LE(t.at_once * t.samples() * 4, kCache / 2.0) << kernel;
        const double waste = t.across * t.down * t.samples() / (4096.0 * 4096);
        EXPECT_LT(waste, 1.6) << kernel; // frames of a power of two are worth that: they take half as long
    }
}

TEST(OverlapSave, EveryChannelAndKernelTakesItsPlaceInTheCache) {
    auto request = blur(kLarge, Depth::f32, Depth::f32, 31);
    request.in.channels = request.out.channels = 4;
    request.stages.front().kernels.push_back(request.stages.front().kernels.front());
    request.stages.front().combine = Combine::l2;
    const auto t = tiling_of(request, Precision::float32, kCache);
    EXPECT_LE(t.at_once * t.samples() * 4 * 4 * 2, kCache / 2.0);
    auto masked = request;
    masked.channels = 0b0100;
    EXPECT_LT(tiling_of(masked, Precision::float32, kCache).microseconds, t.microseconds / 2);
}

TEST(OverlapSave, RefusesFramesBeyondAGigabyte) {
    auto request = request_of(kLarge, Depth::f32, Depth::f32, 1025, 1025, 1, 1);
    request.in.channels = request.out.channels = 4;
    auto& kernels = request.stages.front().kernels;
    kernels.front().anchor_x = 0, kernels.front().anchor_y = 0;
    for (int i = 0; i < 7; ++i) {
        kernels.push_back(kernels.front());
        kernels.back().anchor_x = kernels.back().anchor_y = 1024;
    }
    request.stages.front().combine = Combine::l1;
    request.float64_sums = true;
    EXPECT_NE(choose_cufft(request, kCache).why_not.find("1024 MB"), std::string::npos);
}

TEST(OverlapSave, StaysWithinTheMemoryItMayTake) {
    for (const auto precision : {Precision::float32, Precision::float64})
        for (const std::size_t most : {std::size_t{1} << 30, std::size_t{4} << 20, std::size_t{1} << 20}) {
            const auto t = tiling_of(blur(kLarge, Depth::f32, Depth::f32, 63), precision, kCache, most);
            ASSERT_GT(t.at_once, 0);
            EXPECT_LE(t.at_once * t.samples() * static_cast<double>(bytes(precision)),
                      static_cast<double>(most));
        }
    const auto none = choose_cufft(blur(kLarge, Depth::f32, Depth::f32, 1025), kCache, std::size_t{1} << 20);
    EXPECT_NE(none.why_not.find("1 MB"), std::string::npos) << none.why_not;
}

TEST(OverlapSave, TilesAreNeverMoreThanCanBeCounted) {
    // Memory for frames of 64 x 64 only, whose tiles are single pixels.
    constexpr std::size_t kOneFrame = 64 * 64 * 4;
    const auto tiling = [](Extent size) {
        return tiling_of(blur(size, Depth::f32, Depth::f32, 64), Precision::float32, kCache, kOneFrame);
    };
    EXPECT_EQ(tiling({1 << 16, 1 << 15}).at_once, 0);
    EXPECT_EQ(tiling({1 << 12, 1 << 12}).at_once, 1);
}

TEST(FourierNumbers, AreFloat32WhereTheRulesAllowIt) {
    struct Case {
        ImageStep request;
        Precision precision;
        bool whole_sums;
        const char* why;
    };
    auto too_coarse = blur(kLarge, Depth::f32, Depth::f32, 31), integers_follow = too_coarse,
         alpha_weighting = too_coarse;
    alpha_weighting.in.channels = alpha_weighting.out.channels = 4,
    alpha_weighting.in.alpha = alpha_weighting.out.alpha = 3;
    alpha_weighting.in.premultiplied = alpha_weighting.out.premultiplied = true;
    too_coarse.float64_sums = true, integers_follow.for_integers = true;
    const Case cases[] = {
        {blur(kLarge, Depth::f32, Depth::f32, 31), Precision::float32, false, "semantics 12"},
        {blur(kLarge, Depth::u8, Depth::f32, 31), Precision::float32, false, "semantics 12"},
        {blur(kLarge, Depth::u16, Depth::f32, 31), Precision::float32, false, "semantics 12"},
        {too_coarse, Precision::float64, false, "required by the planner"},
        {alpha_weighting, Precision::float64, false, "divided by alpha, which may be small"},
        {integers_follow, Precision::float64, false, "nobody knows how large floats are"},
        {blur(kLarge, Depth::u8, Depth::u8, 31), Precision::float32, false, "less than a 64th of a level"},
        {request_of(kLarge, Depth::u8, Depth::u8, 31, 31, 0.01f, 1), Precision::float64, false,
         "nine times as much"},
        {blur(kLarge, Depth::u16, Depth::u16, 31), Precision::float64, false,
         "more than 62 512ths of a level"},
        {request_of(kLarge, Depth::u8, Depth::u8, 7, 7, 1, 49), Precision::float32, true,
         "less than half of the sum's unit"},
        {request_of(kLarge, Depth::u8, Depth::f32, 7, 7, 1, 49), Precision::float32, true, "likewise"},
        {request_of(kLarge, Depth::u8, Depth::u8, 31, 31, 1, 961), Precision::float64, true,
         "more than half of it"},
        {request_of(kLarge, Depth::f32, Depth::f32, 3, 3, 1e-22f, 1e-21f), Precision::float64, false,
         "spectra that are hardly numbers"},
        {blur(kSmall, Depth::f32, Depth::f32, 9), Precision::float64, false, "it takes no time"}};
    for (const auto& c : cases) {
        const auto choice = choose_cufft(c.request, kCache);
        EXPECT_EQ(choice.why_not, "") << c.why;
        EXPECT_EQ(choice.precision, c.precision) << c.why;
        EXPECT_EQ(choice.whole_sums, c.whole_sums) << c.why;
        EXPECT_EQ(choice.noise > 0, c.precision == Precision::float64) << c.why;
        EXPECT_EQ(std::isinf(choice.largest_sample), is_integer(c.request.in.depth)) << c.why;
    }
}

TEST(FourierNumbers, WholeSumsAreNeverOffByHalf) {
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const int kernel : {1, 3, 5, 9, 16, 31, 127, 255}) {
            const auto request = request_of(kLarge, depth, depth, kernel, kernel, 1, 3);
            const auto choice = choose_cufft(request, kCache);
            const double sum = kernel * kernel * full_scale(depth);
            EXPECT_EQ(choice.whole_sums, sum < 0x1p24);
            if (!choice.whole_sums) continue;
            EXPECT_LT(fourier_bound(choice.precision, choice.tiling.samples()) * sum, 0.5) << kernel;
        }
}

TEST(FourierNumbers, NothingThatIsTransformedOverflows) {
    for (const float weight : {1e-15f, 1e-3f, 1.0f, 1e10f}) {
        const auto request = request_of(kLarge, Depth::f32, Depth::f32, 31, 31, weight, 1);
        const auto choice = choose_cufft(request, kCache);
        ASSERT_EQ(choice.precision, Precision::float32);
        EXPECT_GT(choice.largest_sample, 1e6f);
        const double most = choice.tiling.samples() * static_cast<double>(choice.largest_sample);
        EXPECT_LT(most, static_cast<double>(std::numeric_limits<float>::max()));
        EXPECT_LT(most * 961 * static_cast<double>(weight),
                  static_cast<double>(std::numeric_limits<float>::max()));
    }
}

TEST(FourierNumbers, NoSampleTakesOthersWhatIntegersAskFor) {
    for (const float weight : {1e-3f, 1.0f, 1e3f}) {
        auto request = request_of(kLarge, Depth::f32, Depth::f32, 31, 31, weight, 1);
        request.for_integers = true;
        const auto choice = choose_cufft(request, kCache);
        const double off = fourier_bound(choice.precision, choice.tiling.samples()) * 961 *
                           static_cast<double>(weight) * static_cast<double>(choice.largest_sample);
        EXPECT_LT(off * 255, 1.0 / 64);
        EXPECT_LT(off * 65535, 62.0 / 512);
        EXPECT_GT(choice.largest_sample, 1.0f); // white is transformed
    }
    const auto absurd = request_of(kLarge, Depth::u16, Depth::u16, 31, 31, 1e6f, 1);
    EXPECT_NE(choose_cufft(absurd, kCache).why_not, "");
}

TEST(FourierNumbers, TheStatedErrorIsThatOfSemantics12) {
    auto request = blur(kLarge, Depth::f32, Depth::f32, 31);
    const auto choice = choose_cufft(request, kCache);
    const double own = 8 * 0x1p-23 * std::log2(choice.tiling.samples());
    EXPECT_NEAR(fourier_bound(Precision::float32, choice.tiling.samples()), own, 1e-12);
    EXPECT_GE(fourier_error(request), own * 0.999);
    EXPECT_LE(fourier_error(request), own * 1.5);
    request.size = kSmall; // verifications compute rectangles of images
    EXPECT_GE(fourier_error(request), own * 0.999);
    request.stages.front().kernels.front().divisor = 0.25f;
    EXPECT_GE(fourier_error(request), 4 * own * 0.999);
    request.for_integers = true;
    EXPECT_EQ(fourier_error(request), 0);
    EXPECT_EQ(fourier_error(blur(kLarge, Depth::u8, Depth::u8, 31)), 0);
    EXPECT_EQ(fourier_error(request_of(kLarge, Depth::u8, Depth::f32, 31, 31, 1, 961)), 0);
}

} // namespace
} // namespace kg::gpu
