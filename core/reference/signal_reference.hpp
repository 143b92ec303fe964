#pragma once
// Semantics 15 as code: the sums of signals as they are defined.

#include "core/request/signal_request.hpp"

#include <stop_token>

namespace kg {

/// Computes the outputs in the rectangle `outputs` (rows are signals) of `signals`, which holds all signals
/// as wholes. Sums of f32 are float64, those of f64 have twice its precision, and integers wrap; each sum is
/// rounded once. `result` has the size of the rectangle. Both have the element of the request. Throws
/// Cancelled when stopped.
void reference_signals(const SignalRequest& request, const ConstTensorView& signals, const Rect& outputs,
                       const TensorView& result, const std::stop_token& stop = {});

/// Throws Error unless the view holds one channel of this element and size.
void expect_signals(const ConstTensorView& view, Element wanted, Extent size);

} // namespace kg
