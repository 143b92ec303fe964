#include "filters/volume_stencil.hpp"

namespace kg::volumes {

namespace {

VolumeDesign build(const Values& values) { return {laplacian_stencil(values, 0, 1)}; }

} // namespace

extern const VolumeFilter kLaplacian;
const VolumeFilter kLaplacian{"laplacian",
                              "Laplacian",
                              "The sum of the second derivatives along the three axes",
                              {points_parameter()},
                              build};

} // namespace kg::volumes
