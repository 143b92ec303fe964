#pragma once
// Formats of signals and of the tensors of filter banks: numbers of any type in any number of channels, where
// an image has at most four interleaved ones.

#include "core/image/geometry.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kg {

/// The type of a tensor's numbers.
enum class Element : std::uint8_t { i8, u8, i16, u16, i32, i64, f16, f32, f64 };

constexpr std::size_t bytes(Element element) {
    switch (element) {
    case Element::i8:
    case Element::u8: return 1;
    case Element::i16:
    case Element::u16:
    case Element::f16: return 2;
    case Element::i32:
    case Element::f32: return 4;
    case Element::i64:
    case Element::f64: return 8;
    }
    return 0;
}

constexpr std::string_view name(Element element) {
    constexpr std::string_view names[] = {"i8", "u8", "i16", "u16", "i32", "i64", "f16", "f32", "f64"};
    return names[static_cast<int>(element)];
}

/// Strides are in bytes. Rows are the pitch of the view apart, and the items of a batch (the N of NCHW) are
/// views of their own. For a batch of signals, rows are signals and columns are samples.
struct TensorFormat {
    Element element = Element::f32;
    std::int64_t channels = 1;
    /// From a column to the next: the element's size where channels are planes (NCHW).
    std::size_t column_stride = 4;
    /// From a channel to the next: the element's size where they are interleaved (NHWC).
    std::size_t channel_stride = 4;

    constexpr bool operator==(const TensorFormat&) const = default;
};

/// From the first byte of an item to its last: rows, columns and channels may lie within one another.
constexpr std::size_t tensor_bytes(const TensorFormat& format, std::size_t pitch, Extent size) {
    return static_cast<std::size_t>(format.channels - 1) * format.channel_stride +
           static_cast<std::size_t>(size.height - 1) * pitch +
           static_cast<std::size_t>(size.width - 1) * format.column_stride + bytes(format.element);
}

/// The twin of an image view: numbers in host memory that somebody else owns. Column x of row y of channel c
/// is at data + c * format.channel_stride + y * pitch + x * format.column_stride. Strides have 64 bits, and
/// rows may lie within one another: interleaved signals have a pitch of one number.
template <typename Byte>
struct BasicTensorView {
    Byte* data = nullptr;
    TensorFormat format;
    std::size_t pitch = 0; ///< bytes from a row to the next
    Extent size;           ///< columns and rows

    Byte* at(std::int64_t x, std::int64_t y, std::int64_t channel = 0) const {
        return data + static_cast<std::size_t>(channel) * format.channel_stride +
               static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x) * format.column_stride;
    }
    operator BasicTensorView<const Byte>() const { return {data, format, pitch, size}; }
};
using TensorView = BasicTensorView<std::byte>;
using ConstTensorView = BasicTensorView<const std::byte>;

} // namespace kg
