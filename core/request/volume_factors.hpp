#pragma once
// A kernel of factors applied as three passes: along columns, then rows, then slices.

#include "core/request/volume_request.hpp"

#include <array>
#include <string>

namespace kg {

/// Why a request cannot be computed in passes: its kernel has no factors, or a sum between the passes could
/// overflow where the result is finite (semantics 12). Empty if it can.
std::string why_not_passes(const VolumeRequest& request);

/// The sample outside that each pass meets under `constant`: outside, a pass leaves the sample times the sum
/// of its factor.
std::array<float, 3> outside_of_passes(const VolumeRequest& request);

} // namespace kg
