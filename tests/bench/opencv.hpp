#pragma once
// Our pictures as OpenCV's.

#include "core/image.hpp"

#include <opencv2/core.hpp>

namespace kg::testing {

/// The same memory.
inline cv::Mat as_mat(const ImageView& view) {
    const int type = view.format.depth == Depth::u8    ? CV_8U
                     : view.format.depth == Depth::u16 ? CV_16U
                                                       : CV_32F;
    return {static_cast<int>(view.size.height), static_cast<int>(view.size.width),
            CV_MAKETYPE(type, view.format.channels), view.data, view.pitch};
}

} // namespace kg::testing
