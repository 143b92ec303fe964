#pragma once
// What draws: the OpenGL renderer and its surroundings.

#include <string>

namespace kg::display {

/// The OpenGL renderer.
struct Renderer {
    std::string vendor, name;
    static Renderer current(); ///< renderer of the current context
    bool is_nvidia() const;
    bool is_software() const;
};

/// Makes Mesa's software renderer draw on the calling thread, which takes a quarter less processor time. To
/// be called before the first context. With threads of its own Mesa 22.3 may hang: one of them signals a
/// fence that has been freed. $LP_NUM_THREADS has precedence.
void draw_software_on_this_thread();

/// The environment in which the program runs.
struct Surroundings {
    bool wsl = false;           ///< Linux inside Windows
    bool offload_asked = false; ///< the NVIDIA GPU of a laptop with two is requested for drawing
    static Surroundings current();
};

/// The remedy when CUDA cannot write this renderer's textures.
std::string renderer_remedy(const Renderer& renderer, const Surroundings& around = Surroundings::current());

} // namespace kg::display
