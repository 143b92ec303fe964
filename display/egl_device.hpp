#pragma once
// An OpenGL 4.5 core context without a window: EGL's device platform. Works with NVIDIA's EGL and with Mesa,
// including software rendering (llvmpipe).

#include <string>

namespace kg::display {

/// Makes the context current on the calling thread until destroyed.
class EglDevice {
public:
    /// `choice`: a device's number in EGL's list, "software", or empty for the first one that works, hardware
    /// first. The environment variable KERNELGLASS_EGL_DEVICE replaces an empty choice. Throws Unavailable
    /// with each device's reason if none works.
    explicit EglDevice(std::string choice = {});
    EglDevice(const EglDevice&) = delete;
    EglDevice& operator=(const EglDevice&) = delete;
    ~EglDevice();

    /// "EGL device 0: llvmpipe (LLVM 15.0.6, 256 bits)"
    const std::string& description() const { return description_; }

private:
    void* display_ = nullptr;
    void* context_ = nullptr;
    std::string description_;
};

} // namespace kg::display
