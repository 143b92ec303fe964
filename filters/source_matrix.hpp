#pragma once
// Matrices in the source text of other languages: np.array([[...], [...]]), {{...}, {...}}, cv::Mat_.

#include "core/request/kernel.hpp"

#include <optional>
#include <string_view>

namespace kg {

/// The first matrix in the text: a list of lists in brackets or braces, or the numbers that are streamed into
/// cv::Mat_<float>(rows, columns). A division by a number after it, or a factor before it, becomes the
/// kernel's divisor. Empty without a matrix. Throws Error, whose message lacks the place, for rows of
/// different lengths, and for text among the numbers.
std::optional<Kernel> find_source_matrix(std::string_view text);

} // namespace kg
