#include "display/pass/pass_scene.hpp"

#include "display/pass/colour_lut.hpp"
#include "display/pass/pass_geometry.hpp"
#include "display/pass/view_only.hpp"

#include <algorithm>
#include <cmath>

namespace kg::display {

namespace {

using Where = ViewedImage::Line::Where;

constexpr int kHatchStep = 12, kHatchLine = 3; ///< framebuffer pixels along a row

Colour opaque(const PassColour& c) { return Colour{c[0], c[1], c[2], 1}; }

Colour clamped(Colour c) {
    for (int i = 0; i < 3; ++i) c[i] = std::clamp(c[i], 0.0f, 1.0f);
    return c;
}

std::uint32_t bytes_of(Colour c) {
    // For positive numbers this small the sum is exact enough, and it is faster than lround() in a loop over
    // pixels.
    const auto byte = [](float v) { // NOLINTNEXTLINE(bugprone-incorrect-roundings)
        return static_cast<std::uint32_t>(std::clamp(v, 0.0f, 1.0f) * 255.0f + 0.5f);
    };
    return byte(c[0]) | byte(c[1]) << 8 | byte(c[2]) << 16 | 0xff000000u;
}

Where where_of(const ViewedImage::Line& column, const ViewedImage::Line& row) {
    return std::min(column.where, row.where);
}

const ViewedImage::Line& at(const ViewedImage::Lines& lines, std::int64_t i) {
    return lines[static_cast<std::size_t>(i)];
}

/// Position of the pixel that represents the square of b at this position: the rest of the square has no
/// value of b. Outside b, which ends at `end`, it is the position itself.
double exact(const ViewedImage& b, double at, double place, std::int64_t texels, double end) {
    if (b.step() >= 1 || place < b.first() || place >= end) return at;
    const double centre = std::min(std::floor(place) + 0.5, static_cast<double>(texels) - 0.5);
    return at + (centre - place) / b.step();
}

double same(double position) { return position; }

} // namespace

PassScene::PassScene(Extent view, const ViewedImage& a, const ViewedImage& b, const PassImage& image_b,
                     const PassSettings& settings)
    : settings_(settings), a_(a), view_(view), grid_(static_cast<float>(grid_opacity(image_b, settings))),
      plain_(settings.view_only.keeps_colours() && !settings.view_only.zebra && !settings.uses_lut() &&
             grid_ <= 0),
      surround_(opaque(settings.surround)), hatch_(opaque(settings.hatch)), left_(side_of_a(b)),
      right_(side_of_b(b)) {
    const bool split = settings.mode == PassMode::split;
    if (!split && settings.mode != PassMode::side) return;
    const auto width = static_cast<double>(view.width);
    const double border = split ? std::round(std::clamp(settings.divider, 0.0, 1.0) * width) : width / 2;
    const auto column = [width](double x) { return static_cast<std::int64_t>(std::clamp(x, 0.0, width)); };
    // The columns whose centres are less than half the line's width away.
    line_end_ = column(std::ceil(border + settings.line_width / 2 - 0.5));
    line_begin_ = std::min(column(std::floor(border - settings.line_width / 2 - 0.5) + 1), line_end_);
}

/// `x_of`, `y_of`: the position in the image's own view for a position in the view.
PassScene::Side PassScene::side_of(const ViewedImage& image, const Position& x_of,
                                   const Position& y_of) const {
    const auto columns = [&](const ViewedImage& of, const PassPadding& padding) {
        ViewedImage::Lines lines;
        for (std::int64_t x = 0; x < view_.width; ++x)
            lines.push_back(of.column(x_of(static_cast<double>(x) + 0.5), padding));
        return lines;
    };
    const auto rows = [&](const ViewedImage& of, const PassPadding& padding) {
        ViewedImage::Lines lines;
        for (std::int64_t y = 0; y < view_.height; ++y)
            lines.push_back(of.row(y_of(static_cast<double>(y) + 0.5), padding));
        return lines;
    };
    Side side{image, columns(image, {}), rows(image, {}), {}, {}};
    if (settings_.padding.empty()) return side;
    side.around_columns = columns(a_, settings_.padding);
    side.around_rows = rows(a_, settings_.padding);
    return side;
}

PassScene::Side PassScene::side_of_a(const ViewedImage& b) const {
    if (settings_.mode == PassMode::result) return {a_, {}, {}, {}, {}}; // not drawn
    if (settings_.mode != PassMode::difference) return side_of(a_, same, same);
    const auto size = b.size();
    return side_of(
        a_, [&](double x) { return exact(b, x, b.place_x(x), size.width, b.end_x()); },
        [&](double y) { return exact(b, y, b.place_y(y), size.height, b.end_y()); });
}

PassScene::Side PassScene::side_of_b(const ViewedImage& b) const {
    if (settings_.mode != PassMode::side) return side_of(b, same, same);
    const auto width = static_cast<double>(view_.width), shift = width - std::floor(width / 2);
    return side_of(
        b, [shift](double x) { return x - shift; }, same);
}

/// The checker behind alpha.
Colour PassScene::behind(std::int64_t x, std::int64_t y) const {
    const bool light = (x / kCheckerSide + y / kCheckerSide) % 2 == 0;
    return light ? Colour{0.6f, 0.6f, 0.6f, 1} : Colour{0.4f, 0.4f, 0.4f, 1};
}

Colour PassScene::hatching(std::int64_t x, std::int64_t y) const {
    return (x + y + 1) % kHatchStep < kHatchLine ? hatch_ : surround_;
}

/// A line on the first framebuffer pixel of each texel, light on dark and dark on light.
Colour PassScene::with_grid(Colour c, const Line& column, const Line& row) const {
    if (grid_ <= 0 || (!column.begins_texel && !row.begins_texel)) return c;
    const float brightness = 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2];
    const float line = brightness > 0.5f ? 0.0f : 1.0f;
    return mixed(c, Colour{line, line, line, 1}, 0.25f * grid_);
}

/// A colour as the view-only settings show it, over the checker.
Colour PassScene::over_checker(Colour c, std::int64_t x, std::int64_t y) const {
    const auto& view_only = settings_.view_only;
    if (view_only.zebra)
        if (const auto stripe = zebra_at(c, x, y, settings_)) return opaque(*stripe);
    const auto colour = settings_.uses_lut() ? from_lut(*settings_.lut, c) : c;
    const auto shown = view_only.keeps_colours() ? clamped(colour) : viewed(colour, view_only);
    return shown[3] < 1 ? mixed(behind(x, y), shown, shown[3]) : shown;
}

Colour PassScene::one(const Side& side, std::int64_t x, std::int64_t y) const {
    const auto &column = at(side.columns, x), &row = at(side.rows, y);
    const auto where = where_of(column, row);
    if (where == Where::missing) return hatching(x, y);
    if (where != Where::inside) return around(side, x, y);
    return with_grid(over_checker(side.image.at(column, row), x, y), column, row);
}

/// Outside an image: the surround, or the pixels of a that a filter reads there.
Colour PassScene::around(const Side& side, std::int64_t x, std::int64_t y) const {
    if (settings_.padding.empty()) return surround_;
    const auto &column = at(side.around_columns, x), &row = at(side.around_rows, y);
    const auto where = where_of(column, row);
    if (where == Where::outside) return surround_;
    const auto& [red, green, blue, alpha] = settings_.padding.colour;
    const auto c = where == Where::beyond ? Colour{red, green, blue, alpha} : a_.at(column, row);
    const auto dimmed = mixed(over_checker(c, x, y), surround_, kPaddingDim);
    return (x + y + 1) % kHatchStep == 0 ? mixed(dimmed, hatch_, kPaddingDim) : dimmed;
}

Colour PassScene::difference(std::int64_t x, std::int64_t y) const {
    const auto &column_a = at(left_.columns, x), &row_a = at(left_.rows, y),
               &column_b = at(right_.columns, x), &row_b = at(right_.rows, y);
    const auto where_a = where_of(column_a, row_a), where_b = where_of(column_b, row_b);
    if (where_a == Where::missing || where_b == Where::missing) return hatching(x, y);
    if (where_a != Where::inside && where_b != Where::inside) return surround_;
    const auto weighted = [](const ViewedImage& image, const Line& column, const Line& row) {
        if (where_of(column, row) != Where::inside) return Colour{};
        const auto c = clamped(image.at(column, row));
        auto colour = c * c[3];
        colour[3] = c[3];
        return colour;
    };
    const auto d = weighted(right_.image, column_b, row_b) - weighted(a_, column_a, row_a);
    return with_grid(difference_colour(d, settings_), column_b, row_b);
}

void PassScene::draw(std::int64_t y, std::uint32_t* row) const {
    if (settings_.mode == PassMode::difference) {
        for (std::int64_t x = 0; x < view_.width; ++x) row[x] = bytes_of(difference(x, y));
        return;
    }
    draw(left_, y, 0, line_begin_, row);
    std::fill(row + line_begin_, row + line_end_, bytes_of(opaque(settings_.line)));
    draw(right_, y, line_end_, view_.width, row);
}

/// Draws the columns from `begin` to `end`.
void PassScene::draw(const Side& side, std::int64_t y, std::int64_t begin, std::int64_t end,
                     std::uint32_t* row) const {
    if (begin == end) return;
    const auto where = at(side.rows, y).where;
    if (where == Where::outside && settings_.padding.empty()) {
        std::fill(row + begin, row + end, bytes_of(surround_));
        return;
    }
    const bool is_quick = plain_ && where == Where::inside;
    for (auto x = begin; x < end; ++x)
        row[x] = is_quick && at(side.columns, x).where == Where::inside ? quick(side, x, y)
                                                                        : bytes_of(one(side, x, y));
}

/// A pixel inside an image whose colours no setting changes.
std::uint32_t PassScene::quick(const Side& side, std::int64_t x, std::int64_t y) const {
    const auto& image = side.image;
    const auto &column = at(side.columns, x), &row = at(side.rows, y);
    if (image.copies()) return image.bytes(column, row);
    if (image.step() <= 1) return bytes_of(over_checker(image.at(column, row), x, y));
    const auto light = image.light(column, row);
    return light[3] == 1 ? encoded_bytes(light) : bytes_of(over_checker(ViewedImage::encoded(light), x, y));
}

} // namespace kg::display
