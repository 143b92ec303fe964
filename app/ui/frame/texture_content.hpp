#pragma once
// Textures whose content changes. Where OpenGL draws in software, only the regions of the window are drawn
// whose draw commands differ from the last frame's (app/ui/frame/changed_regions.hpp), and a texture's name
// does not reveal its content.

#include <imgui.h>

#include <cstdint>

namespace kg::ui {

/// A callback that draws nothing: only its data are compared.
inline void draws_nothing(const ImDrawList*, const ImDrawCmd*) {}

/// Call it beside drawing a texture from `corner` to `end`. `version` differs whenever the content does.
inline void note_content(ImDrawList& list, ImVec2 corner, ImVec2 end, std::uint64_t version) {
    list.PushClipRect(corner, end, true);
    list.AddCallback(draws_nothing, &version, sizeof version);
    list.PopClipRect();
}

} // namespace kg::ui
