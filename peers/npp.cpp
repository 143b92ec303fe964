// NPP, NVIDIA's image functions: the plan that all its families share, and the list of its ways.

#include "peers/peers.hpp"

#include "core/image/sample.hpp"
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

} // namespace kg::peers
