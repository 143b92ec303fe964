#pragma once
// Errors for programs that run this one.

#include "core/support/error.hpp"

namespace kg {

/// Appends the error to the file that KERNELGLASS_ERROR_LOG names, as one line of JSON (docs/json.md,
/// "Errors"); does nothing without that variable, or where the file cannot be written or memory is short.
void log_error(const Error& error) noexcept;

} // namespace kg
