#pragma once
// The sum of a sample of a volume (semantics 17): along each row of the kernel, then over the rows of each of
// its slices, then over these. All kernels for volumes sum in this order, so that they give the same bytes.

#include "core/image/host_device.hpp"

#include <cmath>
#include <cstdint>

namespace kg::gpu {

/// The smallest box that contains all taps. Its weights are stored row by row, `pitch` floats apart.
struct VolumeBox {
    int x = 0, y = 0, z = 0; ///< offset of the first one from the output
    int width = 1, height = 1, depth = 1;
    int pitch = 1;
};

/// The sum of one output without taps of zero, through which samples that are not finite would leak.
/// `at(x, y, z)` is the sample at an offset from the output.
template <typename At>
KG_HOST_DEVICE float sum_with_care(const VolumeBox& box, const float* weights, const At& at) {
    float total = 0;
    for (int z = 0; z < box.depth; ++z) {
        float slice = 0;
        for (int y = 0; y < box.height; ++y, weights += box.pitch) {
            float row = 0;
            for (int x = 0; x < box.width; ++x)
                if (weights[x] != 0) row = fmaf(weights[x], at(box.x + x, box.y + y, box.z + z), row);
            slice += row;
        }
        total += slice;
    }
    return total;
}

/// Whether a sum may have met a sample that is not finite: if it has, it is not finite either.
KG_HOST_DEVICE inline bool is_suspect(float sum) { return !(sum - sum == 0); }

} // namespace kg::gpu
