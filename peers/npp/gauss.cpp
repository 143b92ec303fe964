// Gaussians.

#include "peers/npp/families.hpp"

#include <cmath>

namespace kg::peers::npp {

namespace {

using FilterGauss = Filter<int /*count*/, const void* /*weights*/>;

int npp_border(Border border) { return border == Border::reflect101 ? kMirror : kReplicate; }

} // namespace

std::string filter_gauss_advanced(const ImageStep& step, Engine* engine, Method* method) {
    if (auto why = why_not_at_all(step, true); !why.empty()) return why;
    const auto& stage = step.stages.front();
    const auto* gaussian = std::get_if<GaussianGenerator>(&stage.generator);
    if (!gaussian || !(std::fabs(dc_gain(stage) - 1) < 1e-6)) return "the kernel is no Gaussian of gain 1";
    const int size = gaussian->width;
    if (size != gaussian->height || !around_the_middle(stage.kernels.front()))
        return "it takes odd square Gaussians around their middle";
    const auto function = function_name("nppiFilterGaussAdvancedBorder", step.in);
    const auto filter = library().find<FilterGauss>(function);
    if (!filter) return lacks(function);
    if (!engine) return {};
    const auto profile = gaussian_profile(gaussian->sigma, size);
    const std::vector<float> weights(profile.begin(), profile.end());
    method->body = [filter, size, border = npp_border(step.border),
                    weights = on_device(*engine, weights)](const Operands& p, std::byte*) {
        call(filter, p, size, static_cast<const void*>(address_of(weights)), border);
    };
    return {};
}

} // namespace kg::peers::npp
