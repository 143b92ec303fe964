#pragma once
// The second derivative in three dimensions as a kernel of 3 x 3 x 3, which the stencils are made of.

#include "filters/volume_filter.hpp"

namespace kg {

/// The choice of 7 or 27 points.
Parameter points_parameter();

/// `centre` + `scale` times the Laplacian of spacing 1, of the chosen points. With 27 points its error is the
/// same in all directions. Source: O'Reilly and Beck, "A family of large-stencil discrete Laplacian
/// approximations in three dimensions", 2006; 7 points: the sum of the second differences.
VolumeKernel laplacian_stencil(const Values& values, double centre, double scale);

} // namespace kg
