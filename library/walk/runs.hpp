#pragma once
// Images and runs of the walk.

#include "core/image/image.hpp"
#include "core/plan/engine.hpp"
#include "core/request/request.hpp"

#include <memory>

namespace kg {

/// Noise over the whole range of the depth (floats: -0.5 to 1.5 with some exact values). The seed determines
/// the bytes.
Image noise_image(Extent size, const PixelFormat& format, unsigned seed);

/// Computes `area` of the image from a source that contains only what the plan needs. Waits for it.
Image run_region(Engine& engine, Queue& queue, const std::shared_ptr<const Plan>& plan,
                 const ImageRequest& request, const ConstImageView& image, const Rect& area);

} // namespace kg
