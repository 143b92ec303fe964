#include "app/ui/widgets/widgets.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

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

std::string printed(const char* format, int decimals, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, decimals, value);
    return text;
}

/// "7.5e-05" as "7.5e-5".
std::string scientific(double value, int decimals) {
    auto text = printed("%.*e", decimals, value);
    const auto exponent = text.find('e');
    auto digits = text.find_first_not_of("+-0", exponent + 1);
    if (digits == std::string::npos) digits = text.size() - 1;
    const bool negative = text[exponent + 1] == '-';
    return text.substr(0, exponent + 1) + (negative ? "-" : "") + text.substr(digits);
}

/// "-0.25" as "-.25".
std::string without_leading_zero(std::string text) {
    const std::size_t sign = text.starts_with('-');
    if (text.compare(sign, 2, "0.") == 0) text.erase(sign, 1);
    return text;
}

/// Texts of a number, the preferred ones first.
std::vector<std::string> candidates(double value) {
    constexpr int kMostDigits = 3;
    const int most_decimals = std::fabs(value) < 1e-3 ? 4 : 6;
    std::vector<std::string> texts;
    for (int i = 0; i <= most_decimals; ++i) texts.push_back(format_number(value, i));
    for (int i = 1; i <= most_decimals; ++i) texts.push_back(without_leading_zero(format_number(value, i)));
    for (int i = 0; i <= kMostDigits; ++i) texts.push_back(scientific(value, i));
    return texts;
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
    auto shown = printed("%.*f", decimals, value);
    if (shown.find('.') != std::string::npos) {
        shown.erase(shown.find_last_not_of('0') + 1);
        if (shown.ends_with('.')) shown.pop_back();
    }
    return shown == "-0" ? "0" : shown;
}

std::string compact_number(double value, int characters) {
    constexpr double kAccurate = 5e-4; ///< relative error of a text that needs no more digits
    if (value == 0 || !std::isfinite(value)) return format_number(value, 0);
    std::string best = "~0";
    double least = 1;
    for (const auto& text : candidates(value)) {
        if (static_cast<int>(text.size()) > characters) continue;
        const double error = std::fabs(std::strtod(text.c_str(), nullptr) - value) / std::fabs(value);
        if (error <= kAccurate) return text;
        if (error < least) best = text, least = error;
    }
    return least == 1 && std::fabs(value) >= 1 ? scientific(value, 0) : best;
}

} // namespace kg::ui
