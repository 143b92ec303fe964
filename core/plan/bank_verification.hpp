#pragma once
// Verification of filter banks: the error bounds of semantics 16 as code.

#include "core/plan/engine.hpp"
#include "core/plan/float_verdict.hpp"
#include "core/plan/verification.hpp"

#include <cstdint>
#include <span>
#include <stop_token>

namespace kg {

/// Compares all outputs of one item with the float64 reference. The bound of an output is 2 (c + r + s) eps
/// times the sum of |w x|, its bias included. If `algorithm` states an error (Algorithm::error), that is
/// allowed too, times the largest number of the item. The `samples` of the verification are outputs. Throws
/// Error unless item and result have the sizes and channels of the request, Cancelled when stopped.
Verification compare_with_reference(const BankRequest& request, const ConstTensorView& item,
                                    const ConstTensorView& result, const Algorithm* algorithm = nullptr,
                                    const std::stop_token& stop = {});

/// An output of one item, and its float64 reference once expect_outputs() has summed it.
struct BankOutput {
    std::int64_t filter = 0, row = 0, column = 0;
    ExpectedSum expected{};
};
void expect_outputs(const BankRequest& request, const ConstTensorView& item, std::span<BankOutput> outputs,
                    const std::stop_token& stop = {});

/// The error that is allowed because `algorithm` states one, for this item; 0 without.
double stated_bank_error(const BankRequest& request, const ConstTensorView& item, const Algorithm* algorithm);

/// Compares those outputs of a result alone, by the rules of compare_with_reference(); `stated` is the error
/// that the algorithm states. For results that would take long as wholes.
Verification compare_outputs(const BankRequest& request, const ConstTensorView& result,
                             std::span<const BankOutput> outputs, double stated);

} // namespace kg
