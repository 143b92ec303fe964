#include "display/egl_device.hpp"

#include "core/support/error.hpp"
#include "display/renderer.hpp"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace kg::display {

namespace {

std::vector<EGLDeviceEXT> devices() {
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") &&
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_base"))
        throw Unavailable("no-egl-device",
                          "This machine's EGL cannot draw without a window. Install libegl1 and "
                          "libgl1-mesa-dri, or the graphics driver's EGL");
    std::array<EGLDeviceEXT, 32> found{};
    EGLint count = 0;
    eglQueryDevicesEXT(static_cast<EGLint>(found.size()), found.data(), &count);
    // Braces would create a list of two pointers.
    return std::vector<EGLDeviceEXT>(found.begin(), found.begin() + count);
}

bool is_software(EGLDeviceEXT device) {
    const char* extensions = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
    return extensions && std::string(extensions).find("EGL_MESA_device_software") != std::string::npos;
}

/// Null with a reason when the device has no OpenGL 4.5.
EGLContext make_current(EGLDisplay display, std::string& reason) {
    constexpr EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     4,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     5,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE};
    const SoftwareOnThisThread software;
    if (!eglInitialize(display, nullptr, nullptr)) {
        reason = "does not start (no permission for its device file, or its driver is missing)";
        return EGL_NO_CONTEXT;
    }
    if (!eglBindAPI(EGL_OPENGL_API)) {
        reason = "has no OpenGL, only OpenGL ES";
        return EGL_NO_CONTEXT;
    }
    const auto context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT) {
        reason = "has no OpenGL 4.5";
        return EGL_NO_CONTEXT;
    }
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        reason = "cannot draw without a surface";
        eglDestroyContext(display, context);
        return EGL_NO_CONTEXT;
    }
    return context;
}

/// The numbers of the devices to try, in order.
std::vector<std::size_t> candidates(const std::vector<EGLDeviceEXT>& all, const std::string& choice) {
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (choice.empty()) {
        std::stable_partition(order.begin(), order.end(),
                              [&](std::size_t i) { return !is_software(all[i]); });
    } else if (choice == "software") {
        std::erase_if(order, [&](std::size_t i) { return !is_software(all[i]); });
    } else {
        std::erase_if(order, [&](std::size_t i) { return std::to_string(i) != choice; });
    }
    return order;
}

} // namespace

EglDevice::EglDevice(std::string choice) {
    if (const char* wanted = std::getenv("KERNELGLASS_EGL_DEVICE"); choice.empty() && wanted) choice = wanted;
    const auto all = devices();
    std::string reasons;
    for (const auto i : candidates(all, choice)) {
        std::string reason;
        display_ = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, all[i], nullptr);
        context_ = make_current(display_, reason);
        if (context_ != EGL_NO_CONTEXT) {
            const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
            description_ = "EGL device " + std::to_string(i) + ": " + (name ? name : "unnamed");
            return;
        }
        reasons += "; device " + std::to_string(i) + " " + reason;
    }
    if (reasons.empty())
        reasons = all.empty() ? "; there is none"
                              : (all.size() == 1
                                     ? "; the only EGL device is not \""
                                     : "; none of the " + std::to_string(all.size()) + " EGL devices is \"") +
                                    choice + "\"";
    throw Unavailable("no-egl-device",
                      "No EGL device can draw without a window{}. libgl1-mesa-dri draws without a GPU",
                      reasons);
}

EglDevice::~EglDevice() {
    // The display is EGL's, shared by all users of this device: it is not terminated here.
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
}

} // namespace kg::display
