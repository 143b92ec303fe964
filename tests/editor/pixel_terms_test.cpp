// Why a pixel has its value: the terms against the reference, and the fact that explains it.

#include "app/editor/pixel/pixel_lines.hpp"
#include "app/editor/pixel/pixel_terms.hpp"
#include "filters/recipe.hpp"
#include "tests/support/check.hpp"
#include "tests/support/error_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <string_view>

namespace kg::testing {
namespace {

Recipe recipe_from(std::initializer_list<const char*> steps) {
    Recipe recipe;
    for (const auto* step : steps) recipe.steps.push_back(parse_step(step));
    return recipe;
}

ImageRequest request_of(std::initializer_list<const char*> steps, Extent size,
                        const PixelFormat& format = {Depth::u8, 1}, Border border = Border::reflect101) {
    auto recipe = recipe_from(steps);
    recipe.border = border;
    return request_for(recipe, size, format);
}

/// A grey image of one number.
Image flat_image(Extent size, double value) {
    Image image(size, {Depth::u8, 1});
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < size.width; ++x) store(image.view(), x, y, 0, value);
    return image;
}

/// Random requests: everything that semantics 1 to 7 and 11 distinguish.
class RandomRequests {
public:
    ImageRequest next() {
        ImageRequest request;
        request.size = {pick(1, 9), pick(1, 9)};
        const bool alpha = pick(0, 2) == 0;
        request.in.depth = static_cast<Depth>(pick(0, 3));
        request.in.channels = alpha ? (pick(0, 1) ? 4 : 2) : (pick(0, 1) ? 3 : 1);
        request.in.alpha = alpha ? request.in.channels - 1 : -1;
        request.in.premultiplied = alpha && pick(0, 3) == 0;
        request.in.linear = pick(0, 5) == 0;
        request.out = request.in;
        request.out.depth = static_cast<Depth>(pick(0, 3));
        request.out.premultiplied = alpha && pick(0, 3) == 0;
        request.out.linear = pick(0, 3) == 0;
        request.border = static_cast<Border>(pick(0, 5));
        for (float& value : request.outside) value = static_cast<float>(pick(-2, 10)) / 8;
        request.alpha = static_cast<AlphaMode>(pick(0, 2));
        request.light = static_cast<Light>(pick(0, 1));
        request.sign = static_cast<SignedMode>(pick(0, 3));
        if (request.sign == SignedMode::keep) request.out.depth = Depth::f32;
        if (pick(0, 4) == 0 && !alpha) request.channels = static_cast<unsigned>(pick(1, 7));
        for (auto i = pick(1, 3); i > 0; --i) request.stages.push_back(stage());
        return request;
    }
    std::int64_t pick(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
    }

private:
    Kernel kernel() {
        const auto width = static_cast<int>(pick(1, 6)), height = static_cast<int>(pick(1, 6));
        const bool whole = pick(0, 1) == 0;
        std::vector<float> weights;
        for (int i = 0; i < width * height; ++i)
            weights.push_back(static_cast<float>(pick(-9, 9)) / (whole ? 1.0f : 7.0f));
        auto kernel = make_kernel(width, height, weights, static_cast<float>(pick(1, 9)));
        kernel.anchor_x = static_cast<int>(pick(0, width - 1));
        kernel.anchor_y = static_cast<int>(pick(0, height - 1));
        kernel.flip = pick(0, 1) == 0;
        if (pick(0, 2) == 0) { // keeps the mean, so that it filters alpha
            for (auto& weight : kernel.weights) weight = std::fabs(weight) + 1;
            float sum = 0;
            for (const auto weight : kernel.weights) sum += weight;
            kernel.divisor = sum;
        }
        return kernel;
    }
    Stage stage() {
        Stage stage;
        stage.combine = static_cast<Combine>(std::max<std::int64_t>(0, pick(-2, 2)));
        const auto offset = pick(0, 2) == 0 ? 0.25f : 0.0f;
        stage.kernels = {kernel()};
        if (stage.combine == Combine::single) {
            stage.kernels.front().offset = offset;
        } else {
            stage.kernels.push_back(kernel());
            stage.offset = offset;
        }
        return stage;
    }
    std::mt19937 random_{137};
};

bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a == 0 && b == 0) ||
           (std::isnan(a) && std::isnan(b));
}

TEST(PixelTerms, AgreeWithTheReferenceToTheLastBit) {
    RandomRequests requests;
    int summed = 0;
    for (unsigned i = 0; i < 600; ++i) {
        const auto request = requests.next();
        if (code_of([&] { validate(request); }) != "no error") continue;
        SCOPED_TRACE(describe(request));
        const auto image = random_image(request.size, request.in, i);
        const auto values = reference_values(request, image.view());
        const auto stored = rounded(request, values);
        for (int pixel = 0; pixel < 4; ++pixel) {
            const auto x = requests.pick(0, request.size.width - 1),
                       y = requests.pick(0, request.size.height - 1);
            for (int c = 0; c < request.in.channels; ++c) {
                const auto terms = pixel_terms(request, image.view(), request.stages.size() - 1, x, y, c);
                const auto at = static_cast<std::size_t>((y * request.size.width + x) * request.in.channels +
                                                         c);
                ASSERT_TRUE(terms.is_last());
                ASSERT_TRUE(same_bits(terms.end->value, values[at])) << terms.end->value << ' ' << values[at];
                ASSERT_TRUE(same_bits(terms.stored, sample(stored.view(), x, y, c)));
                ASSERT_FALSE(explanation(terms).empty());
                summed += terms.kernels.empty() ? 0 : 1;
                for (const auto& kernel : terms.kernels)
                    ASSERT_TRUE(same_bits(partial_sum(kernel, kernel.taps.size()), kernel.sum));
            }
        }
    }
    EXPECT_GT(summed, 3000);
}

/// A step before the last passes on what the recipe that ends with it would give in float32.
TEST(PixelTerms, AnEarlierStepIsExplainedOnTheExactResultOfThoseBeforeIt) {
    auto request = request_of({"gaussian:sigma=1", "sobel", "box:size=3"}, {11, 8}, {Depth::f32, 1});
    const auto image = random_image(request.size, request.in, 3);
    for (std::size_t stage = 0; stage < 3; ++stage) {
        auto shorter = request;
        shorter.stages.resize(stage + 1);
        const auto values = reference_values(shorter, image.view());
        const auto terms = pixel_terms(request, image.view(), stage, 0, 7, 0);
        EXPECT_TRUE(same_bits(terms.result, values[static_cast<std::size_t>(7 * 11)])) << stage;
        EXPECT_EQ(terms.is_last(), stage == 2);
    }
}

TEST(PixelTerms, NameTheCoordinateThatEachTapReads) {
    const auto image = random_image({6, 5}, {Depth::u8, 1}, 1);
    const auto corner = [&](Border border) {
        return pixel_terms(request_of({"box:size=3"}, {6, 5}, {Depth::u8, 1}, border), image.view(), 0, 0, 4,
                           0)
            .kernels.front();
    };
    const auto zero = corner(Border::zero);
    EXPECT_NEAR(zero.outside_share(), 5.0 / 9, 1e-12);
    EXPECT_TRUE(zero.taps[0].counts_as_zero() && zero.taps[0].outside());
    EXPECT_EQ(zero.taps[0].product, 0);
    EXPECT_FALSE(zero.taps[1].outside());
    const auto constant = corner(Border::constant); // a border of zeros
    EXPECT_TRUE(constant.taps[0].constant && constant.taps[0].outside());
    EXPECT_FALSE(constant.taps[0].has_source() || constant.taps[0].counts_as_zero());
    const auto wrap = corner(Border::wrap);
    EXPECT_EQ(wrap.taps[0].x, -1);
    EXPECT_EQ(wrap.taps[0].source_x, 5);
    EXPECT_EQ(wrap.taps[6].y, 5);
    EXPECT_EQ(wrap.taps[6].source_y, 0);
    EXPECT_EQ(wrap.taps[6].sample, sample(image.view(), 5, 0, 0));
    EXPECT_EQ(corner(Border::reflect101).taps[0].source_x, 1);
}

TEST(PixelTerms, NameTheFactThatExplainsTheValue) {
    const Extent size{9, 7};
    const auto flat = flat_image(size, 120);
    const auto fact = [&](const char* step, std::int64_t x, const Image& image,
                          Border border = Border::zero) {
        return pixel_terms(request_of({step}, size, {Depth::u8, 1}, border), image.view(), 0, x, 3, 0).fact;
    };
    EXPECT_EQ(fact("box:size=3", 0, flat), PixelFact::outside);
    EXPECT_EQ(fact("box:size=3", 4, flat), PixelFact::mean);
    EXPECT_EQ(fact("laplacian", 4, flat), PixelFact::flat);
    EXPECT_EQ(fact("sobel", 4, flat), PixelFact::flat);
    EXPECT_EQ(fact("identity", 4, flat), PixelFact::one_tap);
    EXPECT_EQ(fact("sharpen", 4, flat), PixelFact::contrast);
    EXPECT_EQ(fact("sharpen", 0, flat), PixelFact::outside);
    EXPECT_EQ(fact("custom:size=1x1:weights=3", 4, flat), PixelFact::above);
    auto point = flat_image(size, 0);
    store(point.view(), 4, 3, 0, 255);
    EXPECT_EQ(fact("sharpen", 5, point), PixelFact::below);
    EXPECT_EQ(fact("sobel", 5, point), PixelFact::above);
    EXPECT_EQ(explanation(pixel_terms(request_of({"box:size=5"}, size, {Depth::u8, 1}, Border::zero),
                                      flat.view(), 0, 0, 3, 0)),
              "40 % of the weight lies outside the image; border zero counts it as 0.");
    auto ramp = flat_image(size, 0);
    for (std::int64_t x = 0; x < size.width; ++x) store(ramp.view(), x, 3, 0, 20 * static_cast<double>(x));
    const auto pair = [&](const char* y) {
        const auto step = std::string("custom_gradient:size=2x1:norm=l1:weights_x=1,-1:weights_y=") + y;
        return explanation(
            pixel_terms(request_of({step.c_str()}, size, {Depth::u8, 1}), ramp.view(), 0, 4, 3, 0));
    };
    EXPECT_EQ(pair("-1,1"), "The sum of the absolute values of 2 differences of neighbours is 40.");
    EXPECT_EQ(pair("0,1"), "The sum of the absolute values of 2 weighted sums is 100.");
}

TEST(PixelTerms, AClampedNumberIsRoundedFromWhatTheClampLeaves) {
    const PixelFormat deep{Depth::u16, 1};
    auto image = random_image({5, 5}, deep, 1);
    store(image.view(), 2, 2, 0, 57451);
    const auto terms_of = [&](const char* step) {
        return pixel_terms(request_of({step}, {5, 5}, deep), image.view(), 0, 2, 2, 0);
    };
    const auto text = [](const PixelTerms& terms, std::string_view name) {
        const auto lines = pixel_lines(terms, {0, {}, "CPU", terms.stored});
        const auto line = std::ranges::find(lines, name, &PixelLine::name);
        return line == lines.end() ? std::string("no line") : line->value;
    };
    const auto high = terms_of("custom:size=1x1:weights=2.5");
    EXPECT_EQ(text(high, "Sum"), "143627.5");
    EXPECT_EQ(text(high, "Clamp"), "143627.5 to 65535");
    EXPECT_EQ(text(high, "Rounding"), "65535 to 65535");
    EXPECT_EQ(explanation(high), "143627.5 is above the largest number: it is stored as 65535.");
    const auto low = terms_of("custom:size=1x1:weights=-2.5");
    EXPECT_EQ(text(low, "Clamp"), "-143627.5 to 0");
    EXPECT_EQ(text(low, "Rounding"), "0 to 0");
    const auto kept = terms_of("custom:size=1x1:weights=0.5");
    EXPECT_EQ(text(kept, "Clamp"), "none");
    EXPECT_EQ(text(kept, "Rounding"), "28725.5 to 28726");
}

TEST(PixelTerms, SignedResultsNameWhatIsAdded) {
    const auto image = random_image({6, 5}, {Depth::u8, 1}, 1);
    for (const auto& [sign, text] :
         {std::pair{SignedMode::half, "+ 127.5 = 63.75"}, std::pair{SignedMode::absolute, "= 63.75"}}) {
        auto request = request_of({"custom:size=1x1:weights=0:offset=-0.25"}, {6, 5}, {Depth::u8, 1});
        request.sign = sign;
        const auto terms = pixel_terms(request, image.view(), 0, 2, 2, 0);
        const auto lines = pixel_lines(terms, {0, {}, "CPU", terms.stored});
        const auto line = std::ranges::find(lines, "Signed", &PixelLine::name);
        ASSERT_NE(line, lines.end());
        EXPECT_EQ(line->value, text);
    }
}

TEST(PixelTerms, NumbersOf16BitsAreWrittenInFull) {
    const PixelFormat deep{Depth::u16, 1};
    auto image = random_image({5, 5}, deep, 1);
    store(image.view(), 1, 2, 0, 58720), store(image.view(), 3, 2, 0, 59737);
    const auto terms = pixel_terms(request_of({"custom:size=3x1:weights=-4,0,4"}, {5, 5}, deep), image.view(),
                                   0, 2, 2, 0);
    EXPECT_EQ(explanation(terms), "The weights sum to 0: 238948 minus 234880, the difference of neighbours.");
}

TEST(PixelTerms, ThePartialSumGrowsTapByTap) {
    const auto image = random_image({6, 5}, {Depth::u8, 1}, 1);
    const auto kernel =
        pixel_terms(request_of({"box:size=3"}, {6, 5}), image.view(), 0, 2, 2, 0).kernels.front();
    EXPECT_EQ(partial_sum(kernel, 0), 0);
    double sum = 0;
    for (std::size_t i = 0; i < kernel.taps.size(); ++i) {
        sum += kernel.taps[i].product;
        EXPECT_NEAR(partial_sum(kernel, i + 1), sum, 1e-9);
    }
    EXPECT_EQ(partial_sum(kernel, 1000), kernel.sum);
}

TEST(PixelTerms, TheStrongestTapsComeFirstAndAmongProductsOf0TheStrongestWeights) {
    auto image = flat_image({9, 9}, 0);
    store(image.view(), 5, 4, 0, 10);
    const auto kernel =
        pixel_terms(request_of({"binomial:size=5"}, {9, 9}), image.view(), 0, 4, 4, 0).kernels.front();
    const auto strongest = strongest_taps(kernel, 7);
    ASSERT_EQ(strongest.size(), 7u);
    EXPECT_EQ(strongest[0], 13u) << "the one product that is not 0";
    EXPECT_EQ(strongest[1], 12u) << "the middle: the largest weight";
    for (std::size_t i = 2; i < strongest.size(); ++i)
        EXPECT_GE(kernel.taps[strongest[i - 1]].weight, kernel.taps[strongest[i]].weight) << i;
    store(image.view(), 5, 4, 0, 0);
    const auto black =
        pixel_terms(request_of({"binomial:size=5"}, {9, 9}), image.view(), 0, 4, 4, 0).kernels.front();
    EXPECT_EQ(strongest_taps(black, 3), (std::vector<std::size_t>{12, 7, 11}));
    EXPECT_EQ(strongest_taps(black, 100).size(), black.taps.size());
}

TEST(PixelTerms, TheWholeSumFollowsThatOfSomeTaps) {
    const auto image = flat_image({9, 7}, 90);
    const auto terms = pixel_terms(request_of({"custom:size=3x3:weights=1,1,1,1,1,1,1,1,1"}, {9, 7}),
                                   image.view(), 0, 4, 3, 0);
    const auto some = pixel_lines(terms, {0, 4, "CPU", terms.stored});
    EXPECT_EQ(some[0].value, "4 taps: 360");
    EXPECT_EQ(some[1].name, "All taps");
    EXPECT_EQ(some[1].value, "810");
    const auto all = pixel_lines(terms, {0, {}, "CPU", terms.stored});
    EXPECT_EQ(all.size() + 1, some.size()) << "one line where nothing is left out";
    EXPECT_EQ(all[0].value, "810");
}

TEST(PixelTerms, SamplesTimesAlphaAreNamedSo) {
    const PixelFormat format{Depth::u8, 4, 3};
    const auto image = random_image({9, 7}, format, 3);
    const auto text = [&](const char* step, AlphaMode alpha) {
        auto request = request_of({step}, {9, 7}, format);
        request.alpha = alpha;
        return explanation(pixel_terms(request, image.view(), 0, 4, 3, 0));
    };
    EXPECT_NE(text("box:size=3", AlphaMode::premultiplied).find(" 9 products of colour and alpha from "),
              std::string::npos)
        << text("box:size=3", AlphaMode::premultiplied);
    EXPECT_NE(text("box:size=3", AlphaMode::straight).find(" 9 numbers from "), std::string::npos);
    EXPECT_NE(text("identity", AlphaMode::premultiplied).find(" (colour times alpha) times 1"),
              std::string::npos);
}

TEST(PixelTerms, DifferencesAreCountedInLevelsAndLastPlaces) {
    EXPECT_EQ(steps_between(138, 137, Depth::u8), 1);
    EXPECT_EQ(steps_between(65534, 65535, Depth::u16), -1);
    const float next = std::nextafterf(0.25f, 1);
    EXPECT_EQ(steps_between(static_cast<double>(next), 0.25, Depth::f32), 1);
    EXPECT_EQ(steps_between(-static_cast<double>(std::nextafterf(0, 1)),
                            static_cast<double>(std::nextafterf(0, 1)), Depth::f32),
              -2);
    EXPECT_EQ(steps_between(0.0, -0.0, Depth::f16), 0);
    EXPECT_EQ(steps_between(std::nan(""), std::nan(""), Depth::f32), 0);
    EXPECT_FALSE(steps_between(std::nan(""), 1, Depth::f32));
}

TEST(PixelTerms, RefuseAStepAndAPixelThatAreNotThere) {
    const auto request = request_of({"box:size=3"}, {6, 5});
    const auto image = random_image({6, 5}, {Depth::u8, 1}, 1);
    EXPECT_EQ(code_of([&] { pixel_terms(request, image.view(), 1, 0, 0, 0); }), "no-such-step");
    EXPECT_EQ(code_of([&] { pixel_terms(request, image.view(), 0, 6, 0, 0); }), "no-such-pixel");
    EXPECT_EQ(code_of([&] { pixel_terms(request, image.view(), 0, 0, 0, 1); }), "no-such-pixel");
    EXPECT_EQ(products_behind(request, 0), 9);
    EXPECT_EQ(products_behind(request_of({"box:size=3", "box:size=5"}, {60, 50}), 1), 25 * 9 + 25);
}

TEST(PixelTerms, ATapOutsideNamesThePixelThatTheBorderReads) {
    PixelTap tap;
    tap.x = tap.source_x = 766, tap.y = 512, tap.source_y = 510;
    EXPECT_EQ(source_text(tap), "766,510");
    EXPECT_EQ(source_text(tap, SourceText::changed), "y 510");
    tap.x = -1, tap.source_x = 1;
    EXPECT_EQ(source_text(tap), "1,510");
    EXPECT_EQ(source_text(tap, SourceText::changed), "") << "it changes both";
    tap.y = 510;
    EXPECT_EQ(source_text(tap, SourceText::changed), "x 1");
    tap.source_x = -1;
    EXPECT_EQ(source_text(tap), "") << "border zero";
    tap.source_x = tap.x = 3;
    EXPECT_EQ(source_text(tap), "") << "inside";
}

} // namespace
} // namespace kg::testing
