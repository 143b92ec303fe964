#include "filters/volume_stencil.hpp"

namespace kg::volumes {

namespace {

/// u(t + 1) = 2 u(t) - u(t - 1) + c^2 times the Laplacian of u(t).
VolumeDesign build(const Values& values) {
    const double courant = number(values, "courant");
    return {laplacian_stencil(values, 2, courant * courant), Border::replicate, true};
}

} // namespace

extern const VolumeFilter kWave;
const VolumeFilter kWave{
    "wave",
    "Wave equation",
    "A time step of waves, from two volumes in time or from one at rest; replicate reflects at a free end, "
    "zero at a fixed one",
    {{"courant",
      "Courant number",
      Parameter::Kind::number,
      0,
      0.577, // stable: below the root of a third
      {},
      "0.5",
      "",
      "Speed times the time step over the spacing; stable up to 0.577"},
     points_parameter()},
    build};

} // namespace kg::volumes
