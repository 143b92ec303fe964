#pragma once
// One image in the view: the colour of every framebuffer pixel. Columns and rows are looked up separately, so
// that a pixel costs only the reading and averaging of its texels.

#include "display/pass/light_pyramid.hpp"
#include "display/pass/pass_geometry.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace kg::display {

class ViewedImage {
public:
    /// Position of a column or a row of the view along the image.
    struct Line {
        enum class Where : std::uint8_t {
            outside, ///< nothing is drawn
            beyond,  ///< outside the image, where the border has no pixel of it
            around,  ///< outside the image; the border takes a pixel of it
            missing, ///< the image has no pixels here yet
            inside,
        };
        Where where = Where::outside;
        bool begins_texel = false;    ///< the first framebuffer pixel of its texel
        std::int32_t texel = 0;       ///< where an image is magnified
        Between texels, fine, coarse; ///< where it is minified: of its texels, and of two halved sizes
    };
    using Lines = std::vector<Line>;

    ViewedImage(const PassImage& image, const HostTexels& texels, std::span<const LightPyramid::Level> levels,
                const PassSettings& settings);

    double step() const { return step_; }
    Extent size() const { return texels_.size(); } ///< in texels
    double first() const { return first_; }        ///< left and upper end of the image, in texels
    double end_x() const { return end_x_; }        ///< right end
    double end_y() const { return end_y_; }
    /// Position in texels of a framebuffer position.
    double place_x(double x) const { return first_ + (x - origin_.x) * step_; }
    double place_y(double y) const { return first_ + (y - origin_.y) * step_; }
    /// The column and the row at a framebuffer position, with the pixels that a border defines.
    Line column(double x, const PassPadding& padding) const;
    Line row(double y, const PassPadding& padding) const;

    /// The encoded colour with straight alpha, not clamped, where neither line is outside, beyond or missing.
    Colour at(const Line& column, const Line& row) const {
        return step_ > 1 ? encoded(light(column, row)) : texel(column, row);
    }
    /// The same in linear light and premultiplied, where the image is minified.
    Colour light(const Line& column, const Line& row) const {
        auto light = sampled(levels_[level_], column.fine, row.fine);
        if (coarse_share_ > 0)
            light = mixed(light, sampled(levels_[level_ + 1], column.coarse, row.coarse), coarse_share_);
        if (sharp_share_ > 0) light = mixed(light, sharp(column.texels, row.texels), sharp_share_);
        return light;
    }
    static Colour encoded(Colour light);
    /// Whether the image shows its texels' bytes as they are, and those of a texel.
    bool copies() const { return copies_; }
    std::uint32_t bytes(const Line& column, const Line& row) const {
        std::uint32_t texel = 0;
        std::memcpy(&texel, texels_.bytes(row.texel) + 4 * std::ptrdiff_t{column.texel}, sizeof texel);
        return texel | 0xff000000u;
    }

private:
    /// Extents along one axis: of the texels, of the levels, and of the image in texels and in pixels.
    struct Axis {
        std::int64_t texels, half, fine, coarse;
        double end;
        Range drawn; ///< drawn_range()
        float part_begin, part_end;
        std::int64_t pixels;
        int before, after; ///< pixels of the padding
    };
    Axis across(const PassPadding& padding) const;
    Axis down(const PassPadding& padding) const;
    Line line(double place, const Axis& axis, Border border) const;
    Colour texel(const Line& column, const Line& row) const;
    /// The texels themselves, between half and whole size.
    Colour sharp(const Between& column, const Between& row) const;
    Colour sharp_bytes(const Between& column, const Between& row) const;
    static Colour sampled(const LightPyramid::Level& level, const Between& column, const Between& row) {
        const auto *top = level.row(row.first), *bottom = level.row(row.second);
        return mixed(mixed(top[column.first], top[column.second], column.share),
                     mixed(bottom[column.first], bottom[column.second], column.share), row.share);
    }

    const HostTexels& texels_;
    std::span<const LightPyramid::Level> levels_;
    bool present_, copies_;
    double step_, first_, end_x_, end_y_;
    Range drawn_x_, drawn_y_;
    Extent pixels_;
    int reduction_;
    Point origin_;
    std::array<float, 4> part_;
    std::size_t level_ = 0;
    float coarse_share_ = 0, sharp_share_ = 0;
};

} // namespace kg::display
