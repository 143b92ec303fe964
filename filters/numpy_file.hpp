#pragma once
// Kernels in the .npy format of NumPy.

#include "core/image/numpy_header.hpp"
#include "core/request/kernel.hpp"

#include <string>
#include <string_view>

namespace kg {

/// Types f2, f4, f8, i1 to i8 and u1 to u8, in either byte order, rows or columns first; one dimension is one
/// row. `what` begins the messages: kernel "k.npy". Throws Error for other arrays and for damaged files.
Kernel parse_numpy(std::string_view content, const std::string& what);

} // namespace kg
