#pragma once
// NPP's interface, of CUDA 13 (nppdefs.h, nppi_filtering_functions.h), opened at run time, and what its families of filters
// share. Each way is a family of NPP's functions by NPP's own name; weights are on the device before the clock runs.
//
// NPP convolves: weights are stored in reverse order (FilterBorder). From which side it counts the anchor of a kernel so
// stored it does not say, so every kernel is given around its middle, with zero weights where it is not: nothing changes for
// the usual ones of odd size. Of borders it has `replicate` only, FilterGaussAdvancedBorder `reflect101` too.

#include "core/request/kernel.hpp"
#include "peers/support/gpu_peer.hpp"
#include "core/support/shared_library.hpp"

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
    unsigned reserved; ///< 13.2 has a workspace's handle here: 0 = none
};
static_assert(sizeof(NppStreamContext) == 48);
inline constexpr int kReplicate = 2, kMirror = 4; // NppiBorderType

/// All filters with a border begin alike: source, its bytes a row, its size, where in it the first pixel is; destination,
/// its bytes a row, its size. Then comes what tells them apart, then border and stream.
template <typename... Own>
using Filter = int (*)(const void*, int, NppiSize, NppiPoint, void*, int, NppiSize, Own..., int border,
                       NppStreamContext);

const SharedLibrary& library();

/// Throws Error in words for what NPP calls an error; it also has warnings.
void check(int status);

/// nppiFilterBorder + _8u_C1R_Ctx: NPP has a function for each depth and number of channels, or has not.
std::string function_name(const char* family, const PixelFormat& format);
/// The sentence about one that it has not.
std::string lacks(const std::string& function);

/// A kernel as NPP wants it.
struct NppKernel {
    NppiSize size{};
    std::vector<float> weights;
    NppiPoint anchor() const { return {size.width / 2, size.height / 2}; }
};
NppKernel npp_kernel(const Taps& taps, float divisor);
/// The same of one side of a kernel.
std::vector<float> npp_line(const std::vector<float>& weights, int anchor, float divisor);

struct Picture {
    Rows from, to;
    NppiSize size;
    NppStreamContext context;
};
/// Calls one of NPP's functions on a whole picture.
template <typename Function, typename... Own>
void call(Function function, const Picture& p, Own... own) {
    check(function(p.from.data, static_cast<int>(p.from.pitch), p.size, {0, 0}, p.to.data,
                   static_cast<int>(p.to.pitch), p.size, own..., p.context));
}

/// A step made ready.
struct Way {
    std::function<void(const Picture&, std::byte* scratch)> body;
    std::size_t scratch_bytes = 0;
};
/// Makes a step's way, or says why there is none; with no engine it only says that.
using Prepare = std::string (*)(const ImageRequest& step, Engine* engine, Way* way);

/// Empty for steps that NPP's filters with a border may do; `mirrors` = this one knows reflect101 too.
std::string why_not_at_all(const ImageRequest& step, bool mirrors = false);
/// True for kernels of odd sizes around their middle.
bool around_the_middle(const Kernel& kernel);

} // namespace kg::peers::npp
