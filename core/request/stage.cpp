#include "core/request/stage.hpp"

#include "core/image/weights.hpp"
#include "core/support/error.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace kg {

namespace {

struct Size {
    int width = 0, height = 0;
    bool operator==(const Size&) const = default;
};

Size size_of(const Generator& generator) {
    if (const auto* box = std::get_if<BoxGenerator>(&generator)) return {box->width, box->height};
    if (const auto* gaussian = std::get_if<GaussianGenerator>(&generator))
        return {gaussian->width, gaussian->height};
    return {};
}

/// Semantics 9: a kernel whose weights are defined by its generator.
void validate_generated(const Stage& stage) {
    const auto& k = stage.kernels.front();
    if (std::holds_alternative<std::monostate>(stage.generator))
        throw Error("missing-generator",
                    "a kernel of {} x {} without weights needs a generator that describes them", k.width,
                    k.height);
    if (k.width < 1 || k.height < 1 || k.width > kMaxGeneratedSize || k.height > kMaxGeneratedSize)
        throw Error("bad-kernel-size", "a filter of {} x {} cannot be used: width and height must be 1 to {}",
                    k.width, k.height, kMaxGeneratedSize);
    auto one_weight = k; // anchor, divisor and offset obey the rules of any kernel
    one_weight.width = one_weight.height = 1;
    one_weight.anchor_x = one_weight.anchor_y = 0;
    one_weight.weights = {1};
    validate(one_weight);
    if (k.anchor_x < 0 || k.anchor_y < 0 || k.anchor_x >= k.width || k.anchor_y >= k.height)
        throw Error("bad-anchor", "the anchor [{}, {}] lies outside the filter of {} x {}", k.anchor_x,
                    k.anchor_y, k.width, k.height);
    if (const auto* gaussian = std::get_if<GaussianGenerator>(&stage.generator);
        gaussian && !(gaussian->sigma > 0 && std::isfinite(gaussian->sigma)))
        throw Error("bad-sigma", "a Gaussian's sigma must be a finite number above 0");
}

void validate_factors(const Kernel& kernel, const IntegerFactors& factors) {
    const auto width = static_cast<std::size_t>(kernel.width),
               height = static_cast<std::size_t>(kernel.height);
    bool right = factors.row.size() == width && factors.column.size() == height;
    const std::vector<float> row(factors.row.begin(), factors.row.end());
    const std::span weights(kernel.weights);
    for (std::size_t i = 0; right && i < height; ++i)
        right = are_multiples(weights.subspan(i * width, width), static_cast<float>(factors.column[i]), row);
    if (!right) throw Error("wrong-factors", "a kernel's integer factors must multiply to its weights");
}

} // namespace

Stage generated_stage(const Generator& generator) {
    const auto size = size_of(generator);
    Stage stage;
    stage.generator = generator;
    stage.kernels = {{size.width, size.height, size.width / 2, size.height / 2, {}}};
    if (std::holds_alternative<BoxGenerator>(generator))
        stage.kernels.front().divisor = static_cast<float>(static_cast<double>(size.width) * size.height);
    validate(stage);
    return stage;
}

bool has_weights(const Stage& stage) { return !stage.kernels.front().weights.empty(); }

std::vector<double> gaussian_profile(double sigma, int size) {
    std::vector<double> profile(static_cast<std::size_t>(size));
    double sum = 0;
    for (int i = 0; i < size; ++i) {
        const double x = i - (size - 1) / 2.0;
        sum += profile[static_cast<std::size_t>(i)] = std::exp(-x * x / (2 * sigma * sigma));
    }
    for (auto& p : profile) {
        p /= sum;
        // No tap for algorithms that sum in f32, therefore for none (semantics 10).
        if (static_cast<float>(p) == 0.0f) p = 0;
    }
    return profile;
}

double dc_gain(const Stage& stage, std::size_t index) {
    const auto& kernel = stage.kernels[index];
    if (has_weights(stage)) return dc_gain(kernel);
    const auto area = static_cast<double>(kernel.width) * kernel.height;
    return (std::holds_alternative<BoxGenerator>(stage.generator) ? area : 1.0) /
           static_cast<double>(kernel.divisor);
}

double absolute_gain(const Stage& stage) {
    if (!has_weights(stage)) return std::fabs(dc_gain(stage)); // generators have no negative weights
    double gain = 0;
    for (const auto& kernel : stage.kernels)
        gain += sums_of(kernel.weights).magnitude / std::fabs(static_cast<double>(kernel.divisor));
    return gain;
}

bool sums_exactly(const Stage& stage, double largest_sample) {
    const auto& first = stage.kernels.front();
    if (std::holds_alternative<BoxGenerator>(stage.generator))
        return static_cast<double>(first.width) * first.height * largest_sample <
               0x1p24 * std::min(1.0, common_unit({&first.divisor, 1}));
    return has_weights(stage) && std::ranges::all_of(stage.kernels, [&](const Kernel& kernel) {
               return sums_exactly(kernel, largest_sample);
           });
}

Reach reach(const Stage& stage) {
    Reach all;
    for (const auto& kernel : stage.kernels) {
        const int before_x = kernel.anchor_x, after_x = kernel.width - 1 - kernel.anchor_x;
        const int before_y = kernel.anchor_y, after_y = kernel.height - 1 - kernel.anchor_y;
        all = {std::max(all.left, kernel.flip ? after_x : before_x),
               std::max(all.right, kernel.flip ? before_x : after_x),
               std::max(all.up, kernel.flip ? after_y : before_y),
               std::max(all.down, kernel.flip ? before_y : after_y)};
    }
    return all;
}

float offset(const Stage& stage) {
    return stage.combine == Combine::single ? stage.kernels.front().offset : stage.offset;
}

bool filters_alpha(const Stage& stage) {
    return stage.combine == Combine::single && std::fabs(dc_gain(stage) - 1.0) <= 1e-3;
}

void validate(const Stage& stage) {
    if (stage.kernels.empty()) throw Error("no-kernel", "a stage needs at least one kernel");
    if (stage.kernels.size() == 1 && !has_weights(stage)) {
        validate_generated(stage);
    } else {
        for (const auto& kernel : stage.kernels) validate(kernel);
        if (!stage.factors.empty() && stage.factors.size() != stage.kernels.size())
            throw Error("incomplete-factors",
                        "a stage has integer factors for all of its kernels or for none");
        for (std::size_t i = 0; i < stage.factors.size(); ++i)
            validate_factors(stage.kernels[i], stage.factors[i]);
    }
    const auto described = size_of(stage.generator);
    if (described != Size{} && described != Size{stage.kernels.front().width, stage.kernels.front().height})
        throw Error("wrong-generator-size", "a stage's generator must be of the size of its kernel");
    if (stage.combine == Combine::single) {
        if (stage.kernels.size() != 1)
            throw Error("missing-combine",
                        "a stage of several kernels must specify how to combine them: l1 or l2");
        if (stage.offset != 0)
            throw Error("misplaced-offset", "a stage of one kernel takes its offset from the kernel");
    } else if (std::ranges::any_of(stage.kernels, [](const Kernel& k) { return k.offset != 0; })) {
        throw Error("misplaced-offset",
                    "kernels that are combined have no offset of their own; give the stage one");
    }
    if (!std::isfinite(stage.offset)) throw Error("bad-offset", "a stage's offset must be a finite number");
}

} // namespace kg
