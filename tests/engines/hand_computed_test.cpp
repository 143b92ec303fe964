// Small images whose results were computed by hand or in exact arithmetic elsewhere, through the reference
// and every algorithm of every engine.

#include "tests/support/algorithms.hpp"

#include <cmath>
#include <numeric>
#include <sstream>

namespace kg::testing {
namespace {

struct Grid {
    int width = 0, height = 0;
    std::vector<double> values;
};

/// "1 2 3/4 5 6": rows separated by slashes.
Grid grid(const std::string& text) {
    Grid g;
    std::istringstream rows(text);
    for (std::string row; std::getline(rows, row, '/'); ++g.height) {
        std::istringstream numbers(row);
        for (double v = 0; numbers >> v;) g.values.push_back(v);
    }
    g.width = static_cast<int>(g.values.size()) / g.height;
    return g;
}

Grid count_up(int width, int height) {
    Grid g{width, height, std::vector<double>(static_cast<std::size_t>(width * height))};
    std::iota(g.values.begin(), g.values.end(), 0.0);
    return g;
}

Kernel kernel_of(const Grid& g) { return make_kernel(g.width, g.height, {g.values.begin(), g.values.end()}); }

const Grid kB = count_up(5, 5), kA = grid("1 2 3 4 5/5 6 7 8 9/9 0 1 2 3/4 5 6 7 8");
const Kernel kK = kernel_of(count_up(3, 3)), kX = kernel_of(grid("1 0 1/0 1 0/1 0 1"));

Kernel flipped(Kernel kernel) {
    kernel.flip = true;
    return kernel;
}

/// Every algorithm of every engine must give exactly these numbers, which are exact in f32.
void expect_exactly(ImageRequest request, const Grid& in, const Grid& want) {
    request.size = {in.width, in.height};
    Image image(request.size, request.in);
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x)
            store(image.view(), x, y, 0, in.values[static_cast<std::size_t>(y * in.width + x)]);
    ASSERT_EQ(in.values.size(), want.values.size());
    SCOPED_TRACE(describe(request));
    for_each_algorithm(request, [&](Engine& engine, const Algorithm& algorithm) {
        const auto got = run(engine, request, image.view(), algorithm.id);
        for (int y = 0; y < in.height; ++y)
            for (int x = 0; x < in.width; ++x)
                EXPECT_EQ(sample(got.view(), x, y, 0),
                          want.values[static_cast<std::size_t>(y * in.width + x)])
                    << "at x " << x << " y " << y;
    });
}

ImageRequest floats(Stage stage, Border border) {
    ImageRequest request{{1, 1}, {Depth::f32, 1}, {Depth::f32, 1}, {std::move(stage)}};
    request.border = border;
    return request;
}

void expect_sum(const Grid& in, const Kernel& kernel, Border border, const std::string& want) {
    expect_exactly(floats({{kernel}}, border), in, grid(want));
}

TEST(HandComputed, BordersArePadding) { // a distant impulse on either side reads pixels outside the image
    const auto shift = [](int by) {
        std::vector<float> weights(11, 0.0f);
        weights[static_cast<std::size_t>(5 + by)] = 1;
        return make_kernel(11, 1, std::move(weights));
    };
    const auto in = grid("1 2 3 4 5");
    const struct {
        Border border;
        const char *left, *right; // two to the left, two to the right of each pixel
    } rows[] = {{Border::zero, "0 0 1 2 3", "3 4 5 0 0"},
                {Border::replicate, "1 1 1 2 3", "3 4 5 5 5"},
                {Border::reflect101, "3 2 1 2 3", "3 4 5 4 3"},
                {Border::reflect, "2 1 1 2 3", "3 4 5 5 4"},
                {Border::wrap, "4 5 1 2 3", "3 4 5 1 2"}};
    for (const auto& row : rows) {
        expect_sum(in, shift(-2), row.border, row.left);
        expect_sum(in, shift(2), row.border, row.right);
    }
    // A radius larger than the image: 2 1 2 3 2 |1 2 3| 2 1 2 3 2.
    expect_sum(grid("1 2 3"), shift(-5), Border::reflect101, "2 1 2");
    expect_sum(grid("1 2 3"), shift(5), Border::reflect101, "2 3 2");
}

TEST(HandComputed, KernelsOfOneRow) {
    const auto bell = kernel_of(grid("1 2 1")), ramp = kernel_of(grid("-1 0 1"));
    const auto seven = grid("1 2 3 4 5 6 7");
    expect_sum(seven, bell, Border::zero, "4 8 12 16 20 24 20");
    expect_sum(seven, bell, Border::replicate, "5 8 12 16 20 24 27");
    expect_sum(seven, bell, Border::reflect101, "6 8 12 16 20 24 26");
    expect_sum(grid("4 1 3 2 3"), kernel_of(grid("2 1 4")), Border::zero, "8 21 13 20 7");
    expect_sum(grid("8 2 5 4 1 7 3"), kernel_of(grid("1 3 5 3 1")), Border::zero, "51 53 52 47 46 51 37");
    const auto five = grid("1 2 3 4 5");
    expect_sum(five, kernel_of(grid("0 0 1")), Border::zero, "2 3 4 5 0");
    expect_sum(five, flipped(kernel_of(grid("0 0 1"))), Border::zero, "0 1 2 3 4");
    expect_sum(five, kernel_of(grid("1 0 0")), Border::zero, "0 1 2 3 4");
    expect_sum(five, ramp, Border::zero, "2 2 2 2 -4");
    expect_sum(five, flipped(ramp), Border::zero, "-2 -2 -2 -2 4");
}

TEST(HandComputed, ACrossUnderThreeBorders) {
    expect_sum(kA, kX, Border::zero, "7 14 17 20 13/7 20 15 20 15/20 22 27 32 18/4 15 8 11 10");
    expect_sum(kA, kX, Border::replicate, "15 18 23 28 31/17 20 15 20 23/29 22 27 32 35/22 25 20 25 28");
    expect_sum(kA, kX, Border::reflect101, "25 26 31 36 37/9 20 15 20 21/31 22 27 32 33/4 25 10 15 16");
}

TEST(HandComputed, CorrelationAndConvolution) {
    expect_sum(kB, kK, Border::zero,
               "88 142 175 208 136/210 312 348 384 240/345 492 528 564 345/480 672 708 744 450/"
               "232 304 319 334 184");
    expect_sum(
        kB, flipped(kK), Border::zero,
        "8 26 41 56 56/54 120 156 192 168/159 300 336 372 303/264 480 516 552 438/344 584 617 650 488");
    expect_sum(kB, kK, Border::replicate,
               "120 147 183 219 240/285 312 348 384 405/465 492 528 564 585/645 672 708 744 765/"
               "720 747 783 819 840");
    expect_sum(kB, kK, Border::reflect101,
               "144 162 198 234 240/294 312 348 384 390/474 492 528 564 570/654 672 708 744 750/"
               "624 642 678 714 720");
    expect_sum(kB, flipped(kK), Border::replicate,
               "24 45 81 117 144/99 120 156 192 219/279 300 336 372 399/459 480 516 552 579/"
               "624 645 681 717 744");
    expect_sum(kB, flipped(kK), Border::reflect101,
               "144 150 186 222 240/114 120 156 192 210/294 300 336 372 390/474 480 516 552 570/"
               "624 630 666 702 720");
}

TEST(HandComputed, ABoxCountsTheVisitsOfEachPixel) {
    const auto ones = make_kernel(3, 3, std::vector<float>(9, 1.0f));
    expect_sum(grid("1 1 1 1 1/1 1 1 1 1/1 1 1 1 1/1 1 1 1 1/1 1 1 1 1"), ones, Border::zero,
               "4 6 6 6 4/6 9 9 9 6/6 9 9 9 6/6 9 9 9 6/4 6 6 6 4");
    // Only the nine pixels whose window lies inside the image contribute.
    expect_sum(grid("0 0 0 0 0/0 1 1 1 0/0 1 1 1 0/0 1 1 1 0/0 0 0 0 0"), ones, Border::zero,
               "1 2 3 2 1/2 4 6 4 2/3 6 9 6 3/2 4 6 4 2/1 2 3 2 1");
}

TEST(HandComputed, FlipChangesTheSignOfAnOddKernel) {
    const auto slope = kernel_of(grid("-1 0 1/-1 0 1/-1 0 1"));
    const auto in = grid("0 1 2 3/0 1 2 3/0 1 2 3");
    expect_sum(in, slope, Border::replicate, "3 6 6 3/3 6 6 3/3 6 6 3");
    expect_sum(in, flipped(slope), Border::replicate, "-3 -6 -6 -3/-3 -6 -6 -3/-3 -6 -6 -3");
}

TEST(HandComputed, ABinomialOfFiveByFive) {
    const int bell[] = {1, 4, 6, 4, 1};
    Grid g{5, 5, {}};
    for (const int y : bell)
        for (const int x : bell) g.values.push_back(y * x);
    Stage stage{{kernel_of(g)}};
    stage.factors = {{{1, 4, 6, 4, 1}, {1, 4, 6, 4, 1}}};
    const auto expect = [&](Border border, const std::string& want) {
        expect_exactly(floats(stage, border), kB, grid(want));
    };
    expect(Border::zero, "396 637 832 923 748/1025 1530 1840 1920 1505/1856 2672 3072 3088 2368/"
                         "2455 3480 3920 3870 2935/2156 3037 3392 3323 2508");
    expect(Border::replicate, "576 752 992 1232 1408/1456 1632 1872 2112 2288/2656 2832 3072 3312 3488/"
                              "3856 4032 4272 4512 4688/4736 4912 5152 5392 5568");
    expect(Border::reflect101, "1152 1248 1472 1696 1792/1632 1728 1952 2176 2272/2752 2848 3072 3296 3392/"
                               "3872 3968 4192 4416 4512/4352 4448 4672 4896 4992");
}

TEST(HandComputed, ABellOverOnes) {
    auto bell = kernel_of(grid("1 2 1/2 4 2/1 2 1"));
    bell.divisor = 16;
    expect_sum(grid("1 1 1 1/1 1 1 1/1 1 1 1/1 1 1 1"), bell, Border::zero,
               "0.5625 0.75 0.75 0.5625/0.75 1 1 0.75/0.75 1 1 0.75/0.5625 0.75 0.75 0.5625");
}

const Kernel kSharpen = kernel_of(grid("0 -1 0/-1 5 -1/0 -1 0"));
const Grid kP = grid("10 10 10 200 200/10 10 10 200 200/10 50 10 200 200/10 10 10 200 255/0 10 10 200 255");

ImageRequest eight_bit(Stage stage, Border border) {
    auto request = floats(std::move(stage), border);
    request.in.depth = request.out.depth = Depth::u8;
    return request;
}

TEST(HandComputed, SharpenIsClampedInBytes) {
    const auto constant = grid("100 100 100 100/100 100 100 100/100 100 100 100/100 100 100 100");
    const auto expect = [&](const Grid& in, Border border, const std::string& want) {
        expect_exactly(eight_bit({{kSharpen}}, border), in, grid(want));
    };
    expect(constant, Border::zero, "255 200 200 255/200 100 100 200/200 100 100 200/255 200 200 255");
    for (const auto border : {Border::replicate, Border::reflect101})
        expect_exactly(eight_bit({{kSharpen}}, border), constant, constant);
    expect(grid("0 0 0/0 100 0/0 0 0"), Border::zero, "0 0 0/0 255 0/0 0 0");
    expect(kP, Border::zero, "30 20 0 255 255/20 0 0 255 255/0 210 0 255 255/30 0 0 255 255/0 30 0 255 255");
    for (const auto border : {Border::replicate, Border::reflect101})
        expect(kP, border, "10 10 0 255 200/10 0 0 255 200/0 210 0 255 145/20 0 0 255 255/0 20 0 255 255");
}

TEST(HandComputed, SharpenIsNotClampedInFloats) { // column 0
    for (const auto& [border, want] :
         {std::pair{Border::replicate, std::array{10.0, 10.0, -30.0, 20.0, -20.0}},
          std::pair{Border::reflect101, std::array{10.0, 10.0, -70.0, 20.0, -40.0}}}) {
        auto request = floats({{kSharpen}}, border);
        request.size = {5, 5};
        Image image(request.size, request.in);
        for (int i = 0; i < 25; ++i)
            store(image.view(), i % 5, i / 5, 0, kP.values[static_cast<std::size_t>(i)]);
        const auto result = reference_image(request, image.view());
        for (int y = 0; y < 5; ++y)
            EXPECT_EQ(sample(result.view(), 0, y, 0), want[static_cast<std::size_t>(y)]) << name(border);
    }
}

TEST(HandComputed, SobelMagnitudeL1) {
    Stage sobel{{kernel_of(grid("-1 0 1/-2 0 2/-1 0 1")), kernel_of(grid("-1 -2 -1/0 0 0/1 2 1"))},
                Combine::l1};
    sobel.factors = {{{1, 2, 1}, {-1, 0, 1}}, {{-1, 0, 1}, {1, 2, 1}}};
    expect_exactly(
        eight_bit(sobel, Border::replicate), kP,
        grid("0 0 255 255 0/80 80 255 255 0/80 0 255 255 220/120 100 255 255 255/60 40 255 255 220"));
}

TEST(HandComputed, BoxSumsAtTheReplicatedEdge) {
    Stage box{{make_kernel(5, 1, std::vector<float>(5, 1.0f))}};
    box.generator = BoxGenerator{5, 1};
    box.factors = {{{1}, {1, 1, 1, 1, 1}}};
    expect_exactly(floats(box, Border::replicate), grid("0 1 2 3 4 5 6 7"), grid("3 6 10 15 20 25 29 32"));
}

TEST(HandComputed, EvenKernelsGoByTheirAnchor) {
    auto kernel = kernel_of(grid("1 2/3 4"));
    kernel.anchor_x = kernel.anchor_y = 0;
    expect_sum(count_up(3, 3), kernel, Border::zero, "27 37 17/57 67 29/20 23 8");
    kernel.anchor_x = kernel.anchor_y = 1;
    expect_sum(count_up(3, 3), kernel, Border::zero, "0 4 11/12 27 37/30 57 67");
}

} // namespace
} // namespace kg::testing
