#pragma once
// Batches of tensors in the layouts of filter banks. A layout is the strides of the views of its items.

#include "core/image/tensor.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace kg {

/// The order of items (N), channels, rows and columns in memory, the last one fastest.
enum class Layout : std::uint8_t { nchw, nhwc, chwn };
constexpr std::string_view name(Layout layout) {
    constexpr std::string_view names[] = {"nchw", "nhwc", "chwn"};
    return names[static_cast<int>(layout)];
}

/// N items of C channels of H x W.
struct BatchShape {
    std::int64_t items = 1, channels = 1;
    Extent size;

    constexpr std::int64_t count() const { return items * channels * size.width * size.height; }
    constexpr bool operator==(const BatchShape&) const = default;
};

/// The item n of a batch of f32 that lies behind `data`, without gaps.
inline TensorView batch_item(float* data, const BatchShape& shape, Layout layout, std::int64_t n) {
    const auto [w, h] = shape.size;
    const auto c = shape.channels;
    std::int64_t item = 1, channel = 1, row = 1, column = 1; // in numbers
    switch (layout) {
    case Layout::nchw: row = w, channel = w * h, item = c * w * h; break;
    case Layout::nhwc: column = c, row = c * w, item = c * w * h; break;
    case Layout::chwn: column = shape.items, row = column * w, channel = row * h; break;
    }
    const auto in_bytes = [](std::int64_t numbers) {
        return static_cast<std::size_t>(numbers) * sizeof(float);
    };
    return {reinterpret_cast<std::byte*>(data + n * item),
            {Element::f32, c, in_bytes(column), in_bytes(channel)},
            in_bytes(row),
            shape.size};
}
inline ConstTensorView batch_item(const float* data, const BatchShape& shape, Layout layout, std::int64_t n) {
    return batch_item(const_cast<float*>(data), shape, layout, n);
}

/// A batch that owns its numbers.
struct Batch {
    BatchShape shape;
    Layout layout = Layout::nchw;
    std::vector<float> numbers;
    bool has_alpha = false; ///< the last channel is the alpha of images

    ConstTensorView item(std::int64_t n) const { return batch_item(numbers.data(), shape, layout, n); }
    TensorView item(std::int64_t n) { return batch_item(numbers.data(), shape, layout, n); }
};

} // namespace kg
