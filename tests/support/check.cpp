#include "tests/support/check.hpp"

#include "cpu/engine.hpp"
#include "gpu/engine.hpp"
#include "library/walk/requests.hpp"
#include "library/walk/runs.hpp"
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
    return noise_image(size, format, seed);
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

Image run(Engine& engine, const std::shared_ptr<const Plan>& plan, const ImageRequest& request,
          const ConstImageView& image, const Rect& area) {
    return run_region(engine, *engine.queue(), plan, request, image, area);
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
    return run_region(engine, queue, plan(engine, request, force), request, image, whole(request.size));
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

std::string describe(const ImageRequest& r) { return request_text(r); }

} // namespace kg::testing
