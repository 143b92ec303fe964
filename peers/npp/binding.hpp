#pragma once
// NPP's interface, of CUDA 13 (nppdefs.h, nppi_filtering_functions.h), loaded at run time, and the code
// shared by its families of filters. Each algorithm is a family of NPP's functions under NPP's own name;
// weights are on the device before timing begins.
//
// NPP convolves: weights are stored in reverse order (FilterBorder). Its documentation does not state from
// which end it counts the anchor of such a kernel, so every kernel is centred with zero weights; the usual
// kernels of odd size are unchanged. The only border is `replicate`; FilterGaussAdvancedBorder also has
// `reflect101`.

#include "core/request/kernel.hpp"
#include "core/support/shared_library.hpp"
#include "peers/support/gpu_peer.hpp"

#include <functional>
#include <string>
#include <vector>

namespace kg::peers::npp {

struct NppiSize {
    int width, height;
};
struct NppiPoint {
    int x, y;
};
struct NppStreamContext {
    void* stream;
    int device, multiprocessors, threads_per_multiprocessor, threads_per_block;
    std::size_t shared_bytes_per_block;
    int major, minor;
    unsigned stream_flags;
    unsigned reserved; ///< a workspace handle since 13.2: 0 = none
};
static_assert(sizeof(NppStreamContext) == 48);
inline constexpr int kReplicate = 2, kMirror = 4; // NppiBorderType

/// All filters with a border begin alike: source, its pitch, its size, the position of the first pixel in it;
/// destination, its pitch, its size. Their own parameters follow, then border and stream.
template <typename... Own>
using Filter = int (*)(const void*, int, NppiSize, NppiPoint, void*, int, NppiSize, Own..., int border,
                       NppStreamContext);

const SharedLibrary& library();

/// Throws Error for an NPP error; NPP also has warnings.
void check(int status);

/// nppiFilterBorder + _8u_C1R_Ctx: NPP has separate functions for each depth and number of channels, and not
/// for all of them.
std::string function_name(const char* family, const PixelFormat& format);
/// The message for a missing function.
std::string lacks(const std::string& function);

/// A kernel in NPP's layout.
struct NppKernel {
    NppiSize size{};
    std::vector<float> weights;
    NppiPoint anchor() const { return {size.width / 2, size.height / 2}; }
};
NppKernel npp_kernel(const Taps& taps, float divisor);
/// The same for one factor of a separable kernel.
std::vector<float> npp_line(const std::vector<float>& weights, int anchor, float divisor);

struct Operands {
    Rows from, to;
    NppiSize size;
    NppStreamContext context;
};
/// Calls one of NPP's functions on a whole image.
template <typename Function, typename... Own>
void call(Function function, const Operands& p, Own... own) {
    check(function(p.from.data, static_cast<int>(p.from.pitch), p.size, {0, 0}, p.to.data,
                   static_cast<int>(p.to.pitch), p.size, own..., p.context));
}

/// A prepared step.
struct Method {
    std::function<void(const Operands&, std::byte* scratch)> body;
    std::size_t scratch_bytes = 0;
};
/// Makes the plan of a step, or returns the reason why there is none; without an engine only the reason.
using Prepare = std::string (*)(const ImageStep& step, Engine* engine, Method* method);

/// Empty for steps that NPP's filters with a border may do; `mirrors` = this one knows reflect101 too.
std::string why_not_at_all(const ImageStep& step, bool mirrors = false);
/// True for kernels of odd sizes around their middle.
bool around_the_middle(const Kernel& kernel);

} // namespace kg::peers::npp
