#pragma once
// Wraps an image or a tensor in host memory as a buffer of an engine that computes there, without a copy.

#include "core/plan/engine.hpp"

#include <memory>

namespace kg {

/// The pixels in place; `owner` keeps them alive. Only for engines whose buffers have host(): the CPU engine.
/// Such an engine only reads its sources, so an image that must not change may be used as a source.
BufferView wrap_image(const ConstImageView& pixels, std::shared_ptr<const void> owner);
/// The same for the pixels of a rectangle of an image, which the caller keeps alive.
BufferView wrap_image(const ConstImageView& pixels, const Rect& covers);
/// The same for a tensor of any strides: signals, whose rows they are, or an item of a batch.
BufferView wrap_tensor(const ConstTensorView& tensor);

} // namespace kg
