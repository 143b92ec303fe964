#include "app/ui/view/pass_image.hpp"

#include "app/ui/frame/draw_region.hpp"
#include "app/ui/frame/texture_content.hpp"

#include <cmath>
#include <cstring>

namespace kg::ui {

namespace {

/// What the callback draws; it is compared with the last frame's (ChangedRegions).
struct Copy {
    const display::ImagePass* pass;
    std::uint64_t drawings;
    std::int64_t x, y; ///< corner, in framebuffer pixels
};

void copy(const ImDrawList*, const ImDrawCmd* command) {
    Copy copy{};
    std::memcpy(&copy, command->UserCallbackData, sizeof copy);
    const auto& data = *ImGui::GetDrawData();
    const Extent size{std::lround(data.DisplaySize.x * data.FramebufferScale.x),
                      std::lround(data.DisplaySize.y * data.FramebufferScale.y)};
    GLint framebuffer = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    glDisable(GL_SCISSOR_TEST);
    copy.pass->copy_to(static_cast<GLuint>(framebuffer), size, scissor_of(*command, data, size), copy.x,
                       copy.y);
    glEnable(GL_SCISSOR_TEST);
}

} // namespace

void add_pass_image(ImDrawList& list, const display::ImagePass& pass, ImVec2 corner, ImVec2 end) {
    const auto scale = ImGui::GetIO().DisplayFramebufferScale.x;
    const ImVec2 pixel{corner.x * scale, corner.y * scale};
    const auto is_whole = [scale](float at) { return at * scale == std::round(at * scale); };
    const bool is_aligned = is_whole(corner.x) && is_whole(corner.y) && is_whole(end.x) && is_whole(end.y);
    if (pass.is_software() && is_aligned) {
        Copy data{&pass, pass.drawings(), std::lround(pixel.x), std::lround(pixel.y)};
        list.PushClipRect(corner, end, true);
        list.AddCallback(copy, &data, sizeof data);
        list.PopClipRect();
    } else {
        note_content(list, corner, end, pass.drawings());
        list.AddImage(static_cast<ImTextureID>(pass.texture()), corner, end);
    }
}

} // namespace kg::ui
