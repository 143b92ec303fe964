#pragma once
// Text for a terminal of a given width: what fits, in colour or not, in UTF-8 or ASCII.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kg::measure {

struct TerminalStyle {
    int columns = 80;    ///< of the terminal; 60 to 200 are used
    bool colour = false; ///< ANSI colours; the caller knows NO_COLOR, TERM and whether it is a terminal
    bool unicode = true; ///< UTF-8; otherwise all is ASCII
};

enum class Ink { plain, bold, faint, good, bad, warn };

class TerminalText {
public:
    explicit TerminalText(const TerminalStyle& style);

    int columns() const { return columns_; }
    /// Colours text that is already as wide as it should be.
    std::string ink(Ink ink, const std::string& text) const;
    /// Printable, and in ASCII if that is asked for: control characters never reach the terminal.
    std::string printable(std::string_view text) const;
    /// At most `columns` wide, with an ellipsis where something is missing.
    std::string cut(std::string_view text, int columns) const;
    /// Exactly `columns` wide: cut, or filled with blanks behind (left) or before (right).
    std::string left(std::string_view text, int columns) const;
    std::string right(std::string_view text, int columns) const;
    /// Lines no wider than `columns`, broken at blanks where there are some.
    std::vector<std::string> wrapped(std::string_view text, int columns) const;
    /// Wrapped to the terminal's width, each line indented and ended.
    std::string paragraph(std::string_view text, int indent = 0, Ink ink = Ink::plain) const;
    /// A bar of at most `columns`, `part` of them, never nothing; `hatched` ones are told from full ones without colour.
    std::string bar(double part, int columns, bool hatched) const;

private:
    int columns_;
    bool colour_, unicode_;
};

/// How many columns UTF-8 text takes: one for each character.
int width_of(std::string_view text);

} // namespace kg::measure
