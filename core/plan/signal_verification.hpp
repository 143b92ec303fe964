#pragma once
// Verification of signals: the error bounds of semantics 15 as code.

#include "core/plan/engine.hpp"
#include "core/plan/verification.hpp"

#include <stop_token>

namespace kg {

/// Compares all outputs with the reference: integers must be equal, floats within the bound of semantics 15.
/// If `algorithm` states an error (Algorithm::error), that is allowed too, times the largest sample. The
/// `samples` of the verification are outputs. Throws Error unless `result` has the size and the element of
/// the request, Cancelled when stopped.
Verification compare_with_reference(const SignalRequest& request, const ConstTensorView& signals,
                                    const ConstTensorView& result, const Algorithm* algorithm = nullptr,
                                    const std::stop_token& stop = {});

} // namespace kg
