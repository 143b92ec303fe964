#include "display/pass/software_pass.hpp"

#include "display/pass/colour_lut.hpp"
#include "display/pass/pass_geometry.hpp"
#include "display/pass/view_only.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace kg::display {

namespace {

constexpr float kOutside = -1, kMissing = -2;  ///< special values of alpha
constexpr int kHatchStep = 12, kHatchLine = 3; ///< framebuffer pixels along a row
constexpr std::int64_t kRowsAtOnce = 8;        ///< rows of one task

Colour opaque(const PassColour& c) { return Colour{c[0], c[1], c[2], 1}; }

Colour clamped(Colour c) {
    for (int i = 0; i < 3; ++i) c[i] = std::clamp(c[i], 0.0f, 1.0f);
    return c;
}

constexpr Colour kNothing{0, 0, 0, kOutside};

std::uint32_t bytes_of(Colour c) {
    // For positive numbers this small the sum is exact enough, and it is faster than lround() in a loop over
    // pixels.
    const auto byte = [](float v) { // NOLINTNEXTLINE(bugprone-incorrect-roundings)
        return static_cast<std::uint32_t>(std::clamp(v, 0.0f, 1.0f) * 255.0f + 0.5f);
    };
    return byte(c[0]) | byte(c[1]) << 8 | byte(c[2]) << 16 | 0xff000000u;
}

/// One image in the view: the colour of every framebuffer pixel.
class ViewedImage {
public:
    ViewedImage(const PassImage& image, const HostTexels& texels, std::span<const LightPyramid::Level> levels,
                const PassSettings& settings)
        : texels_(texels), levels_(levels), present_(image.texture != 0),
          step_(texels_per_pixel(image, settings.view)), first_(first_edge(image)),
          end_x_(last_edge(image, image.size.width)), end_y_(last_edge(image, image.size.height)),
          pixels_(image.size), reduction_(image.reduction), origin_(settings.view.origin),
          part_(texels_there(image, step_)) {
        const double lod = std::log2(step_);
        sharp_share_ = lod < 1 ? static_cast<float>(1 - lod) : 0;
        const double level = std::max(lod - 1, 0.0);
        const auto last = std::max<std::int64_t>(static_cast<std::int64_t>(levels.size()) - 1, 0);
        level_ = std::min(static_cast<std::int64_t>(level), last);
        coarse_share_ = level_ < last ? static_cast<float>(level - static_cast<double>(level_)) : 0;
    }

    double step() const { return step_; }
    Extent size() const { return texels_.size(); } ///< in texels
    /// Position in texels of a framebuffer position.
    double place_x(double x) const { return first_ + (x - origin_.x) * step_; }
    double place_y(double y) const { return first_ + (y - origin_.y) * step_; }

    /// Encoded colour with straight alpha, not clamped; negative alpha outside the image and where it has no
    /// pixels yet.
    Colour at(double x, double y) const {
        const double column = place_x(x), row = place_y(y);
        if (!present_ || column < first_ || row < first_ || column >= end_x_ || row >= end_y_)
            return kNothing;
        if (column < static_cast<double>(part_[0]) || row < static_cast<double>(part_[1]) ||
            column >= static_cast<double>(part_[2]) || row >= static_cast<double>(part_[3]))
            return Colour{0, 0, 0, kMissing};
        return inside(column, row);
    }
    /// The same outside the image, where a border defines the pixels; negative alpha elsewhere.
    Colour padded(double x, double y, const PassPadding& padding) const {
        const double column = place_x(x), row = place_y(y);
        const auto pixel = [this](double place) {
            return static_cast<std::int64_t>(std::floor((place - first_) * reduction_));
        };
        const auto i = pixel(column), j = pixel(row);
        if (!present_ || i < -padding.left || j < -padding.up || i >= pixels_.width + padding.right ||
            j >= pixels_.height + padding.down)
            return kNothing;
        const auto from_i = border_index(padding.border, i, pixels_.width),
                   from_j = border_index(padding.border, j, pixels_.height);
        if (from_i < 0 || from_j < 0)
            return Colour{padding.colour[0], padding.colour[1], padding.colour[2], padding.colour[3]};
        return inside(column + static_cast<double>(from_i - i) / reduction_,
                      row + static_cast<double>(from_j - j) / reduction_);
    }

private:
    /// The colour of a position of the image, in texels.
    Colour inside(double column, double row) const {
        if (step_ > 1) return minified(column, row);
        const auto size = texels_.size();
        const auto texel = [](double place, std::int64_t length) {
            return std::clamp(static_cast<std::int64_t>(std::floor(place)), std::int64_t{0}, length - 1);
        };
        auto c = texels_.straight(texel(column, size.width), texel(row, size.height));
        if (texels_.is_linear())
            for (int i = 0; i < 3; ++i) c[i] = encoded_srgb(c[i]);
        return c;
    }
    Colour sampled(const LightPyramid::Level& level, double column, double row) const {
        const auto& half = levels_.front().size; // level 0 covers an even number of texels
        const auto x = Between::of(column / static_cast<double>(2 * half.width), level.size.width),
                   y = Between::of(row / static_cast<double>(2 * half.height), level.size.height);
        const auto *top = level.row(y.first), *bottom = level.row(y.second);
        return mixed(mixed(top[x.first], top[x.second], x.share),
                     mixed(bottom[x.first], bottom[x.second], x.share), y.share);
    }
    /// The texels themselves, between half and whole size.
    Colour sharp(double column, double row) const {
        const auto size = texels_.size();
        const auto x = Between::of(column / static_cast<double>(size.width), size.width),
                   y = Between::of(row / static_cast<double>(size.height), size.height);
        const auto line = [&](std::int64_t at) {
            return mixed(texels_.stored(x.first, at), texels_.stored(x.second, at), x.share);
        };
        auto c = texels_.straightened(mixed(line(y.first), line(y.second), y.share));
        const float alpha = c[3];
        if (!texels_.is_linear())
            for (int i = 0; i < 3; ++i) c[i] = decoded_srgb(c[i]);
        c *= alpha;
        c[3] = alpha;
        return c;
    }
    Colour minified(double column, double row) const {
        const auto at = static_cast<std::size_t>(level_);
        auto light = sampled(levels_[at], column, row);
        if (coarse_share_ > 0) light = mixed(light, sampled(levels_[at + 1], column, row), coarse_share_);
        if (sharp_share_ > 0) light = mixed(light, sharp(column, row), sharp_share_);
        const float alpha = light[3];
        if (alpha > 0) light /= alpha;
        for (int i = 0; i < 3; ++i) light[i] = encoded_srgb(light[i]);
        light[3] = std::clamp(alpha, 0.0f, 1.0f);
        return light;
    }

    const HostTexels& texels_;
    std::span<const LightPyramid::Level> levels_;
    bool present_;
    double step_, first_, end_x_, end_y_;
    Extent pixels_;
    int reduction_;
    Point origin_;
    std::array<float, 4> part_;
    std::int64_t level_ = 0;
    float coarse_share_ = 0, sharp_share_ = 0;
};

/// Everything that a framebuffer pixel depends on.
struct Scene {
    const ViewedImage &a, &b;
    const PassSettings& settings;
    double width, divider;
    float grid;
    bool plain; ///< no view-only setting changes a colour
    Colour surround, hatch;

    Colour behind(std::int64_t x, std::int64_t y) const { // the checker behind alpha
        const bool light = (x / kCheckerSide + y / kCheckerSide) % 2 == 0;
        return light ? Colour{0.6f, 0.6f, 0.6f, 1} : Colour{0.4f, 0.4f, 0.4f, 1};
    }
    Colour hatching(std::int64_t x, std::int64_t y) const {
        return (x + y + 1) % kHatchStep < kHatchLine ? hatch : surround;
    }
    /// A line on the first framebuffer pixel of each texel, light on dark and dark on light.
    Colour with_grid(Colour c, const ViewedImage& image, double x, double y) const {
        if (grid <= 0) return c;
        const auto from_edge = [&](double place) { return (place - std::floor(place)) / image.step(); };
        if (std::min(from_edge(image.place_x(x)), from_edge(image.place_y(y))) >= 1) return c;
        const float brightness = 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2];
        const float line = brightness > 0.5f ? 0.0f : 1.0f;
        return mixed(c, Colour{line, line, line, 1}, 0.25f * grid);
    }
    /// `shift`: the image's position in the view begins so many framebuffer pixels further right.
    Colour one(const ViewedImage& image, std::int64_t x, std::int64_t y, double shift) const {
        const double at_x = static_cast<double>(x) + 0.5 - shift, at_y = static_cast<double>(y) + 0.5;
        const auto c = image.at(at_x, at_y);
        if (c[3] == kMissing) return hatching(x, y);
        if (c[3] < 0) return around(x, y, at_x, at_y);
        return with_grid(over_checker(c, x, y), image, at_x, at_y);
    }
    /// A colour as the view-only settings show it, over the checker.
    Colour over_checker(Colour c, std::int64_t x, std::int64_t y) const {
        if (settings.view_only.zebra)
            if (const auto stripe = zebra_at(c, x, y, settings)) return opaque(*stripe);
        const auto colour = settings.uses_lut() ? from_lut(*settings.lut, c) : c;
        const auto shown = plain ? clamped(colour) : viewed(colour, settings.view_only);
        return shown[3] < 1 ? mixed(behind(x, y), shown, shown[3]) : shown;
    }
    /// Outside an image: the surround, or the pixels of a that a filter reads there.
    Colour around(std::int64_t x, std::int64_t y, double at_x, double at_y) const {
        if (settings.padding.empty()) return surround;
        const auto c = a.padded(at_x, at_y, settings.padding);
        if (c[3] < 0) return surround;
        const auto dimmed = mixed(over_checker(c, x, y), surround, kPaddingDim);
        return (x + y + 1) % kHatchStep == 0 ? mixed(dimmed, hatch, kPaddingDim) : dimmed;
    }
    /// Position of the pixel that represents this square of b: the rest of the square has no value of b.
    double exact(double at, double place, std::int64_t texels) const {
        if (b.step() >= 1) return at;
        const double centre = std::min(std::floor(place) + 0.5, static_cast<double>(texels) - 0.5);
        return at + (centre - place) / b.step();
    }
    Colour difference(std::int64_t x, std::int64_t y) const {
        const double at_x = static_cast<double>(x) + 0.5, at_y = static_cast<double>(y) + 0.5;
        const auto size = b.size();
        const auto p = clamped(a.at(exact(at_x, b.place_x(at_x), size.width),
                                    exact(at_y, b.place_y(at_y), size.height))),
                   q = clamped(b.at(at_x, at_y));
        if (std::min(p[3], q[3]) == kMissing) return hatching(x, y);
        if (p[3] < 0 && q[3] < 0) return surround;
        const float alpha_p = std::max(p[3], 0.0f), alpha_q = std::max(q[3], 0.0f);
        Colour d = q * alpha_q - p * alpha_p;
        d[3] = alpha_q - alpha_p;
        return with_grid(difference_colour(d, settings), b, at_x, at_y);
    }
    Colour pixel(std::int64_t x, std::int64_t y) const {
        const double at = static_cast<double>(x) + 0.5;
        const bool side = settings.mode == PassMode::side;
        if (side || settings.mode == PassMode::split) {
            const double border = side ? width / 2 : divider;
            if (std::fabs(at - border) < settings.line_width / 2) return opaque(settings.line);
            if (at < border) return one(a, x, y, 0);
        }
        if (side) return one(b, x, y, width - std::floor(width / 2));
        return settings.mode == PassMode::difference ? difference(x, y) : one(b, x, y, 0);
    }
};

} // namespace

std::span<const std::uint32_t> SoftwarePass::draw(Extent view, const PassImage& a, const PassImage& b,
                                                  const PassSettings& settings) {
    const std::array<const PassImage*, 2> images{&a, &b};
    for (std::size_t i = 0; i < images.size(); ++i) {
        const auto& image = *images[i];
        if (image.texture == 0 || (i == 0 && !settings.draws_a())) continue;
        auto& [texels, pyramid] = source_of(i, image);
        const bool changed = texels.refresh(image);
        const auto step = texels_per_pixel(image, settings.view);
        pyramid.refresh(texels, changed, step > 1 ? last_level(step) : -1);
    }
    const auto viewed = [&](std::size_t i) {
        const auto& source = source_of(i, *images[i]);
        return ViewedImage(*images[i], source.texels, source.pyramid.levels(), settings);
    };
    const auto first = viewed(0), second = viewed(1);
    const auto width = static_cast<double>(view.width);
    const Scene scene{first,
                      second,
                      settings,
                      width,
                      std::round(std::clamp(settings.divider, 0.0, 1.0) * width),
                      static_cast<float>(grid_opacity(b, settings)),
                      settings.view_only.keeps_colours(),
                      opaque(settings.surround),
                      opaque(settings.hatch)};
    pixels_.resize(static_cast<std::size_t>(view.width * view.height));
    tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, view.height, kRowsAtOnce), [&](const auto& rows) {
        for (auto y = rows.begin(); y != rows.end(); ++y) {
            auto* row = pixels_.data() + y * view.width;
            for (std::int64_t x = 0; x < view.width; ++x) row[x] = bytes_of(scene.pixel(x, y));
        }
    });
    return pixels_;
}

} // namespace kg::display
