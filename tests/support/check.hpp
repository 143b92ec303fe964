#pragma once
// Is a result right? Semantics 11 and 12 as code, plus what tests need to make and run requests.

#include "core/planner.hpp"
#include "core/reference.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kg::testing {

/// Noise over the whole range of the depth (floats: -0.5 to 1.5 with some exact values), same bytes for the same seed.
Image random_picture(Extent size, const PixelFormat& format, unsigned seed);

/// Right by semantics 11 (identical bytes, or off by one next to a half) or 12 (error bound). If `way` computed it and says
/// of itself that it is not exact, it may be off by what it says; the request's tolerance alone excuses nothing.
::testing::AssertionResult is_right(const ImageRequest& request, const ConstImageView& picture,
                                    const ConstImageView& result, const Algorithm* way = nullptr);

/// Identical bytes of all pixels.
::testing::AssertionResult same_pixels(const ConstImageView& a, const ConstImageView& b);

/// Computes `area` of the picture on the engine, from a source that covers no more than the plan asks for.
Image run(Engine& engine, const ImageRequest& request, const ConstImageView& picture, std::string_view force,
          const Rect& area);
Image run(Engine& engine, const ImageRequest& request, const ConstImageView& picture,
          std::string_view force = {});

/// Engines that exist here: cpu with 1, 2 and 7 threads, detached, and cuda where there is one.
std::vector<std::shared_ptr<Engine>> engines();
std::string label(const Engine& engine);

std::string describe(const ImageRequest& request);

} // namespace kg::testing
