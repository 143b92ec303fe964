#pragma once
// Verification of filter banks: the error bounds of semantics 16 as code.

#include "core/plan/engine.hpp"
#include "core/plan/verification.hpp"

#include <stop_token>

namespace kg {

/// Compares all outputs of one item with the float64 reference. The bound of an output is 2 (c + r + s) eps
/// times the sum of |w x|, its bias included. If `algorithm` states an error (Algorithm::error), that is
/// allowed too, times the largest number of the item. The `samples` of the verification are outputs. Throws
/// Error unless item and result have the sizes and channels of the request, Cancelled when stopped.
Verification compare_with_reference(const BankRequest& request, const ConstTensorView& item,
                                    const ConstTensorView& result, const Algorithm* algorithm = nullptr,
                                    const std::stop_token& stop = {});

} // namespace kg
