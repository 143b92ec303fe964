#pragma once
// The pixels of an original or of a result, read in strips of rows from any engine: counts of a large image
// need no second copy of it.

#include "app/editor/worker/result.hpp"
#include "core/image/half.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace kg {

/// An original, or a result of one. Exactly one of the two is set.
struct WholeImage {
    std::shared_ptr<const LoadedImage> original{};
    std::shared_ptr<const Result> result{}; ///< not a preview

    explicit operator bool() const { return original || result; }
    bool operator==(const WholeImage&) const = default;
};

/// For one thread.
class ImageStrips {
public:
    static constexpr std::int64_t kStrip = 64; ///< rows at a time

    explicit ImageStrips(WholeImage image);
    Extent size() const { return size_; }
    const PixelFormat& format() const { return format_; }
    /// Rows y to y + count, count <= kStrip; valid until the next call. Throws what the engine throws.
    ConstImageView rows(std::int64_t y, std::int64_t count);

private:
    std::optional<ConstImageView> host_pixels() const;

    WholeImage image_;
    Extent size_;
    PixelFormat format_;
    std::unique_ptr<Queue> queue_; ///< downloads a result without host memory
    Image strip_;
};

/// Calls body(first sample of row y, y) for every row; the sample's type is that of the depth, and half
/// floats are converted.
template <typename Body>
void for_each_row(const ConstImageView& image, Body body) {
    const auto samples = image.size.width * image.format.channels;
    std::vector<float> halves;
    for (std::int64_t y = 0; y < image.size.height; ++y) switch (image.format.depth) {
        case Depth::u8: body(image.row<std::uint8_t>(y), y); break;
        case Depth::u16: body(image.row<std::uint16_t>(y), y); break;
        case Depth::f16:
            halves.resize(static_cast<std::size_t>(samples));
            std::transform(image.row<std::uint16_t>(y), image.row<std::uint16_t>(y) + samples, halves.begin(),
                           half_to_float);
            body(static_cast<const float*>(halves.data()), y);
            break;
        case Depth::f32: body(image.row<float>(y), y); break;
        case Depth::f64: body(image.row<double>(y), y); break;
        }
}

} // namespace kg
