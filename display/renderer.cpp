#include "display/renderer.hpp"

#include <epoxy/gl.h>

#include <cstdlib>
#include <fstream>

namespace kg::display {

namespace {

constexpr const char* kThreads = "LP_NUM_THREADS";

std::string gl_string(GLenum which) {
    const auto* text = reinterpret_cast<const char*>(glGetString(which));
    return text ? text : "unknown";
}

bool inside_wsl() {
    std::ifstream file("/proc/sys/kernel/osrelease");
    std::string release;
    file >> release;
    return release.find("microsoft") != std::string::npos || release.find("Microsoft") != std::string::npos;
}

} // namespace

Renderer Renderer::current() { return {gl_string(GL_VENDOR), gl_string(GL_RENDERER)}; }

bool Renderer::is_nvidia() const { return vendor.find("NVIDIA") != std::string::npos; }

bool Renderer::is_software() const {
    for (const char* known : {"llvmpipe", "softpipe", "swrast"})
        if (name.find(known) != std::string::npos) return true;
    return false;
}

SoftwareOnThisThread::SoftwareOnThisThread() : is_set_(!std::getenv(kThreads)) {
    if (is_set_) ::setenv(kThreads, "0", 1);
}

SoftwareOnThisThread::~SoftwareOnThisThread() {
    if (is_set_) ::unsetenv(kThreads);
}

Surroundings Surroundings::current() {
    return {inside_wsl(), std::getenv("__NV_PRIME_RENDER_OFFLOAD") != nullptr};
}

std::string renderer_remedy(const Renderer& renderer, const Surroundings& around) {
    if (around.wsl) return "WSL2 offers no CUDA-OpenGL interop; the image travels through host memory there";
    if (renderer.is_nvidia())
        return "A newer NVIDIA driver may help; VirtualGL and remote desktops have no CUDA-OpenGL interop";
    const std::string offload = "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia";
    if (around.offload_asked)
        return "Render offload is asked for but did not take effect: check that NVIDIA's OpenGL libraries "
               "are installed";
    if (renderer.is_software())
        return "Install NVIDIA's OpenGL libraries, or start the program with " + offload +
               " on a machine with two GPUs";
    return "Start the program with " + offload + " to draw on the NVIDIA GPU";
}

} // namespace kg::display
