#pragma once
// Volumes for a benchmark.

#include "core/request/volume_request.hpp"
#include "measure/tensor_work.hpp"

#include <memory>
#include <string>

namespace kg::measure {

struct VolumeCase {
    VolumeRequest request;
    std::string title; ///< for people: "7-point stencil, 10 steps"
};

/// The samples are noise from -1 to 1, and all are verified. A row's name has the depth of volume and kernel.
/// Throws Error for an invalid request.
std::shared_ptr<const TensorWork> tensor_work(VolumeCase of);

} // namespace kg::measure
