#pragma once
// Images in host memory: a non-owning view, and an owner whose rows are aligned to 64 bytes.

#include "core/image/geometry.hpp"
#include "core/image/pixel.hpp"

#include <cstddef>
#include <memory>

namespace kg {

/// A view of interleaved pixels in host memory. `data` is the first byte of pixel (0, 0); rows are `pitch`
/// bytes apart.
template <typename Byte>
struct BasicImageView {
    Byte* data = nullptr;
    std::size_t pitch = 0;
    Extent size;
    PixelFormat format;

    /// The first sample of row y. T must match the depth.
    template <typename T>
    auto row(std::int64_t y) const {
        using Sample = std::conditional_t<std::is_const_v<Byte>, const T, T>;
        return reinterpret_cast<Sample*>(data + static_cast<std::size_t>(y) * pitch);
    }
    BasicImageView crop(const Rect& r) const {
        auto sub = *this;
        sub.data += static_cast<std::size_t>(r.y) * pitch +
                    static_cast<std::size_t>(r.x) * bytes_per_pixel(format);
        sub.size = {r.width, r.height};
        return sub;
    }
    operator BasicImageView<const Byte>() const requires(!std::is_const_v<Byte>) {
        return {data, pitch, size, format};
    }
};

using ImageView = BasicImageView<std::byte>;
using ConstImageView = BasicImageView<const std::byte>;

/// The pitch of an Image of this width: the row's bytes rounded up to 64. Throws Error on overflow.
std::size_t aligned_pitch(std::int64_t width, const PixelFormat& format);

class ImageMemorySource;

/// Owns pixels; move-only, because copying an image by accident is a performance bug (clone() copies).
class Image {
public:
    Image() = default;
    /// Uninitialised pixels, in memory of `source` while it has some, otherwise from the heap. Throws Error
    /// for an impossible size, std::bad_alloc when memory is short.
    Image(Extent size, PixelFormat format, ImageMemorySource* source = nullptr);

    Image clone(ImageMemorySource* source = nullptr) const;
    bool empty() const { return !memory_; }
    Extent size() const { return view_.size; }
    const PixelFormat& format() const { return view_.format; }
    std::size_t size_in_bytes() const { return view_.pitch * static_cast<std::size_t>(view_.size.height); }
    /// Changes the interpretation of the pixels (alpha channel, light). Throws Error if depth or channel
    /// count would change.
    void relabel(const PixelFormat& format);
    ImageView view() { return view_; }
    ConstImageView view() const { return view_; }

private:
    struct Free {
        std::size_t bytes;
        void operator()(std::byte* p) const noexcept;
    };
    std::unique_ptr<std::byte[], Free> memory_;
    ImageView view_;
};

} // namespace kg
