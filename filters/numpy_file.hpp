#pragma once
// The .npy format of NumPy, versions 1 to 3 (NEP 1): a Python dictionary as text, then the numbers.

#include "core/request/kernel.hpp"

#include <string>
#include <string_view>

namespace kg {

bool is_numpy_file(std::string_view content);

/// Types f2, f4, f8, i1 to i8 and u1 to u8, in either byte order, rows or columns first; one dimension is one
/// row. `what` begins the messages: kernel "k.npy". Throws Error for other arrays and for damaged files.
Kernel parse_numpy(std::string_view content, const std::string& what);

} // namespace kg
