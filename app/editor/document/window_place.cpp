#include "app/editor/document/window_place.hpp"

#include <algorithm>
#include <cstdint>

namespace kg {

bool is_on_a_screen(const WindowPlace& place, std::span<const ScreenArea> screens) {
    if (place.width <= 0 || place.height <= 0) return false;
    const auto common = [](int begin, int length, int other, int other_length) -> std::int64_t {
        const auto low = std::max<std::int64_t>(begin, other),
                   high = std::min(std::int64_t{begin} + length, std::int64_t{other} + other_length);
        return std::max<std::int64_t>(0, high - low);
    };
    return std::ranges::any_of(screens, [&](const ScreenArea& screen) {
        const auto seen = common(place.x, place.width, screen.x, screen.width) *
                          common(place.y, place.height, screen.y, screen.height);
        const auto area = std::int64_t{place.width} * place.height;
        return place.y >= screen.y && 2 * seen > area;
    });
}

} // namespace kg
