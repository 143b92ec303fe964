#include "tests/engines/support/random_case.hpp"

#include "core/reference/reference.hpp"
#include "core/support/error.hpp"
#include "tests/support/check.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>
#include <sstream>

namespace kg::testing {

namespace {

// The reference's multiplications for one image: the budget of a case. A few cases have a larger one, for
// kernels of many taps on images of many tiles.
constexpr double kProducts = 4e6, kManyProducts = 3e7;

/// Random numbers without the library's distributions, which differ between libraries.
class Draw {
public:
    Draw(std::uint64_t seed, std::uint64_t index) {
        std::seed_seq both{seed & 0xffffffffu, seed >> 32, index & 0xffffffffu, index >> 32};
        random_.seed(both);
    }
    std::uint64_t bits() { return random_(); }
    std::int64_t between(std::int64_t least, std::int64_t most) { // both inclusive
        return least + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(most - least + 1));
    }
    int whole(int least, int most) { return static_cast<int>(between(least, most)); }
    double real(double least, double most) {
        return least + (most - least) * static_cast<double>(bits() >> 11) * 0x1p-53;
    }
    bool percent(int chance) { return between(0, 99) < chance; }
    template <typename T>
    T of(std::initializer_list<T> values) {
        return values.begin()[between(0, static_cast<std::int64_t>(values.size()) - 1)];
    }

private:
    std::mt19937_64 random_;
};

int random_extent(Draw& draw) {
    if (draw.percent(70)) return draw.whole(1, 9);
    return draw.percent(70) ? draw.whole(1, 17) : draw.whole(1, 33);
}

Extent kernel_size(Draw& draw) {
    if (draw.percent(10)) return {draw.whole(1, 33), 1};
    if (draw.percent(10)) return {1, draw.whole(1, 33)};
    const int width = random_extent(draw);
    return {width, draw.percent(60) ? width : random_extent(draw)};
}

std::vector<float> weights_of(Draw& draw, int count) {
    std::vector<float> weights(static_cast<std::size_t>(count));
    const int kind = draw.whole(0, 6);
    const auto level = static_cast<float>(draw.whole(-3, 5));
    for (auto& w : weights) switch (kind) {
        case 0: w = static_cast<float>(draw.whole(-3, 5)); break;
        case 1: w = static_cast<float>(draw.real(-0.3, 1)); break;
        case 2: w = draw.percent(60) ? 0.0f : static_cast<float>(draw.whole(-9, 9)); break; // sparse
        case 3: w = level; break; // flat, possibly all zero
        case 4: w = static_cast<float>(draw.real(0, 1e-3)); break;
        case 5: w = static_cast<float>(draw.real(-1, 1) * std::pow(10, draw.real(-3, 2))); break;
        case 6: w = static_cast<float>(draw.whole(0, 255)) / 256.0f; break; // sums are exact, products too
        }
    return weights;
}

float divisor_of(Draw& draw, const std::vector<float>& weights) {
    double sum = 0, magnitude = 0;
    for (const float w : weights)
        sum += static_cast<double>(w), magnitude += std::fabs(static_cast<double>(w));
    switch (draw.whole(0, 7)) {
    case 0: return 1;
    case 1:
    case 2:
    case 3: return std::fabs(sum) > 1e-3 * magnitude ? static_cast<float>(sum) : 1.0f; // gain 1
    case 4: return static_cast<float>(draw.whole(1, 60));
    case 5: return static_cast<float>(std::max(magnitude, 1e-3)) * (draw.percent(30) ? -1.0f : 1.0f);
    case 6: return static_cast<float>(draw.real(0.2, 4));
    default: return std::ldexp(1.0f, draw.whole(-2, 6));
    }
}

void place_anchor(Draw& draw, Kernel& kernel) {
    if (draw.percent(50)) return;
    kernel.anchor_x = draw.whole(0, kernel.width - 1);
    kernel.anchor_y = draw.whole(0, kernel.height - 1);
}

Kernel dense(Draw& draw, Extent size) {
    const int width = static_cast<int>(size.width), height = static_cast<int>(size.height);
    auto weights = weights_of(draw, width * height);
    const float divisor = divisor_of(draw, weights);
    auto kernel = make_kernel(width, height, std::move(weights), divisor);
    place_anchor(draw, kernel);
    kernel.flip = draw.percent(25);
    return kernel;
}

/// Weights that are a column times a row, and the factors.
Kernel drawn_product(Draw& draw, Extent size, IntegerFactors& factors) {
    for (auto i = size.height; i-- > 0;) factors.column.push_back(draw.whole(-3, 6));
    for (auto i = size.width; i-- > 0;) factors.row.push_back(draw.whole(-3, 6));
    std::vector<float> weights;
    for (const int column : factors.column)
        for (const int row : factors.row) weights.push_back(static_cast<float>(column * row));
    const float divisor = divisor_of(draw, weights);
    auto kernel = make_kernel(static_cast<int>(size.width), static_cast<int>(size.height), std::move(weights),
                              divisor);
    place_anchor(draw, kernel);
    kernel.flip = draw.percent(25);
    return kernel;
}

float some_offset(Draw& draw) {
    return draw.percent(75) ? 0.0f : draw.of({0.5f, -0.5f, 0.125f, static_cast<float>(draw.real(-1, 1))});
}

Stage generated(Draw& draw) {
    auto size = kernel_size(draw);
    if (draw.percent(3)) size = {draw.whole(1026, 3000), draw.whole(1, 5)};
    const int width = static_cast<int>(size.width), height = static_cast<int>(size.height);
    const bool box = draw.percent(50);
    const double sigma = draw.percent(10) ? draw.real(20, 300) : draw.real(0.3, 6);
    auto stage = box ? generated_stage(BoxGenerator{width, height})
                     : generated_stage(GaussianGenerator{sigma, width, height});
    auto& kernel = stage.kernels.front();
    if (width <= 33 && height <= 33 && draw.percent(60)) { // listed too, as named filters do
        if (box) {
            kernel.weights.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 1.0f);
            if (draw.percent(50))
                stage.factors = {{std::vector<int>(size.height, 1), std::vector<int>(size.width, 1)}};
        } else {
            for (const double p : gaussian_profile(sigma, height))
                for (const double q : gaussian_profile(sigma, width))
                    kernel.weights.push_back(static_cast<float>(p * q));
        }
    }
    place_anchor(draw, kernel);
    kernel.flip = draw.percent(20);
    if (draw.percent(15)) kernel.divisor = box ? static_cast<float>(draw.whole(1, 40)) : 1.5f;
    kernel.offset = some_offset(draw);
    return stage;
}

Stage drawn_stage(Draw& draw) {
    const int kind = draw.whole(0, 99);
    if (kind < 25) return generated(draw);
    Stage stage;
    if (kind < 45) { // several kernels, of one size or of different sizes
        const int count = draw.percent(80) ? 2 : draw.whole(1, 4);
        const auto size = kernel_size(draw);
        const bool alike = draw.percent(50), factored = draw.percent(40);
        for (int k = 0; k < count; ++k) {
            const auto own = alike ? size : kernel_size(draw);
            IntegerFactors factors;
            stage.kernels.push_back(factored ? drawn_product(draw, own, factors) : dense(draw, own));
            if (factored) stage.factors.push_back(std::move(factors));
        }
        stage.combine = draw.percent(50) ? Combine::l1 : Combine::l2;
        stage.offset = some_offset(draw);
        return stage;
    }
    if (kind < 60) {
        IntegerFactors factors;
        stage.kernels = {drawn_product(draw, kernel_size(draw), factors)};
        if (draw.percent(50)) stage.factors = {std::move(factors)};
    } else {
        stage.kernels = {dense(draw, kernel_size(draw))};
    }
    stage.kernels.front().offset = some_offset(draw);
    return stage;
}

/// The reference's multiplications for one sample of the stage's results.
double products(const Stage& stage) {
    double sum = 0;
    for (const auto& kernel : stage.kernels)
        sum += has_weights(stage) ? static_cast<double>(kernel.width) * kernel.height
                                  : static_cast<double>(kernel.width) + kernel.height;
    return sum;
}

Extent image_size(Draw& draw) {
    switch (draw.whole(0, 9)) {
    case 0: return {draw.between(1, 4), draw.between(1, 4)};
    case 1: return {1, draw.between(1, 3000)};
    case 2: return {draw.between(1, 3000), 1};
    case 3: return {draw.between(500, 2000), draw.between(1, 9)};
    case 4:
    case 5:
    case 6: return {draw.between(1, 60), draw.between(1, 60)};
    default: return {draw.between(30, 320), draw.between(30, 320)};
    }
}

Rect part_of(Draw& draw, const Rect& area) {
    const auto x = draw.between(0, area.width - 1), y = draw.between(0, area.height - 1);
    return {area.x + x, area.y + y, draw.between(1, area.width - x), draw.between(1, area.height - y)};
}

Rect cut_down(Rect area, double most_pixels) {
    while (static_cast<double>(area.width) * static_cast<double>(area.height) > most_pixels &&
           area.width * area.height > 1)
        (area.width > area.height ? area.width : area.height) /= 2;
    return area;
}

PixelFormat format_of(Draw& draw) {
    PixelFormat format{draw.of({Depth::u8, Depth::u8, Depth::u16, Depth::f16, Depth::f32}), draw.whole(1, 4)};
    if (draw.percent(format.channels == 4 ? 65 : format.channels == 2 ? 50 : 3))
        format.alpha = format.channels - 1;
    if (format.alpha >= 0 && draw.percent(10)) format.alpha = draw.whole(0, format.channels - 1);
    format.linear = draw.percent(8);
    format.premultiplied = format.alpha >= 0 && draw.percent(12);
    if (format.depth == Depth::f32 && draw.percent(6)) format.scale = 255;
    return format;
}

ImageRequest drawn_request(Draw& draw) {
    ImageRequest r;
    r.in = r.out = format_of(draw);
    if (draw.percent(50)) {
        r.out.depth = draw.of({Depth::u8, Depth::u16, Depth::f16, Depth::f32});
        r.out.scale = 1;
    }
    if (draw.percent(8)) r.out.linear = !r.in.linear;
    if (r.in.alpha >= 0 && draw.percent(8)) r.out.premultiplied = !r.in.premultiplied;
    const int steps = draw.whole(0, 99);
    for (int i = steps < 4 ? 0 : steps < 72 ? 1 : steps < 92 ? 2 : 3; i > 0; --i)
        r.stages.push_back(drawn_stage(draw));
    r.border =
        kBorders[static_cast<std::size_t>(draw.between(0, static_cast<std::int64_t>(kBorders.size()) - 1))];
    if (draw.percent(25)) r.channels = static_cast<unsigned>(draw.whole(1, 15));
    r.alpha = draw.of(
        {AlphaMode::premultiplied, AlphaMode::premultiplied, AlphaMode::straight, AlphaMode::keep});
    if (draw.percent(15)) r.light = Light::linear;
    r.sign = draw.of(
        {SignedMode::clamp, SignedMode::clamp, SignedMode::absolute, SignedMode::half, SignedMode::keep});
    if (draw.percent(15)) r.tolerance = draw.of({1e-4, 1e-3, 1e-2});
    r.size = image_size(draw);
    return r;
}

bool is_valid(const ImageRequest& request) {
    try {
        validate(request);
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

RandomCase random_case(std::uint64_t seed, std::uint64_t index) {
    Draw draw(seed, index);
    RandomCase one;
    do one.request = drawn_request(draw);
    while (!is_valid(one.request)); // contradictory requests are refused, which other tests cover
    auto& r = one.request;

    const double most = (draw.percent(4) ? kManyProducts : kProducts) / r.in.channels;
    // `before` counts all steps but the last, which the reference computes for the whole image.
    double before = 10, last = 10;
    for (std::size_t i = 0; i < r.stages.size(); ++i)
        (i + 1 < r.stages.size() ? before : last) += products(r.stages[i]);
    const auto size = cut_down(whole(r.size), most / before);
    r.size = {size.width, size.height};
    one.area = draw.percent(50) ? whole(r.size) : part_of(draw, whole(r.size));
    const auto region = cut_down(one.area, most / last);
    one.judged = {one.area.x + draw.between(0, one.area.width - region.width),
                  one.area.y + draw.between(0, one.area.height - region.height), region.width, region.height};

    if (draw.percent(20)) one.items = draw.whole(2, 5);
    if (draw.percent(2) && r.size.width * r.size.height < 5000) one.items = draw.whole(15, 35);
    if (draw.percent(30)) one.source_margin = draw.whole(1, 9);
    one.whole_source = draw.percent(15);
    if (draw.percent(30)) one.result_margin = draw.whole(1, 9);
    // verify() has no bound for the effect of a NaN alpha, which counts as 0, on later steps.
    one.non_finite = !is_integer(r.in.depth) && draw.percent(20) &&
                     !(is_alpha_weighted(r) && r.stages.size() > 1);
    one.automatic = draw.percent(35);
    one.algorithm = static_cast<unsigned>(draw.bits() % 1000);
    one.image_seed = draw.bits();
    if (draw.percent(16)) {
        r.border = Border::constant;
        for (float& value : r.outside) value = static_cast<float>(draw.whole(-1, 16)) / 16;
    }
    return one;
}

Image image_of(const RandomCase& one, int item) {
    const auto& r = one.request;
    Draw draw(one.image_seed, static_cast<std::uint64_t>(item));
    auto image = random_image(r.size, r.in, static_cast<unsigned>(draw.bits()));
    const auto view = image.view();
    const auto for_each_sample = [&](auto body) {
        for (std::int64_t y = 0; y < r.size.height; ++y)
            for (std::int64_t x = 0; x < r.size.width; ++x)
                for (int c = 0; c < r.in.channels; ++c) body(x, y, c);
    };
    const int kind = draw.whole(0, 9);
    if (kind == 0) { // flat
        const double value = draw.real(0, 1);
        for_each_sample([&](auto x, auto y, int c) { store(view, x, y, c, value * full_scale(r.in)); });
    } else if (kind == 1) { // black and white
        for_each_sample(
            [&](auto x, auto y, int c) { store(view, x, y, c, draw.percent(50) ? full_scale(r.in) : 0); });
    }
    if (!one.non_finite) return image;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (int i = draw.whole(1, 4); i > 0; --i) {
        // Squares of large numbers are f32 in linear light; integers are guaranteed for up to full scale
        // (semantics 11).
        const double large = is_integer(r.out.depth)    ? full_scale(r.in)
                             : r.in.depth == Depth::f16 ? 60000
                                                        : 1e6;
        const auto x = draw.between(0, r.size.width - 1), y = draw.between(0, r.size.height - 1);
        store(view, x, y, draw.whole(0, r.in.channels - 1),
              draw.of({std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity, large, -large}));
    }
    return image;
}

std::string describe(const RandomCase& one) {
    std::ostringstream text;
    const auto rect = [&](const Rect& r) { text << r.width << "x" << r.height << "+" << r.x << "+" << r.y; };
    text << describe(one.request);
    for (const auto& stage : one.request.stages)
        text << (has_weights(stage) ? "" : " (generated)") << " combine " << static_cast<int>(stage.combine);
    text << ", tolerance " << one.request.tolerance << ", linear " << one.request.in.linear
         << one.request.out.linear << ", premultiplied " << one.request.in.premultiplied
         << one.request.out.premultiplied << ", scale " << one.request.in.scale << ", area ";
    rect(one.area);
    text << ", judged ";
    rect(one.judged);
    text << ", " << one.items << " items, margins " << one.source_margin << " " << one.result_margin
         << (one.non_finite ? ", not all finite" : "");
    return text.str();
}

} // namespace kg::testing
