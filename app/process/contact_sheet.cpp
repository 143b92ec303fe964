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

Colour colour_of(float number, const MapRange& range, SheetColours colours) {
    if (!std::isfinite(number)) return kNotFinite;
    if (colours == SheetColours::sign) {
        const double most = std::max(std::fabs(range.least), std::fabs(range.largest));
        return signed_colour(most > 0 ? std::clamp(number / most, -1.0, 1.0) : 0);
    }
    const double length = range.largest - range.least;
    Colour grey;
    grey.fill(byte_of(length > 0 ? std::clamp((number - range.least) / length, 0.0, 1.0) : 0));
    return grey;
}

/// Without `beyond` of the numbers at each end, unless nothing but one number remains, apart from rounding.
MapRange range_of(std::vector<float>& numbers, double beyond, double rounding) {
    if (numbers.empty()) return {};
    const auto last = static_cast<double>(numbers.size() - 1);
    const auto number = [&](double place) {
        const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(place);
        std::ranges::nth_element(numbers, at);
        return static_cast<double>(*at);
    };
    const MapRange range{number(std::floor(beyond * last)), number(std::ceil((1 - beyond) * last))};
    if (range.largest - range.least > rounding) return range;
    if (beyond > 0) return range_of(numbers, 0, rounding);
    const double middle = (range.least + range.largest) / 2,
                 one = std::max(std::fabs(range.least), std::fabs(range.largest)) > rounding ? middle : 0;
    return {one, one};
}

std::vector<float> finite_numbers(const ConstTensorView& item, std::int64_t channel) {
    std::vector<float> numbers;
    numbers.reserve(static_cast<std::size_t>(item.size.width * item.size.height));
    for (std::int64_t y = 0; y < item.size.height; ++y)
        for (std::int64_t x = 0; x < item.size.width; ++x)
            if (const auto number = number_at(item, x, y, channel); std::isfinite(number))
                numbers.push_back(number);
    return numbers;
}

double largest_magnitude(const ConstTensorView& item, std::int64_t channel) {
    double largest = 0;
    for (const float number : finite_numbers(item, channel))
        largest = std::max(largest, std::fabs(double{number}));
    return largest;
}

} // namespace

std::vector<double> map_roundings(const BankRequest& request, const Batch& in) {
    constexpr double kRelative = 0x1p-20;
    const auto channels = group_channels(request), taps = request.kernel.width * request.kernel.height;
    std::vector<double> roundings;
    for (std::int64_t n = 0; n < in.shape.items; ++n) {
        std::vector<double> inputs;
        for (std::int64_t c = 0; c < request.channels; ++c) {
            inputs.push_back(largest_magnitude(in.item(n), c));
            if (request.border == Border::constant)
                inputs.back() = std::max(inputs.back(), std::fabs(double{request.outside}));
        }
        const auto* weight = request.weights.data();
        for (std::int64_t k = 0; k < request.filters; ++k) {
            double sum = request.bias.empty() ? 0
                                              : std::fabs(double{request.bias[static_cast<std::size_t>(k)]});
            for (std::int64_t c = 0; c < channels; ++c) {
                const auto input =
                    inputs[static_cast<std::size_t>(k / group_filters(request) * channels + c)];
                for (std::int64_t tap = 0; tap < taps; ++tap) sum += std::fabs(double{*weight++}) * input;
            }
            roundings.push_back(kRelative * sum);
        }
    }
    return roundings;
}

std::vector<MapRange> map_ranges(const Batch& batch, SheetScale scale, std::span<const double> roundings) {
    constexpr double kBeyond = 0.005;
    std::vector<MapRange> ranges;
    for (std::int64_t n = 0; n < batch.shape.items; ++n)
        for (std::int64_t c = 0; c < batch.shape.channels; ++c) {
            auto numbers = finite_numbers(batch.item(n), c);
            ranges.push_back(range_of(numbers, scale == SheetScale::largest ? 0 : kBeyond,
                                      roundings.empty() ? 0 : roundings[ranges.size()]));
        }
    if (scale != SheetScale::shared) return ranges;
    const auto least = std::ranges::min(ranges, {}, &MapRange::least).least,
               largest = std::ranges::max(ranges, {}, &MapRange::largest).largest;
    std::ranges::fill(ranges, MapRange{least, largest});
    return ranges;
}

void draw_map(const ConstTensorView& item, std::int64_t channel, const MapRange& range, SheetColours colours,
              const ImageView& to) {
    const auto channels = to.format.channels;
    for (std::int64_t y = 0; y < item.size.height; ++y)
        for (std::int64_t x = 0; x < item.size.width; ++x) {
            const auto colour = colour_of(number_at(item, x, y, channel), range, colours);
            auto* const pixel = to.row<std::uint8_t>(y) + channels * x;
            std::ranges::copy(colour, pixel);
            if (channels == 4) pixel[3] = 255;
        }
}

Image contact_sheet(const Batch& batch, const SheetLook& look, std::span<const double> roundings) {
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
    const auto ranges = map_ranges(batch, look.scale, roundings);
    for (std::int64_t map = 0; map < maps; ++map)
        draw_map(batch.item(map / batch.shape.channels), map % batch.shape.channels,
                 ranges[static_cast<std::size_t>(map)], look.colours,
                 view.crop({map % columns * (width + kGapWidth), map / columns * (height + kGapWidth), width,
                            height}));
    return sheet;
}

} // namespace kg
