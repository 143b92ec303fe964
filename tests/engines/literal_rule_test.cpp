// Semantics 11 to the letter, for critical weights: an integer result is the rounded reference, or off by one
// within t of a tie, also for filters whose float32 sums would be off by levels or are barely accurate
// enough.

#include "core/plan/cut.hpp"
#include "core/request/rounding.hpp"
#include "filters/recipe.hpp"
#include "tests/engines/support/literal_rule.hpp"
#include "tests/support/error_code.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <random>

namespace kg::testing {
namespace {

TEST(LiteralRule, Float32SumsOfLargeTermsBreakIt) { // otherwise the tests below would verify nothing
    for (const auto& request : {hard_request(Depth::u16, named("sobel:size=7:direction=y")),
                                hard_request(Depth::u8, large_sobel(13, 1001))}) {
        EXPECT_TRUE(needs_float64(request));
        const auto image = faint(request, 3, 1);
        EXPECT_GT(telling(request, image.view()), 500);
        EXPECT_FALSE(obeys(request, image.view(), run_unasked("direct", request, image.view()).view()));
        EXPECT_TRUE(obeys(request, image.view(), run_unasked("float64", request, image.view()).view()));
    }
}

TEST(LiteralRule, HoldsForNamedFiltersAndBorders) {
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const auto* filter : {"sobel",
                                   "sobel:size=5",
                                   "sobel:size=7",
                                   "sobel:size=7:direction=x",
                                   "sobel:size=7:norm=l1",
                                   "sobel:size=7:direction=y:divisor=1280",
                                   "scharr",
                                   "scharr:divisor=7",
                                   "prewitt:norm=l1",
                                   "prewitt:divisor=3",
                                   "log",
                                   "log:sigma=0.6:amount=10",
                                   "log:sigma=4:amount=40",
                                   "dog",
                                   "dog:sigma1=0.5:sigma2=3:amount=10",
                                   "unsharp",
                                   "unsharp:amount=5",
                                   "unsharp:sigma=5:amount=1.7",
                                   "laplacian",
                                   "gaussian:size=3",
                                   "gaussian:size=7",
                                   "gaussian:sigma=3"})
            for (const auto border : kBorders) {
                const auto request = hard_request(depth, named(filter), border);
                for (const double noise : {3.0, 100.0})
                    expect_every_algorithm_obeys(request, faint(request, noise, 3).view());
                expect_every_algorithm_obeys(request, random_image(request.size, request.in, 4).view());
                if (HasFatalFailure()) FAIL() << filter;
            }
}

TEST(LiteralRule, HoldsForLargeSobels) {
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const int kernel_size : {7, 9, 11, 13})
            for (const float divisor : {1.0f, 1001.0f, 10007.0f})
                for (const auto border : kBorders) {
                    const auto request = hard_request(depth, large_sobel(kernel_size, divisor), border);
                    expect_every_algorithm_obeys(request, faint(request, 3, 5).view());
                    if (HasFatalFailure()) FAIL() << kernel_size;
                }
}

/// Weights from -0.5 to 0.5 of the given gain (sum |w| over the divisor), with a DC gain of 0.7 times it.
Kernel rough_kernel(int width, int height, double gain, std::mt19937& random) {
    std::vector<float> weights(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    double magnitude = 0, sum = 0;
    for (auto& w : weights) {
        w = static_cast<float>(random() % 100001) / 100000.0f - 0.5f;
        magnitude += std::fabs(static_cast<double>(w));
        sum += static_cast<double>(w);
    }
    const double divisor = magnitude / gain;
    weights.back() += static_cast<float>(0.7 * divisor - sum);
    return make_kernel(width, height, std::move(weights), static_cast<float>(divisor));
}

TEST(LiteralRule, HoldsForRoughKernelsOfAnyGain) {
    std::mt19937 random(7);
    int marked = 0, telling_ones = 0;
    constexpr int kKernels = 60;
    for (const auto depth : {Depth::u8, Depth::u16})
        for (int i = 0; i < kKernels; ++i) {
            const int width = 1 + static_cast<int>(random() % 12),
                      height = 1 + static_cast<int>(random() % 9);
            auto kernel = rough_kernel(width, height, std::pow(5000.0, i / (kKernels - 1.0)), random);
            if (i % 3 == 0) kernel.flip = true, kernel.anchor_x = 0;
            if (i % 4 == 0) kernel.offset = 0.03f;
            const auto request = hard_request(depth, Stage{{kernel}},
                                              kBorders[static_cast<std::size_t>(i) % kBorders.size()]);
            const auto image = faint(request, full_scale(depth) / absolute_gain(request.stages[0]),
                                     static_cast<unsigned>(i));
            marked += needs_float64(request);
            telling_ones += telling(request, image.view()) > 1000;
            expect_every_algorithm_obeys(request, image.view());
            if (HasFatalFailure()) return;
        }
    EXPECT_GT(marked, kKernels / 2);
    EXPECT_LT(marked, 2 * kKernels);
    EXPECT_GT(telling_ones, kKernels);
}

// The whites of a float image, spread over 16 bits.
TEST(LiteralRule, HoldsForWholeWeightsOnFloatsThatAreNot) {
    auto spread = hard_request(Depth::f32, Stage{{make_kernel(1, 1, {101})}});
    spread.out.depth = Depth::u16;
    spread.stages.front().kernels.front().offset = -100;
    EXPECT_TRUE(needs_float64(spread));
    Image image(spread.size, spread.in);
    std::mt19937 random(9);
    for (std::int64_t y = 0; y < spread.size.height; ++y)
        for (std::int64_t x = 0; x < spread.size.width; ++x)
            store(image.view(), x, y, 0, 1 - 0.0099 * static_cast<double>(random() % 100000) / 100000);
    EXPECT_GT(telling(spread, image.view()), 1000);
    expect_every_algorithm_obeys(spread, image.view());
}

/// A stage with the divisor for which float32 is barely accurate enough; none if there is no such divisor.
std::optional<Stage> at_the_line(Depth depth, Stage stage) {
    auto& divisor = stage.kernels.front().divisor;
    const auto fine = [&] { return !needs_float64(hard_request(depth, stage)); };
    float low = divisor / 65536, high = divisor * 65536;
    divisor = high;
    if (!fine()) return std::nullopt;
    for (int i = 0; i < 40; ++i) {
        divisor = std::sqrt(low) * std::sqrt(high);
        (fine() ? high : low) = divisor;
    }
    divisor = high;
    return stage;
}

TEST(LiteralRule, HoldsForFloat32SumsJustBelowTheLine) {
    std::mt19937 random(11);
    int tried = 0;
    for (const auto depth : {Depth::u8, Depth::u16})
        for (int i = 0; i < 80; ++i) {
            const int width = 1 + static_cast<int>(random() % 9), height = 1 + static_cast<int>(random() % 9);
            const auto stage = at_the_line(depth, Stage{{i % 2 ? rough_kernel(width, height, 1, random)
                                                               : product_kernel(width, height, random)}});
            if (!stage) continue;
            auto request = hard_request(depth, *stage, Border::reflect);
            ASSERT_FALSE(needs_float64(request));
            const double gain = absolute_gain(*stage);
            for (unsigned seed = 0; seed < 3; ++seed) {
                expect_every_algorithm_obeys(request,
                                             faint(request, full_scale(depth) / (2 * gain), seed).view());
                expect_every_algorithm_obeys(request, random_image(request.size, request.in, seed).view());
            }
            if (HasFatalFailure()) return;
            ++tried;
        }
    EXPECT_GT(tried, 100);
}

/// In integers: weights times `unit`, whose sum is divided by it, ties to even.
std::int64_t by_whole_numbers(const ImageRequest& r, const ConstImageView& image, std::int64_t x,
                              std::int64_t y, std::int64_t unit) {
    const auto& kernel = r.stages.front().kernels.front();
    std::int64_t sum = 0;
    for (int i = 0; i < kernel.height; ++i)
        for (int j = 0; j < kernel.width; ++j) {
            const auto weight = static_cast<std::int64_t>(
                kernel.weights[static_cast<std::size_t>(i * kernel.width + j)] * static_cast<float>(unit));
            const auto row = std::clamp<std::int64_t>(y + i - kernel.anchor_y, 0, r.size.height - 1),
                       column = std::clamp<std::int64_t>(x + j - kernel.anchor_x, 0, r.size.width - 1);
            sum += weight * static_cast<std::int64_t>(sample(image, column, row, 0));
        }
    if (sum <= 0) return 0;
    const auto below = sum / unit, twice_rest = 2 * (sum % unit);
    const auto rounded = below + (twice_rest > unit || (twice_rest == unit && below % 2 == 1));
    return std::min(rounded, static_cast<std::int64_t>(full_scale(r.out)));
}

TEST(LiteralRule, HoldsForColumnsOf16Bits) { // if every product were rounded, this result would be 57334
    auto request = hard_request(Depth::u16, Stage{{make_kernel(1, 3, {-174, 1323, 1243}, 2776)}},
                                Border::zero);
    request.size = {67, 3};
    ASSERT_FALSE(needs_float64(request));
    Image image(request.size, request.in);
    for (int x = 0; x < request.size.width; ++x)
        for (int y = 0; y < 3; ++y) store(image.view(), x, y, 0, std::array{5677, 59916, 65068}[y]);
    expect_every_algorithm_obeys(request, image.view());
}

TEST(LiteralRule, FractionsWhoseSumsAreExactGiveTheSameBytesByEveryAlgorithm) { // multiples of a power of two
    const float kEighths[] = {0.125f, -0.625f, 0.25f, 1.375f, -2.25f, 1.5f, -0.375f, 0.875f, 0.5f};
    const float kBinomial[] = {0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f};
    const float kFlat[] = {0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f};
    for (const auto depth : {Depth::u8, Depth::u16})
        for (const auto* weights : {kEighths, kBinomial, kFlat}) {
            const auto request = hard_request(
                depth, Stage{{make_kernel(3, 3, std::vector<float>(weights, weights + 9))}},
                Border::replicate);
            EXPECT_FALSE(needs_float64(request));
            EXPECT_EQ(plan(*cpu::make_engine(1), request)->algorithm.find("float64"), std::string::npos);
            const auto image = random_image(request.size, request.in, 6);
            int algorithms = 0;
            for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
                const auto result = run(engine, request, image.view(), algorithm.id);
                for (std::int64_t y = 0; y < request.size.height; ++y)
                    for (std::int64_t x = 0; x < request.size.width; ++x)
                        ASSERT_EQ(static_cast<std::int64_t>(sample(result.view(), x, y, 0)),
                                  by_whole_numbers(request, image.view(), x, y, 16))
                            << x << ", " << y;
                ++algorithms;
            });
            EXPECT_GT(algorithms, 3);
        }
    // The largest number of eighths is exact, one more is not.
    auto request = hard_request(Depth::u16, Stage{{make_kernel(2, 1, {32, 0.125f})}});
    EXPECT_TRUE(needs_float64(request)) << "257 eighths of 65535 have 25 digits";
    request.stages.front().kernels.front().weights = {-31.875f, 0.125f};
    EXPECT_FALSE(needs_float64(request)) << "256 have 24";
}

TEST(LiteralRule, OnlySumsThatNeedItAreFloat64) {
    const auto needs = [](Depth in, Depth out, std::string_view filter) {
        auto request = hard_request(in, named(filter));
        request.out.depth = out;
        return needs_float64(request);
    };
    EXPECT_TRUE(needs(Depth::u16, Depth::u16, "sobel:size=7"));
    EXPECT_TRUE(needs(Depth::u16, Depth::u16, "unsharp:amount=5"));
    EXPECT_FALSE(needs(Depth::u16, Depth::f32, "sobel:size=7")) << "semantics 12 applies to floats";
    EXPECT_FALSE(needs(Depth::u8, Depth::u8, "sobel:size=7")) << "its sums are exact";
    EXPECT_FALSE(needs(Depth::u16, Depth::u16, "sobel:size=5")) << "its sums are exact";
    EXPECT_FALSE(needs(Depth::f32, Depth::u16, "identity")) << "without additions nothing rounds";
    EXPECT_TRUE(needs(Depth::f32, Depth::u16, "custom:size=1x1:weights=3"));
    for (const auto* blur : {"gaussian:size=3", "gaussian:size=5", "gaussian:size=7", "gaussian:sigma=2",
                             "gaussian:sigma=20", "box:size=19", "binomial:size=9", "disk:radius=5"})
        for (const auto depth : {Depth::u8, Depth::u16}) EXPECT_FALSE(needs(depth, depth, blur)) << blur;
    auto chain = hard_request(Depth::u16, named("sobel:size=7"));
    chain.stages.push_back(chain.stages.front());
    EXPECT_TRUE(needs_float64(chain)) << "the second amplifies the roundings of the first";
    const auto recipe = [](Depth depth, std::string_view first, std::string_view second) {
        auto request = hard_request(depth, named(first));
        request.stages.push_back(named(second));
        return needs_float64(request);
    };
    EXPECT_TRUE(recipe(Depth::u16, "gaussian:sigma=2", "sharpen"));
    EXPECT_TRUE(recipe(Depth::u16, "gaussian:sigma=2", "sobel"));
    EXPECT_FALSE(recipe(Depth::u8, "gaussian:sigma=2", "sharpen")) << "u8 leaves 16 bits for roundings";
    EXPECT_FALSE(recipe(Depth::u8, "gaussian:sigma=2", "sobel"));
    EXPECT_TRUE(recipe(Depth::u8, "gaussian:sigma=2", "sobel:size=7"));
    EXPECT_FALSE(recipe(Depth::u16, "sharpen", "sharpen")) << "sums of whole numbers are exact";
    for (const auto* blur : {"gaussian:size=3", "gaussian:sigma=20", "box:size=19", "disk:radius=5"})
        EXPECT_FALSE(recipe(Depth::u16, "gaussian:sigma=2", blur)) << blur;
}

TEST(LiteralRule, APlanReportsWhyItSumsInFloat64AndOtherAlgorithmsWhyTheyDoNot) {
    const auto engine = cpu::make_engine(1);
    const auto request = hard_request(Depth::u16, named("sobel:size=7:direction=x"));
    const auto chosen = plan(*engine, request);
    EXPECT_EQ(chosen->algorithm, "float64");
    EXPECT_NE(chosen->reason.find("its weights come to 1280 times the divisor, so it is summed in float64"),
              std::string::npos)
        << chosen->reason;
    for (const auto& candidate : algorithm_answers(*engine, request)) {
        const auto id = candidate.algorithm->id;
        if (id == "float64" || id == "reference") EXPECT_EQ(candidate.why_not, "") << id;
        else EXPECT_NE(candidate.why_not, "") << id;
        if (id == "direct" || id == "separable") {
            EXPECT_NE(candidate.why_not.find("float32"), std::string::npos) << candidate.why_not;
        }
    }
    // Where it is not needed, it is never the fastest.
    for (const auto* filter : {"sobel", "gaussian:size=3", "identity"})
        for (const auto depth : {Depth::u8, Depth::u16, Depth::f16, Depth::f32}) {
            const auto other = hard_request(depth, named(filter));
            EXPECT_EQ(plan(*engine, other)->algorithm.find("float64"), std::string::npos) << filter;
        }
}

TEST(LiteralRule, TheFloat64FlagReachesAStepBetweenConversions) { // on a GPU that reads no 16-bit samples
    const auto steps = cut_into_steps(hard_request(Depth::u16, named("sobel:size=7")));
    ASSERT_EQ(steps.size(), 1u);
    for (const auto& formats : formats_around(steps.front()))
        for (const auto& chain_step : with_conversions(steps.front(), formats))
            EXPECT_EQ(chain_step.float64_sums, !is_conversion(chain_step));
}

TEST(LiteralRule, AnyPartAndAnyNumberOfThreadsGiveTheSameBytes) {
    for (const auto& stage : {named("sobel:size=7"), large_sobel(13, 3)}) {
        auto request = hard_request(Depth::u16, stage, Border::wrap);
        request.size = {1301, 90};
        request.in.channels = request.out.channels = 3;
        request.channels = 0b101;
        const auto image = random_image(request.size, request.in, 8);
        const auto all = run(*engines().front(), request, image.view(), "float64");
        for (const auto& engine : engines()) {
            const auto other = run(*engine, request, image.view(), "float64");
            if (engine->device().id == "cpu") {
                EXPECT_TRUE(same_pixels(all.view(), other.view()));
            }
            for (const Rect region : {Rect{0, 0, 1, 1}, Rect{681, 9, 3, 70}, Rect{1290, 33, 11, 57}})
                EXPECT_TRUE(same_pixels(other.view().crop(region),
                                        run(*engine, request, image.view(), "float64", region).view()));
        }
    }
}

} // namespace
} // namespace kg::testing
