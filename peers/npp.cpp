// NPP, NVIDIA's image functions: the plan shared by all its families, and the list of its algorithms.

#include "peers/peers.hpp"

#include "core/request/sample.hpp"
#include "peers/npp/families.hpp"

#include <algorithm>
#include <utility>

namespace kg::peers {

namespace {

using namespace npp;

struct NppLibraryVersion {
    int major, minor, build;
};

class NppPlan final : public Plan {
public:
    NppPlan(const ImageStep& step, const Engine& engine, Method method)
        : size_(step.size), out_(step.out), facts_(facts_of(engine)), method_(std::move(method)) {}

    /// Whole images only: a rectangle is cut from a whole result.
    Needs needs(const Rect& output) const override {
        const auto result = output == whole(size_) ? 0 : pitch() * static_cast<std::size_t>(size_.height);
        return {whole(size_), aligned(method_.scratch_bytes) + result, size_.height};
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
        for (const auto& item : items) { // one after the other, so that they share the scratch
            const auto src = item.src.crop(whole(size_));
            const bool all = item.dst.covers == whole(size_);
            auto* own = all && method_.scratch_bytes == 0 ? nullptr : address_of(scratch);
            const Rows to{address_of(item.dst), item.dst.pitch};
            const Rows result = all ? to : Rows{own + aligned(method_.scratch_bytes), pitch()};
            method_.body({{address_of(src), src.pitch},
                          result,
                          {static_cast<int>(size_.width), static_cast<int>(size_.height)},
                          context},
                         own);
            if (all) continue;
            const auto& rectangle = item.dst.covers;
            const auto first = static_cast<std::size_t>(rectangle.y) * result.pitch +
                               static_cast<std::size_t>(rectangle.x) * bytes_per_pixel(out_);
            copy_rows(queue, to, {result.data + first, result.pitch},
                      static_cast<std::size_t>(rectangle.width) * bytes_per_pixel(out_), rectangle.height);
        }
    }

private:
    std::size_t pitch() const { return buffer_pitch(size_.width, out_); }

    Extent size_;
    PixelFormat out_;
    DeviceFacts facts_;
    Method method_;
};

template <Prepare prepare>
std::string why_not(const PlanStep& request, const Engine&) {
    return prepare(std::get<ImageStep>(request), nullptr, nullptr);
}
Cost cost(const PlanStep&, const Engine&) { return {Cost::kOnlyWhenForced}; }
template <Prepare prepare>
std::shared_ptr<const Plan> plan(const PlanStep& request, Engine& engine, const PlanContext&) {
    const auto& step = std::get<ImageStep>(request);
    Method method;
    prepare(step, &engine, &method);
    return std::make_shared<NppPlan>(step, engine, std::move(method));
}

/// Cuts off what is behind the point, or rounds it by a rule of its own: up to one whole level. Floats: sums
/// in an order of its own.
double error(const PlanStep& request) {
    const auto& step = std::get<ImageStep>(request);
    return is_integer(step.in.depth) ? 1 / full_scale(step.in) : 4e-6 * std::max(1.0, absolute_gain(step));
}
/// Its sums run along the image: what an addition loses stays in all that follow.
double running_error(const PlanStep& request) {
    const auto& step = std::get<ImageStep>(request);
    return is_integer(step.in.depth) ? 1 / full_scale(step.in) : 5e-5;
}

template <Prepare prepare>
constexpr Algorithm method(std::string_view id, std::string_view title, std::string_view summary,
                           double (*stated)(const PlanStep&) = error) {
    return {id, title, summary, "NVIDIA NPP 13, nppif", why_not<prepare>, cost, plan<prepare>, false, stated};
}

constexpr Algorithm kFilterBorder = method<filter_border>("npp:FilterBorder", "NPP FilterBorder",
                                                          "Any kernel, dense; whole numbers for u8 and u16"),
                    kFilterBorder32f = method<filter_border_32f>(
                        "npp:FilterBorder32f", "NPP FilterBorder32f",
                        "Any kernel, dense, u8 and u16 by float weights"),
                    kFilterRowColumn = method<filter_row_column>("npp:FilterRowColumnBorder",
                                                                 "NPP FilterRowBorder, FilterColumnBorder",
                                                                 "A column times a row, f32"),
                    kGaussAdvanced = method<filter_gauss_advanced>("npp:FilterGaussAdvancedBorder",
                                                                   "NPP FilterGaussAdvancedBorder",
                                                                   "Square Gaussians, separable"),
                    kBox = method<filter_box>("npp:FilterBoxBorder", "NPP FilterBoxBorder", "Boxes"),
                    kBoxAdvanced = method<filter_box_advanced>("npp:FilterBoxBorderAdvanced",
                                                               "NPP FilterBoxBorderAdvanced",
                                                               "Boxes, made for large ones", running_error),
                    kSobel = method<filter_sobel>("npp:FilterSobelBorder",
                                                  "NPP FilterSobelHorizBorder, FilterSobelVertBorder",
                                                  "First derivatives of 3 x 3, f32");
constexpr const Algorithm* kAlgorithms[] = {
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

extern const Peer kNpp{"npp", "NPP", "cuda", absent, version, kAlgorithms};

} // namespace kg::peers
