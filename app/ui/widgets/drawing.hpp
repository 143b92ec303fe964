#pragma once
// What the widgets are drawn with; for their files only.

#include "app/ui/widgets/look.hpp"

#include <string_view>

namespace kg::ui {

const char* begin_of(std::string_view text);
const char* end_of(std::string_view text);
ImVec2 size_of(std::string_view text);
void draw_text(ImVec2 at, ImU32 c, std::string_view text);
/// Cut with an ellipsis where there is no room.
void draw_text_in(ImVec2 at, float right, std::string_view text);
float row_height();

} // namespace kg::ui
