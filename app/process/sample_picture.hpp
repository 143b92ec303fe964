#pragma once
// The picture of the first start: generated, so that none need be stored.

#include "core/image/image.hpp"

namespace kg {

/// A glass ball over a test chart, RGBA8: fine detail, hard edges, smooth ramps, a transparent rim.
Image sample_picture(Extent size = {960, 640});

} // namespace kg
