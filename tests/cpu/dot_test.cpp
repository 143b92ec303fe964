// `dot`: integers in place of weights, and the resulting error.

#include "core/request/integer_weights.hpp"
#include "core/request/rounding.hpp"
#include "cpu/engine.hpp"
#include "cpu/kernels/dot_rows.hpp"
#include "tests/support/algorithms.hpp"
#include "tests/support/stopping.hpp"

#include <hwy/targets.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace kg::testing {
namespace {

class Dot : public ::testing::Test {
protected:
    void SetUp() override {
        if (!cpu::has_dot_products()) GTEST_SKIP() << "this processor has no integer dot products";
    }
    std::shared_ptr<Engine> engine_ = cpu::make_engine(2);
};

ImageStep dot_request(Extent size, int channels, Stage stage, Border border = Border::reflect101) {
    return ImageStep({size, {Depth::u8, channels}, {Depth::u8, channels}, {std::move(stage)}, border});
}

Stage kernel_of(int width, int height, const std::function<float(int)>& weight, float divisor = 1) {
    std::vector<float> weights;
    for (int i = 0; i < width * height; ++i) weights.push_back(weight(i));
    return {{make_kernel(width, height, std::move(weights), divisor)}};
}

/// Weights of 1 to 1000, divided by their sum.
Stage uneven_mean(int kernel_size) {
    std::mt19937 random(static_cast<unsigned>(kernel_size));
    std::vector<float> weights(static_cast<std::size_t>(kernel_size) * static_cast<std::size_t>(kernel_size));
    float sum = 0;
    for (auto& w : weights) sum += w = static_cast<float>(1 + random() % 1000);
    for (auto& w : weights) w /= sum;
    return {{make_kernel(kernel_size, kernel_size, std::move(weights))}};
}

std::string why_not(const ImageStep& request) {
    return cpu_algorithm("dot").why_not(request, *cpu::make_engine(1));
}

/// The error in levels of the centre output for the worst image: white where the weight was rounded up (or
/// down, if `up` is false), black elsewhere.
double off_in_the_worst_image(const ImageStep& request, const IntegerWeights& w, bool up) {
    const auto& kernel = request.stages.front().kernels.front();
    double off = 0;
    for (std::size_t i = 0; i < w.numbers.size(); ++i) {
        const double error = std::ldexp(w.numbers[i], -w.shift) - static_cast<double>(kernel.weights[i]);
        if (up == (error > 0)) off += 255 * error;
    }
    return std::fabs(off / static_cast<double>(kernel.divisor));
}

TEST(DotWeights, KeepTheirStatedErrorInTheWorstImage) {
    for (const auto& stage : {uneven_mean(3), uneven_mean(9), uneven_mean(31),
                              kernel_of(
                                  7, 5, [](int i) { return std::sin(static_cast<float>(i)); }, 3),
                              kernel_of(21, 21, [](int i) { return i == 220 ? 2.9f : -0.0043f; })}) {
        const auto request = dot_request({9, 9}, 1, stage);
        const auto weights = integer_weights(stage.kernels.front());
        ASSERT_TRUE(weights);
        const double most = std::max(off_in_the_worst_image(request, *weights, true),
                                     off_in_the_worst_image(request, *weights, false));
        EXPECT_GT(most, 0);
        EXPECT_GE(weights->most_off, most);
        EXPECT_LE(weights->most_off, most + 2e-4) << "float32 after the sums";
        EXPECT_LE(weights->most_off, 1.0 / 64);
    }
}

TEST(DotWeights, AreTheWeightsThemselvesWhereThoseAreWhole) {
    const auto of = [](const Stage& stage) { return *integer_weights(stage.kernels.front()); };
    const auto sharp = of({{make_kernel(3, 3, {0, -1, 0, -1, 5, -1, 0, -1, 0}, 1)}});
    EXPECT_EQ(sharp.numbers, (std::vector<std::int32_t>{0, -1, 0, -1, 5, -1, 0, -1, 0}));
    EXPECT_EQ(sharp.shift, 0);
    EXPECT_EQ(sharp.most_off, 0);
    const auto large = of({{make_kernel(2, 1, {65000, -1}, 1000)}}); // more than 16 bits
    EXPECT_EQ(large.numbers, (std::vector<std::int32_t>{65000, -1}));
    EXPECT_EQ(large.shift, 0);
    const auto quarters = of({{make_kernel(3, 1, {0.25f, 0.5f, 0.25f})}});
    EXPECT_EQ(quarters.numbers, (std::vector<std::int32_t>{1, 2, 1}));
    EXPECT_EQ(quarters.shift, 2);
    EXPECT_EQ(of({{make_kernel(1, 1, {0})}}).numbers, std::vector<std::int32_t>{0});
}

TEST(DotWeights, HaveASecondDigitOnlyWhereOneIsTooCoarse) {
    const auto high_digits = [](const Stage& stage) {
        const auto weights = *integer_weights(stage.kernels.front());
        return std::ranges::count_if(weights.numbers, [](std::int32_t n) { return cpu::high_digit(n) != 0; });
    };
    EXPECT_EQ(high_digits(uneven_mean(9)), 0);
    EXPECT_EQ(high_digits(uneven_mean(31)), 0);
    // Unsharp masking: one large weight among many small ones.
    EXPECT_EQ(high_digits(kernel_of(21, 21, [](int i) { return i == 220 ? 2.9f : -0.0043f; })), 1);
}

TEST(DotWeights, DigitsMakeTheNumber) {
    for (const std::int32_t n : {0, 1, -1, 32767, 32768, -32768, -32769, 65535, 65536, 8421504, -8421504})
        EXPECT_EQ(65536 * cpu::high_digit(n) + cpu::low_digit(n), n);
}

TEST(DotWeights, AreRefusedWhere32BitsAreTooFew) {
    const auto weights = [](const Stage& stage) {
        return integer_weights(stage.kernels.front()).has_value();
    };
    const auto rough = [](float gain) { // sum |w| = gain
        return kernel_of(40, 40,
                         [&](int i) { return (i % 2 ? -1 : 1) * gain / 1600 * (1 + 0.1f * std::sin(i)); });
    };
    EXPECT_TRUE(weights(rough(1)));
    EXPECT_FALSE(weights(rough(100)));
    EXPECT_TRUE(weights(kernel_of(40, 40, [](int i) { return i % 2 ? -1.0f : 1.0f; }))) << "whole numbers";
    EXPECT_FALSE(weights({{make_kernel(1, 1, {1}, 1e-9f)}})) << "results of more than 32 bits";
    EXPECT_FALSE(weights({{make_kernel(1, 1, {1e30f}, 1)}}));
    EXPECT_FALSE(weights({{make_kernel(1, 1, {1e-30f}, 1e-38f)}}));
    EXPECT_TRUE(weights({{make_kernel(1, 1, {1e-30f}, 1e-30f)}}));
    EXPECT_TRUE(weights({{make_kernel(1, 1, {0}, 3)}}));
    EXPECT_FALSE(weights({{make_kernel(1, 1, {0}, 2.9e-39f)}})) << "its reciprocal is infinite";
    auto far = make_kernel(1, 1, {0});
    far.offset = 1e8f;
    EXPECT_FALSE(weights({{far}})) << "results of more than 32 bits";
}

TEST(DotWeights, AreThoseOfTheKernelAskedFor) { // not of the previous one
    const auto one = make_kernel(2, 1, {1, 3}), other = make_kernel(2, 1, {1, 5});
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(integer_weights(one)->numbers, (std::vector<std::int32_t>{1, 3}));
        EXPECT_EQ(integer_weights(other)->numbers, (std::vector<std::int32_t>{1, 5}));
    }
}

TEST(DotWeights, CountTheProductsThatTheirTapsTake) {
    for (const auto& stage : {uneven_mean(9), kernel_of(8, 5, [](int i) { return i % 9 ? 0.0f : 1.0f; }),
                              kernel_of(21, 21, [](int i) { return i == 220 ? 2.9f : -0.0043f; }),
                              kernel_of(3, 17, [](int i) { return i % 3 == 1 ? 1.0f : 0.0f; })}) {
        const auto& kernel = stage.kernels.front();
        const auto weights = *integer_weights(kernel);
        const auto taps = cpu::dot_taps(weights, kernel.width, kernel.height, 3);
        std::size_t products = 0;
        for (const auto* runs : {&taps.high, &taps.low})
            for (const auto& run : *runs)
                products += (run.end - run.begin) * static_cast<std::size_t>(run.last - run.first + 1);
        EXPECT_EQ(cpu::dot_products(weights, kernel.width, kernel.height) * cpu::kDotRows,
                  static_cast<double>(products));
    }
}

TEST(DotProducts, AreFoundWhereTheProcessorHasThem) { // otherwise the tests below would be skipped silently
    std::ifstream info("/proc/cpuinfo");
    std::set<std::string> flags;
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("flags")) {
            std::istringstream words(line);
            flags.insert(std::istream_iterator<std::string>(words), {});
        }
    if (flags.empty()) GTEST_SKIP() << "the features of the processor are unknown";
    const bool wide = flags.contains("avx512bw") && flags.contains("avx512vl");
    EXPECT_EQ(cpu::dot_lanes(), wide                     ? flags.contains("avx512_vnni") ? 16 : 0
                                : flags.contains("avx2") ? 8
                                                         : 0);
}

TEST_F(Dot, GivesTheBytesOfDirectForWholeWeights) {
    std::mt19937 random(3);
    int halves = 0;
    for (const float divisor : {1.0f, 2.0f, 6.0f, 10.0f, 64.0f, 254.0f, 1000.0f, -3.0f})
        for (const int kernel_size : {1, 2, 3, 5, 9, 14}) {
            auto stage = kernel_of(
                kernel_size, kernel_size, [&](int) { return static_cast<float>(random() % 21) - 8; },
                divisor);
            stage.kernels.front().offset = kernel_size % 2 ? 0 : 0.5f;
            const auto request = dot_request({83, 29}, 3, stage, kBorders[random() % kBorders.size()]);
            ASSERT_TRUE(sums_exactly(stage, 255));
            ASSERT_EQ(why_not(request), "");
            const auto image = random_image(request.size, request.in, static_cast<unsigned>(kernel_size));
            for (const double v : reference_values(request, image.view()))
                halves += v > 0 && v < 255 && v - std::floor(v) == 0.5;
            EXPECT_TRUE(same_pixels(run(*engine_, request, image.view(), "dot").view(),
                                    run(*engine_, request, image.view(), "direct").view()))
                << "size " << kernel_size << ", divided by " << divisor;
        }
    EXPECT_GT(halves, 1000) << "ties are the critical cases";
}

TEST_F(Dot, SumsOfTheLargestNumbersDoNotOverflow) {
    Image white({70, 50}, {Depth::u8, 1});
    for (std::int64_t y = 0; y < 50; ++y)
        for (std::int64_t x = 0; x < 70; ++x) white.view().row<std::uint8_t>(y)[x] = 255;
    const auto noise = random_image(white.size(), white.format(), 7);
    const auto largest = [](float sign_of_odd) { // 31 bits of sum
        return kernel_of(
            16, 16, [=](int i) { return (i % 2 ? sign_of_odd : 1.0f) * 32767; }, 32767.0f * 256);
    };
    const auto flat = [](int kernel_size, float weight, float divisor) {
        return kernel_of(
            kernel_size, kernel_size, [=](int) { return weight; }, divisor);
    };
    const Stage two_digits{{make_kernel(2, 2, {8.3e6f, 8.3e6f, 8.3e6f, -8.3e6f}, 8.3e6f)}},
        far_beyond_white{{make_kernel(2, 1, {32000, -32000})}};
    for (const auto& stage : {largest(1), largest(-1), flat(16, -32768, 32768.0f * -250),
                              flat(127, 1, 127 * 127), two_digits, far_beyond_white})
        for (const Image* image : {&std::as_const(white), &noise}) {
            const auto request = dot_request(white.size(), 1, stage, Border::replicate);
            ASSERT_EQ(why_not(request), "");
            EXPECT_TRUE(
                is_right(request, image->view(), run(*engine_, request, image->view(), "dot").view()));
        }
    const auto request = dot_request(white.size(), 1, largest(1), Border::replicate);
    EXPECT_TRUE(same_pixels(run(*engine_, request, white.view(), "dot").view(), white.view()));
}

TEST_F(Dot, SecondDigitsAreRight) {
    for (const auto& stage : {kernel_of(21, 21, [](int i) { return i == 220 ? 2.9f : -0.0043f; }),
                              kernel_of(
                                  5, 4, [](int i) { return i % 7 == 0 ? 70000.0f : 7.0f; }, 70001),
                              kernel_of(
                                  3, 3, [](int i) { return i % 2 ? -40000.0f : 41111.0f; }, 39000)})
        for (const auto border : kBorders) {
            const auto request = dot_request({101, 43}, 4, stage, border);
            const auto weights = integer_weights(stage.kernels.front());
            ASSERT_TRUE(weights);
            ASSERT_FALSE(
                cpu::dot_taps(*weights, stage.kernels[0].width, stage.kernels[0].height, 4).high.empty());
            const auto image = random_image(request.size, request.in, 5);
            EXPECT_TRUE(is_right(request, image.view(), run(*engine_, request, image.view(), "dot").view()));
        }
}

TEST_F(Dot, AnyPartAndAnyNumberOfThreadsGiveTheSameBytes) {
    const auto one = cpu::make_engine(1), seven = cpu::make_engine(7);
    for (const auto border : kBorders)
        for (const int channels : {1, 2, 3, 4})
            for (auto stage : {uneven_mean(3), uneven_mean(9), uneven_mean(40)}) {
                stage.kernels.front().anchor_x = 0;
                const auto request = dot_request({2500, 90}, channels, stage, border);
                const auto image = random_image(request.size, request.in, 5);
                const auto all = run(*engine_, request, image.view(), "dot");
                EXPECT_TRUE(same_pixels(all.view(), run(*one, request, image.view(), "dot").view()));
                EXPECT_TRUE(same_pixels(all.view(), run(*seven, request, image.view(), "dot").view()));
                for (const Rect region : {Rect{0, 0, 1, 1}, Rect{1023, 9, 2, 70}, Rect{2400, 89, 100, 1},
                                          Rect{7, 0, 2000, 66}, Rect{300, 63, 65, 3}})
                    EXPECT_TRUE(same_pixels(all.view().crop(region),
                                            run(*engine_, request, image.view(), "dot", region).view()));
                if (HasFailure()) FAIL() << describe(request);
            }
}

/// Simulates a processor without the instructions of these targets.
class Without {
public:
    explicit Without(std::int64_t targets) { choose(targets); }
    ~Without() { choose(0); }

private:
    static void choose(std::int64_t disabled) {
        hwy::DisableTargets(disabled);
        hwy::GetChosenTarget().DeInit();
    }
};

TEST_F(Dot, VectorsOfAnyWidthGiveTheSameBytes) {
    for (const auto& stage :
         {uneven_mean(5), Stage{{make_kernel(3, 3, {1, 2, 3, 4, 50000, 6, 7, 8, 9}, 1001)}}}) {
        auto request = dot_request({157, 43}, 3, stage, Border::wrap);
        request.stages.front().kernels.front().offset = -0.125f;
        const auto image = random_image(request.size, request.in, 6);
        const auto widest = run(*engine_, request, image.view(), "dot");
        const Without avx512(HWY_AVX3 | HWY_AVX3_DL);
        if (!cpu::has_dot_products()) GTEST_SKIP() << "this processor has one vector width";
        EXPECT_TRUE(same_pixels(widest.view(), run(*engine_, request, image.view(), "dot").view()));
    }
}

TEST_F(Dot, IsRefusedWithoutTheInstructions) {
    const Without vectors(HWY_AVX3 | HWY_AVX3_DL | HWY_AVX2);
    const auto request = dot_request({1920, 1080}, 3, uneven_mean(9));
    EXPECT_NE(why_not(request).find("VNNI"), std::string::npos) << why_not(request);
    EXPECT_EQ(plan(*engine_, request)->algorithm, "direct");
}

TEST_F(Dot, LeavesDivisorsWithoutReciprocalToOthers) {
    auto request = dot_request({5, 4}, 1, {{make_kernel(1, 1, {0}, 2.938735877055719e-39f)}});
    request.stages.front().kernels.front().offset = 0.5f;
    EXPECT_NE(why_not(request), "");
    const auto image = random_image(request.size, request.in, 1);
    EXPECT_TRUE(is_right(request, image.view(), run(*engine_, request, image.view()).view()));
}

TEST_F(Dot, KernelsLargerThanTheImageAreRight) {
    const auto stage = kernel_of(
        101, 75, [](int i) { return static_cast<float>(i * 7919 % 23) - 9; }, 65536);
    for (const auto border : kBorders)
        for (const Extent size : {Extent{1, 1}, Extent{9, 14}, Extent{30, 3}}) {
            const auto request = dot_request(size, 3, stage, border);
            const auto image = random_image(size, request.in, 3);
            ASSERT_TRUE(is_right(request, image.view(), run(*engine_, request, image.view(), "dot").view()));
        }
}

TEST_F(Dot, ReportsWhatItDoesNotSupport) {
    auto request = dot_request({9, 9}, 1, uneven_mean(3));
    EXPECT_EQ(why_not(request), "");
    auto floats = request;
    floats.in.depth = floats.out.depth = Depth::f32;
    EXPECT_NE(why_not(floats), "");
    auto combined = request;
    combined.stages.front().kernels.push_back(combined.stages.front().kernels.front());
    combined.stages.front().combine = Combine::l2;
    EXPECT_NE(why_not(combined), "");
    request.stages = {kernel_of(128, 1, [](int) { return 1.0f / 128; })};
    EXPECT_NE(why_not(request), "");
    request.stages = {generated_stage(BoxGenerator{1101, 3})};
    EXPECT_EQ(why_not(request), kTooManyWeights);
}

TEST_F(Dot, IsChosenForBytesAndKernelsOfNoStructure) {
    for (const int kernel_size : {3, 5, 9, 15, 31})
        for (const int channels : {1, 3, 4})
            EXPECT_EQ(
                plan(*engine_, dot_request({1920, 1080}, channels, uneven_mean(kernel_size)))->algorithm,
                "dot");
    const auto wide = dot_request({1920, 1080}, 3, generated_stage(GaussianGenerator{4, 33, 33}));
    EXPECT_EQ(plan(*engine_, wide)->algorithm, "separable");
}

TEST_F(Dot, StopsSoon) {
    const auto request = dot_request({300, 300}, 3,
                                     kernel_of(
                                         127, 127, [](int i) { return static_cast<float>(i % 7); }, 50000));
    ASSERT_EQ(why_not(request), "");
    expect_stops_soon(*cpu::make_engine(1), request, "dot", 127.0 * 127 * 3 * 300 * 300);
}

} // namespace
} // namespace kg::testing
