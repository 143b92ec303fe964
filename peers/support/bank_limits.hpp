#pragma once
// What libraries for filter banks have in common.

#include "core/request/bank_request.hpp"

#include <string>

namespace kg::peers {

/// The largest sum of the absolute weights of a filter.
double absolute_weights(const BankRequest& request);

/// The reason why a library that counts in 32 bits does not support the request; empty = it does.
std::string why_not_in_32_bits(const BankRequest& request);

} // namespace kg::peers
