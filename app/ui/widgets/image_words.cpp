#include "app/ui/widgets/image_words.hpp"

#include "app/editor/document/image_notes.hpp"
#include "core/support/capital.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

namespace kg::ui {

const char* channel_name(const PixelFormat& format, int channel) {
    if (channel == format.alpha) return "A";
    const int colours = format.channels - (format.alpha >= 0 ? 1 : 0);
    return colours == 1 ? "Y" : channel == 0 ? "R" : channel == 1 ? "G" : "B";
}

std::string facts_text(const LoadedImage& image) {
    constexpr const char* kDepths[] = {"8-bit", "16-bit", "half float", "float"};
    const auto format = image.pixels.format();
    const auto depth = image.stored == Depth::f16 ? image.stored : format.depth; // f16 is read as f32
    const auto size = image.pixels.size();
    const int colours = format.channels - (format.alpha >= 0 ? 1 : 0);
    auto facts = std::to_string(size.width) + " x " + std::to_string(size.height) + ", " +
                 kDepths[static_cast<int>(depth)] + (colours == 1 ? " grey" : " RGB") +
                 (format.alpha >= 0 ? " with alpha" : "") + (image.linear ? " \xC2\xB7 linear light" : "");
    for (const auto& note : image.notes)
        if (!is_page_note(note) && !is_loss_note(note) && facts.find(note) == std::string::npos)
            facts += " \xC2\xB7 " + note;
    return facts;
}

std::string short_count(std::int64_t count) {
    char text[24];
    const auto number = static_cast<double>(count);
    if (count < 10'000) std::snprintf(text, sizeof text, "%lld", static_cast<long long>(count));
    else if (count < 1'000'000) std::snprintf(text, sizeof text, "%.0f k", number / 1e3);
    else std::snprintf(text, sizeof text, "%.1f M", number / 1e6);
    return text;
}

std::string outside_text(std::int64_t below, std::int64_t above, const PixelFormat& format) {
    return short_count(below) + " below 0, " + short_count(above) + " above " +
           short_number(full_scale(format));
}

std::string choice_title(std::string_view choice) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kTitles{
        {{"nw", "NW, top left"},
         {"n", "N, top"},
         {"ne", "NE, top right"},
         {"e", "E, right"},
         {"se", "SE, bottom right"},
         {"s", "S, bottom"},
         {"sw", "SW, bottom left"},
         {"w", "W, left"}}};
    const auto known = std::ranges::find(kTitles, choice,
                                         &std::pair<std::string_view, std::string_view>::first);
    if (known != kTitles.end()) return std::string(known->second);
    return capitalised(choice);
}

} // namespace kg::ui
