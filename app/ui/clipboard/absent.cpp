// The clipboard of builds without Xlib: it has no images.

#include "app/ui/clipboard/image_clipboard.hpp"

namespace kg::ui {

std::unique_ptr<ImageClipboard> make_image_clipboard(std::function<void()>) {
    return std::make_unique<NoImageClipboard>("This build has no Xlib, through which images are copied");
}

} // namespace kg::ui
