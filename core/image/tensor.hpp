#pragma once
// Formats of signals and of the tensors of filter banks: numbers of any type in any number of channels, where
// an image has at most four interleaved ones.

#include <cstddef>
#include <cstdint>

namespace kg {

/// The type of a tensor's numbers.
enum class Element : std::uint8_t { i8, u8, i16, u16, i32, f16, f32, f64 };

constexpr std::size_t bytes(Element element) {
    switch (element) {
    case Element::i8:
    case Element::u8: return 1;
    case Element::i16:
    case Element::u16:
    case Element::f16: return 2;
    case Element::i32:
    case Element::f32: return 4;
    case Element::f64: return 8;
    }
    return 0;
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

} // namespace kg
