#include "app/ui/widgets/widgets.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace kg::ui {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<double> plain_number(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return {};
    return value;
}

} // namespace

std::optional<double> parse_number(std::string_view text) {
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) return plain_number(text);
    const auto above = plain_number(text.substr(0, slash)), below = plain_number(text.substr(slash + 1));
    if (!above || !below || *below == 0) return {};
    return *above / *below;
}

std::string format_number(double value, int decimals) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    std::string shown = text;
    if (shown.find('.') != std::string::npos) {
        shown.erase(shown.find_last_not_of('0') + 1);
        if (shown.ends_with('.')) shown.pop_back();
    }
    return shown == "-0" ? "0" : shown;
}

} // namespace kg::ui
