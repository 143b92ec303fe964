#pragma once
// Drawing helpers of the widgets; for their files only.

#include "app/ui/widgets/look.hpp"

#include <string_view>

namespace kg::ui {

const char* begin_of(std::string_view text);
const char* end_of(std::string_view text);
ImVec2 size_of(std::string_view text);
void draw_text(ImVec2 at, ImU32 c, std::string_view text);
/// Truncated with an ellipsis where the space is too narrow.
void draw_text_in(ImVec2 at, float right, std::string_view text);
float row_height();

} // namespace kg::ui
