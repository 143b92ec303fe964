#pragma once
// Small pictures as textures for ImGui, each uploaded once and kept while somebody holds the picture.

#include "core/image/image.hpp"
#include "display/gl_objects.hpp"

#include <imgui.h>

#include <map>
#include <memory>

namespace kg::ui {

class Thumbnails {
public:
    /// `picture` is RGBA u8 and not null.
    ImTextureID texture(const std::shared_ptr<const Image>& picture);
    /// Once per frame: lets go of what nobody holds any more.
    void sweep();
    /// Drawn in the current window, centred in the box, in its own proportions.
    void draw(const std::shared_ptr<const Image>& picture, ImVec2 corner, ImVec2 size);

private:
    struct Kept {
        std::weak_ptr<const Image> picture;
        display::Texture texture;
    };
    std::map<const Image*, Kept> kept_;
};

} // namespace kg::ui
