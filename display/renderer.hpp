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

/// A software renderer of Mesa that is started while an object lives draws on the calling thread, which takes
/// a quarter less processor time. With threads of its own Mesa 22.3 may hang: one of them signals a fence
/// that has been freed. $LP_NUM_THREADS has precedence.
class SoftwareOnThisThread {
public:
    SoftwareOnThisThread();
    SoftwareOnThisThread(const SoftwareOnThisThread&) = delete;
    SoftwareOnThisThread& operator=(const SoftwareOnThisThread&) = delete;
    ~SoftwareOnThisThread(); ///< commands that this program runs draw as they do by themselves

private:
    bool is_set_;
};

/// The environment in which the program runs.
struct Surroundings {
    bool wsl = false;           ///< Linux inside Windows
    bool offload_asked = false; ///< the NVIDIA GPU of a laptop with two is requested for drawing
    static Surroundings current();
};

/// The remedy when CUDA cannot write this renderer's textures.
std::string renderer_remedy(const Renderer& renderer, const Surroundings& around = Surroundings::current());

} // namespace kg::display
