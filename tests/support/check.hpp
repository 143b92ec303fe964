#pragma once
// What tests need to make, run and check requests.

#include "core/plan/planner.hpp"
#include "core/plan/reference.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kg::testing {

/// Noise over the whole range of the depth (floats: -0.5 to 1.5 with some exact values), same bytes for the same seed.
Image random_picture(Extent size, const PixelFormat& format, unsigned seed);

/// prove() as an assertion (core/plan/proof.hpp).
::testing::AssertionResult is_right(const ImageRequest& request, const ConstImageView& picture,
                                    const ConstImageView& result, const Algorithm* way = nullptr);

/// Identical bytes of all pixels.
::testing::AssertionResult same_pixels(const ConstImageView& a, const ConstImageView& b);

/// Of any sample, in units of the format; infinite where size, depth or channels differ, or one alone is no number.
double largest_difference(const ConstImageView& a, const ConstImageView& b);

/// Computes `area` of the picture on the engine, from a source that covers no more than the plan asks for.
Image run(Engine& engine, const ImageRequest& request, const ConstImageView& picture, std::string_view force,
          const Rect& area);
Image run(Engine& engine, const ImageRequest& request, const ConstImageView& picture,
          std::string_view force = {});

/// The whole picture on a queue that serves many runs, because making one takes a GPU milliseconds.
Image run(Engine& engine, Queue& queue, const ImageRequest& request, const ConstImageView& picture,
          std::string_view force = {});

/// One queue for each engine, made when it is first asked for.
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

/// Engines that exist here: cpu with 1, 2 and 7 threads, detached, and cuda where there is one.
std::vector<std::shared_ptr<Engine>> engines();
std::string label(const Engine& engine);

std::string describe(const ImageRequest& request);

} // namespace kg::testing
