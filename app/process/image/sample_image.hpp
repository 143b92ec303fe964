#pragma once
// The generated image of the first start.

#include "core/image/image.hpp"

namespace kg {

inline constexpr Extent kSampleSize{960, 640};

/// A glass ball over a test chart, RGBA8: fine detail, hard edges, smooth ramps, a transparent rim.
Image sample_image(Extent size = kSampleSize);

} // namespace kg
