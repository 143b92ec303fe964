#include "app/ui/widgets/thumbnails.hpp"

#include "app/ui/frame/texture_content.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kg::ui {

const Thumbnails::Kept& Thumbnails::kept(const std::shared_ptr<const Image>& image, int level) {
    static std::uint64_t versions = 0; // OpenGL gives the name of a deleted texture to a new one
    auto& kept = kept_[{image.get(), level}];
    if (kept.image.lock() != image) {
        const auto view = image->view();
        const auto width = static_cast<GLsizei>(view.size.width),
                   height = static_cast<GLsizei>(view.size.height);
        kept = {image, display::Texture(GL_TEXTURE_2D), ++versions};
        const auto levels = std::bit_width(static_cast<unsigned>(std::max(width, height)));
        glTextureStorage2D(kept.texture.id(), levels, GL_RGBA8, width, height);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(view.pitch / 4));
        glTextureSubImage2D(kept.texture.id(), 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, view.data);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
        glGenerateTextureMipmap(kept.texture.id()); // a fine texture drawn small would alias
        glTextureParameteri(kept.texture.id(), GL_TEXTURE_BASE_LEVEL,
                            level); // ImGui's sampler reads no other
        glTextureParameteri(kept.texture.id(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTextureParameteri(kept.texture.id(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    return kept;
}

void Thumbnails::sweep() {
    std::erase_if(kept_, [](const auto& entry) { return entry.second.image.expired(); });
}

ImRect Thumbnails::draw(const std::shared_ptr<const Image>& image, ImVec2 corner, ImVec2 size) {
    const auto width = static_cast<float>(image->size().width),
               height = static_cast<float>(image->size().height);
    const float scale = std::min(size.x / width, size.y / height);
    const ImVec2 shown{std::max(1.0f, std::floor(width * scale)), std::max(1.0f, std::floor(height * scale))};
    const ImVec2 at{std::floor(corner.x + (size.x - shown.x) / 2),
                    std::floor(corner.y + (size.y - shown.y) / 2)};
    const ImVec2 end{at.x + shown.x, at.y + shown.y};
    const int halvings = std::bit_width(static_cast<unsigned>(1 / scale)) - 1;
    const auto& thumbnail = kept(image, std::max(halvings, 0));
    auto& list = *ImGui::GetWindowDrawList();
    note_content(list, at, end, thumbnail.version);
    list.AddImage(static_cast<ImTextureID>(thumbnail.texture.id()), at, end);
    return {at, end};
}

} // namespace kg::ui
