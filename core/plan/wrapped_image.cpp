#include "core/plan/wrapped_image.hpp"

#include <utility>

namespace kg {

namespace {

class WrappedBuffer final : public Buffer {
public:
    WrappedBuffer(const ConstImageView& pixels, std::shared_ptr<const void> owner)
        : pixels_(pixels), owner_(std::move(owner)) {}
    std::size_t size() const override {
        return pixels_.pitch * static_cast<std::size_t>(pixels_.size.height);
    }
    std::byte* host() override { return const_cast<std::byte*>(pixels_.data); }

private:
    ConstImageView pixels_;
    std::shared_ptr<const void> owner_;
};

} // namespace

BufferView wrap_image(const ConstImageView& pixels, std::shared_ptr<const void> owner) {
    return {std::make_shared<WrappedBuffer>(pixels, std::move(owner)), 0, pixels.pitch, pixels.format,
            whole(pixels.size)};
}

BufferView wrap_image(const ConstImageView& pixels, const Rect& covers) {
    auto view = wrap_image(pixels, nullptr);
    view.covers = covers;
    return view;
}

} // namespace kg
