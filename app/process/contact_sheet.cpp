#include "app/process/contact_sheet.hpp"

#include "core/support/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace kg {

namespace {

using Colour = std::array<std::uint8_t, 3>;
constexpr Colour kGap{64, 64, 64}, kNotFinite{255, 0, 255};
constexpr std::int64_t kGapWidth = 2;

float number_at(const ConstTensorView& item, std::int64_t x, std::int64_t y, std::int64_t channel) {
    float number = 0;
    std::memcpy(&number, item.at(x, y, channel), sizeof number);
    return number;
}

std::uint8_t byte_of(double value) { return static_cast<std::uint8_t>(std::lround(255 * value)); }

/// `t` is -1 to 1.
Colour signed_colour(double t) {
    return t >= 0 ? Colour{byte_of(t), byte_of(0.6 * t), byte_of(0.1 * t)}
                  : Colour{byte_of(-0.1 * t), byte_of(-0.5 * t), byte_of(-t)};
}

void draw(const ConstTensorView& item, std::int64_t channel, SheetColours colours, const ImageView& to) {
    double least = 0, largest = 0;
    bool any = false;
    const auto each = [&](auto body) {
        for (std::int64_t y = 0; y < item.size.height; ++y)
            for (std::int64_t x = 0; x < item.size.width; ++x) body(x, y, number_at(item, x, y, channel));
    };
    each([&](std::int64_t, std::int64_t, float number) {
        if (!std::isfinite(number)) return;
        least = any ? std::min<double>(least, number) : number;
        largest = any ? std::max<double>(largest, number) : number;
        any = true;
    });
    const double magnitude = std::max(std::fabs(least), std::fabs(largest)), range = largest - least;
    each([&](std::int64_t x, std::int64_t y, float number) {
        Colour colour = kNotFinite;
        if (std::isfinite(number) && colours == SheetColours::sign) {
            colour = signed_colour(magnitude > 0 ? number / magnitude : 0);
        } else if (std::isfinite(number)) {
            colour.fill(byte_of(range > 0 ? (number - least) / range : 0));
        }
        std::copy(colour.begin(), colour.end(), to.row<std::uint8_t>(y) + 3 * x);
    });
}

} // namespace

Image contact_sheet(const Batch& batch, SheetColours colours) {
    const auto maps = batch.shape.items * batch.shape.channels;
    const auto [width, height] = batch.shape.size;
    const double wide = std::sqrt(static_cast<double>(maps) * static_cast<double>(height) /
                                  static_cast<double>(width));
    const auto columns = std::clamp<std::int64_t>(std::llround(wide), 1, maps),
               rows = (maps + columns - 1) / columns;
    const Extent size{columns * (width + kGapWidth) - kGapWidth, rows * (height + kGapWidth) - kGapWidth};
    if (constexpr double kMostPixels = 0x1p31;
        static_cast<double>(size.width) * static_cast<double>(size.height) > kMostPixels)
        throw Error("result-too-large",
                    "a sheet of {} maps of {} x {} has too many pixels; write an array (.npy)", maps, width,
                    height);
    Image sheet(size, {Depth::u8, 3});
    const auto view = sheet.view();
    for (std::int64_t y = 0; y < size.height; ++y)
        for (std::int64_t x = 0; x < size.width; ++x)
            std::copy(kGap.begin(), kGap.end(), view.row<std::uint8_t>(y) + 3 * x);
    for (std::int64_t map = 0; map < maps; ++map)
        draw(batch.item(map / batch.shape.channels), map % batch.shape.channels, colours,
             view.crop(
                 {map % columns * (width + kGapWidth), map / columns * (height + kGapWidth), width, height}));
    return sheet;
}

} // namespace kg
