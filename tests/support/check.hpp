#pragma once
// Creating, running and verifying requests in tests.

#include "core/plan/planner.hpp"
#include "core/plan/verification.hpp"
#include "core/reference/reference.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kg::testing {

/// Noise over the whole range of the depth (floats: -0.5 to 1.5 with some exact values). The seed determines
/// the bytes.
Image random_image(Extent size, const PixelFormat& format, unsigned seed);

/// compare_with_reference() as an assertion (core/plan/verification.hpp).
::testing::AssertionResult is_right(const ImageRequest& request, const ConstImageView& image,
                                    const ConstImageView& result, const Algorithm* algorithm = nullptr);

/// The same for one of several results, whose reference is computed once: it takes longer than most
/// algorithms.
::testing::AssertionResult is_right(const ReferenceResult& reference, const ImageRequest& request,
                                    const ConstImageView& result, const Algorithm* algorithm = nullptr);

/// Compares the bytes of all pixels.
::testing::AssertionResult same_pixels(const ConstImageView& a, const ConstImageView& b);

/// The largest difference of any sample, in units of the format; infinite if size, depth or channels differ,
/// or only one is NaN.
double largest_difference(const ConstImageView& a, const ConstImageView& b);

/// Computes `area` of the image on the engine, from a source that contains only what the plan needs.
Image run(Engine& engine, const ImageRequest& request, const ConstImageView& image, std::string_view force,
          const Rect& area);
Image run(Engine& engine, const ImageRequest& request, const ConstImageView& image,
          std::string_view force = {});

Image run(Engine& engine, const std::shared_ptr<const Plan>& plan, const ImageRequest& request,
          const ConstImageView& image, const Rect& area);

/// Computes the whole image on a queue shared by many runs, because creating a queue takes a GPU
/// milliseconds.
Image run(Engine& engine, Queue& queue, const ImageRequest& request, const ConstImageView& image,
          std::string_view force = {});

/// Several images of a request in one run.
struct TogetherOutcome {
    std::vector<Image> results;
    Report report;
};
TogetherOutcome run_together(Engine& engine, const std::shared_ptr<const Plan>& plan,
                             const ImageRequest& request, std::span<const Image> images);

/// Images of a request: random_image() with the seeds from `seed` on.
std::vector<Image> random_images(const ImageRequest& request, unsigned count, unsigned seed);

/// One queue for each engine, created on first use.
class Queues {
public:
    Queue& of(Engine& engine) {
        auto& queue = all_[&engine];
        if (!queue) queue = engine.queue();
        return *queue;
    }

private:
    std::map<Engine*, std::unique_ptr<Queue>> all_;
};

/// The available engines: cpu with 1, 2 and 7 threads, detached, and cuda if there is one.
std::vector<std::shared_ptr<Engine>> engines();
std::string label(const Engine& engine);

std::string describe(const ImageRequest& request);

} // namespace kg::testing
