// NPP, NVIDIA's image functions, of CUDA 13, opened at run time. Each way is a family of NPP's functions by NPP's own name;
// weights are on the device before the clock runs.
//
// NPP convolves: weights are stored in reverse order (nppi_filtering_functions.h, FilterBorder). From which side it counts
// the anchor of a kernel so stored it does not say, so every kernel is given around its middle, with zero weights where it
// is not: nothing changes for the usual ones of odd size. Of borders it has `replicate` only, FilterGaussAdvancedBorder
// `reflect101` too (its NPP_BORDER_MIRROR).

#include "measure/peers/peers.hpp"

#include "core/error.hpp"
#include "core/separate.hpp"
#include "measure/peers/support/gpu_peer.hpp"
#include "measure/peers/support/shared_library.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace kg::measure {

namespace {

// --- what of NPP's interface is used (nppdefs.h of CUDA 13) -----------------------------------------------------------

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
struct NppLibraryVersion {
    int major, minor, build;
};
constexpr int kReplicate = 2, kMirror = 4; // NppiBorderType

/// All filters with a border begin alike: source, its bytes a row, its size, where in it the first pixel is; destination,
/// its bytes a row, its size. Then comes what tells them apart, then border and stream.
template <typename... Own>
using NppFilter = int (*)(const void*, int, NppiSize, NppiPoint, void*, int, NppiSize, Own..., int border,
                          NppStreamContext);
using FilterFloat = NppFilter<const void* /*weights*/, NppiSize, NppiPoint /*anchor*/>;
using FilterInteger = NppFilter<const void* /*weights*/, NppiSize, NppiPoint /*anchor*/, int /*divisor*/>;
using FilterLine = NppFilter<const void* /*weights*/, int /*count*/, int /*anchor*/>;
using FilterGauss = NppFilter<int /*count*/, const void* /*weights*/>;
using FilterBox = NppFilter<NppiSize, NppiPoint /*anchor*/>;
using FilterSobel = NppFilter<>;
/// The one that has something between the border and the stream.
using FilterBoxAdvanced = int (*)(const void*, int, NppiSize, NppiPoint, void*, int, NppiSize, NppiSize,
                                  NppiPoint, int border, void* buffer, NppStreamContext);
using BoxBufferSize = int (*)(NppiSize, int channels, int* bytes);

const SharedLibrary& library() {
    static const SharedLibrary npp(
        "libnppif.so.13", "CUDA 13 (Debian's and Ubuntu's libnpp-13-0 of NVIDIA, PyPI's nvidia-npp)");
    return npp;
}

/// The numbers that mean the same in all versions of NPP 13.
void check(int status) {
    if (status >= 0) return; // above 0 are warnings
    const char* words = status == -6      ? "the picture or kernel has a size that it does not take"
                        : status == -8    ? "a pointer is null"
                        : status == -33   ? "the kernel has a size that it does not take"
                        : status == -34   ? "the anchor is outside the kernel"
                        : status == -1000 ? "the GPU did not start its kernel"
                                          : "it does not do this";
    throw Error("NPP refused: " + std::string(words) + " (NppStatus " + std::to_string(status) + ")");
}

/// nppiFilterBorder + _8u_C1R_Ctx: NPP has a function for each depth and number of channels, or has not.
std::string function_name(const char* family, const PixelFormat& format) {
    const char* depth = format.depth == Depth::u8 ? "8u" : format.depth == Depth::u16 ? "16u" : "32f";
    return std::string(family) + "_" + depth + "_C" + std::to_string(format.channels) + "R_Ctx";
}

// --- kernels as NPP wants them -----------------------------------------------------------------------------------------

/// One side of a kernel, with zeros before or behind so that the anchor is in its middle, and then turned around.
struct Side {
    int taps, zeros_before, side;
    Side(int count, int anchor) : taps(count), side(2 * std::max(anchor, count - 1 - anchor) + 1) {
        zeros_before = side / 2 - anchor;
    }
    int turned(int tap) const { return side - 1 - (zeros_before + tap); }
};

struct NppKernel {
    NppiSize size{};
    std::vector<float> weights;
    NppiPoint anchor() const { return {size.width / 2, size.height / 2}; }
};
NppKernel npp_kernel(const Taps& taps, float divisor) {
    const Side x(taps.width, taps.anchor_x), y(taps.height, taps.anchor_y);
    NppKernel k{{x.side, y.side},
                std::vector<float>(static_cast<std::size_t>(x.side) * static_cast<std::size_t>(y.side))};
    for (int i = 0; i < taps.height; ++i)
        for (int j = 0; j < taps.width; ++j)
            k.weights[static_cast<std::size_t>(y.turned(i)) * static_cast<std::size_t>(x.side) +
                      static_cast<std::size_t>(x.turned(j))] = taps.at(i, j) / divisor;
    return k;
}
std::vector<float> npp_line(const std::vector<float>& weights, int anchor, float divisor) {
    const Side s(static_cast<int>(weights.size()), anchor);
    std::vector<float> line(static_cast<std::size_t>(s.side));
    for (int i = 0; i < s.taps; ++i)
        line[static_cast<std::size_t>(s.turned(i))] = weights[static_cast<std::size_t>(i)] / divisor;
    return line;
}

// --- ways --------------------------------------------------------------------------------------------------------------

struct Picture {
    Rows from, to;
    NppiSize size;
    NppStreamContext context;
};
/// Calls one of NPP's functions on a whole picture.
template <typename Filter, typename... Own>
void call(Filter function, const Picture& p, Own... own) {
    check(function(p.from.data, static_cast<int>(p.from.pitch), p.size, {0, 0}, p.to.data,
                   static_cast<int>(p.to.pitch), p.size, own..., p.context));
}

struct Way {
    std::function<void(const Picture&, std::byte* scratch)> body;
    std::size_t scratch_bytes = 0;
};
/// Makes a step's way, or says why there is none; with no engine it only says that.
using Prepare = std::string (*)(const ImageRequest& step, Engine* engine, Way* way);

std::string why_not_at_all(const ImageRequest& step, bool mirrors = false) {
    if (auto why = why_not_for_gpu_peers(step); !why.empty()) return why;
    if (step.border != Border::replicate && !(mirrors && step.border == Border::reflect101))
        return "NPP's filters know no border " + std::string(name(step.border)) + ", only replicate" +
               (mirrors ? " and reflect101" : "");
    if (offset(step.stages.front()) != 0) return "NPP's filters add no offset";
    return {};
}
int npp_border(Border border) { return border == Border::reflect101 ? kMirror : kReplicate; }

std::string lacks(const std::string& function) { return "NPP has no " + function; }

/// Any kernel, dense. Float weights for all depths.
std::string filter_float(const char* family, const ImageRequest& step, Engine* engine, Way* way) {
    const auto function = function_name(family, step.in);
    const auto filter = library().find<FilterFloat>(function);
    if (!filter) return lacks(function);
    if (!engine) return {};
    const auto taps = kg::taps(step.stages.front().kernels.front());
    const auto kernel = npp_kernel(taps, taps.divisor);
    way->body = [filter, size = kernel.size, anchor = kernel.anchor(),
                 weights = on_device(*engine, kernel.weights)](const Picture& p, std::byte*) {
        call(filter, p, static_cast<const void*>(address_of(weights)), size, anchor, kReplicate);
    };
    return {};
}

/// Integer pictures: integer weights and divisor, summed as integers.
std::string filter_integer(const ImageRequest& step, Engine* engine, Way* way) {
    const auto& kernel = step.stages.front().kernels.front();
    if (!sums_exactly(kernel, full_scale(step.in)) || std::fabs(kernel.divisor) > 1e9f)
        return "it takes weights and divisors that are whole numbers and do not overflow";
    const auto function = function_name("nppiFilterBorder", step.in);
    const auto filter = library().find<FilterInteger>(function);
    if (!filter) return lacks(function);
    if (!engine) return {};
    const auto taps = kg::taps(kernel);
    const auto turned = npp_kernel(taps, taps.divisor < 0 ? -1.0f : 1.0f); // the divisor is to be positive
    std::vector<int> whole(turned.weights.size());
    std::ranges::transform(turned.weights, whole.begin(), [](float w) { return static_cast<int>(w); });
    const std::span<const float> words(reinterpret_cast<const float*>(whole.data()), whole.size());
    way->body = [filter, size = turned.size, anchor = turned.anchor(), weights = on_device(*engine, words),
                 divisor = static_cast<int>(std::fabs(taps.divisor))](const Picture& p, std::byte*) {
        call(filter, p, static_cast<const void*>(address_of(weights)), size, anchor, divisor, kReplicate);
    };
    return {};
}

std::string filter_border(const ImageRequest& step, Engine* engine, Way* way) {
    if (auto why = why_not_at_all(step); !why.empty()) return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    return is_integer(step.in.depth) ? filter_integer(step, engine, way)
                                     : filter_float("nppiFilterBorder", step, engine, way);
}

std::string filter_border_32f(const ImageRequest& step, Engine* engine, Way* way) {
    if (auto why = why_not_at_all(step); !why.empty()) return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (!is_integer(step.in.depth)) return "it filters u8 and u16";
    return filter_float("nppiFilterBorder32f", step, engine, way);
}

/// A row filter, then a column filter. In f32 only: between the two NPP would round integers to whole numbers.
std::string filter_row_column(const ImageRequest& step, Engine* engine, Way* way) {
    if (auto why = why_not_at_all(step); !why.empty()) return why;
    if (is_integer(step.in.depth)) return "it filters f32";
    const auto& stage = step.stages.front();
    if (!has_weights(stage)) return kTooManyWeights;
    auto factors = separate(stage, 0);
    if (!factors) return "the kernel is not a column times a row";
    const auto row_name = function_name("nppiFilterRowBorder", step.in),
               column_name = function_name("nppiFilterColumnBorder", step.in);
    const auto row_filter = library().find<FilterLine>(row_name),
               column_filter = library().find<FilterLine>(column_name);
    if (!row_filter) return lacks(row_name);
    if (!column_filter) return lacks(column_name);
    if (!engine) return {};
    const auto taps = kg::taps(stage.kernels.front());
    if (stage.kernels.front().flip) { // the factors are of the kernel as given
        std::ranges::reverse(factors->row);
        std::ranges::reverse(factors->column);
    }
    const auto row = npp_line(factors->row, taps.anchor_x, 1),
               column = npp_line(factors->column, taps.anchor_y, taps.divisor);
    const auto pitch = buffer_pitch(step.size.width, step.in);
    way->scratch_bytes = pitch * static_cast<std::size_t>(step.size.height);
    way->body = [=, across = static_cast<int>(row.size()), down = static_cast<int>(column.size()),
                 row_weights = on_device(*engine, row),
                 column_weights = on_device(*engine, column)](const Picture& p, std::byte* scratch) {
        auto first = p, second = p;
        first.to = second.from = {scratch, pitch};
        call(row_filter, first, static_cast<const void*>(address_of(row_weights)), across, across / 2,
             kReplicate);
        call(column_filter, second, static_cast<const void*>(address_of(column_weights)), down, down / 2,
             kReplicate);
    };
    return {};
}

bool around_the_middle(const Kernel& k) {
    return k.width % 2 && k.height % 2 && k.anchor_x == k.width / 2 && k.anchor_y == k.height / 2;
}

std::string filter_gauss_advanced(const ImageRequest& step, Engine* engine, Way* way) {
    if (auto why = why_not_at_all(step, true); !why.empty()) return why;
    const auto& stage = step.stages.front();
    const auto* gaussian = std::get_if<GaussianGenerator>(&stage.generator);
    if (!gaussian || !(std::fabs(dc_gain(stage) - 1) < 1e-6)) return "the kernel is no Gaussian of gain 1";
    const int side = gaussian->width;
    if (side != gaussian->height || !around_the_middle(stage.kernels.front()))
        return "it takes odd square Gaussians around their middle";
    const auto function = function_name("nppiFilterGaussAdvancedBorder", step.in);
    const auto filter = library().find<FilterGauss>(function);
    if (!filter) return lacks(function);
    if (!engine) return {};
    const auto profile = gaussian_profile(gaussian->sigma, side);
    const std::vector<float> weights(profile.begin(), profile.end());
    way->body = [filter, side, border = npp_border(step.border),
                 weights = on_device(*engine, weights)](const Picture& p, std::byte*) {
        call(filter, p, side, static_cast<const void*>(address_of(weights)), border);
    };
    return {};
}

/// Empty for boxes that NPP's box filters compute.
std::string why_no_box(const ImageRequest& step) {
    if (auto why = why_not_at_all(step); !why.empty()) return why;
    const auto& stage = step.stages.front();
    const auto& kernel = stage.kernels.front();
    const auto* box = std::get_if<BoxGenerator>(&stage.generator);
    if (!box) return "the kernel is no box";
    if (kernel.divisor != static_cast<float>(box->width) * static_cast<float>(box->height))
        return "it divides by the area of its box";
    return around_the_middle(kernel) ? "" : "it takes boxes of odd sizes around their middle";
}

std::string filter_box(const ImageRequest& step, Engine* engine, Way* way) {
    if (auto why = why_no_box(step); !why.empty()) return why;
    const auto function = function_name("nppiFilterBoxBorder", step.in);
    const auto filter = library().find<FilterBox>(function);
    if (!filter) return lacks(function);
    if (!engine) return {};
    const auto& kernel = step.stages.front().kernels.front();
    way->body = [filter, size = NppiSize{kernel.width, kernel.height},
                 anchor = NppiPoint{kernel.anchor_x, kernel.anchor_y}](const Picture& p, std::byte*) {
        call(filter, p, size, anchor, kReplicate);
    };
    return {};
}

std::string filter_box_advanced(const ImageRequest& step, Engine* engine, Way* way) {
    if (auto why = why_no_box(step); !why.empty()) return why;
    const auto function = function_name("nppiFilterBoxBorderAdvanced", step.in);
    const auto filter = library().find<FilterBoxAdvanced>(function);
    if (!filter) return lacks(function);
    if (!engine) return {};
    int bytes = 0;
    check(library().get<BoxBufferSize>("nppiFilterBoxBorderAdvancedGetDeviceBufferSize")(
        {static_cast<int>(step.size.width), static_cast<int>(step.size.height)}, step.in.channels, &bytes));
    way->scratch_bytes = static_cast<std::size_t>(bytes);
    const auto& kernel = step.stages.front().kernels.front();
    way->body = [filter, size = NppiSize{kernel.width, kernel.height},
                 anchor = NppiPoint{kernel.anchor_x, kernel.anchor_y}](const Picture& p, std::byte* scratch) {
        call(filter, p, size, anchor, kReplicate, static_cast<void*>(scratch));
    };
    return {};
}

/// The 3 x 3 derivatives that NPP's documentation shows. In f32 only: what it does with negative sums of bytes it does not
/// say.
std::string filter_sobel(const ImageRequest& step, Engine* engine, Way* way) {
    if (auto why = why_not_at_all(step); !why.empty()) return why;
    if (is_integer(step.in.depth)) return "it filters f32";
    constexpr const char* kNone = "the kernel is no Sobel derivative of 3 x 3 as NPP has them";
    const auto& kernel = step.stages.front().kernels.front();
    if (!has_weights(step.stages.front()) || kernel.width != 3 || kernel.height != 3 ||
        !around_the_middle(kernel))
        return kNone;
    auto weights = kg::taps(kernel).weights;
    for (float& w : weights) w /= kernel.divisor;
    const char* family = nullptr; // signs as its results have them (NPP 13.0)
    if (weights == std::vector<float>{-1, -2, -1, 0, 0, 0, 1, 2, 1}) family = "nppiFilterSobelHorizBorder";
    if (weights == std::vector<float>{-1, 0, 1, -2, 0, 2, -1, 0, 1}) family = "nppiFilterSobelVertBorder";
    if (!family) return kNone;
    const auto function = function_name(family, step.in);
    const auto filter = library().find<FilterSobel>(function);
    if (!filter) return lacks(function);
    if (!engine) return {};
    way->body = [filter](const Picture& p, std::byte*) { call(filter, p, kReplicate); };
    return {};
}

class NppPlan final : public Plan {
public:
    NppPlan(const ImageRequest& step, const Engine& engine, Way way)
        : size_(step.size), out_(step.out), facts_(facts_of(engine)), way_(std::move(way)) {}

    /// Whole pictures only: a part is cut from a whole result.
    Needs needs(const Rect& output) const override {
        const auto result = output == whole(size_) ? 0 : pitch() * static_cast<std::size_t>(size_.height);
        return {whole(size_), aligned(way_.scratch_bytes) + result, size_.height};
    }

    void record(Queue& queue, std::span<const Item> items, const BufferView& scratch) const override {
        const NppStreamContext context{stream_of(queue),
                                       facts_.device,
                                       facts_.multiprocessors,
                                       facts_.threads_per_multiprocessor,
                                       facts_.threads_per_block,
                                       facts_.shared_bytes_per_block,
                                       facts_.major,
                                       facts_.minor,
                                       stream_flags_of(queue),
                                       0};
        for (const auto& item : items) { // one after the other, so they share the scratch
            const auto src = item.src.crop(whole(size_));
            const bool all = item.dst.covers == whole(size_);
            auto* own = all && way_.scratch_bytes == 0 ? nullptr : address_of(scratch);
            const Rows to{address_of(item.dst), item.dst.pitch};
            const Rows result = all ? to : Rows{own + aligned(way_.scratch_bytes), pitch()};
            way_.body({{address_of(src), src.pitch},
                       result,
                       {static_cast<int>(size_.width), static_cast<int>(size_.height)},
                       context},
                      own);
            if (all) continue;
            const auto& part = item.dst.covers;
            const auto first = static_cast<std::size_t>(part.y) * result.pitch +
                               static_cast<std::size_t>(part.x) * bytes_per_pixel(out_);
            copy_rows(queue, to, {result.data + first, result.pitch},
                      static_cast<std::size_t>(part.width) * bytes_per_pixel(out_), part.height);
        }
    }

private:
    std::size_t pitch() const { return buffer_pitch(size_.width, out_); }

    Extent size_;
    PixelFormat out_;
    DeviceFacts facts_;
    Way way_;
};

template <Prepare prepare>
std::string why_not(const Request& request, const Engine&) {
    return prepare(std::get<ImageRequest>(request), nullptr, nullptr);
}
Cost cost(const Request&, const Engine&) { return {Cost::kOnlyWhenForced}; }
template <Prepare prepare>
std::shared_ptr<const Plan> plan(const Request& request, Engine& engine) {
    const auto& step = std::get<ImageRequest>(request);
    Way way;
    prepare(step, &engine, &way);
    return std::make_shared<NppPlan>(step, engine, std::move(way));
}

/// Cuts off what is behind the point, or rounds it in a way of its own: up to one whole level. Floats: sums in an order of
/// its own.
double error(const Request& request) {
    const auto& step = std::get<ImageRequest>(request);
    return is_integer(step.in.depth) ? 1 / full_scale(step.in) : 4e-6 * std::max(1.0, absolute_gain(step));
}
/// Its sums run along the picture: what an addition loses stays in all that follow.
double running_error(const Request& request) {
    const auto& step = std::get<ImageRequest>(request);
    return is_integer(step.in.depth) ? 1 / full_scale(step.in) : 5e-5;
}

template <Prepare prepare>
constexpr Algorithm way(std::string_view id, std::string_view title, std::string_view summary,
                        double (*stated)(const Request&) = error) {
    return {id, title, summary, "NVIDIA NPP 13, nppif", why_not<prepare>, cost, plan<prepare>, false, stated};
}

constexpr Algorithm kFilterBorder = way<filter_border>("npp:FilterBorder", "NPP FilterBorder",
                                                       "Any kernel, dense; whole numbers for u8 and u16"),
                    kFilterBorder32f = way<filter_border_32f>(
                        "npp:FilterBorder32f", "NPP FilterBorder32f",
                        "Any kernel, dense, u8 and u16 by float weights"),
                    kFilterRowColumn = way<filter_row_column>("npp:FilterRowColumnBorder",
                                                              "NPP FilterRowBorder, FilterColumnBorder",
                                                              "A column times a row, f32"),
                    kGaussAdvanced = way<filter_gauss_advanced>("npp:FilterGaussAdvancedBorder",
                                                                "NPP FilterGaussAdvancedBorder",
                                                                "Square Gaussians, separable"),
                    kBox = way<filter_box>("npp:FilterBoxBorder", "NPP FilterBoxBorder", "Boxes"),
                    kBoxAdvanced = way<filter_box_advanced>("npp:FilterBoxBorderAdvanced",
                                                            "NPP FilterBoxBorderAdvanced",
                                                            "Boxes, made for large ones", running_error),
                    kSobel = way<filter_sobel>("npp:FilterSobelBorder",
                                               "NPP FilterSobelHorizBorder, FilterSobelVertBorder",
                                               "First derivatives of 3 x 3, f32");
constexpr const Algorithm* kWays[] = {
    &kFilterBorder, &kFilterBorder32f, &kFilterRowColumn, &kGaussAdvanced, &kBox, &kBoxAdvanced, &kSobel};

std::string absent() {
    auto why = why_no_cuda();
    return why.empty() ? library().absent() : why;
}
std::string version() {
    const auto get = library().get<const NppLibraryVersion* (*)()>("nppGetLibVersion");
    const auto& v = *get();
    return std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.build);
}

} // namespace

extern const Peer kNpp{"npp", "NPP", "cuda", absent, version, kWays};

} // namespace kg::measure
