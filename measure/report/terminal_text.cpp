#include "measure/report/terminal_text.hpp"

#include <algorithm>
#include <cmath>

namespace kg::measure {

namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

std::string blanks(int count) { return std::string(static_cast<std::size_t>(std::max(count, 0)), ' '); }

std::string repeated(std::string_view text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

/// The first `columns` characters.
std::string_view first(std::string_view text, int columns) {
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if (begins_character(text[at]) && columns-- == 0) break;
    return text.substr(0, at);
}

} // namespace

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

int width_of(std::string_view text) {
    return static_cast<int>(std::ranges::count_if(text, begins_character));
}

TerminalText::TerminalText(const TerminalStyle& style)
    : columns_(std::clamp(style.columns, 60, 200)), colour_(style.colour), unicode_(style.unicode) {}

std::string TerminalText::ink(Ink ink, const std::string& text) const {
    if (!colour_ || text.empty()) return text;
    const char* code = "";
    switch (ink) {
    case Ink::plain: return text;
    case Ink::bold: code = "1"; break;
    case Ink::faint: code = "2"; break;
    case Ink::good: code = "32"; break;
    case Ink::bad: code = "31"; break;
    case Ink::warn: code = "33"; break;
    }
    return std::string("\033[") + code + "m" + text + "\033[0m";
}

std::string TerminalText::printable(std::string_view text) const {
    std::string all;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool c1 = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
        if (byte < 0x20 || byte == 0x7F) all += ' ';
        else if (c1) {
            all += ' '; // these are control characters too
            ++i;
        } else if (is_ascii(text[i]) || unicode_) all += text[i];
        else if (begins_character(text[i])) all += '?';
    }
    return all;
}

std::string TerminalText::cut(std::string_view text, int columns) const {
    auto all = printable(text);
    if (width_of(all) <= columns) return all;
    const std::string end = unicode_ ? "…" : "~";
    return std::string(first(all, std::max(columns - 1, 0))) + end;
}

std::string TerminalText::left(std::string_view text, int columns) const {
    const auto all = cut(text, columns);
    return all + blanks(columns - width_of(all));
}

std::string TerminalText::right(std::string_view text, int columns) const {
    const auto all = cut(text, columns);
    return blanks(columns - width_of(all)) + all;
}

std::vector<std::string> TerminalText::wrapped(std::string_view text, int columns) const {
    std::vector<std::string> lines;
    auto rest = printable(text);
    while (width_of(rest) > columns) {
        const auto head = first(rest, columns + 1);
        auto end = head.rfind(' ');
        if (end == std::string_view::npos || end == 0) end = first(rest, columns).size();
        lines.push_back(rest.substr(0, end));
        rest.erase(0, std::min(rest.find_first_not_of(' ', end), rest.size()));
    }
    lines.push_back(rest);
    return lines;
}

std::string TerminalText::paragraph(std::string_view text, int indent, Ink colour) const {
    std::string all;
    for (const auto& line : wrapped(text, columns_ - indent))
        all += blanks(indent) + ink(colour, line) + "\n";
    return all;
}

std::string TerminalText::bar(double fraction, int columns, bool hatched) const {
    const auto eighths = std::max(
        1, static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * columns * 8)));
    if (unicode_ && !hatched) {
        static constexpr const char* kBlocks[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
        return repeated("█", eighths / 8) + kBlocks[eighths % 8] + blanks(columns - (eighths + 7) / 8);
    }
    const auto whole = std::max(1, (eighths + 4) / 8);
    return repeated(hatched ? (unicode_ ? "░" : "-") : "#", whole) + blanks(columns - whole);
}

} // namespace kg::measure
