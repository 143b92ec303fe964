#include "app/ui/widgets/image_words.hpp"

#include <cstdio>

namespace kg::ui {

const char* channel_name(const PixelFormat& format, int channel) {
    if (channel == format.alpha) return "A";
    const int colours = format.channels - (format.alpha >= 0 ? 1 : 0);
    return colours == 1 ? "Y" : channel == 0 ? "R" : channel == 1 ? "G" : "B";
}

std::string short_count(std::int64_t count) {
    char text[24];
    const auto number = static_cast<double>(count);
    if (count < 10'000) std::snprintf(text, sizeof text, "%lld", static_cast<long long>(count));
    else if (count < 1'000'000) std::snprintf(text, sizeof text, "%.0f k", number / 1e3);
    else std::snprintf(text, sizeof text, "%.1f M", number / 1e6);
    return text;
}

} // namespace kg::ui
