#include "app/process/image/thumbnail.hpp"

#include "app/io/image_file.hpp"
#include "app/io/metadata/colour.hpp"
#include "core/reference/reference.hpp"
#include "core/request/conversion.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kg {

Image shrunken(const ConstImageView& image, std::int64_t most) {
    const auto [width, height] = image.size;
    const auto longest = std::max(width, height);
    const auto target = std::min(most, longest);
    const Extent size{std::max<std::int64_t>(1, width * target / longest),
                      std::max<std::int64_t>(1, height * target / longest)};
    Image small(size, image.format);
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < size.width; ++x) {
            const auto top = y * height / size.height, bottom = (y + 1) * height / size.height;
            const auto left = x * width / size.width, right = (x + 1) * width / size.width;
            // A few dozen samples of a large cell are enough for a list.
            constexpr std::int64_t kMostPerSide = 6;
            const auto step_y = std::max<std::int64_t>(1, (bottom - top) / kMostPerSide),
                       step_x = std::max<std::int64_t>(1, (right - left) / kMostPerSide);
            for (int c = 0; c < image.format.channels; ++c) {
                double sum = 0;
                int count = 0;
                for (auto v = top; v < bottom; v += step_y)
                    for (auto u = left; u < right; u += step_x) sum += sample(image, u, v, c), ++count;
                store(small.view(), x, y, c, sum / count);
            }
        }
    return small;
}

Image displayable(const ConstImageView& image) {
    const auto& format = image.format;
    const double white = full_scale(format);
    const int colours = format.channels - (format.alpha >= 0 ? 1 : 0);
    Image shown(image.size, {Depth::u8, 4, 3});
    for (std::int64_t y = 0; y < image.size.height; ++y)
        for (std::int64_t x = 0; x < image.size.width; ++x) {
            const double alpha = format.alpha >= 0 ? sample(image, x, y, format.alpha) / white : 1;
            for (int c = 0; c < 3; ++c) {
                double value = sample(image, x, y, colours >= 3 ? c : 0) / white;
                if (format.premultiplied && alpha > 0) value /= alpha;
                if (format.linear) value = linear_to_srgb(value);
                store(shown.view(), x, y, c, value * 255);
            }
            store(shown.view(), x, y, 3, alpha * 255);
        }
    return shown;
}

Image displayable(Image small, const LoadedImage& of) {
    if (small.format().linear || !has_other_colours(of)) return displayable(small.view());
    LoadedImage converted{std::move(small), {}};
    converted.metadata = of.metadata;
    try {
        convert_to_srgb(converted);
    } catch (const Error&) { // the view shows it as stored, too, with a note
    }
    return displayable(converted.pixels.view());
}

} // namespace kg
