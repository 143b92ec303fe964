#pragma once
// Reader and writer of safetensors: the length of a JSON header, the header, and the numbers.
// Source: https://github.com/huggingface/safetensors, "Format".

#include "app/io/tensors/tensor_file.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kg::io {

/// By the first nine bytes: a length that the format allows, and the brace of an object.
bool is_safetensors(std::string_view bytes);

/// The tensor of a name, or the only one, of F16, BF16, F32 or F64. Throws Error for damaged files, other
/// types and unknown names.
TensorData read_safetensors(std::string_view bytes, const std::string& what, std::string_view name);

/// A file of one tensor of F32.
std::string write_safetensors(std::string_view name, std::span<const std::int64_t> shape,
                              std::span<const float> numbers);

/// The tensors with a shape. Throws Error for damaged files.
std::vector<TensorName> safetensors_names(std::string_view bytes, const std::string& what);

} // namespace kg::io
