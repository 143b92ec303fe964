// Replaces the window in builds without OpenGL.

#include "app/window.hpp"

#include "core/support/error.hpp"

namespace kg {

WindowReport run_window(const WindowOptions&) {
    throw Unavailable("built-without-window",
                      "This program was built without its window. Use `kernelglass filter ...`; `kernelglass "
                      "--help` shows all commands");
}

} // namespace kg
