#pragma once
// Small widgets shared by panels: labelled facts, list rows, table cells.

#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/widgets.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace kg::ui {

/// A collapsible heading. True while it is open.
bool folded(const char* title);
/// A heading in a line of its own height, whose next item may stand at its right.
void heading_beside(const char* text);
void paragraph(const std::string& text); ///< wrapped
void space();
/// Scrolls the column so that the previous item is at its top, where it now lies in the lower half: what
/// opens below it can be seen.
void scroll_to_item();
/// Places the popup that follows below the previous item, or above it where there is more room.
void place_popup_at_item(); ///< between groups

/// A label in its own column; the next item stands at its right and fills the width by default. A longer
/// label has a line of its own.
void label(const char* text);
/// Segmented buttons with a label: beside it where the texts fit, else below. One tooltip for all choices;
/// true when `selected` changed.
bool labelled_choice(const char* id, const char* text, std::span<const char* const> choices, int& selected,
                     const char* tooltip);
/// Segmented buttons without a label, as in widgets.hpp.
bool choice(const char* id, std::span<const char* const> choices, int& selected, const char* tooltip,
            float width = 0);
/// One line: a name, and its value right aligned, truncated where the line has no more room.
void fact(const char* name, const std::string& value);

void table_head(std::initializer_list<const char*> titles);
void label_cell(const char* text);
/// Right aligned in the type of numbers.
void number_cell(const std::string& text, bool grey = false);
float number_width(const std::string& text);

/// A line that is selected by a click: its background, and the texts on it.
bool row(const char* id, ImVec2 size, bool selected);
void row_text(ImVec2 corner, ImVec2 size, const std::string& text, const std::string& remark, bool enabled);

/// `text` truncated to `width` with an ellipsis.
std::string shortened(const std::string& text, float width);
/// Both texts; where they are wider than `width`, `begin` is truncated and `end` stays whole, so that what
/// differs between names remains to be seen.
std::string shortened_begin(const std::string& begin, const std::string& end, float width);
/// The beginning of a text that wraps into so many lines: where words are long, lines are not full.
std::string shortened(const std::string& text, float width, float lines);
/// A thin bar across the region; `progress` from 0 to 1.
void progress_bar(double progress);

} // namespace kg::ui
