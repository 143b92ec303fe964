#include "peers/npp/binding.hpp"

#include "core/support/error.hpp"

#include <algorithm>

namespace kg::peers::npp {

namespace {

/// One factor of a kernel, padded with zeros so that the anchor is in its middle, and then reversed.
struct Line {
    int taps, zeros_before, length;
    Line(int count, int anchor) : taps(count), length(2 * std::max(anchor, count - 1 - anchor) + 1) {
        zeros_before = length / 2 - anchor;
    }
    int reversed(int tap) const { return length - 1 - (zeros_before + tap); }
};

} // namespace

const SharedLibrary& library() {
    static const SharedLibrary npp(
        "libnppif.so.13", "CUDA 13 (Debian's and Ubuntu's libnpp-13-0 of NVIDIA, PyPI's nvidia-npp)");
    return npp;
}

/// The status codes that mean the same in all versions of NPP 13.
void check(int status) {
    if (status >= 0) return; // above 0 are warnings
    const char* cause = status == -6      ? "it does not support this size of image or kernel"
                        : status == -8    ? "a pointer is null"
                        : status == -33   ? "it does not support this kernel size"
                        : status == -34   ? "the anchor is outside the kernel"
                        : status == -1000 ? "the GPU did not start its kernel"
                                          : "it does not support this request";
    throw Error("npp-failed", "NPP failed: {} (NppStatus {})", cause, status);
}

std::string function_name(const char* family, const PixelFormat& format) {
    const char* depth = format.depth == Depth::u8 ? "8u" : format.depth == Depth::u16 ? "16u" : "32f";
    return std::string(family) + "_" + depth + "_C" + std::to_string(format.channels) + "R_Ctx";
}

std::string lacks(const std::string& function) { return "NPP has no " + function; }

NppKernel npp_kernel(const Taps& taps, float divisor) {
    const Line x(taps.width, taps.anchor_x), y(taps.height, taps.anchor_y);
    NppKernel k{{x.length, y.length},
                std::vector<float>(static_cast<std::size_t>(x.length) * static_cast<std::size_t>(y.length))};
    for (int i = 0; i < taps.height; ++i)
        for (int j = 0; j < taps.width; ++j)
            k.weights[static_cast<std::size_t>(y.reversed(i)) * static_cast<std::size_t>(x.length) +
                      static_cast<std::size_t>(x.reversed(j))] = taps.at(i, j) / divisor;
    return k;
}

std::vector<float> npp_line(const std::vector<float>& weights, int anchor, float divisor) {
    const Line s(static_cast<int>(weights.size()), anchor);
    std::vector<float> line(static_cast<std::size_t>(s.length));
    for (int i = 0; i < s.taps; ++i)
        line[static_cast<std::size_t>(s.reversed(i))] = weights[static_cast<std::size_t>(i)] / divisor;
    return line;
}

std::string why_not_at_all(const ImageStep& step, bool mirrors) {
    if (auto why = why_not_for_gpu_peers(step); !why.empty()) return why;
    if (step.border != Border::replicate && !(mirrors && step.border == Border::reflect101))
        return "NPP's filters know no border " + std::string(name(step.border)) + ", only replicate" +
               (mirrors ? " and reflect101" : "");
    if (offset(step.stages.front()) != 0) return "NPP's filters add no offset";
    return {};
}

bool around_the_middle(const Kernel& k) {
    return k.width % 2 && k.height % 2 && k.anchor_x == k.width / 2 && k.anchor_y == k.height / 2;
}

} // namespace kg::peers::npp
