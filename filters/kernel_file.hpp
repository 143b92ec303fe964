#pragma once
// Kernels in files: rows of numbers, or JSON with anchor, divisor, offset and flip.

#include "core/kernel.hpp"

#include <string>
#include <string_view>

namespace kg {

/// Reads a kernel from the text of a file: either rows of numbers (separated by spaces, tabs, commas or semicolons;
/// fractions such as 1/9; # begins a comment), or JSON
/// {"rows": [[...]], "anchor": [x, y], "divisor": 1, "offset": 0, "flip": false}.
/// `name` is what the sentences call the file. Throws Error with line and column.
Kernel parse_kernel(std::string_view text, std::string_view name);

/// JSON that parse_kernel reads back as the same kernel.
std::string to_json(const Kernel& kernel);

} // namespace kg
