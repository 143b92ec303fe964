#include "tests/support/check.hpp"

#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "tests/support/detached_engine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>

namespace kg::testing {

Image random_image(Extent size, const PixelFormat& format, unsigned seed) {
    Image image(size, format);
    std::memset(image.view().data, 0, image.size_in_bytes());
    std::mt19937 random(seed);
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < size.width; ++x)
            for (int c = 0; c < format.channels; ++c) {
                const bool is_alpha = c == format.alpha;
                double value = static_cast<double>(random()) / 4294967295.0;
                // Often opaque or transparent.
                if (is_alpha && random() % 4 == 0) value = static_cast<double>(random() % 2);
                if (!is_integer(format.depth) && !is_alpha) value = value * 2 - 0.5;
                store(image.view(), x, y, c, value * full_scale(format));
            }
    return image;
}

namespace {
::testing::AssertionResult assertion(const Verification& verification, const ImageRequest& r) {
    if (verification.right()) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << verification.first_wrong << "; " << describe(r);
}
} // namespace

::testing::AssertionResult is_right(const ImageRequest& r, const ConstImageView& image,
                                    const ConstImageView& result, const Algorithm* algorithm) {
    return assertion(compare_with_reference(r, image, result, algorithm), r);
}

::testing::AssertionResult is_right(const ReferenceResult& reference, const ImageRequest& r,
                                    const ConstImageView& result, const Algorithm* algorithm) {
    return assertion(reference.verify(result, algorithm), r);
}

double largest_difference(const ConstImageView& a, const ConstImageView& b) {
    if (a.size != b.size || a.format.depth != b.format.depth || a.format.channels != b.format.channels)
        return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::int64_t y = 0; y < a.size.height; ++y)
        for (std::int64_t x = 0; x < a.size.width; ++x)
            for (int c = 0; c < a.format.channels; ++c) {
                const double u = sample(a, x, y, c), v = sample(b, x, y, c);
                if (u == v || (std::isnan(u) && std::isnan(v))) continue;
                const double off = std::fabs(u - v);
                largest = std::isnan(off) ? std::numeric_limits<double>::infinity() : std::max(largest, off);
            }
    return largest;
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
                        std::bit_cast<std::uint64_t>(u) != std::bit_cast<std::uint64_t>(v))
                        return ::testing::AssertionFailure()
                               << "at x " << x << " y " << y << " channel " << c << ": " << u << " and " << v;
            return ::testing::AssertionFailure() << "row " << y << " differs";
        }
    return ::testing::AssertionSuccess();
}

namespace {
Image run_part(Engine& engine, Queue& queue, const std::shared_ptr<const Plan>& plan,
               const ImageRequest& request, const ConstImageView& image, const Rect& area) {
    const auto source = plan->needs(area).source;
    const Item item{allocate_view(engine, request.in, source), allocate_view(engine, request.out, area)};
    Image result({area.width, area.height}, request.out);
    queue.upload(image.crop(source), item.src);
    queue.run(plan, {&item, 1});
    queue.download(item.dst, result.view());
    queue.fence().wait();
    return result;
}
} // namespace

Image run(Engine& engine, const std::shared_ptr<const Plan>& plan, const ImageRequest& request,
          const ConstImageView& image, const Rect& area) {
    return run_part(engine, *engine.queue(), plan, request, image, area);
}

Image run(Engine& engine, const ImageRequest& request, const ConstImageView& image, std::string_view force,
          const Rect& area) {
    return run(engine, plan(engine, request, force), request, image, area);
}

Image run(Engine& engine, const ImageRequest& request, const ConstImageView& image, std::string_view force) {
    return run(engine, request, image, force, whole(request.size));
}

Image run(Engine& engine, Queue& queue, const ImageRequest& request, const ConstImageView& image,
          std::string_view force) {
    return run_part(engine, queue, plan(engine, request, force), request, image, whole(request.size));
}

TogetherOutcome run_together(Engine& engine, const std::shared_ptr<const Plan>& plan,
                             const ImageRequest& request, std::span<const Image> images) {
    const auto queue = engine.queue();
    TogetherOutcome outcome;
    std::vector<Item> items;
    for (const auto& image : images) {
        items.push_back({allocate_view(engine, request.in, whole(request.size)),
                         allocate_view(engine, request.out, whole(request.size))});
        outcome.results.emplace_back(request.size, request.out);
        queue->upload(image.view(), items.back().src);
    }
    queue->run(plan, items);
    for (std::size_t i = 0; i < items.size(); ++i) queue->download(items[i].dst, outcome.results[i].view());
    const auto fence = queue->fence();
    fence.wait();
    outcome.report = fence.report();
    return outcome;
}

std::vector<Image> random_images(const ImageRequest& request, unsigned count, unsigned seed) {
    std::vector<Image> images;
    for (unsigned i = 0; i < count; ++i) images.push_back(random_image(request.size, request.in, seed + i));
    return images;
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
