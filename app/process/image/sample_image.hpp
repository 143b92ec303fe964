#pragma once
// The generated image of the first start.

#include "core/image/image.hpp"

namespace kg {

/// A glass ball over a test chart, RGBA8: fine detail, hard edges, smooth ramps, a transparent rim.
Image sample_image(Extent size = {960, 640});

} // namespace kg
