#include "core/support/text.hpp"

#include "core/support/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <utility>

namespace kg {

namespace {

template <typename Number>
std::string shortest(Number value) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

enum class Reading { good, malformed, too_large, too_small };

template <typename Number>
Reading read(std::string_view text, Number& value) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto begin = text.data(), end = begin + text.size();
    const auto result = std::from_chars(begin, end, value);
    if (text.empty() || text.starts_with('+') || result.ec == std::errc::invalid_argument ||
        result.ptr != end)
        return Reading::malformed;
    if (result.ec == std::errc::result_out_of_range) {
        // from_chars does not distinguish overflow from underflow; the first digit and the point decide.
        const auto exponent = text.find_first_of("eE");
        long long power = 0;
        if (exponent != std::string_view::npos &&
            std::from_chars(begin + exponent + 1 + (text[exponent + 1] == '+'), end, power).ec != std::errc{})
            return text[exponent + 1] == '-' ? Reading::too_small : Reading::too_large;
        const auto digits = text.substr(0, exponent);
        const auto point = static_cast<long long>(std::min(digits.find('.'), digits.size()));
        const auto first = static_cast<long long>(digits.find_first_of("123456789"));
        return point - first + power > 0 ? Reading::too_large : Reading::too_small;
    }
    return std::isfinite(value) ? Reading::good : Reading::malformed;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto above = row[j];
            row[j] = std::min({row[j - 1] + 1, above + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = above;
        }
    }
    return row[b.size()];
}

/// Length in bytes of the first character of the text, 0 if it is not UTF-8.
std::size_t utf8_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length > text.size()) return 0;
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    if (!std::ranges::all_of(text.substr(std::min<std::size_t>(length, 1), length ? length - 1 : 0),
                             continues))
        return 0;
    // An overlong form, a surrogate, or a code point beyond the last.
    const auto second = static_cast<unsigned char>(length > 2 ? text[1] : 0);
    const bool is_wrong = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) ||
                          (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90);
    return is_wrong ? 0 : length;
}

/// The same for printable characters; 0 also for control characters, which would control the terminal.
std::size_t printable_length(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const auto length = utf8_length(text);
    const bool is_control = length == 1   ? byte(0) < 0x20 || byte(0) == 0x7F
                            : length == 2 ? byte(0) == 0xC2 && byte(1) < 0xA0 // U+0080 to U+009F
                                          : false;
    return is_control ? 0 : length;
}

constexpr std::string_view kSpaces = " \t\r\n";

/// "line 3, column 5" for a byte position. Columns count UTF-8 characters from 1.
std::string place(std::string_view text, std::size_t at) {
    const auto before = text.substr(0, at);
    const auto line = std::ranges::count(before, '\n') + 1;
    const auto line_begin = before.find_last_of('\n') + 1; // npos + 1 = 0
    const auto column = std::ranges::count_if(before.substr(line_begin), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80; // not a continuation byte of UTF-8
    });
    return "line " + std::to_string(line) + ", column " + std::to_string(column + 1);
}

} // namespace

std::string to_text(double value) { return shortest(value); }
std::string to_text(float value) { return shortest(value); }

double parse_number(std::string_view text, std::string_view what) {
    const auto parse = [&](std::string_view part) {
        double value = 0;
        switch (read(part, value)) {
        case Reading::good: break;
        case Reading::too_small: return 0.0;
        case Reading::too_large:
            throw Error("number-too-large", "{} of {} is too large", what, in_quotes(text));
        case Reading::malformed:
            throw Error("not-a-number", "{} is a number such as 2, 0.5 or 1/9, not {}", what,
                        in_quotes(text));
        }
        return value;
    };
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) return parse(text);
    const double quotient = parse(text.substr(0, slash)) / parse(text.substr(slash + 1));
    if (!std::isfinite(quotient))
        throw Error("division-by-zero", "{}: {} divides by zero", what, in_quotes(text));
    return quotient;
}

float parse_float(std::string_view text, std::string_view what) {
    float value = 0;
    if (read(text, value) == Reading::good) return value; // rounded once
    value = static_cast<float>(parse_number(text, what));
    if (!std::isfinite(value))
        throw Error("number-too-large", "{} of {} is too large for a 32-bit float", what, in_quotes(text));
    return value;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string quote = "\"";
    while (!text.empty() && quote.size() <= longest) {
        const auto length = printable_length(text);
        quote += length > 0 ? text.substr(0, length) : "?";
        text.remove_prefix(std::max({length, utf8_length(text), std::size_t{1}}));
    }
    return quote + (text.empty() ? "\"" : "...\"");
}

std::string printable(std::string_view text) {
    std::string result;
    bool is_escaped = false;
    for (auto rest = text; !rest.empty();) {
        const auto length = printable_length(rest);
        char escaped[4] = "";
        if (length == 0)
            std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned char>(rest[0]));
        result += length == 0 ? escaped : rest[0] == '%' ? "%25" : rest.substr(0, length);
        is_escaped |= length == 0;
        rest.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return is_escaped ? result : std::string(text);
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto length = utf8_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string listed(std::span<const std::string_view> words) {
    std::string all;
    for (const auto word : words) all += (all.empty() ? "" : ", ") + std::string(word);
    return all;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> words) {
    constexpr std::size_t longest = 64; // a mistyped word is short
    if (word.size() > longest) return {};
    std::string_view best;
    auto best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const auto candidate : words)
        if (const auto distance = edit_distance(word, candidate); distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    return std::string(best);
}

std::string suggestion(std::string_view word, std::span<const std::string_view> words) {
    const auto near = did_you_mean(word, words);
    return near.empty() ? "." : "; did you mean " + in_quotes(near) + "?";
}

std::string short_number(double value, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, value == 0 ? 0.0 : value);
    return text;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (auto& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

bool contains_words(std::string_view text, std::string_view words) {
    const auto lower = lower_case(text);
    std::istringstream list(lower_case(words));
    for (std::string word; list >> word;)
        if (lower.find(word) == std::string::npos) return false;
    return true;
}

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(kSpaces);
    if (begin == std::string_view::npos) return text.substr(0, 0);
    return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = text.find(separator);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

Error error_at(std::string_view file, std::string_view text, std::size_t at, const Error& reason) {
    return {reason.code(), "{}: {}: {}", file, place(text, at), reason.what()};
}

std::string_view plain_text(std::string_view file, const std::string& what) {
    using namespace std::string_view_literals;
    static constexpr std::pair<std::string_view, const char*> kinds[] = {
        {"\x89PNG"sv, "a PNG image, not text"},
        {"\xFF\xD8\xFF"sv, "a JPEG image, not text"},
        {"GIF8"sv, "a GIF image, not text"},
        {"II*\0"sv, "a TIFF image, not text"},
        {"MM\0*"sv, "a TIFF image, not text"},
        {"\x93NUMPY"sv, "a NumPy array, not text"},
        {"PK\x03\x04"sv, "an archive (as .xlsx, .ods and .npz are), not text"},
    };
    const auto fail = [&](std::size_t at, const Error& reason) { throw error_at(what, file, at, reason); };
    if (file.starts_with("\xFF\xFE"sv) || file.starts_with("\xFE\xFF"sv))
        fail(0, {"utf16-text", "this is UTF-16 text; save it as UTF-8"});
    for (const auto& [begin, kind] : kinds)
        if (file.starts_with(begin)) fail(0, {"not-text", "this is {}", kind});
    if (const auto nul = file.find('\0'); nul < 2)
        fail(nul, {"utf16-text", "this looks like UTF-16 text; save it as UTF-8"});
    else if (nul != std::string_view::npos)
        fail(nul, {"not-text", "there is a byte 0 here, so this is not a text file"});
    if (file.starts_with("\xEF\xBB\xBF")) file.remove_prefix(3);
    return file;
}

} // namespace kg
