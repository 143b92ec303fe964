#pragma once
// Text for a terminal of a given width, in colour or not, in UTF-8 or ASCII.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kg::measure {

struct TerminalStyle {
    int columns = 80;    ///< width of the terminal; clamped to 60 to 200
    bool colour = false; ///< ANSI colours; the caller evaluates NO_COLOR, TERM and whether it is a terminal
    bool unicode = true; ///< UTF-8; otherwise ASCII only
};

enum class Ink { plain, bold, faint, good, bad, warn };

class TerminalText {
public:
    explicit TerminalText(const TerminalStyle& style);

    int columns() const { return columns_; }
    /// Colours text that already has its final width.
    std::string ink(Ink ink, const std::string& text) const;
    /// Printable text, in ASCII if requested: control characters never reach the terminal.
    std::string printable(std::string_view text) const;
    /// At most `columns` wide, with an ellipsis where text was cut.
    std::string cut(std::string_view text, int columns) const;
    /// Exactly `columns` wide: cut, or padded with blanks at the end (left) or start (right).
    std::string left(std::string_view text, int columns) const;
    std::string right(std::string_view text, int columns) const;
    /// Lines no wider than `columns`, broken at blanks where possible.
    std::vector<std::string> wrapped(std::string_view text, int columns) const;
    /// Wrapped to the terminal's width; each line is indented and ends with a newline.
    std::string paragraph(std::string_view text, int indent = 0, Ink ink = Ink::plain) const;

    /// A bar that fills `fraction` of `columns`, at least one eighth; `hatched` bars differ from full ones
    /// without colour.
    std::string bar(double fraction, int columns, bool hatched) const;

private:
    int columns_;
    bool colour_, unicode_;
};

bool begins_character(char c); ///< of UTF-8

/// Columns of a UTF-8 text: one for each character.
int width_of(std::string_view text);

} // namespace kg::measure
