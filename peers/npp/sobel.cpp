// The 3 x 3 derivatives.

#include "peers/npp/families.hpp"

namespace kg::peers::npp {

namespace {

using FilterSobel = Filter<>;

} // namespace

/// The 3 x 3 derivatives that NPP's documentation shows. In f32 only: what it does with negative sums of
/// bytes it does not say.
std::string filter_sobel(const ImageStep& step, Engine* engine, Method* method) {
    if (auto why = why_not_at_all(step); !why.empty()) return why;
    if (is_integer(step.in.depth)) return "it filters f32";
    constexpr const char* kNone = "the kernel is no Sobel derivative of 3 x 3 as NPP has them";
    const auto& kernel = step.stages.front().kernels.front();
    if (!has_weights(step.stages.front()) || kernel.width != 3 || kernel.height != 3 ||
        !around_the_middle(kernel))
        return kNone;
    auto weights = kg::taps(kernel).weights;
    for (float& w : weights) w /= kernel.divisor;
    const char* family = nullptr; // signs according to its results (NPP 13.0)
    if (weights == std::vector<float>{-1, -2, -1, 0, 0, 0, 1, 2, 1}) family = "nppiFilterSobelHorizBorder";
    if (weights == std::vector<float>{-1, 0, 1, -2, 0, 2, -1, 0, 1}) family = "nppiFilterSobelVertBorder";
    if (!family) return kNone;
    const auto function = function_name(family, step.in);
    const auto filter = library().find<FilterSobel>(function);
    if (!filter) return lacks(function);
    if (!engine) return {};
    method->body = [filter](const Operands& p, std::byte*) { call(filter, p, kReplicate); };
    return {};
}

} // namespace kg::peers::npp
