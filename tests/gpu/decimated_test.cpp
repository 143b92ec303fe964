// `decimated`: its filters and its bound, with an emulation of the launches in plain C++, and on a GPU what
// the registry walk's small images do not reach.

#include "core/image/border.hpp"
#include "core/plan/verification.hpp"
#include "gpu/engine.hpp"
#include "gpu/kernels/decimation/decimation.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace kg::testing {
namespace {

using gpu::DecimatedAxis;
using gpu::DecimatedSpan;

GaussianGenerator gaussian(double sigma) {
    const int size = 2 * static_cast<int>(std::ceil(4 * sigma)) + 1;
    return {sigma, size, size};
}

ImageRequest gaussian_request(Extent size, PixelFormat format, const GaussianGenerator& generator,
                              double tolerance, Border border = Border::reflect101) {
    ImageRequest request{size, format, format, {generated_stage(generator)}};
    request.alpha = AlphaMode::straight;
    request.border = border;
    request.tolerance = tolerance;
    return request;
}

const gpu::DecimatedFit& fit_of(const ImageRequest& request) {
    return gpu::decimated_fit(ImageStep(request));
}

const Algorithm& decimated(const Engine& engine) {
    return **std::ranges::find(engine.algorithms(), "decimated", &Algorithm::id);
}

/// One axis of the launches: `in` reads a pixel that may lie outside, the result is one value per output.
std::vector<float> emulated(const DecimatedAxis& axis, Border border, int length, Span outputs,
                            const std::function<float(int)>& in) {
    const auto span = gpu::decimated_span(axis, border, length, outputs,
                                          gpu::tile_blocks_down(axis.stride, 1));
    std::vector<float> cells, coarse, result;
    for (int m = span.first; m < span.first + span.count; ++m) {
        float sum = 0;
        for (int j = 0; j < gpu::kSplineTaps * axis.stride; ++j) {
            const int pixel = border_index(border, (m - 2) * axis.stride + j, length);
            EXPECT_TRUE((m - 2) * axis.stride + j >= span.first_pixel &&
                        (m - 2) * axis.stride + j < span.end_pixel);
            sum = std::fma(axis.prefilter[static_cast<std::size_t>(j)], pixel < 0 ? 0.0f : in(pixel), sum);
        }
        cells.push_back(sum);
    }
    for (int m = span.out_first; m < span.out_first + span.out_count; ++m) {
        float sum = 0;
        for (int k = 0; k < axis.taps(); ++k)
            sum = std::fma(axis.coarse[static_cast<std::size_t>(k)],
                           cells[static_cast<std::size_t>(
                               std::clamp(m + axis.shift + k - span.first, 0, span.count - 1))],
                           sum);
        coarse.push_back(sum);
    }
    for (auto y = outputs.begin; y < outputs.end; ++y) {
        const auto phase = static_cast<std::size_t>(y % axis.stride);
        const auto first = static_cast<std::size_t>(y / axis.stride - 1 - span.out_first);
        float sum = 0;
        for (std::size_t i = 0; i < gpu::kSplineTaps; ++i)
            sum = std::fma(axis.interpolation[phase * gpu::kSplineTaps + i], coarse[first + i], sum);
        result.push_back(sum);
    }
    return result;
}

/// Both axes. All filters are linear and separable, so that their order does not matter beyond roundings.
std::vector<float> emulated(const gpu::DecimatedFit& fit, const ImageRequest& request,
                            const ConstImageView& image, const Rect& area) {
    const auto width = static_cast<int>(request.size.width), height = static_cast<int>(request.size.height);
    std::vector<float> between, result(static_cast<std::size_t>(area.width * area.height));
    for (int x = 0; x < width; ++x) { // column by column
        const auto column = emulated(fit.down, request.border, height, {area.y, area.bottom()},
                                     [&](int y) { return static_cast<float>(sample(image, x, y, 0)); });
        between.insert(between.end(), column.begin(), column.end());
    }
    for (std::int64_t row = 0; row < area.height; ++row) {
        const auto line = emulated(fit.along, request.border, width, {area.x, area.right()}, [&](int x) {
            return between[static_cast<std::size_t>(x * area.height + row)];
        });
        std::ranges::copy(line, result.begin() + static_cast<std::ptrdiff_t>(row * area.width));
    }
    return result;
}

void expect_emulation_within_bound(const ImageRequest& request, const ConstImageView& image) {
    const auto& fit = fit_of(request);
    ASSERT_TRUE(fit.good);
    const auto got = emulated(fit, request, image, whole(request.size));
    const auto want = reference_values(request, image);
    double largest = 1, worst = 0;
    for (std::int64_t y = 0; y < request.size.height; ++y)
        for (std::int64_t x = 0; x < request.size.width; ++x)
            largest = std::max(largest, std::fabs(sample(image, x, y, 0)));
    for (std::size_t i = 0; i < want.size(); ++i)
        worst = std::max(worst, std::fabs(static_cast<double>(got[i]) - want[i]));
    EXPECT_LE(worst, fit.bound * largest) << describe(request);
}

TEST(DecimatedFit, MeetsTheToleranceOrStatesTheLeastError) {
    int met = 0;
    for (double sigma = 2; sigma <= 128; sigma *= 1.37)
        for (const int size : {gaussian(sigma).width, static_cast<int>(6.6 * sigma) | 1, 101})
            for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
                const auto request = gaussian_request({2000, 1500}, {Depth::f32, 1}, {sigma, size, size},
                                                      tolerance);
                const auto& fit = fit_of(request);
                EXPECT_EQ(fit.good, fit.bound <= tolerance) << sigma << " " << size;
                EXPECT_GT(fit.down.stride * fit.along.stride, 1);
                EXPECT_GE(fit.bound, fit.down.error + fit.along.error);
                EXPECT_LE(static_cast<int>(fit.down.coarse.size()), gpu::kMostCoarseTaps);
                met += fit.good;
                if (size == gaussian(sigma).width && tolerance >= 1e-3 && sigma >= 5) {
                    EXPECT_TRUE(fit.good) << sigma;
                }
            }
    EXPECT_GT(met, 50);
}

TEST(DecimatedFit, LargerSigmasHaveLargerStrides) {
    int before = 0;
    for (const double sigma : {5.0, 10.0, 25.0, 50.0, 100.0}) {
        const auto& fit = fit_of(gaussian_request({4096, 4096}, {Depth::f32, 1}, gaussian(sigma), 1e-3));
        EXPECT_GE(fit.down.stride, before) << sigma;
        before = fit.down.stride;
    }
    EXPECT_GE(before, 16);
}

/// The weights of the outputs of one phase, by pixel from the first one of the output's block: the responses
/// of the emulation to single pixels.
std::vector<double> measured_weights(const DecimatedAxis& axis, int phase, int begin, int count) {
    const int block = axis.stride * (1000 + axis.taps()), length = 2 * block; // far from the borders
    std::vector<double> weights;
    for (int v = begin; v < begin + count; ++v)
        weights.push_back(static_cast<double>(
            emulated(axis, Border::zero, length, {block + phase, block + phase + 1}, [&](int pixel) {
                return pixel == block + v ? 1.0f : 0.0f;
            }).front()));
    return weights;
}

TEST(DecimatedFit, ErrorIsThatOfTheMeasuredWeights) {
    struct Case {
        double sigma;
        int size, before, stride;
    };
    for (const auto& [sigma, size, before, stride] :
         {Case{3, 25, 12, 2}, {3, 24, 12, 2}, {5, 41, 3, 4}, {6, 30, 29, 4}, {10, 81, 40, 8}, {9, 1, 0, 1}}) {
        const auto profile = gaussian_profile(sigma, size);
        const auto axis = gpu::decimated_axis(profile, before, stride);
        double largest = 0;
        for (int phase = 0; phase < stride; ++phase) {
            const auto computed = gpu::effective_weights(axis, phase);
            const int begin = gpu::first_pixel(axis) - stride,
                      count = static_cast<int>(computed.size()) + 2 * stride;
            const auto measured = measured_weights(axis, phase, begin, count);
            double sum = 0, apart = 0;
            for (int i = 0; i < count; ++i) {
                const int tap = begin + i - phase + before, own = i - stride;
                const bool inside = own >= 0 && own < static_cast<int>(computed.size());
                const double value = measured[static_cast<std::size_t>(i)];
                sum += std::fabs(value -
                                 (tap >= 0 && tap < size ? profile[static_cast<std::size_t>(tap)] : 0));
                apart += std::fabs(value - (inside ? computed[static_cast<std::size_t>(own)] : 0));
            }
            EXPECT_LT(apart, 1e-6) << "sigma " << sigma << " phase " << phase;
            largest = std::max(largest, sum);
        }
        EXPECT_NEAR(axis.error, largest, 1e-6) << "sigma " << sigma << " stride " << stride;
    }
}

TEST(DecimatedFit, AnAdversarialImageNearlyAttainsTheBound) {
    for (const double sigma : {5.0, 10.0}) {
        auto request = gaussian_request({1, 1}, {Depth::f32, 1}, gaussian(sigma), 1e-2, Border::zero);
        const auto fit = fit_of(request);
        ASSERT_TRUE(fit.good);
        const auto& axis = fit.down;
        const auto profile = gaussian_profile(sigma, gaussian(sigma).width);
        const int before = gaussian(sigma).width / 2, block = 16 * axis.stride * axis.stride;
        request.size = {2 * block, 2 * block};
        double worst = 0;
        for (int phase = 0; phase < axis.stride; ++phase) {
            const auto weights = gpu::effective_weights(axis, phase);
            std::vector<double> own(static_cast<std::size_t>(2 * block)), exact(own);
            for (std::size_t i = 0; i < weights.size(); ++i)
                own[static_cast<std::size_t>(block + gpu::first_pixel(axis)) + i] = weights[i];
            for (std::size_t i = 0; i < profile.size(); ++i)
                exact[static_cast<std::size_t>(block + phase - before) + i] = profile[i];
            Image image(request.size, request.in);
            double want = 0;
            for (int y = 0; y < 2 * block; ++y)
                for (int x = 0; x < 2 * block; ++x) {
                    const auto i = static_cast<std::size_t>(y), j = static_cast<std::size_t>(x);
                    const double sign = own[i] * own[j] < exact[i] * exact[j] ? -1 : 1;
                    image.view().row<float>(y)[x] = static_cast<float>(sign);
                    want += sign * exact[i] * exact[j];
                }
            const auto got =
                emulated(fit, request, image.view(), {block + phase, block + phase, 1, 1}).front();
            worst = std::max(worst, std::fabs(static_cast<double>(got) - want));
        }
        EXPECT_LE(worst, fit.bound);
        EXPECT_GE(worst, 0.6 * fit.bound);
    }
}

TEST(DecimatedFit, EmulationStaysWithinTheBoundForEveryBorderAndSize) {
    for (const auto border : kBorders)
        for (const auto& size : {Extent{1, 1}, {1, 37}, {41, 1}, {17, 13}, {83, 71}, {130, 33}})
            for (const double sigma : {5.0, 9.3, 31.0}) {
                const auto request = gaussian_request(size, {Depth::f32, 1}, gaussian(sigma), 1e-2, border);
                auto image = random_image(size, request.in, 3);
                expect_emulation_within_bound(request, image.view());
                for (std::int64_t y = 0; y < size.height; ++y) // edges of 0 and 1
                    for (std::int64_t x = 0; x < size.width; ++x)
                        image.view().row<float>(y)[x] = (x / 9 + y / 8) % 2 ? 1.0f : 0.0f;
                expect_emulation_within_bound(request, image.view());
            }
}

/// An image whose last pixel begins a cell: the cells behind it are no longer those of the border.
TEST(DecimatedFit, CellsBesideTheImageAreThoseOfTheBorder) {
    for (const auto border : kBorders)
        for (const auto& size : {Extent{81, 41}, {82, 42}, {80, 40}}) {
            const auto request = gaussian_request(size, {Depth::f32, 1}, gaussian(10), 1e-4, border);
            Image white(size, request.in);
            for (std::int64_t y = 0; y < size.height; ++y)
                std::fill_n(white.view().row<float>(y), size.width, 1.0f);
            expect_emulation_within_bound(request, white.view());
        }
}

TEST(DecimatedFit, EmulationHandlesAnchorsAndKernelsThatAreNotSquare) {
    for (const auto border : kBorders)
        for (const auto& generator : {GaussianGenerator{6, 40, 49}, {12, 1, 97}, {11, 89, 90}})
            for (const bool corner : {false, true}) {
                auto request = gaussian_request({75, 66}, {Depth::f32, 1}, generator, 1e-2, border);
                auto& kernel = request.stages.front().kernels.front();
                if (corner) kernel.anchor_x = kernel.width - 1, kernel.anchor_y = 0;
                kernel.flip = corner;
                expect_emulation_within_bound(request, random_image(request.size, request.in, 4).view());
            }
}

TEST(DecimatedFit, IsRefusedWhereItMustBe) {
    const auto engine = gpu::make_engine();
    const auto why = [&](const ImageRequest& request) {
        return decimated(*engine).why_not(ImageStep(request), *engine);
    };
    auto request = gaussian_request({300, 200}, {Depth::f32, 1}, gaussian(10), 1e-3);
    EXPECT_EQ(why(request), "");
    request.tolerance = 0;
    EXPECT_NE(why(request).find("no tolerance"), std::string::npos);
    request.tolerance = 1e-9;
    EXPECT_NE(why(request).find("above the tolerance"), std::string::npos);
    request = gaussian_request({300, 200}, {Depth::f32, 1}, gaussian(1), 1e-3);
    EXPECT_NE(why(request).find("above the tolerance"), std::string::npos);
    request.stages = {generated_stage(BoxGenerator{9, 9})};
    EXPECT_NE(why(request).find("Gaussians"), std::string::npos);
    request = gaussian_request({300, 200}, {Depth::f32, 1}, {10, 1025, 1025}, 1e-2);
    EXPECT_NE(why(request).find("vanish"), std::string::npos);
    request = gaussian_request({300, 200}, {Depth::f32, 4, 3, false, true}, gaussian(10), 1e-2);
    request.alpha = AlphaMode::straight;
    EXPECT_NE(why(request).find("divided by alpha"), std::string::npos);
    constexpr std::int64_t kWide = std::int64_t{1} << 27; // a column alone has stride 1 along the rows
    request = gaussian_request({kWide, 200}, {Depth::u8, 1}, {12, 1, 97}, 1e-2);
    EXPECT_EQ(why(request), "");
    ++request.size.width;
    EXPECT_NE(why(request).find("2^27"), std::string::npos);
    request = gaussian_request({300, 200}, {Depth::f32, 1}, gaussian(10), 1e-3);
    EXPECT_LE(decimated(*engine).error(ImageStep(request)), 1e-3);
    EXPECT_GT(decimated(*engine).error(ImageStep(request)), 0);
}

TEST(DecimatedFit, CostHardlyDependsOnSigma) {
    const auto engine = gpu::make_engine();
    const auto us = [&](double sigma, PixelFormat format) {
        const auto request = gaussian_request({4096, 4096}, format, gaussian(sigma), 1e-3);
        return decimated(*engine).cost(ImageStep(request), *engine).microseconds;
    };
    EXPECT_LT(us(100, {Depth::f32, 1}), 1.3 * us(20, {Depth::f32, 1}));
    EXPECT_GT(us(50, {Depth::f32, 4}), 2 * us(50, {Depth::f32, 1}));
    EXPECT_LT(us(50, {Depth::u8, 1}), us(50, {Depth::f32, 1}));
}

class Decimated : public ::testing::Test {
protected:
    void SetUp() override {
        engine = gpu::make_engine();
        if (const auto why = engine->usable(); !why.empty()) GTEST_SKIP() << "no usable NVIDIA GPU: " << why;
    }

    Image result_of(const ImageRequest& request, const ConstImageView& image) const {
        return run(*engine, request, image, "decimated");
    }
    void expect_right(const ImageRequest& request, const ConstImageView& image) const {
        ASSERT_EQ(decimated(*engine).why_not(ImageStep(request), *engine), "") << describe(request);
        EXPECT_TRUE(is_right(request, image, result_of(request, image).view(), &decimated(*engine)))
            << describe(request);
    }
    void expect_right(const ImageRequest& request, unsigned seed) const {
        expect_right(request, random_image(request.size, request.in, seed).view());
    }
    void expect_parts_equal_the_whole(const ImageRequest& request, const ConstImageView& image,
                                      std::initializer_list<Rect> areas) const {
        const auto all = result_of(request, image);
        for (const auto& area : areas)
            EXPECT_TRUE(
                same_pixels(all.view().crop(area), run(*engine, request, image, "decimated", area).view()))
                << area.x << "," << area.y << " " << area.width << " x " << area.height << "; "
                << describe(request);
    }

    std::shared_ptr<Engine> engine;
};

TEST_F(Decimated, EveryBorderAndSize) {
    for (const auto border : kBorders)
        for (const auto& size : {Extent{1, 1}, {1, 37}, {41, 1}, {2, 3}, {131, 33}, {257, 190}, {600, 411}})
            for (const double sigma : {3.1, 6.0, 12.0, 50.0})
                expect_right(gaussian_request(size, {Depth::f32, 1}, gaussian(sigma), 1e-2, border), 1);
}

TEST_F(Decimated, EveryStrideOfBothAxes) {
    const auto format = PixelFormat{Depth::f32, 1};
    for (const double tolerance : {1e-2, 1e-3, 2e-4})
        for (const auto& generator : {gaussian(8), gaussian(17), gaussian(40), GaussianGenerator{20, 161, 1},
                                      GaussianGenerator{20, 1, 161}, GaussianGenerator{12.5, 81, 81}})
            for (const auto border : {Border::reflect101, Border::replicate}) {
                const auto request = gaussian_request({301, 223}, format, generator, tolerance, border);
                if (fit_of(request).good) expect_right(request, 2);
            }
}

TEST_F(Decimated, ChannelsDepthsAndMasks) {
    for (const auto& [in, out] : {std::pair{Depth::u8, Depth::u8},
                                  {Depth::u8, Depth::f32},
                                  {Depth::u16, Depth::u16},
                                  {Depth::u16, Depth::f32},
                                  {Depth::f32, Depth::f32}})
        for (const int channels : {1, 2, 3, 4})
            for (const double sigma : {6.0, 33.0}) {
                auto request = gaussian_request({401, 219}, {in, channels}, gaussian(sigma), 1e-2);
                request.out.depth = out;
                request.sign = out == Depth::f32 ? SignedMode::keep : SignedMode::clamp;
                if (out == Depth::f32) request.out.scale = static_cast<float>(full_scale(request.in));
                expect_right(request, 3);
                request.channels = 1u << (channels - 1);
                request.stages.front().kernels.front().offset = 0.125f;
                request.stages.front().kernels.front().divisor = -1.5f;
                expect_right(request, 4);
            }
}

TEST_F(Decimated, AnchorsAndKernelsThatAreNotSquare) {
    for (const auto border : kBorders)
        for (const auto& generator : {GaussianGenerator{6, 40, 49}, {12, 1, 97}, {11, 89, 90}}) {
            auto request = gaussian_request({203, 166}, {Depth::f32, 3}, generator, 1e-2, border);
            auto& kernel = request.stages.front().kernels.front();
            expect_right(request, 5);
            kernel.anchor_x = kernel.width - 1, kernel.anchor_y = 0;
            expect_right(request, 6);
            kernel.flip = true;
            expect_right(request, 7);
        }
}

TEST_F(Decimated, AnyRectangleHasTheBytesOfTheWhole) {
    for (const auto& format :
         {PixelFormat{Depth::f32, 1}, {Depth::f32, 3}, {Depth::u8, 4}, {Depth::u8, 3}, {Depth::u16, 2}})
        for (const auto border : kBorders)
            for (const double sigma : {6.0, 40.0}) {
                const auto request = gaussian_request({1203, 901}, format, gaussian(sigma), 1e-3, border);
                expect_parts_equal_the_whole(request, random_image(request.size, format, 8).view(),
                                             {{0, 0, 1, 1},
                                              {0, 300, 1203, 64},
                                              {0, 301, 1203, 7},
                                              {1202, 900, 1, 1},
                                              {511, 0, 3, 901},
                                              {123, 456, 789, 321}});
            }
}

TEST_F(Decimated, HighTilesOfLargeImages) {
    for (const auto& format : {PixelFormat{Depth::u8, 1}, {Depth::u8, 3}})
        for (const double sigma : {3.0, 6.0, 20.0}) {
            const auto request = gaussian_request({4700 / format.channels, 3001}, format, gaussian(sigma),
                                                  1e-2);
            ASSERT_EQ(gpu::tile_blocks_down(1, request.size.width * request.size.height * format.channels),
                      64);
            const auto image = random_image(request.size, request.in, 11);
            expect_parts_equal_the_whole(request, image.view(),
                                         {{0, 0, 3, 3001}, {100, 2900, 700, 101}, {17, 63, 60, 66}});
            const Rect seam{400, 62, 90, 5}; // where two tiles meet
            const auto result = run(*engine, request, image.view(), "decimated", seam);
            const auto verification = compare_with_reference(request, image.view(), seam, result.view(),
                                                             &decimated(*engine));
            EXPECT_TRUE(verification.right()) << verification.first_wrong;
        }
}

TEST_F(Decimated, HugeSigmaOnASmallImage) {
    for (const auto border : kBorders)
        for (const auto& generator : {gaussian(140), gaussian(700), GaussianGenerator{3000, 24001, 1}})
            expect_right(gaussian_request({64, 47}, {Depth::f32, 1}, generator, 1e-2, border), 9);
}

TEST_F(Decimated, NonFiniteSamplesReachJustTheOutputsWithTapsOnThem) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const auto border : kBorders)
        for (const int channels : {1, 3})
            for (const auto& generator : {gaussian(5), GaussianGenerator{20, 100, 161}}) {
                auto request = gaussian_request({700, 310}, {Depth::f32, channels}, generator, 1e-2, border);
                auto image = random_image(request.size, request.in, 10);
                const auto put = [&](int x, int y, float value) {
                    image.view().row<float>(y)[x * channels + channels / 2] = value;
                };
                put(0, 0, std::numeric_limits<float>::quiet_NaN());
                put(300, 150, kInfinity), put(320, 155, -kInfinity), put(650, 300, -kInfinity);
                expect_right(request, image.view());
                request.stages.front().kernels.front().divisor = -2;
                request.stages.front().kernels.front().offset = 0.5f;
                expect_right(request, image.view());
                expect_parts_equal_the_whole(request, image.view(),
                                             {{0, 100, 700, 100}, {301, 0, 77, 310}, {690, 305, 1, 1}});
            }
}

TEST_F(Decimated, ImagesOfNaNAndInfinity) {
    for (const float value :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        const auto request = gaussian_request({900, 700}, {Depth::f32, 1}, gaussian(30), 1e-3);
        Image image(request.size, request.in);
        for (std::int64_t y = 0; y < 700; ++y) std::fill_n(image.view().row<float>(y), 900, value);
        const auto result = result_of(request, image.view());
        for (std::int64_t y = 0; y < 700; ++y)
            for (std::int64_t x = 0; x < 900; ++x)
                ASSERT_EQ(std::isnan(value) ? std::isnan(result.view().row<float>(y)[x])
                                            : result.view().row<float>(y)[x] == value,
                          true)
                    << x << " " << y;
    }
}

TEST_F(Decimated, LargeSamplesDoNotOverflow) { // semantics 12
    const auto request = gaussian_request({700, 500}, {Depth::f32, 1}, gaussian(12), 1e-3, Border::replicate);
    auto image = random_image(request.size, request.in, 11);
    for (std::int64_t y = 200; y < 300; ++y)
        std::fill_n(image.view().row<float>(y) + 300, 100, std::numeric_limits<float>::max());
    const auto result = result_of(request, image.view());
    const auto want = reference_values(request, image.view());
    for (std::int64_t y = 0; y < 500; ++y)
        for (std::int64_t x = 0; x < 700; ++x)
            if (want[static_cast<std::size_t>(y * 700 + x)] <= 0x1p126) {
                ASSERT_TRUE(std::isfinite(result.view().row<float>(y)[x])) << x << " " << y;
            }
}

TEST_F(Decimated, BatchesHaveTheBytesOfSingleImages) {
    const auto request = gaussian_request({330, 217}, {Depth::f32, 2}, gaussian(9), 1e-3);
    const auto images = random_images(request, 66, 20); // more than one launch's
    const auto results = run_together(*engine, plan(*engine, request, "decimated"), request, images).results;
    for (std::size_t i = 0; i < images.size(); ++i)
        EXPECT_TRUE(same_pixels(results[i].view(), result_of(request, images[i].view()).view())) << i;
}

} // namespace
} // namespace kg::testing
