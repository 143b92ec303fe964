#include "core/plan/cut.hpp"

#include "core/plan/frame.hpp"
#include "core/request/conversion.hpp"
#include "core/request/rounding.hpp"
#include "core/request/separate.hpp"

#include <array>
#include <utility>

namespace kg {

namespace {

/// A column, then a row, whose result is combined as the stage's, for a stage of one kernel with these
/// factors.
std::pair<Stage, Stage> split(const Stage& stage, Factors factors) {
    const auto& whole = stage.kernels.front();
    Kernel column = {1, whole.height, 0, whole.anchor_y, std::move(factors.column)},
           row = {whole.width, 1, whole.anchor_x, 0, std::move(factors.row), whole.divisor, whole.offset};
    column.flip = row.flip = whole.flip;
    return {Stage{{std::move(column)}}, Stage{{std::move(row)}, stage.combine, stage.offset}};
}

/// Collects steps. Each step continues in the format of the one before it.
class Cutter {
public:
    explicit Cutter(const ImageRequest& whole)
        : whole_(whole), format_(whole.in), float64_sums_(needs_float64(whole)) {
        if (has_frame(whole)) {
            frame_ = frame_of(whole);
            outside_ = outside_pixel(whole);
        }
        if (float64_between()) amplifications_ = amplifications(whole), margin_ = rounding_margin(whole);
    }
    /// Numbers between the steps are float64 (semantics 5).
    bool float64_between() const { return float64_sums_ && has_steps_between(whole_); }

    void convert(const PixelFormat& to, SignedMode sign = SignedMode::keep, float weighted_offset = 0,
                 bool clamps_alpha = false) {
        if (format_ == to && (sign == SignedMode::keep || sign == SignedMode::clamp) &&
            weighted_offset == 0 && !clamps_alpha)
            return;
        auto& step = add(to, computed_channels(whole_));
        step.sign = sign;
        step.weighted_offset = weighted_offset;
        step.clamps_alpha = clamps_alpha;
    }
    void filter(const Stage& stage, const PixelFormat& to, unsigned channels) {
        if (frame_) fill();
        if (const auto factors = factors_in_float64(stage)) {
            const auto [column, row] = split(stage, *factors);
            filter_at_once(column, to, channels);
            filter_at_once(row, to, channels);
        } else {
            filter_at_once(stage, to, channels);
        }
    }
    const PixelFormat& format() const { return format_; }
    /// Changes the interpretation of the numbers from here on, without a computation.
    void relabel(const PixelFormat& format) { format_ = format; }
    std::vector<ImageStep> steps;

private:
    /// Fills the frame around the image anew. The conversion before the first filter does it as well.
    void fill() {
        const bool has_conversion = steps.size() == 1 && is_conversion(steps.front());
        auto& step = has_conversion ? steps.front() : add(format_, computed_channels(whole_));
        if (!has_conversion) step.sign = SignedMode::keep;
        step.filled = frame_->image;
        step.filling = outside_;
        if (has_conversion) PixelConversion::from(step)(outside_.data());
    }
    void filter_at_once(const Stage& stage, const PixelFormat& to, unsigned channels) {
        auto& step = add(to, channels);
        step.stages.assign(1, stage); // one copy: a kernel may have a million weights
        if (is_integer(step.in.depth))
            step.stages.front() = with_whole_weights(std::move(step.stages.front()), full_scale(step.in));
        step.float64_sums = float64_sums_;
        step.for_integers = is_integer(whole_.out.depth);
    }
    /// The factors of a stage that is a column and a row in float64 between steps: float64 sums every tap as
    /// it is written. Empty where the roundings of the factors could take more than what is left of the
    /// margin.
    std::optional<Factors> factors_in_float64(const Stage& stage) {
        if (!float64_between()) return {};
        const double amplified = amplifications_[stages_++];
        const auto& kernel = stage.kernels.front();
        if (stage.kernels.size() > 1 || kernel.width * kernel.height <= kernel.width + kernel.height)
            return {};
        auto factors = separate(stage, 0);
        if (!factors) return {};
        const double off = off_by_factoring(kernel, *factors) /
                           std::fabs(static_cast<double>(kernel.divisor)) * amplified *
                           full_scale(whole_.out);
        if (!(off <= margin_)) return {};
        margin_ -= off;
        return factors;
    }
    ImageStep& add(const PixelFormat& to, unsigned channels) {
        ImageStep step({frame_ ? frame_->size : whole_.size, format_, to, {}, whole_.border, channels});
        if (frame_) step.border = Border::zero; // no output of the image meets it
        step.alpha = AlphaMode::straight;
        step.tolerance = whole_.tolerance;
        format_ = to;
        return steps.emplace_back(std::move(step));
    }
    const ImageRequest& whole_;
    PixelFormat format_;
    bool float64_sums_;
    std::optional<BorderFrame> frame_;
    std::array<double, kMaxChannels> outside_{}; ///< the pixel outside the image in numbers of format_
    std::vector<double> amplifications_;         ///< one per stage, where numbers between steps are float64
    std::size_t stages_ = 0;                     ///< so far
    double margin_ = 0; ///< left for the roundings of factors, in levels of the output
};

/// The format between steps: floats in the units of the input (semantics 3), or linear light from 0 to 1.
PixelFormat working_format(const ImageRequest& request, Depth depth) {
    auto work = request.in;
    work.depth = depth;
    work.scale = static_cast<float>(full_scale(request.in));
    if (request.light == Light::linear && !request.in.linear) {
        work.linear = true;
        work.scale = 1.0f;
    }
    work.premultiplied = is_alpha_weighted(request) || (request.in.premultiplied && !straightens(request));
    return work;
}

} // namespace

std::vector<ImageStep> cut_into_steps(const ImageRequest& request) {
    validate(request);
    Cutter cut(request);
    const auto work = working_format(request, cut.float64_between() ? Depth::f64 : Depth::f32);
    const bool alpha_weighting = is_alpha_weighted(request);
    const bool signed_end = request.sign == SignedMode::absolute || request.sign == SignedMode::half;

    // Shortest case: one stage on the stored numbers, rounded to the output depth by the algorithm itself.
    auto in_units_of_input = request.out;
    in_units_of_input.scale = is_integer(request.out.depth) ? 1.0f
                                                            : static_cast<float>(full_scale(request.in));
    if (request.stages.size() == 1 && !alpha_weighting && !straightens(request) && !signed_end &&
        work.linear == request.in.linear && request.out == in_units_of_input &&
        request.in.linear == request.out.linear && request.in.premultiplied == request.out.premultiplied &&
        (request.out.depth == request.in.depth || request.out.depth == Depth::f32)) {
        cut.filter(request.stages.front(), request.out, computed_channels(request));
        return cut.steps;
    }

    // If only the depth differs, the first stage reads the stored numbers itself.
    const bool reads_stored = !alpha_weighting && !straightens(request) && work.linear == request.in.linear;
    if (!request.stages.empty() && !reads_stored) cut.convert(work);
    bool alpha_was_copied = false, alpha_was_filtered = false;
    float last_offset = 0; // offset of premultiplied colour
    for (const auto& stage : request.stages) {
        auto channels = computed_channels(request);
        // Sobel and the like: premultiplied colour, copied alpha.
        if (alpha_weighting && !filters_alpha(stage)) {
            cut.filter(stage, work, channels & ~(1u << request.in.alpha));
            alpha_was_copied = true;
            continue;
        }
        alpha_was_filtered = alpha_weighting;
        // After a stage that copies alpha, nothing is divided by alpha.
        if (!alpha_weighting || offset(stage) == 0 || alpha_was_copied) {
            cut.filter(stage, work, channels);
        } else { // an offset is added to straight colour, not to premultiplied colour
            auto without = stage;
            without.kernels.front().offset = 0;
            cut.filter(without, work, channels);
            if (&stage == &request.stages.back()) last_offset = offset(stage);
            else cut.convert(work, SignedMode::keep, offset(stage));
        }
    }
    // The result of a stage that copies alpha is final. Dividing it by alpha would undo the weighting.
    if (alpha_weighting && alpha_was_copied) {
        auto straight = cut.format();
        straight.premultiplied = request.out.premultiplied;
        cut.relabel(straight);
    }
    // Division by alpha clamps alpha, and so does an integer depth.
    const bool clamps_alpha = alpha_was_filtered &&
                              (alpha_was_copied ? !is_integer(request.out.depth) : request.out.premultiplied);
    cut.convert(request.out, request.sign, last_offset, clamps_alpha);
    return cut.steps;
}

bool is_conversion(const ImageRequest& step) { return step.stages.empty(); }

std::vector<ImageStep> join_alpha_weighting(std::vector<ImageStep> steps) {
    if (steps.size() != 3 || !is_conversion(steps[0]) || is_conversion(steps[1]) ||
        !is_conversion(steps[2]) || has_float64(steps[1]) || !steps[0].filled.empty())
        return steps;
    auto &before = steps[0], &filter = steps[1], &after = steps[2];
    const auto& work = filter.in;
    const bool weighs = work.premultiplied && !before.in.premultiplied && before.in == after.out &&
                        before.out == work && filter.out == work && after.in == work &&
                        work.linear == before.in.linear && full_scale(work) == full_scale(before.in) &&
                        after.sign == SignedMode::clamp && after.weighted_offset == 0 &&
                        (filter.channels >> work.alpha & 1u);
    if (!weighs) return steps;
    filter.in = before.in, filter.out = after.out;
    filter.alpha = AlphaMode::premultiplied;
    std::vector<ImageStep> joined;
    joined.push_back(std::move(filter));
    return joined;
}

std::vector<FilterFormats> formats_around(const ImageRequest& step) {
    auto wide = step.in;
    wide.depth = has_float64(step) ? Depth::f64 : Depth::f32;
    wide.scale = static_cast<float>(full_scale(step.in));
    std::vector<FilterFormats> all{{step.in, step.out, step.alpha}};
    if (is_alpha_weighted(step)) {
        wide.premultiplied = true;
        all.push_back({wide, wide, AlphaMode::straight});
        return all;
    }
    const bool narrow_in = step.in != wide, narrow_out = step.out != wide;
    if (narrow_out) all.push_back({step.in, wide, step.alpha});
    if (narrow_in) all.push_back({wide, step.out, step.alpha});
    if (narrow_in && narrow_out) all.push_back({wide, wide, step.alpha});
    return all;
}

std::optional<ImageStep> conversion_between(const ImageRequest& step, const PixelFormat& from,
                                            const PixelFormat& to) {
    if (from == to) return {};
    ImageStep conversion({step.size, from, to, {}, step.border, step.channels, AlphaMode::straight});
    conversion.light = step.light;
    conversion.sign = step.sign;
    conversion.tolerance = step.tolerance;
    return conversion;
}

std::vector<ImageStep> with_conversions(ImageStep step, const FilterFormats& formats) {
    std::vector<ImageStep> all;
    auto before = conversion_between(step, step.in, formats.in),
         after = conversion_between(step, formats.out, step.out);
    step.in = formats.in, step.out = formats.out, step.alpha = formats.alpha;
    if (before) {
        before->sign = SignedMode::keep; // signs are for the end
        all.push_back(std::move(*before));
    }
    all.push_back(std::move(step));
    if (after) all.push_back(std::move(*after));
    return all;
}

} // namespace kg
