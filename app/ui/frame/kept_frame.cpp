#include "app/ui/frame/kept_frame.hpp"

#include <array>

namespace kg::ui {

bool KeptFrame::is_kept() const {
    if (number_ == 0) return false;
    std::array<GLubyte, 4> pixel{};
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
    return pixel[3] == number_;
}

void KeptFrame::mark() {
    constexpr int kNumbers = 254; // neither 0, of new memory, nor 255, of a framebuffer without alpha
    number_ = static_cast<GLubyte>(number_ % kNumbers + 1);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 1, 1);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
    glClearColor(0, 0, 0, static_cast<float>(number_) / 255.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDisable(GL_SCISSOR_TEST);
}

} // namespace kg::ui
