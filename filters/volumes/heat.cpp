#include "filters/volume_stencil.hpp"

namespace kg::volumes {

namespace {

VolumeDesign build(const Values& values) {
    return {laplacian_stencil(values, 1, number(values, "rate")), Border::replicate};
}

} // namespace

extern const VolumeFilter kHeat;
const VolumeFilter kHeat{
    "heat",
    "Heat equation",
    "A time step of heat that flows to neighbours; replicate is an insulated wall, constant=K one of "
    "temperature K, and wrap is periodic",
    {{"rate",
      "Rate",
      Parameter::Kind::number,
      0,
      1.0 / 6, // stable: no weight is negative
      {},
      "0.1",
      "",
      "Diffusivity times the time step over the squared spacing; stable up to 1/6"},
     points_parameter()},
    build};

} // namespace kg::volumes
