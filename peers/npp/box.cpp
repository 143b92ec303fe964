// Boxes: the usual filter, and the one for large boxes.

#include "peers/npp/families.hpp"

namespace kg::peers::npp {

namespace {

using FilterBox = Filter<NppiSize, NppiPoint /*anchor*/>;
/// FilterBoxBorderAdvanced has one more parameter between border and stream.
using FilterBoxAdvanced = int (*)(const void*, int, NppiSize, NppiPoint, void*, int, NppiSize, NppiSize,
                                  NppiPoint, int border, void* buffer, NppStreamContext);
using BoxBufferSize = int (*)(NppiSize, int channels, int* bytes);

/// Empty for boxes that NPP's box filters compute.
std::string why_no_box(const ImageStep& step) {
    if (auto why = why_not_at_all(step); !why.empty()) return why;
    const auto& stage = step.stages.front();
    const auto& kernel = stage.kernels.front();
    const auto* box = std::get_if<BoxGenerator>(&stage.generator);
    if (!box) return "the kernel is no box";
    if (kernel.divisor != static_cast<float>(box->width) * static_cast<float>(box->height))
        return "it divides by the area of its box";
    return around_the_middle(kernel) ? "" : "it takes boxes of odd sizes around their middle";
}

} // namespace

std::string filter_box(const ImageStep& step, Engine* engine, Method* method) {
    if (auto why = why_no_box(step); !why.empty()) return why;
    const auto function = function_name("nppiFilterBoxBorder", step.in);
    const auto filter = library().find<FilterBox>(function);
    if (!filter) return lacks(function);
    if (!engine) return {};
    const auto& kernel = step.stages.front().kernels.front();
    method->body = [filter, size = NppiSize{kernel.width, kernel.height},
                    anchor = NppiPoint{kernel.anchor_x, kernel.anchor_y}](const Operands& p, std::byte*) {
        call(filter, p, size, anchor, kReplicate);
    };
    return {};
}

std::string filter_box_advanced(const ImageStep& step, Engine* engine, Method* method) {
    if (auto why = why_no_box(step); !why.empty()) return why;
    const auto function = function_name("nppiFilterBoxBorderAdvanced", step.in);
    const auto filter = library().find<FilterBoxAdvanced>(function);
    if (!filter) return lacks(function);
    if (!engine) return {};
    int bytes = 0;
    check(library().get<BoxBufferSize>("nppiFilterBoxBorderAdvancedGetDeviceBufferSize")(
        {static_cast<int>(step.size.width), static_cast<int>(step.size.height)}, step.in.channels, &bytes));
    method->scratch_bytes = static_cast<std::size_t>(bytes);
    const auto& kernel = step.stages.front().kernels.front();
    method->body = [filter, size = NppiSize{kernel.width, kernel.height},
                    anchor = NppiPoint{kernel.anchor_x, kernel.anchor_y}](const Operands& p,
                                                                          std::byte* scratch) {
        call(filter, p, size, anchor, kReplicate, static_cast<void*>(scratch));
    };
    return {};
}

} // namespace kg::peers::npp
