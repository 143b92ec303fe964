#include "core/image/image.hpp"

#include "core/image/image_memory.hpp"
#include "core/support/error.hpp"

#include <cstring>
#include <limits>
#include <new>

namespace kg {

namespace {
constexpr std::size_t kRowAlignment = 64;
}

std::size_t aligned_pitch(std::int64_t width, const PixelFormat& format) {
    std::size_t pitch = 0;
    if (width <= 0 || format.channels < 1 || format.channels > kMaxChannels ||
        __builtin_mul_overflow(static_cast<std::size_t>(width), bytes_per_pixel(format), &pitch) ||
        __builtin_add_overflow(pitch, kRowAlignment - 1, &pitch))
        throw Error("bad-image-size", "an image needs a width of at least 1 pixel and 1 to 4 channels");
    return pitch / kRowAlignment * kRowAlignment;
}

Image::Image(Extent size, PixelFormat format, ImageMemorySource* source) {
    const auto pitch = aligned_pitch(size.width, format);
    std::size_t total = 0;
    if (size.height <= 0 || __builtin_mul_overflow(pitch, static_cast<std::size_t>(size.height), &total) ||
        total > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()))
        throw Error("bad-image-size",
                    "an image needs a height of at least 1 pixel and must fit the address space");
    memory_ = std::unique_ptr<std::byte[], Free>(take_image_memory(total, source), Free{total});
    view_ = {memory_.get(), pitch, size, format};
}

void Image::Free::operator()(std::byte* p) const noexcept { give_image_memory(p, bytes); }

Image Image::clone(ImageMemorySource* source) const {
    if (empty()) return {};
    Image copy(size(), format(), source);
    std::memcpy(copy.view_.data, view_.data, size_in_bytes());
    return copy;
}

void copy_pixels(const ConstImageView& from, const ImageView& to) {
    const auto row = static_cast<std::size_t>(from.size.width) * bytes_per_pixel(from.format);
    for (std::int64_t y = 0; y < from.size.height; ++y)
        std::memcpy(to.row<std::byte>(y), from.row<std::byte>(y), row);
}

void Image::relabel(const PixelFormat& format) {
    if (format.depth != view_.format.depth || format.channels != view_.format.channels)
        throw Error("cannot-relabel",
                    "relabel() cannot change depth or channel count; convert the image instead");
    view_.format = format;
}

} // namespace kg
