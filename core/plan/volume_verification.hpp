#pragma once
// Verification of volumes: the error bounds of semantics 17 as code.

#include "core/plan/verification.hpp"
#include "core/reference/volume_reference.hpp"
#include "core/request/volume_request.hpp"

#include <stop_token>

namespace kg {

/// Compares all samples of the result with the float64 reference. The bound of a step is that of semantics 12
/// with a third axis; over time the bounds of earlier steps pass through the kernel and add up. Throws Error
/// unless source and result have the sizes of the request, Cancelled when stopped.
Verification compare_with_reference(const VolumeRequest& request, const ConstTensorView& source,
                                    const ConstTensorView& result, const std::stop_token& stop = {});
/// The same with a reference that was computed before, for several results.
Verification compare_with_reference(const VolumeRequest& request, const ReferenceVolume& reference,
                                    const ConstTensorView& result);

} // namespace kg
