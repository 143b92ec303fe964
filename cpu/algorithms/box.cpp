// The mean of a rectangle at a cost that does not grow with it: running sums down the columns, then along the rows.
//
// Wins from a few taps a side on, the more the larger the box. Nothing is ever subtracted from a running sum: a window is
// the end of one block of `side` samples and the beginning of the next (van Herk), so that no rounding of a large sample
// outlives it and NaN reaches just the windows that hold it (semantics 10 and 12). Sums of integers are exact below 2^24,
// in f32 as in float64, and so have the same bytes as any other way of summing (semantics 11).

#include "core/step.hpp"
#include "cpu/engine.hpp"
#include "cpu/line_sums.hpp"
#include "cpu/lines.hpp"

#include <algorithm>

namespace kg::cpu {

namespace {

/// Sums of `side` places, the first of them `before` the output.
class WindowFilter final : public LineFilter {
public:
    WindowFilter(int side, int before) : side_(side), before_(before) {}

    Span reads(Span outputs, std::int64_t) const override {
        return {outputs.begin - before_, outputs.end - before_ + side_ - 1};
    }
    void run(const float* in, Span outputs, std::int64_t, float* out) const override {
        window_sums(in, outputs.begin - before_, outputs.end - outputs.begin, side_, out);
    }

private:
    std::int64_t side_, before_;
};

/// The one weight of a flat kernel; 0 if it is not flat.
float flat_weight(const Stage& stage) {
    if (!has_weights(stage)) return std::holds_alternative<BoxGenerator>(stage.generator) ? 1.0f : 0.0f;
    const auto& weights = stage.kernels.front().weights;
    const float first = weights.front();
    return std::ranges::all_of(weights, [&](float w) { return w == first; }) ? first : 0.0f;
}

std::string why_not(const Request& request, const Engine&) {
    const auto& r = std::get<ImageRequest>(request);
    if (auto why = why_not_one_stage(r); !why.empty()) return why;
    if (r.stages.front().combine != Combine::single) return "it does not combine kernels";
    return flat_weight(r.stages.front()) == 0.0f ? "its weights must all be the same" : "";
}

Cost cost(const Request& request, const Engine& engine) {
    const auto& r = std::get<ImageRequest>(request);
    const auto& kernel = r.stages.front().kernels.front();
    const auto width = static_cast<double>(r.size.width), height = static_cast<double>(r.size.height);
    constexpr double kSamplesPerMicrosecond = 150; // per core, both passes and the plane between them
    // What a line reads beyond its outputs is summed too.
    const double longer = (1 + kernel.width / width + 1 + kernel.height / height) / 2;
    return {width * height * r.in.channels * longer / kSamplesPerMicrosecond / threads_of(engine)};
}

std::shared_ptr<const Plan> plan(const Request& request, Engine&) {
    const auto& step = std::get<ImageRequest>(request);
    const auto t = taps(step.stages.front().kernels.front());
    return std::make_shared<LinePlan>(step, std::make_shared<WindowFilter>(t.height, t.anchor_y),
                                      std::make_shared<WindowFilter>(t.width, t.anchor_x),
                                      flat_weight(step.stages.front()), 1);
}

} // namespace

extern const Algorithm kBox{"box",
                            "Box",
                            "Running sums down and along: the same time for any radius",
                            "van Herk 1992; Gil and Werman 1993, with sums in place of minima",
                            why_not,
                            cost,
                            plan};

} // namespace kg::cpu
