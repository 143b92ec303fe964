#pragma once
// The table of the formats of signals, tensors of filter banks and volumes, for `list formats`. Their readers
// and writers are in signals, tensors and volumes.

#include <array>
#include <span>
#include <string_view>

namespace kg {

struct TensorFileFormat {
    std::string_view of; ///< "signals", "banks" or "volumes"
    std::string_view id, title;
    std::array<std::string_view, 2> extensions; ///< lower case, without the dot; unused ones are empty
    /// Types of numbers, such as f32, or "text"; unused ones are empty.
    std::array<std::string_view, 11> reads{};
    std::array<std::string_view, 6> writes{};
    std::string_view remark; ///< for people
};

/// In the order of lists: signals, banks, volumes.
std::span<const TensorFileFormat> tensor_file_formats();

} // namespace kg
