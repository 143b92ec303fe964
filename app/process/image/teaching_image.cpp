#include "app/process/image/teaching_image.hpp"

#include "core/support/error.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace kg {

namespace {

Image grey_image(Extent size, const std::function<double(double x, double y)>& value) {
    Image image(size, {Depth::u8, 1});
    for (std::int64_t y = 0; y < size.height; ++y) {
        auto* row = image.view().row<std::uint8_t>(y);
        for (std::int64_t x = 0; x < size.width; ++x) {
            const double grey = std::round(value(static_cast<double>(x), static_cast<double>(y)));
            row[x] = static_cast<std::uint8_t>(std::clamp(grey, 0.0, 255.0));
        }
    }
    return image;
}

constexpr TeachingImage kImages[] = {
    {"impulse", "Impulse", "one white pixel on black: a filter of it shows the kernel",
     [] {
         return grey_image({15, 15}, [](double x, double y) { return x == 7 && y == 7 ? 255.0 : 0.0; });
     }},
    {"step", "Step", "an edge from dark to light: a filter of it shows what happens at edges",
     [] {
         return grey_image({48, 32}, [](double x, double) { return x < 24 ? 60.0 : 190.0; });
     }},
    {"ramp", "Ramp", "brightness that grows by the same amount from column to column",
     [] {
         return grey_image({64, 32}, [](double x, double) { return 4 * x; });
     }},
    {"stripes", "Stripes", "stripes that become finer to the right",
     [] {
         return grey_image({256, 96}, [](double x, double) {
             return 127.5 + 120 * std::sin(2 * std::numbers::pi * x * x / (256 * 4.4));
         });
     }},
    {"zone_plate", "Zone plate", "rings that become finer outwards: every frequency in every direction",
     [] {
         return grey_image({256, 256}, [](double x, double y) {
             const double dx = x - 127.5, dy = y - 127.5;
             return 127.5 + 120 * std::cos(std::numbers::pi * (dx * dx + dy * dy) / 256);
         });
     }},
    {"checker", "Checkerboard", "squares of eight pixels",
     [] {
         return grey_image({64, 64}, [](double x, double y) {
             return (static_cast<int>(x) / 8 + static_cast<int>(y) / 8) % 2 == 0 ? 70.0 : 180.0;
         });
     }},
    {"corner", "Corner", "a light square in a dark corner, so that the border matters",
     [] {
         return grey_image({24, 24}, [](double x, double y) { return x < 8 && y < 8 ? 220.0 : 40.0; });
     }},
    {"speckles", "Speckles", "grey with single light and dark pixels",
     [] {
         return grey_image({64, 64}, [](double x, double y) {
             const int hash = (static_cast<int>(x) * 7919 + static_cast<int>(y) * 104729) % 97;
             return hash < 3 ? 250.0 : hash > 93 ? 5.0 : 128.0;
         });
     }},
};

} // namespace

std::span<const TeachingImage> teaching_images() { return kImages; }

const TeachingImage& find_teaching_image(std::string_view id) {
    std::vector<std::string_view> ids;
    for (const auto& image : kImages) {
        if (image.id == id) return image;
        ids.push_back(image.id);
    }
    throw Error("unknown-image", "there is no teaching image {}{} There are {}", in_quotes(id),
                suggestion(id, ids), listed(ids));
}

Image image_of_numbers(std::string_view text) {
    std::vector<std::vector<double>> rows;
    for (const auto line : split(text, '/')) {
        rows.emplace_back();
        for (const auto word : split(line, ' ')) {
            if (word.empty()) continue; // several spaces
            const double value = parse_number(word, "a grey value");
            if (value != std::round(value) || value < 0 || value > 255)
                throw Error("bad-value", "a grey value must be a whole number from 0 to 255, not {}",
                            in_quotes(word));
            rows.back().push_back(value);
        }
        if (rows.back().empty() || rows.back().size() != rows.front().size())
            throw Error("uneven-rows", "row {} has {} values, and the first one {}", rows.size(),
                        rows.back().size(), rows.front().size());
    }
    const Extent size{static_cast<std::int64_t>(rows.front().size()), static_cast<std::int64_t>(rows.size())};
    return grey_image(size, [&](double x, double y) {
        return rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
    });
}

} // namespace kg
