#pragma once
// Whether a framebuffer still holds the frame that was drawn last: a window system may exchange buffers, or
// make a new one. The alpha of one pixel, which no screen shows, holds a number.

#include <epoxy/gl.h>

namespace kg::ui {

/// Of the bound framebuffer. Without alpha it is never known to be kept.
class KeptFrame {
public:
    bool is_kept() const;
    void mark(); ///< after drawing

private:
    GLubyte number_ = 0; ///< 0 = no frame yet
};

} // namespace kg::ui
