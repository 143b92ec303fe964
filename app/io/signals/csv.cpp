// Text: a line per sample, and in it a number per signal, separated by commas, semicolons, tabs or spaces.
// Lines that begin with # are comments, and a first line without any number has names.

#include "app/io/signals/formats.hpp"
#include "core/support/error.hpp"
#include "core/support/quantity_text.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <charconv>

namespace kg::io {

namespace {

constexpr std::string_view kSeparators = ",; \t\r";

/// The words of a line. Two separators without a word between are an empty one, unless they are spaces.
std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    line = trimmed(line);
    while (!line.empty()) {
        const auto end = std::min(line.find_first_of(kSeparators), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
        const auto next = std::min(line.find_first_not_of(" \t\r"), line.size());
        line.remove_prefix(next);
        if (line.empty() || (line.front() != ',' && line.front() != ';')) continue;
        line.remove_prefix(1);
        line = trimmed(line);
        if (line.empty()) words.push_back(line); // a separator ends the line
    }
    return words;
}

template <typename T>
bool parse(std::string_view word, T& number) {
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc{} && end == word.data() + word.size();
}

template <typename T>
SignalData read_as(std::string_view text, const std::string& what) {
    std::vector<T> by_line;
    std::size_t signals = 0, line_number = 0;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto words = words_of(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line_number;
        if (words.empty() || words.front().starts_with('#')) continue;
        double ignored = 0;
        if (signals == 0 && std::ranges::none_of(words, [&](auto word) { return parse(word, ignored); }) &&
            by_line.empty() && !words.front().empty()) {
            signals = words.size();
            continue;
        }
        if (signals == 0) signals = words.size();
        if (words.size() != signals)
            throw Error("uneven-lines", "{}: line {} has {}, and the lines before it have {}", what,
                        line_number, counted(words.size(), "number"), signals);
        for (const auto word : words) {
            T number{};
            if (!parse(word, number))
                throw Error("not-a-number", "{}: line {}: {} is not {}", what, line_number, in_quotes(word),
                            std::is_integral_v<T> ? "an integer of 64 bits" : "a number");
            by_line.push_back(number);
        }
    }
    if (by_line.empty()) throw Error("no-samples", "{}: there are no samples in it", what);
    const auto samples = by_line.size() / signals;
    std::vector<T> numbers(by_line.size());
    for (std::size_t i = 0; i < by_line.size(); ++i)
        numbers[i % signals * samples + i / signals] = by_line[i];
    return {std::move(numbers), static_cast<std::int64_t>(signals)};
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
