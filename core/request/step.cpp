#include "core/request/step.hpp"

#include "core/request/separate.hpp"

#include <cmath>

namespace kg {

std::string why_not_one_stage(const ImageStep& step, Sums sums, AlphaWeighting alpha_weighting) {
    const auto &in = step.in, &out = step.out;
    if (step.stages.size() != 1) return "it does one stage at a time";
    if (is_alpha_weighted(step) && alpha_weighting == AlphaWeighting::elsewhere)
        return "it does not premultiply colour by alpha itself";
    if (in.linear != out.linear || in.premultiplied != out.premultiplied || full_scale(in) != full_scale(out))
        return "it does not change light, alpha or scale itself";
    if (has_float64(step) && sums != Sums::float64_samples)
        return "it does not read and write float64, which this recipe keeps between its steps";
    if (step.float64_sums && sums == Sums::float32)
        return "it sums in float32, which is too coarse for these weights";
    return {};
}

std::string why_not_plain_stage(const ImageStep& step) {
    if (auto why = why_not_one_stage(step); !why.empty()) return why;
    const auto in = step.in.depth, out = step.out.depth;
    const bool depths = (in == Depth::u8 || in == Depth::f32) && (out == in || out == Depth::f32);
    return depths ? "" : "it reads u8 and f32, and writes the same or f32";
}

std::string why_not_stored_stage(const ImageStep& step, Sums sums, AlphaWeighting alpha_weighting) {
    if (auto why = why_not_one_stage(step, sums, alpha_weighting); !why.empty()) return why;
    const auto in = step.in.depth, out = step.out.depth;
    if (in != Depth::f16 && out == Depth::f64) return {};
    return in != Depth::f16 && (out == in || (out == Depth::f32 && in != Depth::f64))
               ? ""
               : "it reads u8, u16 and f32, and writes the same or f32";
}

std::string why_not_box(const ImageStep& step) {
    const auto& stage = step.stages.front();
    if (stage.combine != Combine::single) return "it does not combine kernels";
    const float weight = flat_weight(stage);
    if (weight == 0.0f) return "its weights must all be the same";
    // Semantics 12: the weighted sum may be finite where this sum overflows.
    return step.in.depth == Depth::f32 && std::fabs(weight) < 1.0f
               ? "sums of floats before the multiplication by a weight below 1 might overflow"
               : "";
}

std::string why_not_conversion(const ImageStep& step) {
    return step.stages.empty() ? "" : "it only converts pixel formats, it does not filter";
}

double bytes_moved(const ImageStep& step) {
    return static_cast<double>(step.size.width) * static_cast<double>(step.size.height) *
           static_cast<double>(bytes_per_pixel(step.in) + bytes_per_pixel(step.out));
}

} // namespace kg
