#include "tests/support/check.hpp"

#include "core/half.hpp"
#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/support/detached_engine.hpp"

#include <cmath>
#include <cstring>
#include <random>
#include <sstream>

namespace kg::testing {

namespace {

double eps() { return static_cast<double>(std::numeric_limits<float>::epsilon()); }

/// An upper bound of sum |w x| over a whole recipe: each stage multiplies by its gain, offsets add.
double magnitude(const ImageRequest& r, double largest) {
    double m = largest;
    for (const auto& stage : r.stages) {
        double gain = 0;
        for (const auto& kernel : stage.kernels) {
            double sum = 0;
            for (const float w : kernel.weights) sum += std::fabs(static_cast<double>(w));
            gain += sum / std::fabs(static_cast<double>(kernel.divisor));
        }
        m = m * gain + std::fabs(static_cast<double>(offset(stage))) * full_scale(r.in);
    }
    return m;
}

bool must_be_identical(const ImageRequest& r) {
    if (!is_integer(r.in.depth) || r.out.depth != r.in.depth || r.stages.size() != 1 || uses_coverage(r) ||
        r.light == Light::linear)
        return false;
    for (const auto& kernel : r.stages.front().kernels)
        if (!sums_exactly(kernel, full_scale(r.in))) return false;
    return true;
}

double half_distance(double v) { return std::fabs(v - std::floor(v) - 0.5); }

} // namespace

Image random_picture(Extent size, const PixelFormat& format, unsigned seed) {
    Image image(size, format);
    std::memset(image.view().data, 0, image.size_in_bytes());
    std::mt19937 random(seed);
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < size.width; ++x)
            for (int c = 0; c < format.channels; ++c) {
                const bool is_alpha = c == format.alpha;
                double value = static_cast<double>(random()) / 4294967295.0;
                if (is_alpha && random() % 4 == 0)
                    value = static_cast<double>(random() % 2); // often opaque or clear
                if (!is_integer(format.depth) && !is_alpha) value = value * 2 - 0.5;
                store(image.view(), x, y, c, value * full_scale(format));
            }
    return image;
}

::testing::AssertionResult is_right(const ImageRequest& r, const ConstImageView& picture,
                                    const ConstImageView& result) {
    if (result.size != r.size || result.format != r.out)
        return ::testing::AssertionFailure() << "wrong size or format";
    const auto expected = reference_values(r, picture);
    const auto rounded = reference_image(r, picture);
    double sides = 2;
    for (const auto& stage : r.stages)
        for (const auto& kernel : stage.kernels) sides += kernel.width + kernel.height;
    double largest = 0;
    for (std::int64_t y = 0; y < r.size.height; ++y)
        for (std::int64_t x = 0; x < r.size.width; ++x)
            for (int c = 0; c < r.in.channels; ++c)
                largest = std::max(largest, std::fabs(sample(picture, x, y, c)));
    const bool identical = must_be_identical(r);
    const bool curved = r.light == Light::linear;
    const double t = r.out.depth == Depth::u16 ? sides / 512 : 1.0 / 64;
    std::size_t i = 0;
    for (std::int64_t y = 0; y < r.size.height; ++y)
        for (std::int64_t x = 0; x < r.size.width; ++x) {
            double coverage = 1;
            if (uses_coverage(r)) { // dividing by alpha divides the error too
                const auto pixel = i / static_cast<std::size_t>(r.in.channels) *
                                   static_cast<std::size_t>(r.in.channels);
                coverage = std::max(
                    expected[pixel + static_cast<std::size_t>(r.in.alpha)] / full_scale(r.out), 1e-6);
            }
            for (int c = 0; c < r.in.channels; ++c, ++i) {
                const double got = sample(result, x, y, c), want = expected[i],
                             want_rounded = sample(rounded.view(), x, y, c);
                bool right = false;
                if (!std::isfinite(want)) {
                    right = is_integer(r.out.depth) ? got == want_rounded
                            : std::isnan(want)      ? std::isnan(got)
                                                    : got == want;
                } else if (is_integer(r.out.depth)) {
                    right = got == want_rounded;
                    // Before it is rounded a value is only as good as the sums it comes from, in any light.
                    const double slack = std::max(t, 2 * sides * eps() * magnitude(r, largest) /
                                                         full_scale(r.in) * full_scale(r.out) / coverage *
                                                         (curved ? 16 : 1));
                    if (!right && !identical)
                        right = std::fabs(got - want_rounded) <= 1 && half_distance(want) <= slack;
                } else {
                    double bound = 2 * sides * eps() *
                                   std::max(magnitude(r, largest) / full_scale(r.in) * full_scale(r.out),
                                            std::fabs(want)) /
                                   coverage;
                    if (curved) bound *= 16; // the slope of the sRGB curve near black, and of pow
                    if (r.out.depth == Depth::f16)
                        bound += std::max(std::fabs(want) * 0x1p-11, 0x1p-25) +
                                 std::fabs(want - want_rounded);
                    right = std::fabs(got - want) <= bound;
                }
                if (!right)
                    return ::testing::AssertionFailure()
                           << "at x " << x << " y " << y << " channel " << c << ": " << got << ", should be "
                           << want << (identical ? " (identical bytes)" : "") << "; " << describe(r);
            }
        }
    return ::testing::AssertionSuccess();
}

::testing::AssertionResult same_pixels(const ConstImageView& a, const ConstImageView& b) {
    if (a.size != b.size || a.format.depth != b.format.depth || a.format.channels != b.format.channels)
        return ::testing::AssertionFailure() << "different sizes or formats";
    const auto row = static_cast<std::size_t>(a.size.width) * bytes_per_pixel(a.format);
    for (std::int64_t y = 0; y < a.size.height; ++y)
        if (std::memcmp(a.row<std::byte>(y), b.row<std::byte>(y), row) != 0) {
            for (std::int64_t x = 0; x < a.size.width; ++x)
                for (int c = 0; c < a.format.channels; ++c)
                    if (const double u = sample(a, x, y, c), v = sample(b, x, y, c);
                        std::memcmp(&u, &v, sizeof u) != 0)
                        return ::testing::AssertionFailure()
                               << "at x " << x << " y " << y << " channel " << c << ": " << u << " and " << v;
            return ::testing::AssertionFailure() << "row " << y << " differs";
        }
    return ::testing::AssertionSuccess();
}

Image run(Engine& engine, const ImageRequest& request, const ConstImageView& picture, std::string_view force,
          const Rect& area) {
    const auto prepared = plan(engine, request, force);
    const auto source = prepared->needs(area).source;
    const Item item{allocate_view(engine, request.in, source), allocate_view(engine, request.out, area)};
    Image result({area.width, area.height}, request.out);
    const auto queue = engine.queue();
    queue->upload(picture.crop(source), item.src);
    queue->run(prepared, {&item, 1});
    queue->download(item.dst, result.view());
    queue->fence().wait();
    return result;
}

Image run(Engine& engine, const ImageRequest& request, const ConstImageView& picture,
          std::string_view force) {
    return run(engine, request, picture, force, whole(request.size));
}

std::vector<std::shared_ptr<Engine>> engines() {
    std::vector<std::shared_ptr<Engine>> all{cpu::make_engine(1), cpu::make_engine(2), cpu::make_engine(7),
                                             make_detached_engine()};
    if (auto gpu = gpu::make_engine(); gpu->usable().empty()) all.push_back(std::move(gpu));
    return all;
}

std::string label(const Engine& engine) {
    return engine.device().id + " (" + engine.device().description + ")";
}

std::string describe(const ImageRequest& r) {
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

} // namespace kg::testing
