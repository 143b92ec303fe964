#pragma once
// The weights of a volume's kernel as launches carry them, decided on the host.

#include "core/request/volume_request.hpp"
#include "gpu/kernels/volumes/volume_sums.hpp"

#include <span>
#include <vector>

namespace kg::gpu {

struct BoxedTaps {
    VolumeBox box;
    std::vector<float> weights; ///< zeros where there is no tap
};

/// The box of the taps, in the order of placed_taps(). Rows of weights are padded to a multiple of `step`.
/// Without taps it has one weight, zero.
BoxedTaps boxed(std::span<const VolumeTap> taps, int step);

/// Whether the box lies within the 27 neighbours of an output.
bool is_stencil(const VolumeBox& box);

/// Whether all taps of a request do. Those of factors are not multiplied for it: they may be many.
bool is_stencil(const VolumeRequest& request);

/// The weights of the 27 neighbours of an output, which are few enough to be parameters of a launch.
struct Stencil {
    float weights[27]; ///< zeros where there is no tap
    bool faces;        ///< all taps are the sample itself and its six nearest neighbours
    bool has_zeros;    ///< some of the weights that are multiplied are zero
};

/// The 27 neighbours as a box.
KG_HOST_DEVICE constexpr VolumeBox stencil_box() { return {-1, -1, -1, 3, 3, 3, 3}; }

/// Those of taps whose box is_stencil().
Stencil stencil_of(std::span<const VolumeTap> taps);

} // namespace kg::gpu
