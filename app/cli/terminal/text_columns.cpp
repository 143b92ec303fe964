#include "app/cli/terminal/text_columns.hpp"

#include "app/cli/terminal/progress_bar.hpp"
#include "core/support/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <vector>

#include <unistd.h>

namespace kg {

namespace {

/// Joins words into lines, starting at `column`. `between` and `indent` spaces precede each line but the
/// first.
std::string joined(const std::vector<std::string_view>& words, std::size_t column, std::size_t columns,
                   const std::string& between, std::size_t indent) {
    std::string text;
    bool begins = true;
    for (const auto word : words) {
        if (!begins && column + 1 + word.size() > columns) {
            text += between + std::string(indent, ' ');
            column = indent;
            begins = true;
        }
        if (!begins) text += ' ', ++column;
        text += word;
        column += word.size();
        begins = false;
    }
    return text;
}

constexpr std::size_t kFewestColumns = 40, kMostColumns = 1000, kMostOfTerminal = 100;

/// The value of COLUMNS, if it is valid.
std::optional<std::size_t> set_columns() {
    const char* const set = std::getenv("COLUMNS");
    if (set == nullptr) return {};
    const std::string_view text = set;
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
    const bool usable = error == std::errc{} && end == text.data() + text.size() &&
                        columns >= kFewestColumns && columns <= kMostColumns;
    return usable ? std::optional(columns) : std::nullopt;
}

} // namespace

std::size_t text_columns() {
    return set_columns().value_or(
        std::clamp(terminal_columns(STDOUT_FILENO), kFewestColumns, kMostOfTerminal));
}

std::size_t row_columns() {
    if (::isatty(STDOUT_FILENO) == 1) return text_columns();
    return set_columns().value_or(std::string::npos);
}

std::string flowed(std::string_view text, std::size_t indent, std::size_t columns) {
    return joined(split(text, ' '), indent, columns, "\n", indent);
}

std::string hanging(std::string_view line, std::size_t indent) {
    return joined(split(line, ' '), 0, text_columns(), "\n", indent);
}

std::string flowed_command(std::string_view line, std::size_t indent) {
    constexpr std::size_t kDeeper = 4, kBackslash = 2;
    std::vector<std::string_view> words;
    std::size_t begin = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && line[i] == '\'') quoted = !quoted;
        if (i < line.size() && (line[i] != ' ' || quoted)) continue;
        words.push_back(line.substr(begin, i - begin));
        begin = i + 1;
    }
    const auto columns = text_columns();
    const bool fits = indent + line.size() <= columns;
    return std::string(indent, ' ') +
           joined(words, indent, fits ? columns : columns - kBackslash, " \\\n", indent + kDeeper);
}

} // namespace kg
