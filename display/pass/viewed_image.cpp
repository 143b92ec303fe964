#include "display/pass/viewed_image.hpp"

#include <algorithm>
#include <cmath>

namespace kg::display {

ViewedImage::ViewedImage(const PassImage& image, const HostTexels& texels,
                         std::span<const LightPyramid::Level> levels, const PassSettings& settings)
    : texels_(texels), levels_(levels), present_(image.texture != 0),
      step_(texels_per_pixel(image, settings.view)), first_(first_edge(image)),
      end_x_(last_edge(image, image.size.width)), end_y_(last_edge(image, image.size.height)),
      drawn_x_(drawn_range(image, image.size.width, settings.view.origin.x, step_)),
      drawn_y_(drawn_range(image, image.size.height, settings.view.origin.y, step_)), pixels_(image.size),
      reduction_(image.reduction), origin_(settings.view.origin), part_(texels_there(image, step_)) {
    copies_ = step_ <= 1 && texels.are_opaque_bytes();
    const double lod = std::log2(step_);
    sharp_share_ = lod < 1 ? static_cast<float>(1 - lod) : 0;
    const double level = std::max(lod - 1, 0.0);
    const auto last = std::max<std::size_t>(levels.size(), 1) - 1;
    level_ = std::min(static_cast<std::size_t>(level), last);
    coarse_share_ = level_ < last ? static_cast<float>(level - static_cast<double>(level_)) : 0;
}

ViewedImage::Line ViewedImage::column(double x, const PassPadding& padding) const {
    return line(place_x(x), across(padding), padding.border);
}

ViewedImage::Line ViewedImage::row(double y, const PassPadding& padding) const {
    return line(place_y(y), down(padding), padding.border);
}

ViewedImage::Axis ViewedImage::across(const PassPadding& padding) const {
    const auto width = [&](std::size_t level) {
        return level < levels_.size() ? levels_[level].size.width : std::int64_t{1};
    };
    return {texels_.size().width,
            width(0),
            width(level_),
            width(level_ + 1),
            end_x_,
            drawn_x_,
            part_[0],
            part_[2],
            pixels_.width,
            padding.left,
            padding.right};
}

ViewedImage::Axis ViewedImage::down(const PassPadding& padding) const {
    const auto height = [&](std::size_t level) {
        return level < levels_.size() ? levels_[level].size.height : std::int64_t{1};
    };
    return {texels_.size().height,
            height(0),
            height(level_),
            height(level_ + 1),
            end_y_,
            drawn_y_,
            part_[1],
            part_[3],
            pixels_.height,
            padding.up,
            padding.down};
}

ViewedImage::Line ViewedImage::line(double place, const Axis& axis, Border border) const {
    using Where = Line::Where;
    Line line;
    if (!present_) return line;
    if (place >= axis.drawn.begin && place < axis.drawn.end) {
        place = std::clamp(place, first_, axis.end);
        const bool is_there = place >= static_cast<double>(axis.part_begin) &&
                              place < static_cast<double>(axis.part_end);
        line.where = is_there ? Where::inside : Where::missing;
    } else {
        const auto pixel = static_cast<std::int64_t>(std::floor((place - first_) * reduction_));
        if (pixel < -axis.before || pixel >= axis.pixels + axis.after) return line;
        const auto from = border_index(border, pixel, axis.pixels);
        line.where = from < 0 ? Where::beyond : Where::around;
        if (from < 0) return line;
        place += static_cast<double>(from - pixel) / reduction_;
    }
    line.begins_texel = (place - std::floor(place)) / step_ < 1;
    if (step_ > 1) {
        const auto small = place / static_cast<double>(2 * axis.half); // level 0 covers an even number
        line.fine = Between::of(small, axis.fine);
        line.coarse = Between::of(small, axis.coarse);
        line.texels = Between::of(place / static_cast<double>(axis.texels), axis.texels);
    } else {
        line.texel = static_cast<std::int32_t>(
            std::clamp(std::floor(place), 0.0, static_cast<double>(axis.texels - 1)));
    }
    return line;
}

Colour ViewedImage::encoded(Colour light) {
    const float alpha = light[3];
    if (alpha > 0) light /= alpha;
    for (int i = 0; i < 3; ++i) light[i] = encoded_srgb(light[i]);
    light[3] = std::clamp(alpha, 0.0f, 1.0f);
    return light;
}

Colour ViewedImage::texel(const Line& column, const Line& row) const {
    auto c = texels_.straight(column.texel, row.texel);
    if (texels_.format().linear)
        for (int i = 0; i < 3; ++i) c[i] = encoded_srgb(c[i]);
    return c;
}

Colour ViewedImage::sharp(const Between& column, const Between& row) const {
    if (texels_.are_opaque_bytes()) return sharp_bytes(column, row);
    const auto line = [&](std::int64_t at) {
        return mixed(texels_.stored(column.first, at), texels_.stored(column.second, at), column.share);
    };
    auto c = texels_.straightened(mixed(line(row.first), line(row.second), row.share));
    const float alpha = c[3];
    if (!texels_.format().linear)
        for (int i = 0; i < 3; ++i) c[i] = decoded_srgb(c[i]);
    c *= alpha;
    c[3] = alpha;
    return c;
}

Colour ViewedImage::sharp_bytes(const Between& column, const Between& row) const {
    const auto& colours = ByteColours::stored();
    const auto left = 4 * std::ptrdiff_t{column.first}, right = 4 * std::ptrdiff_t{column.second};
    const auto line = [&](std::int64_t at) {
        const auto* texels = texels_.bytes(at);
        return mixed(colours(texels + left), colours(texels + right), column.share);
    };
    return decoded_opaque(mixed(line(row.first), line(row.second), row.share));
}

} // namespace kg::display
