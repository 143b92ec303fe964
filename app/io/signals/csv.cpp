// Text: a line per sample, and in it a number per signal. Semicolons separate them in a file that has any,
// otherwise tabs, otherwise commas, otherwise spaces. Beside semicolons and tabs a comma is a decimal comma.
// Lines that begin with # are comments, and a first line in which no word begins as a number has names.

#include "app/io/signals/formats.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <charconv>

namespace kg::io {

namespace {

constexpr std::string_view kWhiteSpace = " \t\r";

/// What separates the numbers of a file, in all of its lines.
struct Separators {
    char sign = ' ';            ///< ; or , or a space, which stands for all white space
    bool decimal_comma = false; ///< beside ; and tabs
};

/// Calls `line(text, number)` for those that are neither empty nor comments.
template <typename Line>
void for_each_line(std::string_view text, Line line) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto content = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!content.empty() && content.front() != '#') line(content, number);
    }
}

Separators separators_of(std::string_view text) {
    bool semicolon = false, tab = false, comma = false;
    for_each_line(text, [&](std::string_view line, std::size_t) {
        semicolon = semicolon || line.find(';') != std::string_view::npos;
        tab = tab || line.find('\t') != std::string_view::npos;
        comma = comma || line.find(',') != std::string_view::npos;
    });
    if (semicolon) return {';', true};
    if (tab) return {' ', true};
    return {comma ? ',' : ' ', false};
}

/// The words of a line. Nothing between two separators is an empty one, unless they are white space.
std::vector<std::string_view> words_of(std::string_view line, char separator) {
    if (separator != ' ') return split(line, separator);
    std::vector<std::string_view> words;
    while (!line.empty()) {
        const auto end = std::min(line.find_first_of(kWhiteSpace), line.size());
        words.push_back(line.substr(0, end));
        line = trimmed(line.substr(end));
    }
    return words;
}

template <typename T>
bool parse(std::string_view word, const Separators& separators, T& number) {
    if (word.starts_with('+')) word.remove_prefix(1);
    std::string with_point(word);
    if (const auto comma = word.find(','); comma != std::string_view::npos) {
        const bool decimal = separators.decimal_comma && word.find('.') == std::string_view::npos &&
                             comma > 0 && comma + 1 < word.size();
        if (!decimal) return false;
        with_point[comma] = '.';
    }
    const auto* const last = with_point.data() + with_point.size();
    const auto [end, error] = std::from_chars(with_point.data(), last, number);
    return error == std::errc{} && end == last;
}

/// Names of signals: no word is a number, or begins as one.
bool are_names(const std::vector<std::string_view>& words, const Separators& separators) {
    return std::ranges::none_of(words, [&](std::string_view word) {
        double ignored = 0;
        return word.empty() ||
               std::string_view("0123456789+-.,").find(word.front()) != std::string_view::npos ||
               parse(word, separators, ignored);
    });
}

std::string not_a_number(const Separators& separators, std::string_view word, bool integer) {
    std::string text = in_quotes(word) + " is not " + (integer ? "an integer of 64 bits" : "a number");
    if (separators.decimal_comma && word.find(',') != std::string_view::npos)
        text += std::string("; beside ") + (separators.sign == ';' ? "semicolons" : "tabs") +
                " a comma is a decimal comma";
    return text;
}

template <typename T>
SignalData read_as(std::string_view text, const std::string& what) {
    std::vector<T> by_line;
    std::size_t signals = 0;
    bool has_names = false;
    const auto separators = separators_of(text);
    for_each_line(text, [&](std::string_view line, std::size_t line_number) {
        const auto words = words_of(line, separators.sign);
        if (signals == 0) {
            signals = words.size();
            if ((has_names = are_names(words, separators))) return;
        }
        if (words.size() != signals)
            throw Error("uneven-lines", "{}: line {} has {}, and the lines before it have {}", what,
                        line_number, counted(words.size(), "number"), signals);
        for (const auto word : words) {
            T number{};
            if (!parse(word, separators, number))
                throw Error("not-a-number", "{}: line {}: {}", what, line_number,
                            not_a_number(separators, word, std::is_integral_v<T>));
            by_line.push_back(number);
        }
    });
    if (by_line.empty()) throw Error("no-samples", "{}: there are no samples in it", what);
    const auto samples = by_line.size() / signals;
    std::vector<T> numbers(by_line.size());
    for (std::size_t i = 0; i < by_line.size(); ++i)
        numbers[i % signals * samples + i / signals] = by_line[i];
    SignalData data{std::move(numbers), static_cast<std::int64_t>(signals)};
    if (has_names) data.dropped = "the names of the signals";
    return data;
}

template <typename T>
void append(std::string& text, T number) {
    char buffer[32];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, number);
    text.append(buffer, end);
}

} // namespace

SignalData read_csv(std::string_view bytes, const std::string& what, std::optional<Element> type) {
    const auto text = plain_text(bytes, what);
    return type == Element::i32 || type == Element::i64 ? read_as<std::int64_t>(text, what)
                                                        : read_as<double>(text, what);
}

std::string write_csv(const SignalData& data) {
    std::string text;
    std::visit(
        [&](const auto& numbers) {
            const auto samples = static_cast<std::size_t>(data.samples());
            for (std::size_t i = 0; i < samples; ++i)
                for (std::size_t signal = 0; signal < numbers.size() / samples; ++signal) {
                    append(text, numbers[signal * samples + i]);
                    text += signal + 1 < numbers.size() / samples ? ',' : '\n';
                }
        },
        data.numbers);
    return text;
}

} // namespace kg::io
