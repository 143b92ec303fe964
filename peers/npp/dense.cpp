// Any kernel, dense: with float weights, and with integer weights for integers.

#include "peers/npp/families.hpp"

#include "core/request/sample.hpp"
#include "core/request/separate.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace kg::peers::npp {

namespace {

using FilterFloat = Filter<const void* /*weights*/, NppiSize, NppiPoint /*anchor*/>;
using FilterInteger = Filter<const void* /*weights*/, NppiSize, NppiPoint /*anchor*/, int /*divisor*/>;

/// Any kernel, dense. Float weights for all depths.
std::string filter_float(const char* family, const ImageStep& step, Engine* engine, Method* method) {
    const auto function = function_name(family, step.in);
    const auto filter = library().find<FilterFloat>(function);
    if (!filter) return lacks(function);
    if (!engine) return {};
    const auto taps = kg::taps(step.stages.front().kernels.front());
    const auto kernel = npp_kernel(taps, taps.divisor);
    method->body = [filter, size = kernel.size, anchor = kernel.anchor(),
                    weights = on_device(*engine, kernel.weights)](const Operands& p, std::byte*) {
        call(filter, p, static_cast<const void*>(address_of(weights)), size, anchor, kReplicate);
    };
    return {};
}

/// Integer images: integer weights and divisor, summed as integers.
std::string filter_integer(const ImageStep& step, Engine* engine, Method* method) {
    const auto stage = with_whole_weights(step.stages.front(), full_scale(step.in));
    const auto& kernel = stage.kernels.front();
    if (!sums_exactly(kernel, full_scale(step.in)) || std::fabs(kernel.divisor) > 1e9f)
        return "it takes only integer weights and divisors that do not overflow";
    const auto function = function_name("nppiFilterBorder", step.in);
    const auto filter = library().find<FilterInteger>(function);
    if (!filter) return lacks(function);
    if (!engine) return {};
    const auto taps = kg::taps(kernel);
    const auto reversed = npp_kernel(taps, taps.divisor < 0 ? -1.0f : 1.0f); // the divisor must be positive
    std::vector<int> whole(reversed.weights.size());
    std::ranges::transform(reversed.weights, whole.begin(), [](float w) { return static_cast<int>(w); });
    const std::span<const float> words(reinterpret_cast<const float*>(whole.data()), whole.size());
    method->body = [filter, size = reversed.size, anchor = reversed.anchor(),
                    weights = on_device(*engine, words),
                    divisor = static_cast<int>(std::fabs(taps.divisor))](const Operands& p, std::byte*) {
        call(filter, p, static_cast<const void*>(address_of(weights)), size, anchor, divisor, kReplicate);
    };
    return {};
}

} // namespace

std::string filter_border(const ImageStep& step, Engine* engine, Method* method) {
    if (auto why = why_not_at_all(step); !why.empty()) return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    return is_integer(step.in.depth) ? filter_integer(step, engine, method)
                                     : filter_float("nppiFilterBorder", step, engine, method);
}

std::string filter_border_32f(const ImageStep& step, Engine* engine, Method* method) {
    if (auto why = why_not_at_all(step); !why.empty()) return why;
    if (!has_weights(step.stages.front())) return kTooManyWeights;
    if (!is_integer(step.in.depth)) return "it filters u8 and u16";
    return filter_float("nppiFilterBorder32f", step, engine, method);
}

} // namespace kg::peers::npp
