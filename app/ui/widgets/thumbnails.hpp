#pragma once
// Thumbnails as textures for ImGui, each uploaded once and kept while the image has another owner.

#include "core/image/image.hpp"
#include "display/gl_objects.hpp"

#include <imgui_internal.h>

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace kg::ui {

class Thumbnails {
public:
    /// Once per frame: frees textures whose image has no owner left.
    void sweep();
    /// Draws in the current window, centred in the box, at its own aspect ratio. `image` is RGBA u8 and not
    /// null. Returns where it is.
    ImRect draw(const std::shared_ptr<const Image>& image, ImVec2 corner, ImVec2 size);

private:
    struct Kept {
        std::weak_ptr<const Image> image;
        display::Texture texture;
        std::uint64_t version = 0; ///< another one for each content of a texture's name
    };
    /// `level`: times that the image is halved.
    const Kept& kept(const std::shared_ptr<const Image>& image, int level);

    std::map<std::pair<const Image*, int>, Kept> kept_;
};

} // namespace kg::ui
