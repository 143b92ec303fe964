#pragma once
// Semantics 16 as code: the sums of filter banks as they are defined.

#include "core/image/tensor.hpp"
#include "core/request/bank_request.hpp"

#include <stop_token>

namespace kg {

/// Computes the outputs in the rectangle `outputs` of filters [filters.begin, filters.end) for one item,
/// which holds all channels as wholes. Sums are float64, rounded once. `result` has all filters and the size
/// of the rectangle; others stay as they are. Throws Cancelled when stopped.
void reference_bank(const BankRequest& request, const ConstTensorView& item, Span filters,
                    const Rect& outputs, const TensorView& result, const std::stop_token& stop = {});

/// Throws Error unless the view holds f32 of so many channels and this size.
void expect_bank_tensor(const ConstTensorView& view, std::int64_t channels, Extent size);

} // namespace kg
