#pragma once
// Semantics 17 as code: the sums of volumes as they are defined, step by step.

#include "core/image/tensor.hpp"
#include "core/request/volume_request.hpp"

#include <stop_token>
#include <vector>

namespace kg {

/// Samples in float64, slices of rows of columns.
struct ReferenceVolume {
    std::vector<double> values;
    std::vector<double> magnitudes; ///< sums of |w x| of the last step
    std::vector<double> bounds;     ///< the errors that the roundings to float32 of all steps may add up to
};

/// Computes the whole result of `source`, both with the slices of the request as channels (tensor_slices()).
/// Nothing is rounded between steps. Takes all processors. Throws Error for tensors of another size or type,
/// Cancelled when stopped.
ReferenceVolume reference_volume(const VolumeRequest& request, const ConstTensorView& source,
                                 const std::stop_token& stop = {});

/// Throws Error unless the view holds float32 of this size with as many channels.
void expect_volume(const ConstTensorView& view, const VolumeRequest& request);

} // namespace kg
