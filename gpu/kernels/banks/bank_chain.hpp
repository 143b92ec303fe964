#pragma once
// How many products a sum of a filter bank may have in one chain.

#include "core/request/bank_request.hpp"

namespace kg::gpu {

/// Units of `unit` products that a chain of fused multiply-adds may have, so that its roundings and those of
/// adding all chains and the bias are within the error of semantics 16; 0 if no number does. A sum has
/// term_count() products; its last unit may be incomplete.
std::int64_t bank_chain(const BankRequest& request, std::int64_t unit);

/// The first channels of a group whose products may be added to the sum one by one, if those of each other
/// channel are summed before they are added; negative if there are too many even if all are.
std::int64_t straight_channels(const BankRequest& request);

} // namespace kg::gpu
