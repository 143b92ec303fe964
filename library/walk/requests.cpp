#include "library/walk/requests.hpp"

#include "library/walk/covering.hpp"

#include <cmath>
#include <iterator>
#include <sstream>
#include <utility>
#include <variant>
#include <vector>

namespace kg {

namespace {

constexpr Extent kSizes[] = {{1, 1},   {1, 37},  {41, 1},   {2, 3},   {17, 13},
                             {31, 29}, {64, 64}, {131, 33}, {257, 19}};

void one_gaussian(Stage& stage, double sigma, int width, int height) {
    std::vector<float> weights;
    for (const double p : gaussian_profile(sigma, height))
        for (const double q : gaussian_profile(sigma, width)) weights.push_back(static_cast<float>(p * q));
    stage.kernels = {make_kernel(width, height, std::move(weights))};
    stage.generator = GaussianGenerator{sigma, width, height};
}

constexpr int kKernelClasses = 21;
/// Kernels from here on have a structure that some algorithms require. The later stages of their chains are
/// of the same kind.
constexpr int kFirstStructured = 12;
/// A column and a row of floats that are long and odd. The covering array does without them.
constexpr int kLongFactors = kKernelClasses;

/// The kernels of the walk: shapes, anchors, flips, offsets, zeros, combinations.
Stage kernel_class(int index, std::mt19937& random) {
    Stage stage;
    const auto one = [&](Kernel kernel) { stage.kernels = {std::move(kernel)}; };
    switch (index) {
    case 0: one(make_kernel(1, 1, {1})); break;
    case 1: one(random_kernel(3, 3, true, random)); break;
    case 2: one(random_kernel(3, 3, false, random)); break;
    case 3: one(random_kernel(5, 7, true, random)); break;
    case 4: { // even, anchored in a corner, flipped
        auto kernel = random_kernel(4, 6, true, random);
        kernel.anchor_x = 0, kernel.anchor_y = 5, kernel.flip = true;
        one(kernel);
        break;
    }
    case 5: one(random_kernel(1, 9, false, random)); break;
    case 6: one(random_kernel(15, 1, true, random)); break;
    case 7: { // sparse, with an offset
        auto kernel = random_kernel(9, 9, true, random);
        for (std::size_t i = 0; i < kernel.weights.size(); i += 2) kernel.weights[i] = 0;
        kernel.offset = 0.25f;
        one(kernel);
        break;
    }
    case 8: one(random_kernel(17, 15, false, random)); break;
    case 9: // a gradient
        stage.kernels = {make_kernel(3, 3, {-1, 0, 1, -2, 0, 2, -1, 0, 1}),
                         make_kernel(3, 3, {-1, -2, -1, 0, 0, 0, 1, 2, 1})};
        stage.combine = Combine::l2;
        stage.offset = 0.125f;
        break;
    case 10: // two kernels of different shapes
        stage.kernels = {random_kernel(5, 1, true, random), random_kernel(1, 3, true, random)};
        stage.combine = Combine::l1;
        break;
    case 11: { // much larger than most of the images
        auto kernel = random_kernel(33, 31, false, random);
        kernel.anchor_x = 30;
        one(kernel);
        break;
    }
    case 12: // a box as the named filter builds it
        one(make_kernel(5, 7, std::vector<float>(35, 1), 35));
        stage.generator = BoxGenerator{5, 7};
        stage.factors = {{std::vector<int>(7, 1), std::vector<int>(5, 1)}};
        break;
    case 13: { // flat, not normalised, even, anchored in a corner, flipped, with an offset
        auto kernel = make_kernel(12, 4, std::vector<float>(48, -2), 31);
        kernel.anchor_x = 0, kernel.anchor_y = 3, kernel.flip = true;
        kernel.offset = 0.75f;
        one(kernel);
        break;
    }
    case 14: // too large to list its weights
        stage = generated_stage(BoxGenerator{1101, 3});
        stage.kernels.front().anchor_x = 40;
        break;
    case 15: one_gaussian(stage, 2, 17, 17); break;
    case 16: one_gaussian(stage, 3.1, 24, 27); break;
    case 17: stage = generated_stage(GaussianGenerator{140, 1, 1121}); break;
    case 18: // a gradient with known factors
        stage.kernels = {make_kernel(3, 3, {-3, 0, 3, -10, 0, 10, -3, 0, 3}, 16),
                         make_kernel(3, 3, {-3, -10, -3, 0, 0, 0, 3, 10, 3}, 16)};
        stage.factors = {{{3, 10, 3}, {-1, 0, 1}}, {{-1, 0, 1}, {3, 10, 3}}};
        stage.combine = Combine::l2;
        break;
    case 19: // larger, of two shapes, flipped, with off-centre anchors
        stage.kernels = {make_kernel(5, 3, {-1, -2, 0, 2, 1, -2, -4, 0, 4, 2, -1, -2, 0, 2, 1}, 8),
                         make_kernel(2, 4, {1, 1, 3, 3, -3, -3, -1, -1})};
        stage.kernels[0].anchor_x = 1;
        stage.kernels[1].flip = true;
        stage.factors = {{{1, 2, 1}, {-1, -2, 0, 2, 1}}, {{1, 3, -3, -1}, {1, 1}}};
        stage.combine = Combine::l1;
        stage.offset = -0.125f;
        break;
    case 20: // groups of rows and runs of pixels between the ends of a window
        stage = generated_stage(BoxGenerator{50, 37});
        stage.kernels.front().anchor_x = 9;
        break;
    case kLongFactors:
        one_gaussian(stage, 5, 37, 19);
        stage.kernels.front().anchor_x = 30;
        break;
    }
    return stage;
}

struct FormatCase {
    Depth in, out;
    SignedMode sign;
};
constexpr FormatCase kFormats[] = {
    {Depth::u8, Depth::u8, SignedMode::clamp},   {Depth::f32, Depth::f32, SignedMode::clamp},
    {Depth::u8, Depth::f32, SignedMode::keep},   {Depth::u16, Depth::u16, SignedMode::half},
    {Depth::f16, Depth::f16, SignedMode::clamp}, {Depth::u8, Depth::u8, SignedMode::absolute},
    {Depth::f32, Depth::u8, SignedMode::half},   {Depth::u8, Depth::u16, SignedMode::clamp},
    {Depth::u16, Depth::u16, SignedMode::clamp}};

struct ChannelCase {
    int channels, alpha;
    AlphaMode mode;
    unsigned mask;
};
constexpr ChannelCase kChannels[] = {
    {1, -1, AlphaMode::premultiplied, ~0u}, {3, -1, AlphaMode::premultiplied, ~0u},
    {4, 3, AlphaMode::premultiplied, ~0u},  {4, 3, AlphaMode::straight, ~0u},
    {4, 3, AlphaMode::keep, 0b1011u},       {2, 1, AlphaMode::premultiplied, ~0u},
    {3, -1, AlphaMode::straight, 0b010u},   {4, -1, AlphaMode::straight, ~0u}};

ImageRequest request_of(const std::vector<int>& row) {
    std::mt19937 random(static_cast<unsigned>(row[4] * 100 + row[2]));
    ImageRequest r;
    r.size = kSizes[row[0]];
    r.border = kBorders[static_cast<std::size_t>(row[1])];
    const auto& format = kFormats[row[2]];
    const auto& channels = kChannels[row[3]];
    r.in = {format.in, channels.channels, channels.alpha};
    r.out = {format.out, channels.channels, channels.alpha};
    r.sign = format.sign;
    r.alpha = channels.mode;
    r.channels = channels.mask;
    r.stages = {kernel_class(row[4], random)};
    const bool structured = row[4] >= kFirstStructured;
    if (row[5] == 1) r.stages.push_back(kernel_class(structured ? row[4] : 1, random)); // a chain
    if (row[5] == 3) r.stages.push_back(kernel_class(7, random)); // a chain that ends with an offset
    if (row[5] == 2) r.stages.insert(r.stages.begin(), kernel_class(structured ? row[4] : 7, random));
    r.light = row[6] ? Light::linear : Light::stored;
    // Mostly Gaussians, because the algorithm that needs a tolerance does not support images with alpha.
    if (std::holds_alternative<GaussianGenerator>(r.stages.front().generator) &&
        (row[7] == 1 || row[1] % 2 == 0))
        r.tolerance = 1e-3;
    return r;
}

/// A row has the levels of size, border, format, channels, kernel, chain, light and tolerance.
const std::vector<std::vector<int>>& walk_rows() {
    static const auto rows = [] {
        const int sizes = static_cast<int>(std::size(kSizes)), borders = static_cast<int>(kBorders.size()),
                  channels = static_cast<int>(std::size(kChannels));
        auto all = three_wise(
            {sizes, borders, static_cast<int>(std::size(kFormats)), channels, kKernelClasses, 4, 2, 2});
        // The common case that some algorithms specialise in: one filter from bytes to bytes, as they are
        // stored; of any weights, and of a structure.
        int kernel = 0;
        const auto common = three_wise({sizes, borders, channels});
        for (const auto& row : common) {
            all.push_back({row[0], row[1], 0, row[2], kernel % kFirstStructured, 0, 0, 0});
            all.push_back({row[0], row[1], 0, row[2],
                           kFirstStructured + kernel % (kKernelClasses - kFirstStructured), 0, 0, 0});
            ++kernel;
        }
        for (std::size_t i = 0; i < common.size(); i += 2)
            all.push_back({common[i][0], common[i][1], 1, common[i][2], kLongFactors, 0, 0, 0});
        return all;
    }();
    return rows;
}

} // namespace

Kernel random_kernel(int width, int height, bool integers, std::mt19937& random) {
    std::vector<float> weights(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    float sum = 0;
    for (auto& w : weights) {
        w = integers ? static_cast<float>(static_cast<int>(random() % 9) - 3)
                     : static_cast<float>(random() % 2001) / 1000.0f - 0.7f;
        sum += w;
    }
    auto kernel = make_kernel(width, height, std::move(weights));
    if (sum != 0) kernel.divisor = integers ? std::abs(sum) : sum;
    return kernel;
}

std::size_t walk_size() { return walk_rows().size(); }

ImageRequest walk_request(std::size_t number) { return request_of(walk_rows().at(number)); }

std::string request_text(const ImageRequest& r) {
    std::ostringstream text;
    text << r.size.width << "x" << r.size.height << " " << name(r.in.depth) << "x" << r.in.channels << " -> "
         << name(r.out.depth) << ", alpha " << r.in.alpha << " mode " << static_cast<int>(r.alpha)
         << ", light " << static_cast<int>(r.light) << ", signed " << static_cast<int>(r.sign) << ", border "
         << name(r.border) << ", channels " << r.channels << ", stages";
    for (const auto& stage : r.stages)
        for (const auto& k : stage.kernels)
            text << " " << k.width << "x" << k.height << "@" << k.anchor_x << "," << k.anchor_y << "/"
                 << k.divisor << "+" << offset(stage) << (k.flip ? "f" : "");
    return text.str();
}

} // namespace kg
