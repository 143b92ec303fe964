#pragma once
// Small things several panels draw: labelled facts, rows of a list, cells of a table.

#include "app/ui/widgets/widgets.hpp"
#include "app/ui/widgets/icons.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace kg::ui {

/// A heading one clicks to unfold. True while it is unfolded.
bool folded(const char* title);
void paragraph(const std::string& text); ///< wrapped
void space();                            ///< between groups

/// A label in a column of its own; what follows stands at its right and fills the width unless told otherwise.
void label(const char* text);
/// Segmented buttons with a label: beside it where the words fit, else below. One explanation for all choices; true when
/// `selected` changed.
bool labelled_choice(const char* id, const char* text, std::span<const char* const> choices, int& selected,
                     const char* tooltip);
/// Segmented buttons without a label, as in widgets.hpp.
bool choice(const char* id, std::span<const char* const> choices, int& selected, const char* tooltip,
            float width = 0);
/// One line: what it is, and the value, right aligned.
void fact(const char* name, const std::string& value);

void table_head(std::initializer_list<const char*> titles);
void label_cell(const char* text);
/// Right aligned in the type of numbers.
void number_cell(const std::string& text, bool grey = false);

/// A line that is selected by a click: its background, and the texts on it.
bool row(const char* id, ImVec2 size, bool selected);
void row_text(ImVec2 corner, ImVec2 size, const std::string& text, const std::string& remark, bool enabled);

/// `text` cut to `width` with an ellipsis.
std::string shortened(const std::string& text, float width);

} // namespace kg::ui
