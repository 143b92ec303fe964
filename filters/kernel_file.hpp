#pragma once
// Kernel files.
//   Text    rows of numbers separated by spaces, tabs, commas or semicolons (including CSV); fractions such
//           as 1/9; # begins a comment.
//   JSON    {"rows": [[...]], "anchor": [x, y], "divisor": 1, "offset": 0, "flip": false}, or the list of
//           rows alone; the divisor may be "auto".
//   Source  the first matrix in the text of another language: np.array([[...]]), {{...}}, cv::Mat_
//           (source_matrix.hpp).
//   NumPy   .npy files of one or two dimensions (numpy_file.hpp).

#include "core/request/kernel.hpp"
#include "filters/json_text.hpp"

#include <string>
#include <string_view>

namespace kg {

/// Reads a kernel from the content of a file in any of these formats, which the content identifies. `name`
/// describes the file in messages, with its quotes. Throws Error with line and column. Hostile content costs
/// at most a small multiple of its size.
Kernel parse_kernel(std::string_view content, std::string_view name);

/// Reads a kernel inside another JSON file.
Kernel parse_kernel(const JsonValue& value);

/// JSON that parse_kernel reads back as the same kernel, one line per row.
std::string to_json(const Kernel& kernel);

} // namespace kg
