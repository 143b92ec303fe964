#include "app/ui/frame/draw_region.hpp"

#include <epoxy/gl.h>
#include <imgui_impl_opengl3.h>

#include <vector>

namespace kg::ui {

namespace {

/// The clip rectangle from which the backend computes this scissor rectangle. It rounds down, from the left
/// and from below: fractions of a pixel keep it from losing one.
ImVec4 clip_of(const Rect& scissor, const ImDrawData& data) {
    if (scissor.empty()) return {};
    const auto place = [](std::int64_t at, float fraction) { return static_cast<float>(at) + fraction; };
    const auto &origin = data.DisplayPos, &scale = data.FramebufferScale;
    return {origin.x + place(scissor.x, 0.25f) / scale.x, origin.y + place(scissor.y, -0.5f) / scale.y,
            origin.x + place(scissor.right(), 0.5f) / scale.x,
            origin.y + place(scissor.bottom(), -0.25f) / scale.y};
}

void clear(const Rect& region, ImU32 colour, Extent framebuffer) {
    const auto background = ImGui::ColorConvertU32ToFloat4(colour);
    glEnable(GL_SCISSOR_TEST);
    glScissor(static_cast<GLint>(region.x), static_cast<GLint>(framebuffer.height - region.bottom()),
              static_cast<GLsizei>(region.width), static_cast<GLsizei>(region.height));
    glClearColor(background.x, background.y, background.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

} // namespace

Rect scissor_of(const ImDrawCmd& command, const ImDrawData& data, Extent framebuffer) {
    const auto &origin = data.DisplayPos, &scale = data.FramebufferScale;
    const auto& clip = command.ClipRect;
    const float left = (clip.x - origin.x) * scale.x, top = (clip.y - origin.y) * scale.y,
                right = (clip.z - origin.x) * scale.x, bottom = (clip.w - origin.y) * scale.y;
    const auto whole_number = [](float v) { return static_cast<std::int64_t>(v); };
    const auto width = whole_number(right - left), height = whole_number(bottom - top);
    // OpenGL counts rows from below.
    const auto below = whole_number(static_cast<float>(framebuffer.height) - bottom);
    return {whole_number(left), framebuffer.height - below - height, width, height};
}

void draw_region(ImDrawData& data, const Rect& region, const DrawStart& start, Extent framebuffer) {
    clear(region, start.colour, framebuffer);
    std::vector<ImDrawCmd> commands; // as they were
    auto seen = data;                // the lists that draw something in the region
    seen.CmdLists.clear();
    for (int i = start.list; i < data.CmdLists.Size; ++i) {
        auto& list = *data.CmdLists[i];
        bool draws = false;
        for (int j = 0; j < list.CmdBuffer.Size; ++j) {
            auto& command = list.CmdBuffer[j];
            commands.push_back(command);
            const bool is_first = i == start.list && j == start.command;
            const bool is_covered = i == start.list && j < start.command;
            const auto rect = is_covered ? Rect{} : intersect(scissor_of(command, data, framebuffer), region);
            command.ClipRect = clip_of(rect, data);
            if (is_first) command.IdxOffset += start.index, command.ElemCount -= start.index;
            draws |= !rect.empty();
        }
        if (draws) seen.CmdLists.push_back(&list);
    }
    ImGui_ImplOpenGL3_RenderDrawData(&seen);
    auto before = commands.begin();
    for (int i = start.list; i < data.CmdLists.Size; ++i)
        for (auto& command : data.CmdLists[i]->CmdBuffer) command = *before++;
}

} // namespace kg::ui
