#pragma once
// Files of tensors: NumPy's .npy, and safetensors, in which a tensor has a name; f32 in memory.

#include "core/image/batch.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kg {

/// Numbers of any extents, the last extent fastest.
struct TensorData {
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;
};

/// True if the bytes begin as a file that read_tensor() reads.
bool is_tensor_file(std::string_view bytes);

/// Reads a tensor of f16, f32, f64 or integers as f32, which rounds those that have more digits. `what`
/// begins the messages, `of` is what is read: "tensor". `name` is that of the tensor in a file of
/// safetensors, which may be empty if there is one alone. Throws Error for damaged and unknown files, and for
/// arrays of no numbers.
TensorData read_tensor(std::string_view bytes, const std::string& what, std::string_view of,
                       std::string_view name = {});

/// A tensor of a file, which is not read.
struct TensorName {
    std::string name; ///< empty in a file of one array
    std::vector<std::int64_t> shape;
};
/// Of a file of safetensors, in its order; one without a name and shape for others.
std::vector<TensorName> tensor_names(std::string_view bytes, const std::string& what);

/// The batch of an array of 4 extents in the order of `layout`, of 3 without N, or of 2 (one channel). Throws
/// Error for other numbers of extents.
Batch batch_of(TensorData tensor, Layout layout, const std::string& what);

/// A file of safetensors with the tensor `output`, F32, of the same extents as write_batch() has.
std::string write_safetensors(const Batch& batch);
/// A .npy file of <f4 with the four extents in the order of the batch's layout.
std::string write_batch(const Batch& batch);

} // namespace kg
