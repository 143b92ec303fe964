#include "core/plan/wrapped_image.hpp"

#include <utility>

namespace kg {

namespace {

class WrappedBuffer final : public Buffer {
public:
    WrappedBuffer(const std::byte* data, std::size_t size, std::shared_ptr<const void> owner = nullptr)
        : data_(data), size_(size), owner_(std::move(owner)) {}
    std::size_t size() const override { return size_; }
    std::byte* host() override { return const_cast<std::byte*>(data_); }

private:
    const std::byte* data_;
    std::size_t size_;
    std::shared_ptr<const void> owner_;
};

} // namespace

BufferView wrap_image(const ConstImageView& pixels, std::shared_ptr<const void> owner) {
    const auto size = pixels.pitch * static_cast<std::size_t>(pixels.size.height);
    return {std::make_shared<WrappedBuffer>(pixels.data, size, std::move(owner)), 0, pixels.pitch,
            pixels.format, whole(pixels.size)};
}

BufferView wrap_image(const ConstImageView& pixels, const Rect& covers) {
    auto view = wrap_image(pixels, nullptr);
    view.covers = covers;
    return view;
}

BufferView wrap_tensor(const ConstTensorView& tensor) {
    const auto size = tensor_bytes(tensor.format, tensor.pitch, tensor.size);
    return {std::make_shared<WrappedBuffer>(tensor.data, size),
            0,
            tensor.pitch,
            {},
            whole(tensor.size),
            tensor.format};
}

} // namespace kg
